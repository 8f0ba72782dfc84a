#include "driftless/results/output_times.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

OutputTimes::OutputTimes(double t_start, const Setup& setup)
    : t_start_(t_start),
      t_end_(setup.t_end),
      every_(setup.output_step),
      list_(setup.output_times),
      each_step_(setup.output_step == 0 && setup.output_times.empty()) {
  std::sort(list_.begin(), list_.end());
  while (position_ < list_.size() && list_[position_] <= t_start_) ++position_;
}

bool OutputTimes::wants_start() const {
  return list_.empty() || (position_ > 0 && list_[position_ - 1] == t_start_);
}

double OutputTimes::next() const {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (each_step_) return never;
  if (!list_.empty())
    return position_ < list_.size() && list_[position_] <= t_end_ ? list_[position_] : never;
  const double t = t_start_ + static_cast<double>(k_) * every_;
  // A requested time that misses the end by round-off is the end.
  return t < t_end_ - 1e-9 * every_ ? t : t_end_;
}

void OutputTimes::pop() {
  ++k_;
  ++position_;
}

void OutputTimes::pop_until(double t) {
  if (each_step_) return;
  while (next() <= t && next() < t_end_) pop();
}

bool OutputTimes::wants(double t) const {
  if (each_step_) return t > t_start_;  // a resumed run first catches up with its start
  return t == next() || t >= t_end_;
}

}  // namespace driftless
