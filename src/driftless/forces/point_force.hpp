// Force at a point, its components given over time in world or body axes.
#pragma once

#include "driftless/forces/force_element.hpp"
#include "driftless/forces/law.hpp"

namespace driftless {

template <int D>
struct PointForce : ReadsSignals<D> {
  PointOf<D> at;
  FunctionsOf<D> components;
  bool body_axes = false;

  template <class S>
  VecOf<S, D> force(const ViewOf<S, D>& view) const {
    const VecOf<S, D> given =
        this->laws.empty() ? values_at<S, D>(components, view.t) : this->template components_of<S, D>(view);
    return body_axes ? view.frames[at.body].turn_by(given) : given;
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    loads.push(at.body, force(view), view.arm(at));
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&& scalar_seen) const {
    body_seen(at.body);
    this->laws.slots(body_seen, scalar_seen);
  }
  double potential(const ViewOf<double, D>&) const { return 0; }
  double power(const ViewOf<double, D>& view) const { return force(view).dot(view.velocity(at)); }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    if (!this->laws.empty()) return this->laws.functions(visit);
    for (const TimeFunction& f : components) visit(f);
  }
};

}  // namespace driftless
