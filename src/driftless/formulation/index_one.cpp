#include "driftless/formulation/index_one.hpp"

#include <cmath>

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

}  // namespace driftless
