// The distance of two points follows a function of time, positive: a hydraulic cylinder without bodies of its own.
//   g = ℓ − f(t),   ℓ = |d|,  d = p_b − p_a,   ∂g/∂p_b = d/ℓ,   c = (|ḋ|² − ℓ̇²)/ℓ − f̈,  ℓ̇ = d·ḋ/ℓ                       (1)
#pragma once

#include "driftless/constraints/marker_blocks.hpp"

namespace driftless::markers {

template <int D>
struct DrivenDistance : BlockBase<D, 1, 2, 0> {
  template <class S>
  using GradientOf = typename BlockBase<D, 1, 2, 0>::template GradientOf<S>;
  std::array<int, 2> x{};  // a, b
  std::array<int, 0> s{};
  TimeFunction f;

  template <class Visit>
  void functions(Visit&& visit) const {
    visit(f);
  }
  template <class S>
  static S length_of(const VecOf<S, D>& d) {
    using std::sqrt;
    return sqrt(d.dot(d));
  }
  template <class S>
  void value(const Places<S, D>& at, S* g) const {
    g[0] = length_of<S>(at.x[x[1]] - at.x[x[0]]) - value_at(f, at.t);
  }
  template <class S>
  void gradient(const Places<S, D>& at, GradientOf<S>& out) const {
    const VecOf<S, D> d = at.x[x[1]] - at.x[x[0]];
    out.x[0][1] = d / length_of<S>(d);
    out.x[0][0] = -out.x[0][1];
  }
  template <class S>
  void nu(const Places<S, D>& at, S* out) const {
    out[0] = f.at(value_of(at.t)).rate;
  }
  template <class S>
  void curvature(const MovingOf<S, D>& m, S* out) const {
    const VecOf<S, D> d = m.at.x[x[1]] - m.at.x[x[0]], rate = m.xdot[x[1]] - m.xdot[x[0]];
    const S length = length_of<S>(d), along = d.dot(rate) / length;
    out[0] = (rate.dot(rate) - along * along) / length - f.at(value_of(m.at.t)).acceleration;
  }
};

}  // namespace driftless::markers
