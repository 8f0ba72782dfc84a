#include "driftless/integrator/step_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrator/step_plan.hpp"
#include "driftless/integrator/sudden_watch.hpp"

namespace driftless {

StepLoop::StepLoop(std::unique_ptr<Scheme> scheme)
    : scheme_(std::move(scheme)),
      s_(*scheme_),
      y_behind_(s_.form_.size()),
      k_behind_(s_.form_.size()),
      correction_(s_.form_.size()),
      work_(s_.form_.size()) {}

Status StepLoop::start(double t, ConstVec y, double horizon) {
  h_ = s_.is_fixed() ? s_.control_.step : s_.control_.initial_step;
  is_bounded_ = false;
  s_.left_of_limit_ = std::nextafter(t + horizon, t);
  if (const Status status = restart(t, y); status != Status::ok || s_.is_fixed()) return status;
  if (h_ == 0)
    if (const Status status = choose_first_step(horizon); status != Status::ok) return status;
  is_bounded_ = is_bounded_ || h_ >= horizon;
  h_ = std::min(h_, horizon);
  return Status::ok;
}

Status StepLoop::restart(double t, ConstVec y) {
  s_.t0_ = s_.t1_ = origin_ = t;
  n_ = 0;
  s_.y1_ = y;
  is_changed_ = is_redefined_ = false;
  s_.accepted_ = 0;
  s_.form_.magnitudes(s_.y1_, s_.magnitude0_);
  s_.forget();
  s_.policy().reset();
  is_cut_ = spoilt_ = false;
  if (h_ > 0) s_.prepare(h_);
  return s_.begin();
}

Status StepLoop::resume(const Checkpoint& from) {
  h_ = from.h;
  const Status status =
      start_with(from.memory, s_.form_, s_.control_.sudden, [&] { return restart(from.t, from.y); });
  origin_ = from.origin;
  n_ = from.n;
  if (!exact_) s_.accepted_ = 1;  // h is no guess any more
  return status;
}

Status StepLoop::advance(double t_limit) {
  if (!(t_limit > s_.t1_)) {  // there already
    open(t_limit);
    stay();
    return Status::ok;
  }
  save_before_cut(t_limit);
  open(t_limit);
  s_.open();
  if (const Status status = make_step(t_limit); status != Status::ok) {
    spoilt_ = true;
    stay();
    return status;
  }
  return look_behind();
}

// A step that ends at its limit is not of the scheme's own choosing, and neither are those behind it.
void StepLoop::save_before_cut(double t_limit) {
  if (is_cut_) return;
  const bool ends_there = s_.is_fixed() ? plan_fixed_step(origin_, n_, h_, s_.t1_, t_limit).t1 == t_limit
                                        : plan_adaptive_step(s_.t1_, t_limit, s_.control_, h_).reaches_limit;
  if (!ends_there && !(s_.reach() > 1 && s_.t1_ + s_.reach() * h_ > t_limit)) return;
  saved_ = snapshot();
  is_cut_ = true;
}

void StepLoop::open(double t_limit) {
  s_.t0_ = s_.t1_;
  s_.y0_.swap(is_changed_ ? y_behind_ : s_.y1_);
  s_.k0_.swap(is_changed_ ? k_behind_ : s_.k1_);
  if (is_redefined_) {
    s_.forget();
    s_.policy().reset();
  }
  is_changed_ = is_redefined_ = false;
  s_.left_of_limit_ = std::nextafter(t_limit, s_.t0_);
}

void StepLoop::stay() {
  s_.t1_ = s_.t0_;
  s_.y1_ = s_.y0_;
  s_.k1_ = s_.k0_;
}

Status StepLoop::make_step(double t_limit) {
  if (s_.control_.realtime == 0) return s_.is_fixed() ? fixed_step(t_limit) : adaptive_step(t_limit);
  clock_.begin();
  const Status status = fixed_step(t_limit);
  clock_.end(s_.t1_, s_.t1_ - s_.t0_);
  return status;
}

Status StepLoop::attempt(double h, double t1, bool& solved) {
  s_.prepare(h);
  const Status status = s_.attempt(h, t1);
  solved = status == Status::ok;
  if (!solved || s_.is_hopeless()) return status;
  correction_.candidate = s_.y1_;
  if (const Status settled = s_.form_.settle(s_.left(t1), s_.y1_); settled != Status::ok) return settled;
  return s_.close(t1);
}

Status StepLoop::fixed_step(double t_limit) {
  if (s_.statistics_.steps() >= s_.control_.max_steps) return Status::too_many_steps;
  const auto [h, t1, on_grid] = plan_fixed_step(origin_, n_, h_, s_.t0_, t_limit);
  bool solved = false;
  if (const Status status = attempt(h, t1, solved); status != Status::ok) {
    s_.undo();
    return status;
  }
  watched_end(s_.control_, s_.t0_, s_.y0_, t1, s_.left_of_limit_, s_.y1_, s_.stage_times());
  accept(h, t1);
  if (on_grid) ++n_;
  return Status::ok;
}

Status StepLoop::adaptive_step(double t_limit) {
  Statistics& count = s_.statistics_;
  StepPolicy& policy = s_.policy();
  while (true) {
    if (count.steps() >= s_.control_.max_steps) return Status::too_many_steps;
    const auto [h, t1, reaches_limit, too_small] = plan_adaptive_step(s_.t0_, t_limit, s_.control_, h_);
    if (too_small) return obstacle_;
    bool solved = false;
    const Status status = attempt(h, t1, solved);
    if (asks_for_shorter_step(status)) {
      obstacle_ = status;
      count.fail_to_converge();
      h_ = policy.failed(h, status, solved);
      s_.undo();
      continue;
    }
    if (status != Status::ok) {
      s_.undo();
      return status;
    }
    s_.form_.magnitudes(s_.y1_, s_.magnitude1_);
    const int worst = s_.worst_;
    const double error = s_.error(h);
    obstacle_ = Status::step_too_small;
    if (!(error <= 1)) {
      count.fail_error_test();
      h_ = policy.rejected(h, error);
      s_.undo();
      continue;
    }
    if (const double end =
            watched_end(s_.control_, s_.t0_, s_.y0_, t1, s_.left_of_limit_, s_.y1_, s_.stage_times());
        end < t1) {
      count.fail_error_test();
      policy.rejected(h, error);  // what the past says of orders does not hold either
      h_ = end - s_.t0_;
      s_.undo();
      continue;
    }
    if (s_.watches_correction()) {
      work_ = s_.y1_ - correction_.candidate;
      correction_.note(t1, s_.weighted(work_));
    }
    s_.worst_ = worst;  // of the last one rejected
    s_.t1_ = t1;
    if (!reaches_limit)
      h_ = policy.accepted(h, error);  // else its size was not ours: nothing to learn from it
    accept(h, t1);
    s_.magnitude0_.swap(s_.magnitude1_);
    return Status::ok;
  }
}

void StepLoop::accept(double h, double t1) {
  s_.t1_ = t1;
  s_.accept(h);
  ++s_.statistics_.accepted;
  ++s_.accepted_;
}

// What the formulation does behind an accepted step. The step itself keeps its ends and slopes for dense output.
Status StepLoop::look_behind() {
  y_behind_ = s_.y1_;
  StepChange change = StepChange::same;
  if (const Status status = s_.form_.after_step(s_.t1_, y_behind_, change); status != Status::ok)
    return status;
  is_changed_ = change != StepChange::same;
  is_redefined_ = change == StepChange::redefined;
  s_.end_ = is_changed_ ? &y_behind_ : &s_.y1_;
  if (!is_changed_) return Status::ok;
  s_.form_.magnitudes(y_behind_, s_.magnitude0_);
  return s_.evaluate(s_.left(s_.t1_), y_behind_, k_behind_);
}

Status StepLoop::choose_first_step(double horizon) {
  const Vec& scale = s_.form_.scale();
  const Vec &y = s_.y1_, &F = s_.k1_;
  const auto norm = [&](auto&& component) {
    double sum = 0;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (scale[i] == 0) continue;
      const double share =
          component(i) / (s_.control_.atol * scale[i] + s_.control_.rtol * s_.magnitude0_[i]);
      sum += share * share;
    }
    return std::sqrt(sum);
  };
  s_.worst_ = 0;  // the steepest one, until a step is rejected
  for (int i = 1; i < y.size(); ++i)
    if (scale[i] > 0 && std::abs(F[i]) * scale[s_.worst_] > std::abs(F[s_.worst_]) * scale[i]) s_.worst_ = i;
  const double size = norm([&](Eigen::Index i) { return s_.magnitude0_[i]; });
  const double slope = norm([&](Eigen::Index i) { return F[i]; });
  double h = size <= 1e-5 || slope <= 1e-5 ? 1e-6 : 0.01 * size / slope;
  is_bounded_ = h >= horizon;
  h = std::min(h, horizon);
  work_ = y + h * F;
  const Status status = s_.evaluate(s_.left(s_.t1_ + h), work_, s_.k0_);
  if (status != Status::ok && !asks_for_shorter_step(status)) return status;
  const double bend = status == Status::ok ? norm([&](Eigen::Index i) { return s_.k0_[i] - F[i]; }) / h
                                           : std::numeric_limits<double>::infinity();
  const double steepest = std::max(bend, slope);
  const double refined =
      steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, 1.0 / s_.exponent());
  h_ = std::min({100 * h, std::max(refined, 1e-12 * h), horizon});
  s_.y0_ = y;
  s_.k0_ = F;
  return Status::ok;
}

Checkpoint StepLoop::checkpoint() const {
  return is_cut_ ? saved_ : const_cast<StepLoop*>(this)->snapshot();  // writing changes nothing
}

Checkpoint StepLoop::snapshot() {
  Checkpoint out;
  out.t = s_.t1_;
  out.origin = origin_;
  out.n = n_;
  out.h = h_;
  out.y = y();
  out.memory = remember(s_.form_, s_.control_.sudden);
  return out;
}

void StepLoop::keep(Memory& memory) {
  memory(is_changed_ ? k_behind_ : s_.k1_);
  memory(s_.magnitude0_);
  memory(is_redefined_);
  bool is_fresh = s_.is_first();
  memory(is_fresh);
  if (memory.reads()) s_.accepted_ = is_fresh ? 0 : 1;
  s_.policy().keep_control(memory);
  s_.keep(memory);
}

std::string StepLoop::remark() const {
  const std::string own = s_.remark(), timing = clock_.remark(s_.control_.step);
  return own.empty() || timing.empty() ? own + timing : own + "\n" + timing;
}

}  // namespace driftless
