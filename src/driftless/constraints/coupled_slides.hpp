// The displacements of two joints follow one another: a coupler of two sliders in the plane.
//   g = u·(p_b − p_a) − k u′·(p′_b − p′_a) − f,   c = 2 u̇·(ṗ_b − ṗ_a) − 2 k u̇′·(ṗ′_b − ṗ′_a)                            (1)
#pragma once

#include "driftless/constraints/marker_blocks.hpp"

namespace driftless::markers {

template <int D>
struct CoupledSlides : BlockBase<D, 1, 6, 0> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 6, 0>::template GradientOf<S>;
  std::array<int, 6> x{};  // u, a, b, u′, a′, b′
  std::array<int, 0> s{};
  double ratio = 1, offset = 0;

  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    g[0] = at.x[x[0]].dot(at.x[x[2]] - at.x[x[1]]) - ratio * at.x[x[3]].dot(at.x[x[5]] - at.x[x[4]]) - offset;
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    out.x[0][0] = at.x[x[2]] - at.x[x[1]];
    out.x[0][1] = -at.x[x[0]];
    out.x[0][2] = at.x[x[0]];
    out.x[0][3] = -ratio * (at.x[x[5]] - at.x[x[4]]);
    out.x[0][4] = ratio * at.x[x[3]];
    out.x[0][5] = -ratio * at.x[x[3]];
  }
  template <class S>
  void nu(const Places<S, D>&, S* out) const {
    out[0] = 0;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    out[0] = 2 * m.xdot[x[0]].dot(m.xdot[x[2]] - m.xdot[x[1]]) -
             2 * ratio * m.xdot[x[3]].dot(m.xdot[x[5]] - m.xdot[x[4]]);
  }
};

}  // namespace driftless::markers
