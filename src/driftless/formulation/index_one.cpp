#include "driftless/formulation/index_one.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

Status IndexOneForm::derivative(double t, ConstVec y, VecRef ydot) {
  const auto q = q_of(y);
  const auto v = x_of(y);
  system_.evaluate(t, q, v, terms_);
  const Vec& c = right_side(terms_, v, c_);
  if (const Status factored = factor(terms_); factored != Status::ok) return factored;
  const Status status = solver_->solve(terms_.f, c, x_of(ydot), lambda_);  // (1)
  if (status != Status::ok) return status;
  system_.kinematics(t, q, v, q_of(ydot));  // (2)
  power(t, q, v, lambda_, ydot);
  return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
}

void IndexOneForm::make_tangent() {
  if (tangent_ != nullptr) return;
  tangent_ = std::make_unique<MotionTangent>(
      system_,
      [this](const Terms& terms, ConstVec v, Vec& c) -> const Vec& { return right_side(terms, v, c); });
  for (Vec* x : {&moved_q_, &ahead_, &behind_}) x->resize(nq_);
  for (Vec* x : {&dv_, &r1_}) x->resize(nv_);
  for (Vec* x : {&r2_, &dlambda_}) x->resize(m_);
  ydot_.resize(size());
}

void IndexOneForm::keep(Memory& memory) {
  bool has_tangent = tangent_ != nullptr;
  memory(has_tangent);
  if (!has_tangent) return;
  make_tangent();
  tangent_->keep(memory);
}

Status IndexOneForm::jacobian(double t, ConstVec y, FormJacobian& out) {
  make_tangent();
  if (const Status status = derivative(t, y, ydot_); status != Status::ok) return status;
  const auto q = q_of(y);
  const auto v = x_of(y);
  tangent_->stand(t, q, v, ydot_.segment(nq_, nv_), lambda_);
  tangent_->columns(by_q_, by_v_);
  out.A.setZero(size(), size());
  for (int j = 0; j < nq_ + nv_; ++j) {  // (3)
    const auto column = j < nq_ ? by_q_.col(j) : by_v_.col(j - nq_);
    r1_ = -column.head(nv_);
    r2_ = column.tail(m_);
    if (const Status status = solver_->solve(r1_, r2_, dv_, dlambda_); status != Status::ok) return status;
    out.A.col(j).segment(nq_, nv_) = dv_;
  }
  kinematic_columns(t, q, v, out.A);
  const auto kinematics = out.A.topLeftCorner(nq_, nq_ + nv_);
  out.is_reduced =
      nq_ == nv_ && kinematics.rightCols(nv_).isIdentity(0) && kinematics.leftCols(nq_).isZero(0);
  if (out.is_reduced) {
    out.E.resize(0, 0);
    out.U_q = out.A.topLeftCorner(nq_ + nv_, nq_);
    out.U_v = out.A.block(0, nq_, nq_ + nv_, nv_);
  }
  return std::isfinite(out.A.sum()) ? Status::ok : Status::not_finite;
}

// ∂(T v)/∂q by central differences, and T.
void IndexOneForm::kinematic_columns(double t, ConstVec q, ConstVec v, Mat& A) {
  dv_.setZero();
  for (int j = 0; j < nv_; ++j) {
    dv_[j] = 1;
    system_.kinematics(t, q, dv_, ahead_);
    dv_[j] = 0;
    A.col(nq_ + j).head(nq_) = ahead_;
  }
  const double step = std::cbrt(std::numeric_limits<double>::epsilon());
  moved_q_ = q;
  for (int j = 0; j < nq_; ++j) {
    const double s = step * std::max(0.01 * std::abs(q[j]), system_.layout().q_scale[j]);
    moved_q_[j] = q[j] + s;
    system_.kinematics(t, moved_q_, v, ahead_);
    moved_q_[j] = q[j] - s;
    system_.kinematics(t, moved_q_, v, behind_);
    moved_q_[j] = q[j];
    A.col(j).head(nq_) = (ahead_ - behind_) / (2 * s);
  }
}

}  // namespace driftless
