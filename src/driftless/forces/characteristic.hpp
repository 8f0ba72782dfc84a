// A tabulated characteristic y(x), linear between its points and beyond its ends (the end slopes go on), with its exact
// integral from x = 0: the potential of a tabulated spring.
#pragma once

#include <vector>

#include "driftless/model/fields.hpp"

namespace driftless {

class PiecewiseLinear {
 public:
  PiecewiseLinear() = default;
  explicit PiecewiseLinear(const Characteristic& points);

  bool empty() const { return x_.empty(); }
  double operator()(double x) const;  // 0 if empty
  double integral(double x) const;    // ∫₀ˣ y

 private:
  size_t segment(double x) const;
  double integral_from_first(double x) const;  // ∫ from x_[0]

  std::vector<double> x_, y_;
  std::vector<double> area_;  // ∫ from x_[0] to x_[i]
};

}  // namespace driftless
