#include "driftless/forces/springs/characteristic.hpp"

#include <algorithm>

namespace driftless {

PiecewiseLinear::PiecewiseLinear(const Characteristic& points) {
  for (const auto& [x, y] : points) {
    area_.push_back(x_.empty() ? 0 : area_.back() + 0.5 * (y + y_.back()) * (x - x_.back()));
    x_.push_back(x);
    y_.push_back(y);
  }
}

size_t PiecewiseLinear::segment(double x) const {
  const auto after = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<size_t>(after - x_.begin()) - 1;
}

double PiecewiseLinear::operator()(double x) const {
  if (empty()) return 0;
  const size_t i = segment(x);
  return y_[i] + (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]) * (x - x_[i]);
}

double PiecewiseLinear::slope(double x) const {
  if (empty()) return 0;
  const size_t i = segment(x);
  return (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]);
}

double PiecewiseLinear::integral_from_first(double x) const {
  const size_t i = segment(x);
  return area_[i] + 0.5 * (y_[i] + (*this)(x)) * (x - x_[i]);
}

double PiecewiseLinear::integral(double x) const {
  return empty() ? 0 : integral_from_first(x) - integral_from_first(0);
}

}  // namespace driftless
