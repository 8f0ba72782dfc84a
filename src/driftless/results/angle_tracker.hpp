// Angles known modulo 2π, made continuous. A system says which of its quantities are such angles (an atan2 of its joints);
// results show them counted on from their start. At every accepted step, with the rates ȧ at both ends,
//   a(t₁) = the value ≡ a₁ (mod 2π) nearest to a(t₀) + h (ȧ₀ + ȧ₁)/2                                                  (1)
// and within the step nearest to the cubic through values and rates at its ends. That is right as long as the rate does
// not change so much that the estimate is half a turn off. A run that goes on from a file takes the count over from the
// quantities there; a run without such quantities pays nothing.
#pragma once

#include <optional>
#include <vector>

#include "driftless/system/observable_system.hpp"

namespace driftless {

class AngleTracker {
 public:
  explicit AngleTracker(const DescriptorSystem& system);

  // Where the run begins. `known`: all quantities at t_known, near `state`, whose turns count on; null: none.
  void start(const State& state, double t_known, const Vec* known);
  void advance(const State& end, Terms& terms);  // a step ended here; `terms` after position()
  void cut(const State& state);                  // the last step was cut short here
  // Quantities of a state within the last step, or near its end, as the system gave them: turns counted, then its last touch.
  void unwrap(double t, VecRef quantities) const;

 private:
  struct Mark {
    double t = 0;
    Vec value, rate;
  };
  void read(const State& state, Terms& terms, Mark& out) const;
  double estimate(Eigen::Index k, double t) const;

  const DescriptorSystem& system_;
  const Observables& observables_;
  std::vector<int> index_;
  std::optional<Terms> terms_;
  Mark before_, now_, next_;
};

}  // namespace driftless
