// (7) of independent_form.hpp.
#include <cmath>

#include "driftless/formulation/independent_form.hpp"

namespace driftless {

Status IndependentForm::jacobian(double t, ConstVec y, FormJacobian& out) {
  if (tangent_ == nullptr) {
    tangent_ = std::make_unique<MotionTangent>(
        system_, [](const Terms& terms, ConstVec, Vec&) -> const Vec& { return terms.gamma; });
    ydot_.resize(size());
    column_.resize(nv_ + m_);
    r1_.resize(nv_);
    for (Vec* x : {&r2_, &dlambda_}) x->resize(m_);
  }
  if (const Status status = derivative(t, y, ydot_); status != Status::ok) return status;
  tangent_->stand(t, q_, v_, ydot_.segment(nq_, nv_), lambda_);
  const Mat& R = space_.R();
  const int f = space_.freedom();
  out.U_q.resize(nq_ + nv_, f);
  out.U_v.resize(nq_ + nv_, f);
  const auto back_substitute = [&](auto column) {
    r1_ = -column_.head(nv_);
    r2_ = column_.tail(m_);
    space_.solve(terms_.M, r1_, r2_, column, dlambda_);
  };
  for (int k = 0; k < f; ++k) {
    tangent_->rows_along(R.col(k), r2_);
    space_.S(r2_, r1_);
    out.U_q.col(k).head(nq_) = -r1_;
    tangent_->along(R.col(k), out.U_q.col(k).head(nq_), column_);
    back_substitute(out.U_q.col(k).tail(nv_));
  }
  offset_.setZero();
  for (int k = 0; k < f; ++k) {
    out.U_v.col(k).head(nq_) = R.col(k);
    tangent_->along(offset_, R.col(k), column_);
    back_substitute(out.U_v.col(k).tail(nv_));
  }
  out.E.resize(f, nv_);
  for (int j = 0; j < nv_; ++j) {
    offset_[j] = 1;
    space_.B(offset_, out.E.col(j));
    offset_[j] = 0;
  }
  out.is_reduced = true;
  out.A.setZero(size(), size());
  out.A.topLeftCorner(nq_ + nv_, nq_).noalias() = out.U_q * out.E;
  out.A.block(0, nq_, nq_ + nv_, nv_).noalias() = out.U_v * out.E;
  return std::isfinite(out.A.sum()) ? Status::ok : Status::not_finite;
}

}  // namespace driftless
