#include "driftless/formulation/index_one.hpp"

#include <cmath>

namespace driftless {

IndexOneForm::IndexOneForm(const DescriptorSystem& system)
    : system_(system),
      nq_(system.layout().nq),
      nv_(system.layout().nv),
      integrates_work_(system.exchanges_energy()),
      scale_(Vec::Zero(nq_ + nv_ + (integrates_work_ ? 1 : 0))),
      terms_(system.make_terms()),
      aside_(system.make_terms()),
      solver_(system.make_solver()),
      minimum_norm_(system.layout()),
      c_(system.layout().m),
      lambda_(system.layout().m) {
  scale_.head(nq_) = system.layout().q_scale;
  scale_.segment(nq_, nv_) = system.layout().v_scale;
}

void IndexOneForm::magnitudes(ConstVec y, VecRef out) const {
  system_.magnitudes(y.head(nq_), y.segment(nq_, nv_), out.head(nq_), out.segment(nq_, nv_));
  if (integrates_work_) out[nq_ + nv_] = 0;
}

void IndexOneForm::pack(const State& state, double work, VecRef y) const {
  y.head(nq_) = state.q;
  y.segment(nq_, nv_) = state.v;
  if (integrates_work_) y[nq_ + nv_] = work;
}

double IndexOneForm::unpack(double t, ConstVec y, State& state) const {
  state.t = t;
  state.q = y.head(nq_);
  state.v = y.segment(nq_, nv_);
  return integrates_work_ ? y[nq_ + nv_] : 0;
}

Status IndexOneForm::derivative(double t, ConstVec y, VecRef ydot) {
  const auto q = y.head(nq_);
  const auto v = y.segment(nq_, nv_);
  system_.evaluate(t, q, v, terms_);
  const Vec& c = right_side(terms_, v, c_);
  if (statistics != nullptr) ++statistics->factorizations;
  if (const Status factored = solver_->factor(terms_); factored != Status::ok) return factored;
  const Status status = solver_->solve(terms_.f, c, ydot.segment(nq_, nv_), lambda_);  // (1)
  if (status != Status::ok) return status;
  system_.kinematics(t, q, v, ydot.head(nq_));  // (2)
  if (integrates_work_) ydot[nq_ + nv_] = system_.applied_power(t, q, v, terms_) - lambda_.dot(terms_.nu);
  return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
}

Status IndexOneForm::react(const State& state, Reaction& out) {
  system_.evaluate(state.t, state.q, state.v, aside_);
  out.vdot.resize(nv_);
  out.lambda.resize(lambda_.size());
  if (statistics != nullptr) ++statistics->factorizations;
  if (const Status status = solver_->factor(aside_); status != Status::ok) return status;
  if (const Status status = solver_->solve(aside_.f, aside_.gamma, out.vdot, out.lambda);
      status != Status::ok)
    return status;
  return minimum_norm_.apply(*solver_, aside_.J, out.lambda);
}

void IndexOneForm::drop_rows(std::span<const int> rows) {
  solver_->drop_rows(rows);
  drops_rows_ = !rows.empty();
}

}  // namespace driftless
