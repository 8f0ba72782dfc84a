// Force at a point along a direction of the body, of a magnitude that depends on time.
#pragma once

#include "driftless/forces/point_load.hpp"

namespace driftless {

template <int D>
struct FollowerForce : PointLoad<D, FollowerForce<D>> {
  VecOf<double, D> direction = VecOf<double, D>::UnitX();  // unit, body axes
  TimeFunction magnitude;

  template <class S>
  VecOf<S, D> force(const ViewOf<S, D>& view) const {
    const S size =
        this->laws.empty() ? value_at(magnitude, view.t) : this->template components_of<S, 1>(view)[0];
    return view.frames[this->at.body].turn(direction) * size;
  }
  template <class Visit>
  void functions(Visit&& visit) const {
    if (!this->laws.empty()) return this->laws.functions(visit);
    visit(magnitude);
  }
};

}  // namespace driftless
