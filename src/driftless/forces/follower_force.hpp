// Force at a point along a direction of the body, of a magnitude that depends on time.
#pragma once

#include "driftless/forces/force_element.hpp"
#include "driftless/forces/law.hpp"

namespace driftless {

template <int D>
struct FollowerForce : ReadsSignals<D> {
  PointOf<D> at;
  VecOf<double, D> direction = VecOf<double, D>::UnitX();  // unit, body axes
  TimeFunction magnitude;

  template <class S>
  VecOf<S, D> force(const ViewOf<S, D>& view) const {
    const S size =
        this->laws.empty() ? value_at(magnitude, view.t) : this->template components_of<S, 1>(view)[0];
    return view.frames[at.body].turn(direction) * size;
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
    visit(magnitude);
  }
};

}  // namespace driftless
