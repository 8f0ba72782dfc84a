// A cubic spline through points over increasing knots, twice continuously differentiable on the whole line: one that is
// continued beyond its ends by its tangents there, or a periodic one. Pieces as in core/time_function.hpp (3); moments
//   h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 (s_i − s_{i−1}),  s_i = (y_{i+1} − y_i)/h_i               (1)
//   lines: m_0 = m_n = 0 (natural: straight at the ends, so the lines join without a jump)   periodic: i modulo n       (2)
// C. de Boor, A Practical Guide to Splines, revised ed., 2001, ch. IV. Set-up O(n), evaluation O(log n), no allocation.
#pragma once

#include <vector>

#include "driftless/core/expression/expression.hpp"
#include "driftless/math/jet.hpp"

namespace driftless {

class Spline {
 public:
  enum class Ends { lines, periodic };

  Spline() = default;  // zero everywhere
  // At least two knots (periodic: four), strictly increasing, as many values; periodic: the first value once more last.
  Spline(std::vector<double> knots, std::vector<double> values, Ends ends);

  Derivatives at(double x) const;
  double operator()(double x) const { return at(x).value; }
  double third(double x) const;  // derivative: constant on each piece

 private:
  std::vector<double> knots_, values_, moments_;
  Ends ends_ = Ends::lines;
};

// On any scalar: derivatives follow the chain rule.
inline double value_at(const Spline& f, double x) { return f(x); }
template <Jet S>
S value_at(const Spline& f, const S& x) {
  using T = decltype(x.v);
  const Derivatives d = f.at(value_of(x));
  return x.chain(T(d.value), T(d.rate), T(d.acceleration));
}

// A function of x with its first two derivatives by x, all on any scalar.
template <class S>
struct DerivativesOf {
  S value, rate, acceleration;
};
inline DerivativesOf<double> derivatives_at(const Spline& f, double x) {
  const Derivatives d = f.at(x);
  return {d.value, d.rate, d.acceleration};
}
template <class T, int N>
DerivativesOf<Dual<T, N>> derivatives_at(const Spline& f, const Dual<T, N>& x) {
  const double at = value_of(x);
  const Derivatives d = f.at(at);
  const T none(0.0);
  return {x.chain(T(d.value), T(d.rate), none), x.chain(T(d.rate), T(d.acceleration), none),
          x.chain(T(d.acceleration), T(f.third(at)), none)};
}

}  // namespace driftless
