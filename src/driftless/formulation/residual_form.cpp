#include "driftless/formulation/residual_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/nan_safe.hpp"

namespace driftless {

ResidualForm::ResidualForm(const DescriptorSystem& system, Rows rows, Vec weight, KernelFactory kernel)
    : StateForm(system, std::move(kernel)),
      v_(nv_),
      plus_(nv_),
      minus_(nv_),
      difference_(system.layout()),
      rows_(rows),
      inverse_weight_(weight.size() > 0 ? weight.cwiseInverse().eval() : Vec::Ones(nv_).eval()),
      all_lambda_(m_),
      r_(m_),
      product_(nv_),
      steps_(nv_),
      delta_(nv_) {
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
  return {Mat::Zero(nv_, nv_),           Mat::Zero(nv_, nv_),    Mat::Zero(nv_, nv_),
          Mat::Zero(multipliers(), nv_), Mat::Zero(rows(), nv_), Mat::Zero(rows(), nv_)};
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
  all_lambda_.setZero();
  for (int i = 0; i < multipliers(); ++i) all_lambda_[kept_[size_t(i)]] = point.lambda[i];
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

double ResidualForm::power(const DaePoint& point) {
  all_lambda_.setZero();
  for (int i = 0; i < multipliers(); ++i) all_lambda_[kept_[size_t(i)]] = point.lambda[i];
  return system_.applied_power(point.t, point.q, point.v, terms_) - all_lambda_.dot(terms_.nu);
}

void ResidualForm::tangent(const DaePoint& point, DaeTangent& out) {
  const Layout& layout = system_.layout();
  const double relative = std::cbrt(std::numeric_limits<double>::epsilon());
  steps_ = relative * layout.v_scale;
  by_differences(K_groups_, out.K, [&](const Vec& delta, Vec& change) {
    difference_.q = point.q;
    system_.retract(difference_.q, delta);
    dynamics_at(point.t, difference_.q, point, change);
    minus_ = -delta;
    difference_.q = point.q;
    system_.retract(difference_.q, minus_);
    dynamics_at(point.t, difference_.q, point, minus_);
    change -= minus_;
  });
  if (rows_ != Rows::position || kept_holonomic_ < multipliers()) {
    L_.resize(m_, nv_);
    system_.velocity_residual_jacobian(point.t, point.q, point.v, terms_, difference_, L_);
  }
  system_.position(point.t, point.q, terms_);
  system_.mass(point.t, point.q, terms_);
  steps_ = relative * point.v.cwiseAbs().cwiseMax(layout.v_scale);
  by_differences(C_groups_, out.C, [&](const Vec& delta, Vec& change) {
    v_ = point.v - delta;
    system_.force(point.t, point.q, v_, terms_);
    change = terms_.f;
    v_ = point.v + delta;
    system_.force(point.t, point.q, v_, terms_);
    change -= terms_.f;
  });
  out.M.setZero();
  for (int i = 0; i < nv_; ++i)
    for (SparseRows::InnerIterator e(terms_.M, i); e; ++e) out.M(i, e.col()) = e.value();
  out.J.setZero();
  for (int i = 0; i < multipliers(); ++i)
    for (SparseRows::InnerIterator e(terms_.J, kept_[size_t(i)]); e; ++e) out.J(i, e.col()) = e.value();
  out.rows_q.topRows(position_rows()) = out.J.topRows(position_rows());
  out.rows_v.topRows(position_rows()).setZero();
  const int first = multipliers() - velocity_rows();
  for (int i = 0; i < velocity_rows(); ++i) {
    out.rows_q.row(position_rows() + i) = L_.row(kept_[size_t(first + i)]);
    out.rows_v.row(position_rows() + i) = out.J.row(first + i);
  }
}

// ∂ρ/∂(increment), steps_ the increments.
template <class Difference>
void ResidualForm::by_differences(ColumnGroups& groups, Mat& out, Difference&& difference) {
  if (groups.is_known() && groups.differ(steps_, difference, delta_, plus_, product_, out)) return;
  delta_.setZero();
  for (int j = 0; j < nv_; ++j) {
    delta_[j] = steps_[j];
    difference(delta_, plus_);
    out.col(j) = plus_ / (2 * steps_[j]);
    delta_[j] = 0;
  }
  if (nv_ >= kGrouped) groups.learn(out);
}

void ResidualForm::slip_tangent(const DaeTangent& tangent, Mat& out) const {
  out.noalias() = inverse_weight_.asDiagonal() * tangent.J.topRows(slips()).transpose();
}

}  // namespace driftless
