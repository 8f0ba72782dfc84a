// Force at a point, its components given over time in world or body axes.
#pragma once

#include "driftless/forces/point_load.hpp"

namespace driftless {

template <int D>
struct PointForce : PointLoad<D, PointForce<D>> {
  FunctionsOf<D> components;
  bool body_axes = false;

  template <class S>
  VecOf<S, D> force(const ViewOf<S, D>& view) const {
    const VecOf<S, D> given =
        this->laws.empty() ? values_at<S, D>(components, view.t) : this->template components_of<S, D>(view);
    return body_axes ? view.frames[this->at.body].turn_by(given) : given;
  }
  template <class Visit>
  void functions(Visit&& visit) const {
    if (!this->laws.empty()) return this->laws.functions(visit);
    for (const TimeFunction& f : components) visit(f);
  }
};

}  // namespace driftless
