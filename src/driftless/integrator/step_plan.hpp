// Where the next step goes: what the frames of the integrators share, whatever they do in between.
//   fixed      t₁ = t_origin + (n+1) h, cut at the limit; a step that reaches it within 1e-9 h ends there exactly          (1)
//   adaptive   h at most max_step; the last step before the limit is stretched by 1 % at most, so that no sliver is left   (2)
//              below 16 ε |t| time does not resolve a step any more                                                        (3)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrator/integrator.hpp"

namespace driftless {

struct FixedStep {
  double h, t1;
  bool on_grid;  // false: cut at the limit
};
inline FixedStep plan_fixed_step(double origin, long n, double step, double t0, double t_limit) {  // (1)
  const auto grid = [&](long k) { return origin + static_cast<double>(k) * step; };
  const double t1 = grid(n + 1);
  const bool reaches_limit = t1 > t_limit - 1e-9 * step, on_grid = t1 < t_limit + 1e-9 * step;
  const double end = reaches_limit ? t_limit : t1;
  // From one point of the grid to the next it is the step itself: differences of times have other last digits every time, and
  // factors and weights made for one would not serve for another.
  return {end == t1 && t0 == grid(n) ? step : end - t0, end, on_grid};
}

struct AdaptiveStep {
  double h, t1;
  bool reaches_limit;  // its size was not the controller's
  bool too_small;      // (3)
};
// `step` is what the controller wants; cut to max_step in place.
inline AdaptiveStep plan_adaptive_step(double t0, double t_limit, const StepControl& control, double& step) {
  if (control.max_step > 0) step = std::min(step, control.max_step);
  const double smallest =
      16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t_limit));
  const bool too_small = !(step >= smallest) && t_limit - t0 > smallest;             // NaN included
  if (t0 + 1.01 * step >= t_limit) return {t_limit - t0, t_limit, true, too_small};  // (2)
  return {step, t0 + step, false, too_small};
}

// Whether a shorter step may help: the trial left the region where F is defined, or an iteration did not converge, or a trial
// point far off the motion was singular. Where the motion itself is, no step is short enough, and the run ends with that.
inline bool asks_for_shorter_step(Status status) {
  return status == Status::not_finite || status == Status::not_converged || status == Status::singular;
}

}  // namespace driftless
