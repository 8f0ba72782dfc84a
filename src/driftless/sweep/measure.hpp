// One number of a run: max(strut), min(…), final(…), mean(…), rms(…) of an output over time, or crossing(angle, 0.5), the time at
// which it first passes a value (crossing(angle, 0.5, up): on its way up; NaN if it does not). Between records outputs count as linear:
//   mean = 1/T ∫ y dt = Σ h (y₀ + y₁)/2 / T                                                                               (1)
//   rms² = 1/T ∫ y² dt = Σ h (y₀² + y₀ y₁ + y₁²)/3 / T                                                                    (2)
#pragma once

#include <string>

#include "driftless/results/trajectory.hpp"

namespace driftless {

struct Measure {
  enum class Kind { max, min, final, mean, rms, crossing };
  std::string text;  // as it was written: its name
  Kind kind = Kind::max;
  std::string output;
  double level = 0;
  int direction = 0;  // of a crossing: 1 up, −1 down, 0 any

  // InputError if the results have no such output.
  double of(const Trajectory& trajectory) const;
};

Measure parse_measure(const std::string& text);  // InputError

}  // namespace driftless
