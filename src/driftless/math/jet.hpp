// Forward differentiation by jets.
//   Dual<T, N>   value and N first partial derivatives:    f(x + Σ dᵢ εᵢ),  εᵢ εⱼ = 0                   (1)
//   Taylor2<T>   value and two derivatives along a line:   f(x + s ẋ + s²/2 ẍ), read off at s = 0       (2)
// Both nest (Dual<Taylor2<double>, N>, Taylor2<Dual<double, N>>), so any mixed derivative up to the order
// needed is exact to round-off. γ = −d²/ds² g(t + s, q + s q̇) is one Taylor2 sweep; J is one Dual sweep of N
// columns a time. Eigen's AutoDiffScalar does the same as (1) at 1.5–1.9 times the cost (measured), not (2).
//
// Constants (double, int) mix freely with jets of any depth and cost no derivative arithmetic. Comparisons
// look at values only, so a kernel may branch on its arguments: it has the derivatives of the branch taken.
// Where a function has no derivative the jet says so with inf or NaN (sqrt and pow at 0), except |x|, whose
// slope at 0 is taken from the right. Jets are scalars to Eigen: Eigen::Matrix<Dual<double, 4>, 3, 1> works.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <type_traits>

#include <Eigen/Core>

namespace driftless {

// ----------------------------------------------------------------------------------------------- Dual
template <class T, int N>
struct Dual {
  static_assert(N > 0);
  T v{};                 // value
  std::array<T, N> d{};  // partial derivatives

  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT: constants mix freely with jets
  Dual(const T& value)              // NOLINT: and so do inner jets
    requires(!std::is_same_v<T, double>)
      : v(value) {}
  static Dual variable(const T& value, int index) {
    Dual x(value);
    x.d[static_cast<size_t>(index)] = T(1.0);
    return x;
  }

  // f(x) with f' known: the chain rule for one argument. (The second derivative is for Taylor2.)
  Dual chain(const T& f, const T& df, const T& /*ddf*/) const {
    Dual out(f);
    for (size_t i = 0; i < N; ++i) out.d[i] = df * d[i];
    return out;
  }

  Dual operator+() const { return *this; }
  Dual operator-() const {
    Dual out(-v);
    for (size_t i = 0; i < N; ++i) out.d[i] = -d[i];
    return out;
  }

  Dual& operator+=(const Dual& b) {
    v += b.v;
    for (size_t i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    v -= b.v;
    for (size_t i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
  Dual& operator*=(const Dual& b) {  // right for x *= x too: v changes last
    for (size_t i = 0; i < N; ++i) d[i] = d[i] * b.v + v * b.d[i];
    v *= b.v;
    return *this;
  }
  Dual& operator/=(const Dual& b) {
    const T inverse = T(1.0) / b.v;  // before v changes: b may be *this
    v /= b.v;
    for (size_t i = 0; i < N; ++i) d[i] = (d[i] - v * b.d[i]) * inverse;
    return *this;
  }
  Dual& operator+=(double s) {
    v += s;
    return *this;
  }
  Dual& operator-=(double s) {
    v -= s;
    return *this;
  }
  Dual& operator*=(double s) {
    v *= s;
    for (T& x : d) x *= s;
    return *this;
  }
  Dual& operator/=(double s) {
    v /= s;
    for (T& x : d) x /= s;
    return *this;
  }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator+(Dual a, double s) { return a += s; }
  friend Dual operator-(Dual a, double s) { return a -= s; }
  friend Dual operator*(Dual a, double s) { return a *= s; }
  friend Dual operator/(Dual a, double s) { return a /= s; }
  friend Dual operator+(double s, Dual a) { return a += s; }
  friend Dual operator-(double s, const Dual& a) { return -a + s; }
  friend Dual operator*(double s, Dual a) { return a *= s; }
  friend Dual operator/(double s, const Dual& a) {
    const T quotient = s / a.v;
    return a.chain(quotient, -quotient / a.v, T());
  }
  friend bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend std::partial_ordering operator<=>(const Dual& a, const Dual& b) { return a.v <=> b.v; }
};

// -------------------------------------------------------------------------------------------- Taylor2
template <class T>
struct Taylor2 {
  T v{};   // value
  T d1{};  // first derivative along the line
  T d2{};  // second derivative along the line

  Taylor2() = default;
  Taylor2(double value) : v(value) {}  // NOLINT: constants mix freely with jets
  Taylor2(const T& value)              // NOLINT: and so do inner jets
    requires(!std::is_same_v<T, double>)
      : v(value) {}
  Taylor2(const T& value, const T& first, const T& second) : v(value), d1(first), d2(second) {}

  // f(x) with f' and f'' known: (f ∘ x)'' = f'' ẋ² + f' ẍ.
  Taylor2 chain(const T& f, const T& df, const T& ddf) const { return {f, df * d1, ddf * d1 * d1 + df * d2}; }

  Taylor2 operator+() const { return *this; }
  Taylor2 operator-() const { return {-v, -d1, -d2}; }

  Taylor2& operator+=(const Taylor2& b) {
    v += b.v;
    d1 += b.d1;
    d2 += b.d2;
    return *this;
  }
  Taylor2& operator-=(const Taylor2& b) {
    v -= b.v;
    d1 -= b.d1;
    d2 -= b.d2;
    return *this;
  }
  Taylor2& operator*=(const Taylor2& b) {  // right for x *= x too: highest derivative first
    d2 = d2 * b.v + 2.0 * d1 * b.d1 + v * b.d2;
    d1 = d1 * b.v + v * b.d1;
    v *= b.v;
    return *this;
  }
  Taylor2& operator/=(const Taylor2& b) {  // from a = c b: a' = c' b + c b', a'' = c'' b + 2 c' b' + c b''
    const T inverse = T(1.0) / b.v;
    const T b1 = b.d1, b2 = b.d2;  // copies: b may be *this
    v /= b.v;
    d1 = (d1 - v * b1) * inverse;
    d2 = (d2 - 2.0 * d1 * b1 - v * b2) * inverse;
    return *this;
  }
  Taylor2& operator+=(double s) {
    v += s;
    return *this;
  }
  Taylor2& operator-=(double s) {
    v -= s;
    return *this;
  }
  Taylor2& operator*=(double s) {
    v *= s;
    d1 *= s;
    d2 *= s;
    return *this;
  }
  Taylor2& operator/=(double s) {
    v /= s;
    d1 /= s;
    d2 /= s;
    return *this;
  }

  friend Taylor2 operator+(Taylor2 a, const Taylor2& b) { return a += b; }
  friend Taylor2 operator-(Taylor2 a, const Taylor2& b) { return a -= b; }
  friend Taylor2 operator*(Taylor2 a, const Taylor2& b) { return a *= b; }
  friend Taylor2 operator/(Taylor2 a, const Taylor2& b) { return a /= b; }
  friend Taylor2 operator+(Taylor2 a, double s) { return a += s; }
  friend Taylor2 operator-(Taylor2 a, double s) { return a -= s; }
  friend Taylor2 operator*(Taylor2 a, double s) { return a *= s; }
  friend Taylor2 operator/(Taylor2 a, double s) { return a /= s; }
  friend Taylor2 operator+(double s, Taylor2 a) { return a += s; }
  friend Taylor2 operator-(double s, const Taylor2& a) { return -a + s; }
  friend Taylor2 operator*(double s, Taylor2 a) { return a *= s; }
  friend Taylor2 operator/(double s, const Taylor2& a) {
    const T quotient = s / a.v, slope = -quotient / a.v;
    return a.chain(quotient, slope, -2.0 * slope / a.v);
  }
  friend bool operator==(const Taylor2& a, const Taylor2& b) { return a.v == b.v; }
  friend std::partial_ordering operator<=>(const Taylor2& a, const Taylor2& b) { return a.v <=> b.v; }
};

// ------------------------------------------------------------------------------------- what is a jet
template <class J>
struct IsJet : std::false_type {};
template <class T, int N>
struct IsJet<Dual<T, N>> : std::true_type {};
template <class T>
struct IsJet<Taylor2<T>> : std::true_type {};
template <class J>
concept Jet = IsJet<J>::value;

// The plain number inside a jet of any depth.
inline double value_of(double x) { return x; }
template <Jet J>
double value_of(const J& x) {
  return value_of(x.v);
}

// Whether every derivative in a jet is zero: it came from a constant.
inline bool is_constant(double) { return true; }
template <class T>
bool is_zero(const T& x) {
  return is_constant(x) && value_of(x) == 0;
}
template <class T, int N>
bool is_constant(const Dual<T, N>& x) {
  return is_constant(x.v) && std::all_of(x.d.begin(), x.d.end(), [](const T& d) { return is_zero(d); });
}
template <class T>
bool is_constant(const Taylor2<T>& x) {
  return is_constant(x.v) && is_zero(x.d1) && is_zero(x.d2);
}

// ------------------------------------------------------------------------------- elementary functions
// Written once for both: each jet type only knows how to apply the chain rule to f, f', f''.
using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::fabs;
using std::hypot;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

template <Jet J>
J sin(const J& x) {
  const auto s = sin(x.v), c = cos(x.v);
  return x.chain(s, c, -s);
}
template <Jet J>
J cos(const J& x) {
  const auto s = sin(x.v), c = cos(x.v);
  return x.chain(c, -s, -c);
}
template <Jet J>
J tan(const J& x) {
  const auto f = tan(x.v), df = 1.0 + f * f;
  return x.chain(f, df, 2.0 * f * df);
}
template <Jet J>
J asin(const J& x) {
  const auto df = 1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));  // not 1 − x²: cancels near ±1
  return x.chain(asin(x.v), df, x.v * df * df * df);
}
template <Jet J>
J acos(const J& x) {
  const auto df = -1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));
  return x.chain(acos(x.v), df, x.v * df * df * df);
}
template <Jet J>
J atan(const J& x) {
  const auto df = 1.0 / (1.0 + x.v * x.v);
  return x.chain(atan(x.v), df, -2.0 * x.v * df * df);
}
template <Jet J>
J sinh(const J& x) {
  const auto s = sinh(x.v);
  return x.chain(s, cosh(x.v), s);
}
template <Jet J>
J cosh(const J& x) {
  const auto c = cosh(x.v);
  return x.chain(c, sinh(x.v), c);
}
template <Jet J>
J tanh(const J& x) {
  const auto f = tanh(x.v);
  const auto c = cosh(x.v), df = 1.0 / (c * c);  // not 1 − f²: cancels for large x
  return x.chain(f, df, -2.0 * f * df);
}
template <Jet J>
J exp(const J& x) {
  const auto e = exp(x.v);
  return x.chain(e, e, e);
}
template <Jet J>
J log(const J& x) {
  const auto df = 1.0 / x.v;
  return x.chain(log(x.v), df, -df * df);
}
template <Jet J>
J sqrt(const J& x) {
  const auto r = sqrt(x.v), df = 0.5 / r;
  return x.chain(r, df, -0.5 * df / x.v);
}
template <Jet J>
J abs(const J& x) {
  return value_of(x) < 0 ? -x : x;
}
template <Jet J>
J fabs(const J& x) {
  return abs(x);
}

// ---- powers
template <Jet J>
J pow(const J& x, double p) {
  const auto f = pow(x.v, p);
  if (value_of(x) != 0) {
    const auto df = p * f / x.v;
    return x.chain(f, df, (p - 1.0) * df / x.v);
  }
  // At 0 a vanishing coefficient must win over 0 to a negative power: x¹ has curvature 0, not NaN.
  using T = std::remove_cv_t<decltype(f)>;
  const auto term = [&](double c, double e) { return c == 0 ? T(0.0) : T(c * pow(x.v, e)); };
  return x.chain(f, term(p, p - 1.0), term(p * (p - 1.0), p - 2.0));
}
template <Jet J>
J pow(double a, const J& x) {
  const auto f = pow(a, x.v);
  const double slope = a == 0 ? 0.0 : std::log(a);  // 0 to a positive power stays 0
  return x.chain(f, slope * f, slope * slope * f);
}
// A constant exponent takes any base; a varying one needs x > 0, as in real analysis.
template <Jet J>
J pow(const J& x, const J& y) {
  return is_constant(y) ? pow(x, value_of(y)) : exp(y * log(x));
}

// ---- two arguments
template <class T, int N>
Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  Dual<T, N> out(atan2(y.v, x.v));
  const T inverse = 1.0 / (x.v * x.v + y.v * y.v);
  for (size_t i = 0; i < N; ++i) out.d[i] = (x.v * y.d[i] - y.v * x.d[i]) * inverse;
  return out;
}
template <class T>
Taylor2<T> atan2(const Taylor2<T>& y, const Taylor2<T>& x) {
  // ρ θ' = x y' − y x' with ρ = x² + y²; once more: ρ θ'' + ρ' θ' = x y'' − y x''.
  const T inverse = 1.0 / (x.v * x.v + y.v * y.v);
  const T first = (x.v * y.d1 - y.v * x.d1) * inverse;
  const T rho_dot = 2.0 * (x.v * x.d1 + y.v * y.d1);
  return {atan2(y.v, x.v), first, (x.v * y.d2 - y.v * x.d2 - rho_dot * first) * inverse};
}
template <Jet J>
J atan2(const J& y, double x) {
  return atan2(y, J(x));
}
template <Jet J>
J atan2(double y, const J& x) {
  return atan2(J(y), x);
}
template <Jet J>
J hypot(const J& x, const J& y) {
  return sqrt(x * x + y * y);
}
template <Jet J>
J hypot(const J& x, double y) {
  return sqrt(x * x + y * y);
}
template <Jet J>
J hypot(double x, const J& y) {
  return sqrt(x * x + y * y);
}

}  // namespace driftless

// ------------------------------------------------------------------------------ jets as Eigen scalars
namespace Eigen {
template <driftless::Jet J>
struct NumTraits<J> : NumTraits<double> {
  using Real = J;
  using NonInteger = J;
  using Nested = J;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 4,
    MulCost = 8
  };
};
template <driftless::Jet J, class BinaryOp>
struct ScalarBinaryOpTraits<J, double, BinaryOp> {
  using ReturnType = J;
};
template <driftless::Jet J, class BinaryOp>
struct ScalarBinaryOpTraits<double, J, BinaryOp> {
  using ReturnType = J;
};
}  // namespace Eigen
