#include "driftless/coordinates/mechanism/batches.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

std::vector<double> merged_times(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto same = [](double a, double b) { return b - a <= 1e-14 * std::abs(b); };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  return times;
}

}  // namespace driftless
