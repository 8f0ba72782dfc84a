#include "driftless/formulation/residual/residual_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/linear/sparse_copy.hpp"
#include "driftless/math/nan_safe.hpp"

namespace driftless {

ResidualForm::ResidualForm(const DescriptorSystem& system, Rows rows, Vec weight, KernelFactory kernel)
    : StateForm(system, std::move(kernel)),
      v_(nv_),
      rows_(rows),
      inverse_weight_(weight.size() > 0 ? weight.cwiseInverse().eval() : Vec::Ones(nv_).eval()),
      all_lambda_(m_),
      r_(m_),
      product_(nv_) {
  ResidualForm::drop_rows({});
}

void ResidualForm::drop_rows(std::span<const int> rows) {
  StateForm::drop_rows(rows);
  kept_.clear();
  for (int i = 0; rows_ != Rows::none && i < m_; ++i)
    if (!std::binary_search(rows.begin(), rows.end(), i)) kept_.push_back(i);
  kept_holonomic_ =
      static_cast<int>(std::count_if(kept_.begin(), kept_.end(), [&](int i) { return i < mh_; }));
}

double ResidualForm::row_independence() {
  if (rows_ == Rows::none) return 1;
  return factor(terms_) == Status::ok ? solver_->independence() : 0;
}

Status ResidualForm::derivative(double t, ConstVec y, VecRef ydot) {
  const auto q = q_of(y);
  const auto v = x_of(y);
  system_.evaluate(t, q, v, terms_);
  if (const Status status = factor(terms_); status != Status::ok) return status;
  if (const Status status = solver_->solve(terms_.f, terms_.gamma, x_of(ydot), lambda_); status != Status::ok)
    return status;
  system_.kinematics(t, q, v, q_of(ydot));
  StateForm::power(t, q, v, lambda_, ydot);
  return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
}

DaePoint ResidualForm::make_point() const {
  return {0, Vec::Zero(nq_), Vec::Zero(nv_), Vec::Zero(nv_), Vec::Zero(multipliers()), Vec::Zero(slips())};
}

DaeTangent ResidualForm::make_tangent() const {
  DaeTangent out;
  for (SparseRows* block : {&out.M, &out.C, &out.K}) block->resize(nv_, nv_);
  out.J.resize(multipliers(), nv_);
  out.L.resize(velocity_rows(), nv_);
  return out;
}

Tangents& ResidualForm::tangents() {
  if (!tangents_) tangents_ = std::make_unique<Tangents>(system_.make_tangents(parts()));
  return *tangents_;
}

void ResidualForm::keep(Memory& memory) {
  bool has = tangents_ != nullptr;
  memory(has);
  if (has) tangents().keep(memory);
}

Status ResidualForm::complete(DaePoint& point) {
  system_.evaluate(point.t, point.q, point.v, terms_);
  if (const Status status = factor(terms_); status != Status::ok) return status;
  if (const Status status = solver_->solve(terms_.f, terms_.gamma, point.a, lambda_); status != Status::ok)
    return status;
  for (int i = 0; i < multipliers(); ++i) point.lambda[i] = lambda_[kept_[size_t(i)]];
  point.mu.setZero();
  return std::isfinite(point.a.sum() + point.lambda.sum()) ? Status::ok : Status::not_finite;
}

Status ResidualForm::project_velocity(DaePoint& point) {
  if (const Status status = factor(terms_); status != Status::ok) return status;
  velocity_residual(terms_, point.v, r_);
  r_ = -r_;
  product_.setZero();
  if (const Status status = solver_->solve(product_, r_, v_, lambda_); status != Status::ok) return status;
  point.v += v_;
  system_.force(point.t, point.q, point.v, terms_);
  return Status::ok;
}

Status ResidualForm::solve_ahead(const Terms& at, const Terms& ahead, ConstVec c, VecRef a, VecRef lambda) {
  if (const Status status = factor(at); status != Status::ok) return status;
  if (const Status status = solver_->solve(at.f, c, a, lambda); status != Status::ok) return status;
  product_.setZero();
  double defect = 0, before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 40; ++iteration, before = defect) {
    defect = 0;
    double size = 0;                                // of what cancels in the defect
    const auto& dropped = solver_->dropped_rows();  // its own: it may have changed them since
    for (int i = 0; i < m_; ++i) {
      r_[i] = 0;
      if (std::binary_search(dropped.begin(), dropped.end(), i)) continue;
      double sum = 0, terms = std::abs(c[i]);
      for (SparseRows::InnerIterator e(ahead.J, i); e; ++e) {
        sum += e.value() * a[e.col()];
        terms += std::abs(e.value() * a[e.col()]);
      }
      r_[i] = c[i] - sum;
      defect = max_or_nan(defect, std::abs(r_[i]));
      size = std::max(size, terms);
    }
    if (!std::isfinite(defect)) return Status::not_finite;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    if (defect <= 2 * eps * size || (defect > before / 2 && defect <= 1e4 * eps * size)) return Status::ok;
    if (defect > 0.9 * before) return Status::not_converged;
    if (const Status status = solver_->solve(product_, r_, v_, lambda_); status != Status::ok) return status;
    a += v_;
    lambda += lambda_;
  }
  return Status::not_converged;
}

// ρ of (1) at (t, q), the rest taken from the point; leaves position, mass and force in terms_.
void ResidualForm::dynamics_at(double t, ConstVec q, const DaePoint& point, VecRef out) {
  system_.position(t, q, terms_);
  system_.mass(t, q, terms_);
  system_.force(t, q, point.v, terms_);
  mass_times(terms_, point.a, out);
  spread(point);
  add_transposed_rows(terms_, 1, all_lambda_, out);
  out -= terms_.f;
}

void ResidualForm::residual(const DaePoint& point, VecRef dynamics, VecRef slip, VecRef rows) {
  dynamics_at(point.t, point.q, point, dynamics);
  slip.setZero();
  if (slips() > 0) {
    r_.setZero();
    for (int i = 0; i < slips(); ++i) r_[kept_[size_t(i)]] = point.mu[i];
    add_transposed_rows(terms_, 1, r_, slip);
    slip = slip.cwiseProduct(inverse_weight_);
  }
  for (int i = 0; i < position_rows(); ++i) rows[i] = terms_.g[kept_[size_t(i)]];
  velocity_residual(terms_, point.v, r_);
  const int first = multipliers() - velocity_rows();
  for (int i = 0; i < velocity_rows(); ++i) rows[position_rows() + i] = r_[kept_[size_t(first + i)]];
}

void ResidualForm::spread(const DaePoint& point) {
  all_lambda_.setZero();
  for (int i = 0; i < multipliers(); ++i) all_lambda_[kept_[size_t(i)]] = point.lambda[i];
}

double ResidualForm::power(const DaePoint& point) {
  spread(point);
  return system_.applied_power(point.t, point.q, point.v, terms_) - all_lambda_.dot(terms_.nu);
}

TangentParts ResidualForm::parts() const {
  return {.dynamics = true, .velocity = rows_ != Rows::position || m_ > mh_};
}

void ResidualForm::tangent(const DaePoint& point, DaeTangent& out) {
  Tangents& all = tangents();
  spread(point);
  system_.tangents(point.t, point.q, point.v, point.a, all_lambda_, terms_, all);
  copy_sparse(terms_.M, out.M);
  copy_sparse(all.K, out.K);
  copy_sparse(all.C, out.C);
  copy_rows(terms_.J, kept_, out.J);
  copy_rows(all.L, std::span(kept_).last(size_t(velocity_rows())), out.L);
}

}  // namespace driftless
