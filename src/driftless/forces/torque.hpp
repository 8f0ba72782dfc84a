// Torque on a body, with its reaction on another (ground: none that matters): one function of time in the plane, three
// components in world or body axes in space.
#pragma once

#include "driftless/forces/force_element.hpp"
#include "driftless/forces/law.hpp"

namespace driftless {

template <int D>
struct Torque : ReadsSignals<D> {
  int body = 0, reaction = 0;
  FunctionsOf<D == 2 ? 1 : 3> components;
  bool body_axes = false;

  template <class S>
  SpinOf<S, D> torque(const ViewOf<S, D>& view) const {
    if constexpr (D == 2) {
      return this->laws.empty() ? value_at(components[0], view.t)
                                : this->template components_of<S, 1>(view)[0];
    } else {
      const VecOf<S, 3> given =
          this->laws.empty() ? values_at<S, 3>(components, view.t) : this->template components_of<S, 3>(view);
      return body_axes ? view.frames[body].turn_by(given) : given;
    }
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    const SpinOf<S, D> value = torque(view);
    loads.twist(body, value);
    loads.twist(reaction, -value);
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&& scalar_seen) const {
    body_seen(body);
    body_seen(reaction);
    this->laws.slots(body_seen, scalar_seen);
  }
  double potential(const ViewOf<double, D>&) const { return 0; }
  double power(const ViewOf<double, D>& view) const {
    const SpinOf<double, D> turning = view.twists[body].omega - view.twists[reaction].omega;
    return spin_dot(torque(view), turning);
  }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    if (!this->laws.empty()) return this->laws.functions(visit);
    for (const TimeFunction& f : components) visit(f);
  }
};

}  // namespace driftless
