// When to record: at given times, at t₀ + k·Δ (never a running sum), or at every accepted step; and always at the end.
#pragma once

#include <limits>
#include <vector>

#include "driftless/simulate.hpp"

namespace driftless {

class OutputTimes {
 public:
  OutputTimes(double t_start, const Setup& setup);

  bool wants_start() const;
  double next() const;  // next requested time; infinity if there is none (or every step is recorded)
  void pop();
  void pop_until(double t);    // what has been reached is done
  bool wants(double t) const;  // whether a step that ends at t is recorded as it is

 private:
  double t_start_, t_end_, every_;
  long k_ = 1;
  std::vector<double> list_;  // ascending
  size_t position_ = 0;
  bool each_step_;
};

}  // namespace driftless
