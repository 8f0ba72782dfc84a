// What constraint blocks see of a mechanism: markers (points and directions of bodies) and scalars (angles, displacements,
// parameters of curves). Never q. A coordinate set says where its markers are, how they move and how they depend on v:
//   ẋ = J_x v,   ẍ = J_x v̇ + b_x   (b_x: bias)                                                                     (1)
// D is the dimension of space. Everything is templated on the scalar where jets run through it.
#pragma once

#include <Eigen/Core>

#include "driftless/core/time_function.hpp"
#include "driftless/math/jet.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

template <class S, int D>
using VecOf = Eigen::Matrix<S, D, 1>;

enum class MarkerKind { point, direction };

template <int D>
struct Marker {
  MarkerKind kind = MarkerKind::point;
  int body = 0;  // ground is the one past the last
  VecOf<double, D> at =
      VecOf<double, D>::Zero();  // from the centre of mass, or the unit direction; body axes
};

// Where everything is.
template <class S, int D>
struct Places {
  const VecOf<S, D>* x;  // markers
  const S* s;            // scalars
  S t;
};

// How everything moves.
template <class S, int D>
struct MovingOf {
  Places<S, D> at;
  const VecOf<S, D>* xdot;
  const S* sdot;
};
template <int D>
using Moving = MovingOf<double, D>;

// A function of time on any scalar: derivatives follow the chain rule.
inline double value_at(const TimeFunction& f, double t) { return f(t); }
template <Jet S>
S value_at(const TimeFunction& f, const S& t) {
  using T = decltype(t.v);
  const Derivatives d = f.at(value_of(t));
  return t.chain(T(d.value), T(d.rate), T(d.acceleration));
}

}  // namespace driftless
