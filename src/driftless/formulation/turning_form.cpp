#include "driftless/formulation/turning_form.hpp"

#include <utility>

#include "driftless/formulation/carries_velocities.hpp"

namespace driftless {

TurningForm::TurningForm(const Layout& layout, const TurningVectors& vectors, std::unique_ptr<OdeForm> form)
    : nq_(layout.nq),
      nv_(layout.nv),
      vectors_(vectors),
      form_(std::move(form)),
      z_(form_->size()),
      before_(form_->size()) {}

OdeForm& TurningForm::inside() {
  form_->statistics = statistics;
  form_->stabilization = stabilization;
  return *form_;
}

void TurningForm::to_space(ConstVec y, Vec& z) const {
  z = y;
  vectors_.to_space(y.head(nq_), y.segment(nq_, nv_), z.segment(nq_, nv_));
}

void TurningForm::to_body(ConstVec z, VecRef y) const {
  y = z;
  vectors_.to_body(z.head(nq_), z.segment(nq_, nv_), y.segment(nq_, nv_));
}

// Axes change no lengths: what v is measured with serves u.
void TurningForm::magnitudes(ConstVec y, VecRef out) const {
  to_space(y, z_);
  form_->magnitudes(z_, out);
}

void TurningForm::pack(const State& state, double work, VecRef y) {
  inside().pack(state, work, z_);
  to_body(z_, y);
}

double TurningForm::unpack(double t, ConstVec y, State& state) {
  to_space(y, z_);
  return inside().unpack(t, z_, state);
}

Status TurningForm::derivative(double t, ConstVec y, VecRef ydot) {
  z_ = y;
  vectors_.put_in_shape(z_.head(nq_));
  vectors_.to_space(z_.head(nq_), y.segment(nq_, nv_), z_.segment(nq_, nv_));
  const Status status = inside().derivative(t, z_, ydot);
  if (status != Status::ok) return status;
  vectors_.to_body_acceleration(z_.head(nq_), ydot.head(nq_), z_.segment(nq_, nv_), ydot.segment(nq_, nv_));
  // q itself moves with what it is: schemes follow a steady turn best where q̇ is linear in q.
  ydot.head(nq_) -= z_.segment(nq_, nv_);
  vectors_.to_space(y.head(nq_), y.segment(nq_, nv_), z_.segment(nq_, nv_));
  ydot.head(nq_) += z_.segment(nq_, nv_);
  return status;
}

Status TurningForm::settle(double t, VecRef y) {
  to_space(y, z_);
  before_ = z_;
  if (stabilization !=
      nullptr) {  // in shape u is what it was; a correction of v in space would turn it in its body
    vectors_.put_in_shape(z_.head(nq_));
    vectors_.to_space(z_.head(nq_), y.segment(nq_, nv_), z_.segment(nq_, nv_));
  }
  const Status status = inside().settle(t, z_);
  if (z_ != before_) to_body(z_, y);
  return status;
}

Status TurningForm::after_step(double t, VecRef y, StepChange& change) {
  to_space(y, z_);
  const Status status = inside().after_step(t, z_, change);
  if (change != StepChange::same) to_body(z_, y);
  return status;
}

void TurningForm::keep(Memory& memory) {
  if (auto* keeper = dynamic_cast<KeepsMemory*>(form_.get())) keeper->keep(memory);
}

std::unique_ptr<OdeForm> in_turning_axes(const DescriptorSystem& system, std::unique_ptr<OdeForm> form) {
  const auto* vectors = dynamic_cast<const TurningVectors*>(&system);
  const bool carries = dynamic_cast<const CarriesVelocities*>(form.get()) != nullptr;
  if (vectors == nullptr || !vectors->has_body_rates() || !carries) return form;
  return std::make_unique<TurningForm>(system.layout(), *vectors, std::move(form));
}

}  // namespace driftless
