// Rows along which what touches slips: the velocity, along the contact, of the material point of b that touches against that of a.
// In the plane they are rates of a coordinate, but for roads, whose way nobody measures; in space spheres roll, and there is none.
#pragma once

#include "driftless/constraints/marker_blocks.hpp"

namespace driftless::markers {

// Circles that touch: g = Σ cᵢ θᵢ − l φ, φ the direction from a to b, cᵢ the radii, l their sum. With T across d to the right
//   l φ̇ = −T·ḋ l/|d|                                                                                               (16)
// φ jumps by a turn behind a, and g with it by 2π l: whoever holds g takes it modulo that.
template <int D, int N>
struct RoundSlip : BlockBase<D, 1, 2, N> {
  static_assert(D == 2);
  static constexpr Unmoved unmoved = Unmoved::by_shifts;
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 2, N>::template GradientOf<S>;
  std::array<int, 2> x{};  // centres of a, b
  std::array<int, N> s{};
  std::array<double, N> c{};
  double length = 1;  // l

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    g[0] = atan2(d[1], d[0]) * -length;
    for (size_t i = 0; i < N; ++i) g[0] = g[0] + at.s[s[i]] * c[i];
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    const S factor = length / d.dot(d);
    out.x[0][1][0] = d[1] * factor;
    out.x[0][1][1] = -d[0] * factor;
    out.x[0][0] = -out.x[0][1];
    for (size_t i = 0; i < N; ++i) out.s[0][i] = c[i];
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    const VecOf<S, D> d = m.at.x[x[1]] - m.at.x[x[0]], d_dot = m.xdot[x[1]] - m.xdot[x[0]];
    const S square = d.dot(d);
    out[0] = 2 * length * d.dot(d_dot) * (d[0] * d_dot[1] - d[1] * d_dot[0]) / (square * square);
  }
};

// A point, or a wheel about it, along a curve of a: g = s(w) + Σ cᵢ θᵢ, s the way of plane_curve.hpp (4), w as in (13), cᵢ = ±ρ. (17)
// Of roads only the rate is known: they hold at velocity level.
template <int D, int N>
struct CurveSlip : BlockBase<D, 1, 4, N> {
  static_assert(D == 2);
  static constexpr Unmoved unmoved = Unmoved::by_shifts;
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 4, N>::template GradientOf<S>;
  std::array<int, 4> x{};  // a, b, e_1, e_2 on a
  std::array<int, N> s{};
  std::array<double, N> c{};
  PlaneCurve curve;

  // Jets follow the expansion of second order at the foot.
  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    const S w1 = at.x[x[2]].dot(d), w2 = at.x[x[3]].dot(d);
    const Vec2 here(value_of(w1), value_of(w2));
    const PlaneCurve::Foot foot = curve.foot(here);
    const S d1 = w1 - here.x(), d2 = w2 - here.y();
    const S along = d1 * foot.tangent.x() + d2 * foot.tangent.y();
    const S off = d1 * foot.normal.x() + d2 * foot.normal.y();
    const double m = 1 - foot.bend * foot.distance;
    g[0] = along * m - along * off * (foot.bend * m) -
           along * along * (foot.distance * foot.bend_slope.dot(foot.tangent) / 2) + foot.way;
    for (size_t i = 0; i < N; ++i) g[0] = g[0] + at.s[s[i]] * c[i];
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    const auto foot = foot_at(curve, at.x[x[2]].dot(d), at.x[x[3]].dot(d));
    const S m = 1.0 - foot.bend * foot.distance;
    const S t1 = m * foot.tangent[0], t2 = m * foot.tangent[1];
    out.x[0][1] = t1 * at.x[x[2]] + t2 * at.x[x[3]];
    out.x[0][0] = -out.x[0][1];
    out.x[0][2] = t1 * d;
    out.x[0][3] = t2 * d;
    for (size_t i = 0; i < N; ++i) out.s[0][i] = c[i];
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
    const S w1_dot = e1_dot.dot(d) + e1.dot(d_dot), w2_dot = e2_dot.dot(d) + e2.dot(d_dot);
    const S along = foot.tangent[0] * w1_dot + foot.tangent[1] * w2_dot;
    const S off = foot.normal[0] * w1_dot + foot.normal[1] * w2_dot;
    const S wide = 1.0 - foot.bend * foot.distance;
    out[0] = 2.0 * wide * (foot.tangent[0] * e1_dot.dot(d_dot) + foot.tangent[1] * e2_dot.dot(d_dot)) -
             2.0 * foot.bend * wide * along * off - foot.distance * foot.bend_rate * along * along;
  }
};

// Spheres that touch a plane or another sphere: u = ḋ − ρ_b ω_b × n − v_a, along two directions across the normal n, with
// ω × n = Σ (n·e_k) ė_k by the axes e_k of a body.                                                                 (18)
//   plane    n = e_3 of a, t_i = e_1, e_2 of a;  v_a = ω_a × (d − ρ_b n)
//   sphere   n = d/|d|, t_i those of a turned as little as it takes from e_3 to n, which must not be opposite;  v_a = ρ_a ω_a × n
template <int D>
struct SphereSlip : BlockBase<D, 2, 8, 0> {
  static constexpr bool holonomic = false;
  static constexpr Unmoved unmoved = Unmoved::never;
  template <class S>
  using GradientOf = typename BlockBase<D, 2, 8, 0>::template GradientOf<S>;
  std::array<int, 8> x{};  // e_1, e_2, e_3 on a; a, b; e_1, e_2, e_3 on b
  std::array<int, 0> s{};
  double radius_a = 0, radius_b = 1;
  bool on_plane = true;

  template <class S>
  void rate(const Places<S, D>& at, const VecOf<S, D>* xdot, const S*, S* out) const {
    const Touch<S> touch = touch_at(at);
    VecOf<S, D> slip = xdot[x[4]] - xdot[x[3]];
    for (size_t k = 0; k < 3; ++k) slip -= xdot[x[k]] * touch.on_a[k] + xdot[x[5 + k]] * touch.on_b[k];
    for (size_t i = 0; i < 2; ++i) out[i] = touch.t[i].dot(slip);
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const Touch<S> touch = touch_at(at);
    for (size_t i = 0; i < 2; ++i) {
      out.x[i][3] = -touch.t[i];
      out.x[i][4] = touch.t[i];
      for (size_t k = 0; k < 3; ++k) {
        out.x[i][k] = touch.t[i] * -touch.on_a[k];
        out.x[i][5 + k] = touch.t[i] * -touch.on_b[k];
      }
    }
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = out[1] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    const Touch<S> touch = touch_at(m.at);
    const VecOf<S, D> d = m.at.x[x[4]] - m.at.x[x[3]], d_dot = m.xdot[x[4]] - m.xdot[x[3]];
    const VecOf<S, D>& n = touch.n;
    VecOf<S, D> n_dot = m.xdot[x[2]], slip = d_dot, change = VecOf<S, D>::Zero();
    if (!on_plane) n_dot = (d_dot - n * n.dot(d_dot)) / sqrt(d.dot(d));
    const VecOf<S, D> arm = on_plane ? VecOf<S, D>(d - n * radius_b) : VecOf<S, D>(n * radius_a);
    const VecOf<S, D> arm_dot =
        on_plane ? VecOf<S, D>(d_dot - n_dot * radius_b) : VecOf<S, D>(n_dot * radius_a);
    for (size_t k = 0; k < 3; ++k) {
      const auto &a = m.at.x[x[k]], &a_dot = m.xdot[x[k]], &b = m.at.x[x[5 + k]], &b_dot = m.xdot[x[5 + k]];
      slip -= a_dot * touch.on_a[k] + b_dot * touch.on_b[k];
      change -=
          a_dot * (arm_dot.dot(a) + arm.dot(a_dot)) + b_dot * ((n_dot.dot(b) + n.dot(b_dot)) * radius_b);
    }
    const VecOf<S, D>&e3 = m.at.x[x[2]], &e3_dot = m.xdot[x[2]];
    for (size_t i = 0; i < 2; ++i) {
      VecOf<S, D> t_dot = m.xdot[x[i]];
      if (!on_plane) {
        const VecOf<S, D>&e = m.at.x[x[i]], &e_dot = m.xdot[x[i]];
        const S wide = 1.0 + e3.dot(n), q = e.dot(n) / wide;
        const S q_dot = (e_dot.dot(n) + e.dot(n_dot) - q * (e3_dot.dot(n) + e3.dot(n_dot))) / wide;
        t_dot -= (e3 + n) * q_dot + (e3_dot + n_dot) * q;
      }
      out[i] = t_dot.dot(slip) + touch.t[i].dot(change);
    }
  }

 private:
  template <class S>
  struct Touch {
    VecOf<S, D> n, t[2];
    S on_a[3], on_b[3];  // factors of the rates of axes
  };
  template <class S>
  Touch<S> touch_at(const Places<S, D>& at) const {
    const VecOf<S, D> d = at.x[x[4]] - at.x[x[3]];
    const VecOf<S, D>& e3 = at.x[x[2]];
    Touch<S> out;
    out.n = on_plane ? e3 : VecOf<S, D>(d / sqrt(d.dot(d)));
    for (size_t i = 0; i < 2; ++i) {
      const VecOf<S, D>& e = at.x[x[i]];
      out.t[i] = on_plane ? e : VecOf<S, D>(e - (e3 + out.n) * (e.dot(out.n) / (1.0 + e3.dot(out.n))));
    }
    const VecOf<S, D> arm = on_plane ? VecOf<S, D>(d - out.n * radius_b) : VecOf<S, D>(out.n * radius_a);
    for (size_t k = 0; k < 3; ++k) {
      out.on_a[k] = arm.dot(at.x[x[k]]);
      out.on_b[k] = out.n.dot(at.x[x[5 + k]]) * radius_b;
    }
    return out;
  }
};

}  // namespace driftless::markers
