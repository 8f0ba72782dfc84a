#include "driftless/integrator/implicit_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrator/hermite.hpp"
#include "driftless/integrator/step_controller.hpp"
#include "driftless/integrator/step_plan.hpp"
#include "driftless/integrator/sudden_watch.hpp"

namespace driftless {
namespace {

constexpr int kFixedIterations = 50;  // slow ones are better than none where h cannot change

}  // namespace

ImplicitScheme::ImplicitScheme(OdeForm& form,
                               Statistics& statistics,
                               const StepControl& control,
                               const Control& way)
    : form_(form),
      statistics_(statistics),
      control_(control),
      way_(way),
      newton_(form, statistics),
      y0_(form.size()),
      y1_(form.size()),
      k0_(form.size()),
      k1_(form.size()),
      y_behind_(form.size()),
      k_behind_(form.size()),
      correction_(form.size()) {
  newton_.monitor.most = control.step > 0 ? kFixedIterations : way.iterations;
}

Status ImplicitScheme::start(double t, ConstVec y, double horizon) {
  h_ = is_fixed() ? control_.step : control_.initial_step;
  is_bounded_ = false;
  left_of_limit_ = std::nextafter(t + horizon, t);
  if (const Status status = restart(t, y); status != Status::ok) return status;
  if (h_ == 0)
    if (const Status status = choose_initial_step(horizon); status != Status::ok) return status;
  is_bounded_ = is_bounded_ || (!is_fixed() && h_ >= horizon);
  if (!is_fixed()) h_ = std::min(h_, horizon);
  return Status::ok;
}

Status ImplicitScheme::restart(double t, ConstVec y) {
  t0_ = t1_ = origin_ = t;
  n_ = 0;
  y1_ = y;
  changed_ = false;
  accepted_ = 0;
  after_rejection_ = false;
  err_old_ = 1;
  newton_.forget();
  wants_jacobian_ = is_cold_ = true;
  forget();
  is_cut_ = spoilt_ = false;
  if (h_ > 0) form_.begin_step(h_);
  return newton_.evaluate(t, y1_, k1_);
}

Status ImplicitScheme::resume(const Checkpoint& from) {
  h_ = from.h;
  const Status status =
      start_with(from.memory, form_, control_.sudden, [&] { return restart(from.t, from.y); });
  origin_ = from.origin;
  n_ = from.n;
  err_old_ = from.error_old;
  after_rejection_ = from.after_rejection;
  if (!exact_) accepted_ = 1;  // h is no guess any more
  return status;
}

Status ImplicitScheme::advance(double t_limit) {
  if (!is_cut_ &&
      (t_limit > t1_ && (is_fixed() ? plan_fixed_step(origin_, n_, h_, t1_, t_limit).t1 == t_limit
                                    : plan_adaptive_step(t1_, t_limit, control_, h_).reaches_limit))) {
    saved_ = snapshot();
    is_cut_ = true;
  }
  t0_ = t1_;
  y0_.swap(changed_ ? y_behind_ : y1_);
  k0_.swap(changed_ ? k_behind_ : k1_);
  changed_ = false;
  left_of_limit_ = std::nextafter(t_limit, t0_);
  if (!(t_limit > t0_)) {  // there already
    y1_ = y0_;
    k1_ = k0_;
    return Status::ok;
  }
  newton_.weigh(control_, y0_);
  if (const Status status = is_fixed() ? fixed_step(t_limit) : adaptive_step(t_limit); status != Status::ok) {
    spoilt_ = true;
    t1_ = t0_;  // the last good step stays readable
    y1_ = y0_;
    k1_ = k0_;
    return status;
  }
  return look_back();
}

Status ImplicitScheme::prepare() {
  theta_ = 0;
  if (newton_.knows_jacobian() && !wants_jacobian_) return Status::ok;
  if (newton_.is_current() && newton_.knows_jacobian()) return Status::ok;
  wants_jacobian_ = false;
  return newton_.renew(t0_, y0_, k0_);
}

// Settles the candidate and evaluates F there.
Status ImplicitScheme::close(double t1) {
  correction_.candidate = y1_;
  if (const Status status = form_.settle(left(t1), y1_); status != Status::ok) return status;
  return newton_.evaluate(left(t1), y1_, k1_);
}

Status ImplicitScheme::fixed_step(double t_limit) {
  if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
  const auto [h, t1, on_grid] = plan_fixed_step(origin_, n_, h_, t0_, t_limit);
  form_.begin_step(h);
  Status status = Status::not_converged;
  for (rung_ = 0; rung_ < 4 && asks_for_shorter_step(status); ++rung_) {  // (3)
    if (rung_ == 2) newton_.use_central();
    if (rung_ > 0) {
      is_cold_ = true;
      newton_.forget();
    }
    status = attempt(h, t1);
    if (status == Status::ok) break;
  }
  rung_ = 0;
  if (status == Status::ok) status = close(t1);
  if (status != Status::ok) return status;
  watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_, stage_times());
  ++statistics_.accepted;
  ++accepted_;
  t1_ = t1;
  is_cold_ = false;
  wants_jacobian_ = theta_ > std::max(way_.theta_J, 0.1);
  newton_.leave();
  accept(h);
  if (on_grid) ++n_;
  return Status::ok;
}

Status ImplicitScheme::adaptive_step(double t_limit) {
  while (true) {
    if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
    const auto [h, t1, reaches_limit, too_small] = plan_adaptive_step(t0_, t_limit, control_, h_);
    if (too_small) return obstacle_;
    form_.begin_step(h);
    Status status = attempt(h, t1);
    const bool solved = status == Status::ok;
    if (solved && err_ <= 1) status = close(t1);
    if (asks_for_shorter_step(status)) {
      obstacle_ = status;
      ++statistics_.rejected;
      failures_ = newton_.is_current() ? failures_ + 1 : 0;
      if (failures_ == 2 && !newton_.is_central()) {
        newton_.use_central();
        newton_.forget();
      }
      if (!newton_.is_current()) wants_jacobian_ = true;
      h_ = h * (solved ? 0.25 : newton_.monitor.shrink);
      after_rejection_ = is_cold_ = true;
      continue;
    }
    if (status != Status::ok) return status;
    obstacle_ = Status::step_too_small;
    if (!(err_ <= 1)) {
      ++statistics_.rejected;
      h_ = step_after_rejection(h);
      if (!newton_.is_current()) wants_jacobian_ = true;
      after_rejection_ = is_cold_ = true;
      continue;
    }
    if (const double end = watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_, stage_times());
        end < t1) {
      ++statistics_.rejected;
      step_after_rejection(h);  // what the past says of orders does not hold either
      h_ = end - t0_;
      after_rejection_ = is_cold_ = true;
      continue;
    }
    correction_.candidate = y1_ - correction_.candidate;
    correction_.note(t1, newton_.norm(correction_.candidate));
    ++statistics_.accepted;
    failures_ = 0;
    t1_ = t1;
    is_cold_ = false;
    wants_jacobian_ = theta_ > way_.theta_J;
    if (!reaches_limit) {  // else its size was not ours: nothing to learn from it, nowhere to resume
      h_ = next_step(h);
      after_rejection_ = false;
      err_old_ = std::max(err_, 1e-2);
      h_old_ = h;
    }
    ++accepted_;
    newton_.leave();
    accept(h);
    return Status::ok;
  }
}

double ImplicitScheme::next_step(double h) {  // (1)
  const double err = std::max(err_, 1e-10);
  double quotient = newton_quotient(err, way_.k, iterations_, way_.iterations);
  if (way_.predicts && accepted_ > 0 && h_old_ > 0)
    quotient = std::max(quotient, predicted_quotient(err, err_old_, way_.k, h_old_ / h));
  double next = h / std::clamp(quotient, 1 / way_.grow, 1 / way_.cut);
  if (after_rejection_) next = std::min(next, h);
  if (!wants_jacobian_ && next >= h && next <= 1.2 * h) next = h;  // (2)
  return next;
}

double ImplicitScheme::step_after_rejection(double h) {
  if (is_first()) return h / 10;
  return h /
         std::clamp(newton_quotient(err_, way_.k, iterations_, way_.iterations), 1 / way_.grow, 1 / way_.cut);
}

Status ImplicitScheme::look_back() {
  y_behind_ = y1_;
  StepChange change = StepChange::same;
  if (const Status status = form_.after_step(t1_, y_behind_, change); status != Status::ok) return status;
  changed_ = change != StepChange::same;
  if (change == StepChange::redefined) {
    newton_.forget();
    wants_jacobian_ = is_cold_ = true;
    forget();
  }
  return changed_ ? newton_.evaluate(left(t1_), y_behind_, k_behind_) : Status::ok;
}

void ImplicitScheme::interpolate(double t, VecRef y) const {
  interpolate_hermite(t0_, t1_, y0_, y1_, k0_, k1_, t, y);
}

// As the explicit schemes do: the Euler polygon of one hundredth of the solution, refined by how F changes along it.
Status ImplicitScheme::choose_initial_step(double horizon) {
  newton_.weigh(control_, y1_);
  worst_ = newton_.worst(k1_);
  const double size = newton_.norm(y1_), slope = newton_.norm(k1_);
  double h = size <= 1e-5 || slope <= 1e-5 ? 1e-6 : 0.01 * size / slope;
  is_bounded_ = h >= horizon;
  h = std::min(h, horizon);
  y0_ = y1_ + h * k1_;
  const Status status = newton_.evaluate(left(t1_ + h), y0_, k0_);
  if (status != Status::ok && !asks_for_shorter_step(status)) return status;
  k0_ -= k1_;
  const double bend = status == Status::ok ? newton_.norm(k0_) / h : std::numeric_limits<double>::infinity();
  const double steepest = std::max(bend, slope);
  const double refined =
      steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, 1.0 / (way_.order + 1));
  h_ = std::min({100 * h, std::max(refined, 1e-12 * h), horizon});
  form_.begin_step(h_);
  return newton_.evaluate(t1_, y1_, k1_);  // where forms keep what they know of the last point
}

Checkpoint ImplicitScheme::checkpoint() const {
  return is_cut_ ? saved_ : const_cast<ImplicitScheme*>(this)->snapshot();  // writing changes nothing
}

Checkpoint ImplicitScheme::snapshot() {
  Checkpoint out;
  out.t = t1_;
  out.origin = origin_;
  out.n = n_;
  out.h = h_;
  out.error_old = err_old_;
  out.after_rejection = after_rejection_;
  out.y = y();
  out.memory = remember(form_, control_.sudden);
  return out;
}

void ImplicitScheme::keep(Memory& memory) {
  memory(changed_ ? k_behind_ : k1_);
  bool is_fresh = is_first();
  memory(is_fresh);
  if (memory.reads()) accepted_ = is_fresh ? 0 : 1;
  memory(h_old_);
  memory(theta_);
  memory(wants_jacobian_);
  memory(is_cold_);
  memory(failures_, 0, 1'000'000);
  newton_.keep(memory);
  keep_own(memory);
}

}  // namespace driftless
