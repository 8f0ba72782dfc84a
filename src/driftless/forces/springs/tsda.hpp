// Translational spring–damper–actuator: the law of spring_law.hpp along
//   two points        s = |p_b − p_a|                                                                                   (1)
//   a joint           s = e·(p_b − p_a), its displacement; e, an axis of the first body, and p those of the joint        (2)
// The effort F of (2) acts on the second body as −F e at p_b, on the first as F e along the same line.
#pragma once

#include "driftless/forces/springs/spring_element.hpp"

namespace driftless {

template <int D>
struct Tsda : SpringElement<D, Tsda<D>> {
  PointOf<D> a, b;
  bool on_joint = false;                                           // (2)
  VecOf<double, D> axis = VecOf<double, D>::Unit(D == 3 ? 2 : 0);  // e in axes of the first body

  template <class S>
  struct Stretch {
    VecOf<S, D> unit;  // from a to b; zero where the ends meet: no direction, no force
    S length, rate;
  };
  template <class S>
  Stretch<S> stretch(const ViewOf<S, D>& view) const {
    const VecOf<S, D> d = view.place(b) - view.place(a), d_dot = view.velocity(b) - view.velocity(a);
    if (on_joint) {
      const VecOf<S, D> e = view.frames[a.body].turn(axis);
      return {e, e.dot(d), e.dot(d_dot) + swing(view.twists[a.body].omega, e).dot(d)};
    }
    const S length = sqrt(d.dot(d));
    const VecOf<S, D> unit =
        value_of(length) > 0 ? VecOf<S, D>(d / length) : VecOf<S, D>(VecOf<S, D>::Zero());
    return {unit, length, unit.dot(d_dot)};
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    const Stretch<S> s = stretch(view);
    const VecOf<S, D> pull = s.unit * this->effort.force(s.length, s.rate, view);
    loads.push(a.body, pull, on_joint ? VecOf<S, D>(view.place(b) - view.frames[a.body].r) : view.arm(a));
    loads.push(b.body, -pull, view.arm(b));
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&& scalar_seen) const {
    body_seen(a.body);
    body_seen(b.body);
    this->effort.slots(body_seen, scalar_seen);
  }

  static constexpr std::array<ForceOutput, 3> outputs = {{{"length", "m"}, {"rate", "m/s"}, {"force", "N"}}};
};

}  // namespace driftless
