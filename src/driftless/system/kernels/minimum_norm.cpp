#include "driftless/system/kernels/minimum_norm.hpp"

namespace driftless {

MinimumNorm::MinimumNorm(const Layout& layout)
    : no_force_(Vec::Zero(layout.nv)),
      no_rows_(Vec::Zero(layout.m)),
      force_(layout.nv),
      x_(layout.nv),
      w_(layout.m),
      r_(layout.m),
      p_(layout.m),
      Ap_(layout.m),
      y_(layout.m) {}

Status MinimumNorm::times_C(MotionSolver& solver, const SparseRows& J, const Vec& u, Vec& out) {
  const Status status = solver.project(u, x_);
  out.setZero();
  for (const int row : solver.dropped_rows())
    for (SparseRows::InnerIterator e(J, row); e; ++e) out[row] += e.value() * x_[e.col()];
  return status;
}

Status MinimumNorm::times_C_transposed(MotionSolver& solver, const SparseRows& J, const Vec& w, Vec& out) {
  force_.setZero();
  for (const int row : solver.dropped_rows())
    for (SparseRows::InnerIterator e(J, row); e; ++e) force_[e.col()] += e.value() * w[row];
  return solver.solve(force_, no_rows_, x_, out);
}

Status MinimumNorm::apply(MotionSolver& solver, const SparseRows& J, Vec& lambda) {
  constexpr double kTolerance = 1e-15;
  const auto dropped = static_cast<int>(solver.dropped_rows().size());
  if (dropped == 0) return Status::ok;
  // (I + C Cᵀ) w = −C λ₁
  if (const Status status = times_C(solver, J, lambda, r_); status != Status::ok) return status;
  r_ = -r_;
  w_.setZero();
  p_ = r_;
  double square = r_.squaredNorm();
  const double goal = kTolerance * kTolerance * lambda.squaredNorm();
  for (int k = 0; k < dropped + 10 && square > goal; ++k) {
    if (const Status status = times_C_transposed(solver, J, p_, y_); status != Status::ok) return status;
    if (const Status status = times_C(solver, J, y_, Ap_); status != Status::ok) return status;
    Ap_ += p_;
    const double step = square / p_.dot(Ap_);
    w_ += step * p_;
    r_ -= step * Ap_;
    const double before = square;
    square = r_.squaredNorm();
    p_ = r_ + square / before * p_;
  }
  if (const Status status = times_C_transposed(solver, J, w_, y_); status != Status::ok) return status;
  lambda += y_ - w_;
  return Status::ok;
}

}  // namespace driftless
