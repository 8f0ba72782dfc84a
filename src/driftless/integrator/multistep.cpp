#include "driftless/integrator/multistep.hpp"

#include <cmath>
#include <limits>

#include "driftless/integrator/initial_step.hpp"
#include "driftless/integrator/step_plan.hpp"
#include "driftless/integrator/sudden_watch.hpp"

namespace driftless {

std::vector<std::string> multistep_formulations() {
  return {"lagrange",
          "baumgarte",
          "stabilized-field",
          "penalty",
          "augmented-lagrangian",
          "projection-dependent",
          "partitioned",
          "projection-independent"};
}

Multistep::Multistep(
    OdeForm& form, Statistics& statistics, const StepControl& control, const Tableau& starter, int order)
    : form_(form),
      statistics_(statistics),
      control_(control),
      y0_(form.size()),
      y1_(form.size()),
      F0_(form.size()),
      F1_(form.size()),
      work_(form.size()),
      starter_(starter, form.size()),
      order_(order),
      y_behind_(form.size()),
      F_behind_(form.size()),
      magnitude0_(form.size()),
      magnitude1_(form.size()),
      correction_(form.size()) {}

Status Multistep::start(double t, ConstVec y, double horizon) {
  h_ = is_fixed() ? control_.step : control_.initial_step;
  is_bounded_ = false;
  if (const Status status = restart(t, y); status != Status::ok) return status;
  if (h_ == 0) {
    const InitialStep first = choose_initial_step(form_, statistics_, control_, t, y1_, F1_, magnitude0_,
                                                  order_, horizon, work_, F0_);
    if (first.status != Status::ok) return first.status;
    h_ = first.h;
    is_bounded_ = first.is_bounded;
    worst_ = first.steepest;
  }
  is_bounded_ = is_bounded_ || (!is_fixed() && h_ >= horizon);
  if (!is_fixed()) h_ = std::min(h_, horizon);
  return Status::ok;
}

Status Multistep::restart(double t, ConstVec y) {
  t0_ = t1_ = origin_ = t;
  n_ = 0;
  y1_ = y;
  changed_ = redefined_ = false;
  tested_ = static_cast<int>((form_.scale().array() > 0).count());
  form_.magnitudes(y1_, magnitude0_);
  forget();
  is_cut_ = spoilt_ = false;
  if (h_ > 0) form_.begin_step(h_);
  return evaluate(t, y1_, F1_);
}

Status Multistep::resume(const Checkpoint& from) {
  h_ = from.h;
  const Status status =
      start_with(from.memory, form_, control_.sudden, [&] { return restart(from.t, from.y); });
  origin_ = from.origin;
  n_ = from.n;
  return status;
}

Status Multistep::advance(double t_limit) {
  if (!is_cut_ && (is_fixed() ? plan_fixed_step(origin_, n_, h_, t1_, t_limit).t1 == t_limit
                              : plan_adaptive_step(t1_, t_limit, control_, h_).reaches_limit)) {
    saved_ = snapshot();
    is_cut_ = true;
  }
  t0_ = t1_;
  y0_.swap(changed_ ? y_behind_ : y1_);
  F0_.swap(changed_ ? F_behind_ : F1_);
  if (redefined_) forget();
  changed_ = redefined_ = false;
  remember();
  left_of_limit_ = std::nextafter(t_limit, t0_);
  const Status status = is_fixed() ? fixed_step(t_limit) : adaptive_step(t_limit);
  if (status != Status::ok) {  // the last good step stays readable
    spoilt_ = true;
    t1_ = t0_;
    y1_ = y0_;
    F1_ = F0_;
    return status;
  }
  accepted();
  return look_back();
}

Checkpoint Multistep::checkpoint() const {
  return is_cut_ ? saved_ : const_cast<Multistep*>(this)->snapshot();  // writing changes nothing
}

Checkpoint Multistep::snapshot() {
  Checkpoint out;
  out.t = t1_;
  out.origin = origin_;
  out.n = n_;
  out.h = h_;
  out.y = y();
  out.memory = Resumable::remember(form_, control_.sudden);
  return out;
}

void Multistep::keep(Memory& memory) {
  memory(changed_ ? F_behind_ : F1_);
  memory(magnitude0_);
  memory(redefined_);
  keep_own(memory);
}

Status Multistep::evaluate(double t, ConstVec y, VecRef out) {
  ++statistics_.evaluations;
  return form_.derivative(t, y, out);
}

Status Multistep::starting_step(double h) {
  starter_.k.col(0) = F0_;
  return starter_.run(form_, statistics_, t0_, y0_, h, left_of_limit_, y1_);
}

double Multistep::starting_error(double h) {
  starter_.k.col(starter_.last()) = F1_;
  work_.setZero();
  for (int j = 0; j <= starter_.last(); ++j) work_ += h * starter_.tableau.e[size_t(j)] * starter_.k.col(j);
  return weighted(work_);
}

double Multistep::weighted(const Vec& error) {
  form_.magnitudes(y1_, magnitude1_);
  const Vec& scale = form_.scale();
  double sum = 0, largest = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i) {
    if (scale[i] == 0) continue;
    const double relative =
        error[i] / (control_.atol * scale[i] + control_.rtol * std::max(magnitude0_[i], magnitude1_[i]));
    sum += relative * relative;
    if (relative * relative > largest) {
      largest = relative * relative;
      worst_ = i;
    }
  }
  const double norm = std::sqrt(sum / tested_);
  return std::isfinite(norm) ? norm : 1e10;
}

Status Multistep::attempt(double h, double t1) {
  form_.begin_step(h);
  const double t_end = std::min(t1, left_of_limit_);
  if (const Status status = candidate(h, t1, t_end); status != Status::ok) return status;
  correction_.candidate = y1_;
  if (const Status status = form_.settle(t_end, y1_); status != Status::ok) return status;
  return evaluate(t_end, y1_, F1_);
}

Status Multistep::fixed_step(double t_limit) {
  if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
  const auto [h, t1, on_grid] = plan_fixed_step(origin_, n_, h_, t0_, t_limit);
  if (const Status status = attempt(h, t1); status != Status::ok) return status;
  watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_);
  ++statistics_.accepted;
  t1_ = t1;
  if (on_grid) ++n_;
  return Status::ok;
}

Status Multistep::adaptive_step(double t_limit) {
  while (true) {
    if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
    const auto [h, t1, reaches_limit, too_small] = plan_adaptive_step(t0_, t_limit, control_, h_);
    if (too_small) return obstacle_;
    const Status status = attempt(h, t1);
    if (asks_for_shorter_step(status)) {
      obstacle_ = status;
      ++statistics_.rejected;
      h_ = shorter_step(h) / 2;
      continue;
    }
    if (status != Status::ok) return status;
    const double found = error(h);
    obstacle_ = Status::step_too_small;
    if (!(found <= 1)) {
      ++statistics_.rejected;
      h_ = shorter_step(h);
      continue;
    }
    if (const double end = watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_); end < t1) {
      ++statistics_.rejected;
      shorter_step(h);  // what the past says of orders does not hold either
      h_ = end - t0_;
      continue;
    }
    work_ = y1_ - correction_.candidate;
    correction_.note(t1, weighted(work_));
    ++statistics_.accepted;
    t1_ = t1;
    form_.magnitudes(y1_, magnitude0_);
    if (!reaches_limit) h_ = next_step(h, found);  // else its size was not ours: nothing to learn from it
    return Status::ok;
  }
}

// What the formulation does behind an accepted step. The step itself keeps its ends and slopes for dense output.
Status Multistep::look_back() {
  y_behind_ = y1_;
  StepChange change = StepChange::same;
  if (const Status status = form_.after_step(t1_, y_behind_, change); status != Status::ok) return status;
  changed_ = change != StepChange::same;
  redefined_ = change == StepChange::redefined;
  if (!changed_) return Status::ok;
  if (redefined_) tested_ = static_cast<int>((form_.scale().array() > 0).count());
  form_.magnitudes(y_behind_, magnitude0_);
  return evaluate(std::min(t1_, left_of_limit_), y_behind_, F_behind_);
}

}  // namespace driftless
