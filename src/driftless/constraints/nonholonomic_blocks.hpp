// Blocks that hold at velocity level alone: rate, gradient (A, a), nu and curvature of marker_blocks.hpp.
#pragma once

#include "driftless/constraints/marker_blocks.hpp"

namespace driftless::markers {

// A point does not move across an edge: u·ṗ = 0. Knife edges, skates, wheels without slip angle.                   (14)
template <int D>
struct NoSlip : BlockBase<D, 1, 2, 0> {
  static constexpr bool holonomic = false;
  static constexpr Unmoved unmoved = Unmoved::never;
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 2, 0>::template GradientOf<S>;
  std::array<int, 2> x{};  // u, p
  std::array<int, 0> s{};

  template <class S>
  void rate(const Places<S, D>& at, const VecOf<S, D>* xdot, const S*, S* out) const {
    out[0] = at.x[x[0]].dot(xdot[x[1]]);
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    out.x[0][0].setZero();
    out.x[0][1] = at.x[x[0]];
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    out[0] = m.xdot[x[0]].dot(m.xdot[x[1]]);
  }
};

// A disc rolls on a plane at rest: the material point of its rim that touches does not move. With x, y across its axis,
// the contact is at c − ρ e, e = (k·x x + k·y y)/w, w = |(k·x, k·y)|, and moves with                               (15)
//   t_i·(ċ − ρ (k·x ẋ + k·y ẏ)/w) = 0,   t_1, t_2 along the plane
template <int D>
struct Rolls : BlockBase<D, 2, 6, 0> {
  static constexpr bool holonomic = false;
  static constexpr Unmoved unmoved = Unmoved::never;
  template <class S>
  using GradientOf = typename BlockBase<D, 2, 6, 0>::template GradientOf<S>;
  std::array<int, 6> x{};  // t_1, t_2, k (at rest), c, x, y
  std::array<int, 0> s{};
  double radius = 1;

  template <class S>
  void rate(const Places<S, D>& at, const VecOf<S, D>* xdot, const S*, S* out) const {
    const S kx = at.x[x[2]].dot(at.x[x[4]]), ky = at.x[x[2]].dot(at.x[x[5]]);
    const S w = sqrt(kx * kx + ky * ky);
    const VecOf<S, D> slip = xdot[x[3]] - (xdot[x[4]] * kx + xdot[x[5]] * ky) * (radius / w);
    for (size_t i = 0; i < 2; ++i) out[i] = at.x[x[i]].dot(slip);
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const S kx = at.x[x[2]].dot(at.x[x[4]]), ky = at.x[x[2]].dot(at.x[x[5]]);
    const S w = hypot(kx, ky);
    for (size_t i = 0; i < 2; ++i) {
      for (size_t k = 0; k < 3; ++k) out.x[i][k].setZero();
      out.x[i][3] = at.x[x[i]];
      out.x[i][4] = at.x[x[i]] * (-radius * kx / w);
      out.x[i][5] = at.x[x[i]] * (-radius * ky / w);
    }
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = out[1] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    const auto& k = m.at.x[x[2]];
    const auto& x_dot = m.xdot[x[4]];
    const auto& y_dot = m.xdot[x[5]];
    const S kx = k.dot(m.at.x[x[4]]), ky = k.dot(m.at.x[x[5]]), w = hypot(kx, ky);
    const S kx_dot = k.dot(x_dot), ky_dot = k.dot(y_dot);
    const S turn = (kx_dot * ky - ky_dot * kx) / (w * w * w);  // of (kx, ky)/w: (ky, −kx) times this
    const VecOf<S, D> slip = (ky * x_dot - kx * y_dot) * (-radius * turn);
    for (size_t i = 0; i < 2; ++i) out[i] = m.at.x[x[i]].dot(slip);
  }
};

}  // namespace driftless::markers
