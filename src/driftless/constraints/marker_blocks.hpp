// The equation blocks joints are made of, in terms of markers (marker.hpp). A block answers with
//   value        g, on any scalar                     holonomic blocks
//   rate         A ẋ + a ṡ, on any scalar             nonholonomic blocks
//   gradient     ∂g/∂x per marker, ∂g/∂s per scalar (A, a of nonholonomic ones); as the two below on any scalar
//   nu           −∂g/∂t
//   curvature    c = d²g/dτ² along (x + τẋ, s + τṡ, t + τ); nonholonomic: d/dτ of the rate                        (1)
// from which every coordinate set makes   J = Σ ∂g/∂x J_x,   γ = −Σ ∂g/∂x · b_x − c.                               (2)
// A block whose γ depends on b alone gives it at once, as `gamma`, from bias(marker): the pins of most mechanisms do.
// Nonholonomic blocks: nonholonomic_blocks.hpp.
// All rows are lengths: products of unit vectors carry the characteristic length. `functions` shows the functions of time.
#pragma once

#include <array>
#include <type_traits>

#include "driftless/constraints/marker.hpp"
#include "driftless/constraints/plane_curve.hpp"
#include "driftless/core/time_function.hpp"
#include "driftless/math/spline.hpp"

namespace driftless::markers {

// Which motions of all its markers together leave a block unchanged: none, shifts, or every rigid motion.
enum class Unmoved { never, by_shifts, always };

template <int D, int Rows, int Vectors, int Scalars>
struct BlockBase {
  static constexpr int dimension = D, rows = Rows, vectors = Vectors, scalars = Scalars;
  static constexpr bool holonomic = true;
  static constexpr bool constant_gradient = false, gamma_by_biases = false;
  static constexpr bool along_axes = false;  // row i sees nothing but components i of its markers
  static constexpr Unmoved unmoved = Unmoved::always;
  template <class S>
  struct GradientOf {
    VecOf<S, D> x[Rows][Vectors > 0 ? Vectors : 1];
    S s[Rows][Scalars > 0 ? Scalars : 1];
  };
  using Gradient = GradientOf<double>;
  template <class Visit>
  void functions(Visit&&) const {}
};

// Two points coincide: g = p_b − p_a.                                                                             (3)
template <int D>
struct Coincident : BlockBase<D, D, 2, 0> {
  static constexpr bool constant_gradient = true, gamma_by_biases = true, along_axes = true;
  static constexpr Unmoved unmoved = Unmoved::by_shifts;  // rows along the axes of the world
  template <class S>
  using GradientOf = typename BlockBase<D, D, 2, 0>::template GradientOf<S>;
  std::array<int, 2> x{};  // a, b
  std::array<int, 0> s{};

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    for (int i = 0; i < D; ++i) g[i] = at.x[x[1]][i] - at.x[x[0]][i];
  }
  template <class S>
  void gradient(const Places<S, D>&, GradientOf<S>& out) const {
    for (int i = 0; i < D; ++i) {
      out.x[i][0] = -VecOf<S, D>::Unit(i);
      out.x[i][1] = VecOf<S, D>::Unit(i);
    }
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    std::fill(out, out + D, S(0.0));
  }
  template <class S>
  void curvature(const MovingOf<S, D>&, S* out) const {
    std::fill(out, out + D, S(0.0));
  }
  template <class Bias>
  void gamma(const Bias& bias, double* out) const {
    const VecOf<double, D> a = bias(x[0]), b = bias(x[1]);
    for (int i = 0; i < D; ++i) out[i] = a[i] - b[i];
  }
};

// Two directions keep their angle: g = L (u·w − cosine).                                                          (4)
template <int D>
struct Dot : BlockBase<D, 1, 2, 0> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 2, 0>::template GradientOf<S>;
  std::array<int, 2> x{};  // u, w
  std::array<int, 0> s{};
  double length = 1, cosine = 0;

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    g[0] = (at.x[x[0]].dot(at.x[x[1]]) - cosine) * length;
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    out.x[0][0] = length * at.x[x[1]];
    out.x[0][1] = length * at.x[x[0]];
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    out[0] = 2 * length * m.xdot[x[0]].dot(m.xdot[x[1]]);
  }
};

// Two directions stay parallel: g = L (u·x, u·y), with x, y across the other direction w, fixed in its body.        (5)
// w itself takes no part in the rows; it tells sets that share vectors between bodies what the joint means.
template <int D>
struct Parallel : BlockBase<D, 2, 3, 0> {
  template <class S>
  using GradientOf = typename BlockBase<D, 2, 3, 0>::template GradientOf<S>;
  std::array<int, 3> x{};  // u, x, y
  std::array<int, 0> s{};
  int w = 0;
  double length = 1;

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    for (int i = 0; i < 2; ++i) g[i] = at.x[x[0]].dot(at.x[x[size_t(i) + 1]]) * length;
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    for (int i = 0; i < 2; ++i) {
      out.x[i][0] = length * at.x[x[size_t(i) + 1]];
      out.x[i][1 + i] = length * at.x[x[0]];
      out.x[i][2 - i].setZero();
    }
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = out[1] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    for (int i = 0; i < 2; ++i) out[i] = 2 * length * m.xdot[x[0]].dot(m.xdot[x[size_t(i) + 1]]);
  }
};

// Two pairs of directions have the same cosine: g = L (u·w − u'·w'). The homokinetic condition of constant-velocity
// joints, x_a·y_b = y_a·x_b: b is a bent, untwisted a.                                                             (6)
template <int D>
struct EqualDots : BlockBase<D, 1, 4, 0> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 4, 0>::template GradientOf<S>;
  std::array<int, 4> x{};  // u, w, u', w'
  std::array<int, 0> s{};
  double length = 1;

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    g[0] = (at.x[x[0]].dot(at.x[x[1]]) - at.x[x[2]].dot(at.x[x[3]])) * length;
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    out.x[0][0] = length * at.x[x[1]];
    out.x[0][1] = length * at.x[x[0]];
    out.x[0][2] = -length * at.x[x[3]];
    out.x[0][3] = -length * at.x[x[2]];
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    out[0] = 2 * length * (m.xdot[x[0]].dot(m.xdot[x[1]]) - m.xdot[x[2]].dot(m.xdot[x[3]]));
  }
};

// A point stands at f(t) + Σ cᵢ sᵢ along a direction: g = u·(p_b − p_a) − f − Σ cᵢ sᵢ.                               (7)
// Slots, planes, displacement drivers (N = 0); racks, screws and displacements as scalars (N = 1).
template <int D, int N>
struct Along : BlockBase<D, 1, 3, N> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 3, N>::template GradientOf<S>;
  std::array<int, 3> x{};  // u, a, b
  std::array<int, N> s{};
  std::array<double, N> c{};
  TimeFunction f;

  template <class Visit>
  void functions(Visit&& visit) const {
    visit(f);
  }
  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    g[0] = at.x[x[0]].dot(at.x[x[2]] - at.x[x[1]]) - value_at(f, at.t);
    for (size_t i = 0; i < N; ++i) g[0] = g[0] - at.s[s[i]] * c[i];
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    out.x[0][0] = at.x[x[2]] - at.x[x[1]];
    out.x[0][1] = -at.x[x[0]];
    out.x[0][2] = at.x[x[0]];
    for (size_t i = 0; i < N; ++i) out.s[0][i] = -c[i];
  }
  template <class S>
  void nu(const Places<S, D>& at, S* out) const {
    out[0] = f.at(value_of(at.t)).rate;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    out[0] = 2 * m.xdot[x[0]].dot(m.xdot[x[2]] - m.xdot[x[1]]) - f.at(value_of(m.at.t)).acceleration;
  }
};

// Two points keep their distance: g = (|d|² − l²) / (2 l), smooth everywhere and a length to first order.           (8)
template <int D>
struct Distance : BlockBase<D, 1, 2, 0> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 2, 0>::template GradientOf<S>;
  std::array<int, 2> x{};  // a, b
  std::array<int, 0> s{};
  double length = 1;

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    g[0] = (d.dot(d) - length * length) / (2 * length);
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    out.x[0][1] = (at.x[x[1]] - at.x[x[0]]) / length;
    out.x[0][0] = -out.x[0][1];
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    out[0] = (m.xdot[x[1]] - m.xdot[x[0]]).squaredNorm() / length;
  }
};

// The angle from x to u about x × y is θ: g = L (φ − θ) taken between −π and π, φ = atan2(y·u, x·u); θ a scalar (N = 1) or
// f(t) (N = 0). u need not lie in the plane of x and y, but must not be square to it. Blind to whole turns, not to
// half ones; as definition of a scalar it lets that scalar count turns. With a = x·u, b = y·u, ρ² = a² + b²            (9)
//   φ' = (a b' − b a')/ρ²,   φ'' = (a b'' − b a'' − (ρ²)' φ')/ρ²
template <int D, int N>
struct Angle : BlockBase<D, 1, 3, N> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 3, N>::template GradientOf<S>;
  std::array<int, 3> x{};  // x, y on one body; u on the other
  std::array<int, N> s{};
  double length = 1;
  TimeFunction f;

  template <class Visit>
  void functions(Visit&& visit) const {
    if constexpr (N == 0) visit(f);
  }
  template <class S>
  S angle(const Places<S, D>& at) const {
    if constexpr (N == 1) {
      return at.s[s[0]];
    } else {
      return value_at(f, at.t);
    }
  }
  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    const S theta = angle(at), c = cos(theta), sn = sin(theta);
    const S a = at.x[x[0]].dot(at.x[x[2]]), b = at.x[x[1]].dot(at.x[x[2]]);
    g[0] = atan2(b * c - a * sn, a * c + b * sn) * length;
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const S a = at.x[x[0]].dot(at.x[x[2]]), b = at.x[x[1]].dot(at.x[x[2]]);
    const S k = length / (a * a + b * b);
    out.x[0][0] = -k * b * at.x[x[2]];
    out.x[0][1] = k * a * at.x[x[2]];
    out.x[0][2] = k * (a * at.x[x[1]] - b * at.x[x[0]]);
    if constexpr (N == 1) out.s[0][0] = -length;
  }
  template <class S>
  void nu(const Places<S, D>& at, S* out) const {
    out[0] = 0;
    if constexpr (N == 0) out[0] = length * f.at(value_of(at.t)).rate;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    const auto& X = m.at.x[x[0]];
    const auto& Y = m.at.x[x[1]];
    const auto& U = m.at.x[x[2]];
    const auto& X_dot = m.xdot[x[0]];
    const auto& Y_dot = m.xdot[x[1]];
    const auto& U_dot = m.xdot[x[2]];
    const S a = X.dot(U), b = Y.dot(U), rho2 = a * a + b * b;
    const S a_dot = X_dot.dot(U) + X.dot(U_dot), b_dot = Y_dot.dot(U) + Y.dot(U_dot);
    const S rate = (a * b_dot - b * a_dot) / rho2;
    const S sweep = 2 * (a * Y_dot.dot(U_dot) - b * X_dot.dot(U_dot)) - 2 * (a * a_dot + b * b_dot) * rate;
    out[0] = length * sweep / rho2;
    if constexpr (N == 0) out[0] -= length * f.at(value_of(m.at.t)).acceleration;
  }
};

// A linear relation between scalars: g = Σ cᵢ sᵢ − L f(t). Gears and couplers.                                     (10)
template <int D, int N>
struct Sum : BlockBase<D, 1, 0, N> {
  static constexpr bool constant_gradient = true;
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 0, N>::template GradientOf<S>;
  std::array<int, 0> x{};
  std::array<int, N> s{};
  std::array<double, N> c{};
  double length = 1;
  TimeFunction f;

  template <class Visit>
  void functions(Visit&& visit) const {
    visit(f);
  }
  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    g[0] = -(value_at(f, at.t) * length);
    for (size_t i = 0; i < N; ++i) g[0] = g[0] + at.s[s[i]] * c[i];
  }
  template <class S>
  void gradient(const Places<S, D>&, GradientOf<S>& out) const {
    for (size_t i = 0; i < N; ++i) out.s[0][i] = c[i];
  }
  template <class S>
  void nu(const Places<S, D>& at, S* out) const {
    out[0] = length * f.at(value_of(at.t)).rate;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    out[0] = -length * f.at(value_of(m.at.t)).acceleration;
  }
};

// A point of b follows a curve in the frame of a: g = p_b − p_a − Σ e_k ξ_k(τ), τ = t (N = 0: a path driver) or a
// scalar (N = 1: a point on a curve, which is a spline).                                                          (11)
template <int D, int N>
struct Follow : BlockBase<D, D, 2 + D, N> {
  static constexpr Unmoved unmoved = Unmoved::by_shifts;
  template <class S>
  using GradientOf = typename BlockBase<D, D, 2 + D, N>::template GradientOf<S>;
  std::array<int, 2 + D> x{};  // a, b, e_1 … e_D on a
  std::array<int, N> s{};
  std::array<std::conditional_t<N == 0, TimeFunction, Spline>, D> curve;

  template <class Visit>
  void functions(Visit&& visit) const {
    if constexpr (N == 0)
      for (const auto& f : curve) visit(f);
  }
  template <class S>
  S parameter(const Places<S, D>& at) const {
    if constexpr (N == 1) {
      return at.s[s[0]];
    } else {
      return at.t;
    }
  }
  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    for (size_t k = 0; k < D; ++k) d -= at.x[x[2 + k]] * value_at(curve[k], parameter(at));
    for (int i = 0; i < D; ++i) g[i] = d[i];
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    for (int i = 0; i < D; ++i) {
      out.x[i][0] = -VecOf<S, D>::Unit(i);
      out.x[i][1] = VecOf<S, D>::Unit(i);
      for (size_t k = 0; k < D; ++k)
        out.x[i][2 + k] = VecOf<S, D>::Unit(i) * -value_at(curve[k], parameter(at));
    }
    if constexpr (N == 1) {
      const VecOf<S, D> tangent = rate(at);
      for (int i = 0; i < D; ++i) out.s[i][0] = -tangent[i];
    }
  }
  template <class S>
  void nu(const Places<S, D>& at, S* out) const {
    const VecOf<S, D> tangent = N == 0 ? rate(at) : VecOf<S, D>(VecOf<S, D>::Zero());
    for (int i = 0; i < D; ++i) out[i] = tangent[i];
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    S speed(1.0);
    if constexpr (N == 1) speed = m.sdot[s[0]];
    VecOf<S, D> sum = VecOf<S, D>::Zero();
    for (size_t k = 0; k < D; ++k) {
      const auto d = derivatives(k, m.at);
      sum -= m.xdot[x[2 + k]] * (2.0 * speed * d.rate) + m.at.x[x[2 + k]] * (speed * speed * d.acceleration);
    }
    for (int i = 0; i < D; ++i) out[i] = sum[i];
  }

 private:
  template <class S>
  DerivativesOf<S> derivatives(size_t k, const Places<S, D>& at) const {
    if constexpr (N == 1) {
      return derivatives_at(curve[k], parameter(at));
    } else {
      const Derivatives d = curve[k].at(value_of(at.t));
      return {S(d.value), S(d.rate), S(d.acceleration)};
    }
  }
  template <class S>
  VecOf<S, D> rate(const Places<S, D>& at) const {  // Σ e_k ξ_k'
    VecOf<S, D> sum = VecOf<S, D>::Zero();
    for (size_t k = 0; k < D; ++k) sum += at.x[x[2 + k]] * derivatives(k, at).rate;
    return sum;
  }
};

// The rim of a disc with centre c, axis n and radius ρ touches a plane with normal k through p:                    (12)
//   g = k·(c − p) − ρ sqrt(1 − (k·n)²)
template <int D>
struct RimTouches : BlockBase<D, 1, 4, 0> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 4, 0>::template GradientOf<S>;
  std::array<int, 4> x{};  // k, p, c, n
  std::array<int, 0> s{};
  double radius = 1;

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    const S lean = at.x[x[0]].dot(at.x[x[3]]);
    g[0] = at.x[x[0]].dot(at.x[x[2]] - at.x[x[1]]) - sqrt(1.0 - lean * lean) * radius;
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const S lean = at.x[x[0]].dot(at.x[x[3]]);
    const S slope = radius * lean / sqrt(1 - lean * lean);  // d(−ρ√(1−l²))/dl
    out.x[0][0] = at.x[x[2]] - at.x[x[1]] + slope * at.x[x[3]];
    out.x[0][1] = -at.x[x[0]];
    out.x[0][2] = at.x[x[0]];
    out.x[0][3] = slope * at.x[x[0]];
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    const auto& k = m.at.x[x[0]];
    const auto& n = m.at.x[x[3]];
    const auto& k_dot = m.xdot[x[0]];
    const auto& n_dot = m.xdot[x[3]];
    const S lean = k.dot(n), lean_rate = k_dot.dot(n) + k.dot(n_dot);
    const S root = sqrt(1 - lean * lean);
    out[0] = 2 * k_dot.dot(m.xdot[x[2]] - m.xdot[x[1]]) + 2 * radius * lean / root * k_dot.dot(n_dot) +
             radius * lean_rate * lean_rate / (root * root * root);
  }
};

// A point of b stays on a plane curve of a: g = signed distance of w = (e_1·d, e_2·d), d = p_b − p_a, from it,
// plane_curve.hpp (2). D = 2.                                                                                    (13)
template <int D>
struct OnCurve : BlockBase<D, 1, 4, 0> {
  static_assert(D == 2);
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 4, 0>::template GradientOf<S>;
  std::array<int, 4> x{};  // a, b, e_1, e_2 on a
  std::array<int, 0> s{};
  PlaneCurve curve;

  // Jets follow the second-order expansion of the distance at the foot.
  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    const S w1 = at.x[x[2]].dot(d), w2 = at.x[x[3]].dot(d);
    const Vec2 here(value_of(w1), value_of(w2));
    const PlaneCurve::Foot foot = curve.foot(here);
    const S d1 = w1 - here.x(), d2 = w2 - here.y();
    const S along = d1 * foot.tangent.x() + d2 * foot.tangent.y();
    g[0] = d1 * foot.normal.x() + d2 * foot.normal.y() + along * along * (foot.bend / 2) + foot.distance;
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    const VecOf<S, 2> n = foot_at(curve, at.x[x[2]].dot(d), at.x[x[3]].dot(d)).normal;
    out.x[0][1] = n[0] * at.x[x[2]] + n[1] * at.x[x[3]];
    out.x[0][0] = -out.x[0][1];
    out.x[0][2] = n[0] * d;
    out.x[0][3] = n[1] * d;
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = S(0.0);
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    const VecOf<S, D> d = m.at.x[x[1]] - m.at.x[x[0]], d_dot = m.xdot[x[1]] - m.xdot[x[0]];
    const auto &e1 = m.at.x[x[2]], &e2 = m.at.x[x[3]], &e1_dot = m.xdot[x[2]], &e2_dot = m.xdot[x[3]];
    const auto foot = foot_at(curve, e1.dot(d), e2.dot(d));
    const S slide =
        foot.tangent[0] * (e1_dot.dot(d) + e1.dot(d_dot)) + foot.tangent[1] * (e2_dot.dot(d) + e2.dot(d_dot));
    out[0] = 2.0 * (foot.normal[0] * e1_dot.dot(d_dot) + foot.normal[1] * e2_dot.dot(d_dot)) +
             foot.bend * slide * slide;
  }
};

}  // namespace driftless::markers
