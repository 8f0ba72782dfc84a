// Rotational spring–damper–actuator: the law of spring_law.hpp on an angle that counts whole turns.
//   plane   s = θ_b − θ_a of two bodies            space   s, a scalar                                              (1)
#pragma once

#include "driftless/forces/springs/spring_element.hpp"

namespace driftless {

// The angle of (1).
template <int D>
struct CountedAngle;

template <>
struct CountedAngle<2> {
  int a = 0, b = 0;  // bodies

  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&&) const {
    body_seen(a);
    body_seen(b);
  }

  template <class S>
  S value(const ViewOf<S, 2>& view) const {
    return view.frames[b].theta - view.frames[a].theta;
  }
  template <class S>
  S rate(const ViewOf<S, 2>& view) const {
    return view.twists[b].omega - view.twists[a].omega;
  }
  template <class S>
  void pull(const S& effort, LoadsOf<S, 2>& loads) const {
    loads.twist(a, effort);
    loads.twist(b, -effort);
  }
};

template <>
struct CountedAngle<3> {
  int scalar = 0;

  template <class Body, class Scalar>
  void slots(Body&&, Scalar&& scalar_seen) const {
    scalar_seen(scalar);
  }

  template <class S>
  S value(const ViewOf<S, 3>& view) const {
    return view.s[scalar];
  }
  template <class S>
  S rate(const ViewOf<S, 3>& view) const {
    return view.sdot[scalar];
  }
  template <class S>
  void pull(const S& effort, LoadsOf<S, 3>& loads) const {
    loads.scalars[scalar] -= effort;
  }
};

template <int D>
struct Rsda : SpringElement<D, Rsda<D>> {
  CountedAngle<D> angle;

  template <class S>
  struct Stretch {
    S length, rate;
  };
  template <class S>
  Stretch<S> stretch(const ViewOf<S, D>& view) const {
    return {angle.value(view), angle.rate(view)};
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    angle.pull(this->effort.force(angle.value(view), angle.rate(view), view), loads);
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&& scalar_seen) const {
    angle.slots(body_seen, scalar_seen);
    this->effort.slots(body_seen, scalar_seen);
  }

  static constexpr std::array<ForceOutput, 3> outputs = {
      {{"length", "rad"}, {"rate", "rad/s"}, {"force", "N m"}}};
};

}  // namespace driftless
