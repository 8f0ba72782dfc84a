#include "driftless/integrator/implicit/implicit_scheme.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrator/step_controller.hpp"
#include "driftless/integrator/step_plan.hpp"

namespace driftless {
namespace {

constexpr int kFixedIterations = 50;  // slow ones are better than none where h cannot change

}  // namespace

ImplicitScheme::ImplicitScheme(OdeForm& form,
                               Statistics& statistics,
                               const StepControl& control,
                               const Control& way)
    : Scheme(form, statistics, control),
      way_(way),
      stages_(make_stages(form, statistics)),
      newton_(*stages_, statistics) {
  newton_.monitor.most = control.step > 0 ? kFixedIterations : way.iterations;
  newton_.monitor.exactly = control.realtime;
}

Status ImplicitScheme::begin() {
  if (const Status status = stages_->begin(t1_, y1_, k1_); status != Status::ok) return status;
  size_own(stages_->size());
  return Status::ok;
}

void ImplicitScheme::open() {
  stages_->open(control_, t0_, y0_, k0_);
  newton_.open(is_fixed());
}

Status ImplicitScheme::judge(const Vec& error) {
  err_ = stages_->size_of_error(error, y1_);
  if (!std::isfinite(err_)) err_ = 1e10;
  if (!(err_ <= 1)) worst_ = stages_->worst(error);
  return Status::ok;
}

void ImplicitScheme::forget() {
  stages_->forget();
  wants_jacobian_ = is_cold_ = true;
  forget_own();
}

Status ImplicitScheme::renew_jacobian() {
  theta_ = 0;
  if (stages_->is_known() && (!wants_jacobian_ || stages_->is_current())) return Status::ok;
  wants_jacobian_ = false;
  return stages_->renew_at_start();
}

Status ImplicitScheme::attempt(double h, double t1) {
  if (!is_fixed() || control_.realtime > 0) return solve(h, t1);
  Status status = Status::not_converged;
  for (rung_ = 0; rung_ < 4 && asks_for_shorter_step(status); ++rung_) {  // (3)
    if (rung_ == 2) stages_->use_central();
    if (rung_ > 0) {
      is_cold_ = true;
      stages_->forget();
    }
    status = solve(h, t1);
    if (status == Status::ok) break;
  }
  rung_ = 0;
  return status;
}

void ImplicitScheme::accept(double h) {
  failures_ = 0;
  is_cold_ = false;
  wants_jacobian_ =
      control_.realtime > 0 || theta_ > (is_fixed() ? std::max(way_.theta_J, 0.1) : way_.theta_J);
  stages_->accept(t1_);
  accept_own(h);
}

void ImplicitScheme::reset() {
  err_old_ = 1;
  after_rejection_ = false;
}

double ImplicitScheme::accepted(double h, double error) {
  wants_jacobian_ = theta_ > way_.theta_J;
  const double next = next_step(h);
  after_rejection_ = false;
  err_old_ = std::max(error, 1e-2);
  h_old_ = h;
  return next;
}

double ImplicitScheme::next_step(double h) {  // (1)
  const double err = std::max(err_, 1e-10);
  double quotient = newton_quotient(err, way_.k, iterations_, way_.iterations);
  if (way_.predicts && !is_first() && h_old_ > 0)
    quotient = std::max(quotient, predicted_quotient(err, err_old_, way_.k, h_old_ / h));
  double next = h / std::clamp(quotient, 1 / way_.grow, 1 / way_.cut);
  if (after_rejection_) next = std::min(next, h);
  if (!wants_jacobian_ && next >= h && next <= 1.2 * h) next = h;  // (2)
  return next;
}

double ImplicitScheme::rejected(double h, double) {
  if (!stages_->is_current()) wants_jacobian_ = true;
  after_rejection_ = is_cold_ = true;
  return step_after_rejection(h);
}

double ImplicitScheme::step_after_rejection(double h) {
  if (is_first()) return h / 10;
  return h /
         std::clamp(newton_quotient(err_, way_.k, iterations_, way_.iterations), 1 / way_.grow, 1 / way_.cut);
}

double ImplicitScheme::failed(double h, Status, bool solved) {
  failures_ = stages_->is_current() ? failures_ + 1 : 0;
  if (failures_ == 2 && stages_->use_central()) stages_->forget();
  if (!stages_->is_current()) wants_jacobian_ = true;
  after_rejection_ = is_cold_ = true;
  return h * (solved ? 0.25 : newton_.monitor.shrink);
}

void ImplicitScheme::keep_control(Memory& memory) {
  memory(err_old_);
  memory(h_old_);
  memory(after_rejection_);
}

void ImplicitScheme::keep(Memory& memory) {
  memory(theta_);
  memory(wants_jacobian_);
  memory(is_cold_);
  memory(failures_, 0, 1'000'000);
  stages_->keep(memory);
  keep_own(memory);
}

}  // namespace driftless
