#include "driftless/formulation/state_form.hpp"

#include <cassert>

#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

Status OdeForm::after_step(double, VecRef, StepChange& change) {
  change = StepChange::same;
  return Status::ok;
}

Status OdeForm::jacobian(double, ConstVec, FormJacobian&) {
  assert(false && "has_jacobian() says whether there is one");
  return Status::not_converged;
}

StateForm::StateForm(const DescriptorSystem& system, KernelFactory kernel, int extra)
    : system_(system),
      nq_(system.layout().nq),
      nv_(system.layout().nv),
      m_(system.layout().m),
      mh_(system.layout().mh),
      extra_(extra),
      integrates_work_(system.exchanges_energy()),
      scale_(Vec::Zero(nq_ + nv_ + extra + (integrates_work_ ? 1 : 0))),
      terms_(system.make_terms()),
      aside_(system.make_terms()),
      solver_(kernel ? kernel() : system.make_solver()),
      lambda_(m_),
      kernel_(std::move(kernel)),
      minimum_norm_(system.layout()) {
  scale_.head(nq_) = system.layout().q_scale;
  scale_.segment(nq_, nv_) = system.layout().v_scale;
}

void StateForm::magnitudes(ConstVec y, VecRef out) const {
  system_.magnitudes(q_of(y), x_of(y), q_of(out), x_of(out));
  extra_of(out) = extra_of(y).cwiseAbs();
  if (integrates_work_) out[out.size() - 1] = 0;
}

void StateForm::pack(const State& state, double work, VecRef y) {
  q_of(y) = state.q;
  x_of(y) = state.v;
  extra_of(y).setZero();
  if (integrates_work_) y[y.size() - 1] = work;
}

double StateForm::unpack(double t, ConstVec y, State& state) {
  state.t = t;
  state.q = q_of(y);
  state.v = x_of(y);
  return integrates_work_ ? y[y.size() - 1] : 0;
}

Status StateForm::settle(double t, VecRef y) {
  return stabilization == nullptr ? Status::ok : stabilization->settle(t, q_of(y), x_of(y));
}

Status StateForm::factor(const Terms& terms) {
  if (statistics != nullptr) ++statistics->factorizations;
  return solver_->factor(terms);
}

void StateForm::power(double t, ConstVec q, ConstVec v, ConstVec lambda, VecRef ydot) {
  if (integrates_work_)
    ydot[ydot.size() - 1] = system_.applied_power(t, q, v, terms_) - lambda.dot(terms_.nu);
}

Status StateForm::react(const State& state, Reaction& out) {
  system_.evaluate(state.t, state.q, state.v, aside_);
  out.vdot.resize(nv_);
  out.lambda.resize(m_);
  if (const Status status = factor(aside_); status != Status::ok) return status;
  if (drops_rows_ && solver_->renew_rows(aside_))
    if (const Status status = factor(aside_); status != Status::ok) return status;
  if (const Status status = solver_->solve(aside_.f, aside_.gamma, out.vdot, out.lambda);
      status != Status::ok)
    return status;
  return minimum_norm_.apply(*solver_, aside_.J, out.lambda);
}

void StateForm::drop_rows(std::span<const int> rows) {
  solver_->drop_rows(rows);
  drops_rows_ = !rows.empty();
}

}  // namespace driftless
