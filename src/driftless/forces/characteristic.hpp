// A tabulated characteristic y(x), linear between its points and beyond its ends (the end slopes go on), with its exact
// integral from x = 0: the potential of a tabulated spring.
#pragma once

#include <vector>

#include "driftless/math/jet.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

class PiecewiseLinear {
 public:
  PiecewiseLinear() = default;
  explicit PiecewiseLinear(const Characteristic& points);

  bool empty() const { return x_.empty(); }
  double operator()(double x) const;  // 0 if empty
  double slope(double x) const;
  double integral(double x) const;  // ∫₀ˣ y

 private:
  size_t segment(double x) const;
  double integral_from_first(double x) const;  // ∫ from x_[0]

  std::vector<double> x_, y_;
  std::vector<double> area_;  // ∫ from x_[0] to x_[i]
};

// On any scalar.
inline double value_at(const PiecewiseLinear& f, double x) { return f(x); }
template <Jet S>
S value_at(const PiecewiseLinear& f, const S& x) {
  using T = decltype(x.v);
  return x.chain(T(f(value_of(x))), T(f.slope(value_of(x))), T(0.0));
}

}  // namespace driftless
