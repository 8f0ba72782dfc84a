#include "driftless/system/kernels/full_correction.hpp"

namespace driftless {

FullCorrection::FullCorrection(const Layout& layout)
    : Z_(layout.nv, layout.m),
      K_inverse_(layout.m, layout.m),
      LZ_(layout.m, layout.m),
      A_(layout.m, layout.m),
      lu_(layout.m),
      no_force_(Vec::Zero(layout.nv)),
      no_rows_(Vec::Zero(layout.m)),
      force_(layout.nv),
      s_(layout.m),
      y_(layout.m),
      x_(layout.nv) {}

Status FullCorrection::solve(
    MotionSolver& solver, const SparseRows& L, ConstVec g, ConstVec r, VecRef dq, VecRef dv) {
  if (const Status status = solver.project(g, dq); status != Status::ok) return status;  // P g
  if (const Status status = couple(solver, L); status != Status::ok) return status;
  y_ = r;
  y_.noalias() -= L * dq;
  if (y_.size() > 0) lu_.solve(y_, s_);  // (2)
  if (const Status status = solver.project(s_, dv); status != Status::ok) return status;
  y_.noalias() = K_inverse_ * s_;
  dq.noalias() += Z_ * y_;
  return Status::ok;
}

Status FullCorrection::couple(MotionSolver& solver, const SparseRows& L) {
  for (Eigen::Index j = 0; j < L.rows(); ++j) {
    force_.setZero();
    for (SparseRows::InnerIterator e(L, j); e; ++e) force_[e.col()] = e.value();
    if (const Status status = solver.solve(force_, no_rows_, Z_.col(j), y_); status != Status::ok)
      return status;
    s_.setZero();
    s_[j] = 1;
    if (const Status status = solver.solve(no_force_, s_, x_, y_); status != Status::ok) return status;
    K_inverse_.col(j) = -y_;
  }
  LZ_.noalias() = L * Z_;
  A_.noalias() = LZ_ * K_inverse_;
  A_.diagonal().array() += 1;
  if (A_.size() > 0) lu_.compute(A_);
  return Status::ok;
}

}  // namespace driftless
