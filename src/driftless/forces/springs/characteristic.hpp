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

  // The pieces between the points: the first and the last go on beyond them.
  size_t pieces() const { return empty() ? 0 : x_.size() - 1; }
  size_t segment(double x) const;
  double knot(size_t i) const { return x_[i]; }  // where piece i begins
  double on_piece(size_t i, double x) const { return y_[i] + slope_of(i) * (x - x_[i]); }
  double slope_of(size_t i) const { return (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]); }

 private:
  double integral_from_first(double x) const;  // ∫ from x_[0]

  std::vector<double> x_, y_;
  std::vector<double> area_;  // ∫ from x_[0] to x_[i]
};

// On any scalar; on a given piece where `piece` is not null.
inline double value_at(const PiecewiseLinear& f, double x, const int* piece = nullptr) {
  return piece == nullptr ? f(x) : f.on_piece(static_cast<size_t>(*piece), x);
}
template <Jet S>
S value_at(const PiecewiseLinear& f, const S& x, const int* piece = nullptr) {
  using T = decltype(x.v);
  if (piece != nullptr)
    return x.chain(T(value_at(f, value_of(x), piece)), T(f.slope_of(static_cast<size_t>(*piece))), T(0.0));
  return x.chain(T(f(value_of(x))), T(f.slope(value_of(x))), T(0.0));
}

}  // namespace driftless
