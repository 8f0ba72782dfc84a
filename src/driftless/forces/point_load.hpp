// What forces at a point have in common whose functions of time may read signals. A Derived offers
//   force(view)        the force, on any scalar
//   functions(visit)   as in force_element.hpp
#pragma once

#include "driftless/forces/force_element.hpp"
#include "driftless/forces/law.hpp"

namespace driftless {

template <int D, class Derived>
struct PointLoad : ReadsSignals<D> {
  PointOf<D> at;

  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    loads.push(at.body, self().force(view), view.arm(at));
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&& scalar_seen) const {
    body_seen(at.body);
    this->laws.slots(body_seen, scalar_seen);
  }
  double potential(const ViewOf<double, D>&) const { return 0; }
  double power(const ViewOf<double, D>& view) const { return self().force(view).dot(view.velocity(at)); }
  bool conservative() const { return false; }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace driftless
