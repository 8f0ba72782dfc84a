// Truss bar between two points, with Green's strain: r = p_b − p_a,
//   ε = (r·r − l0²)/(2 l0²),   V = ½ EA l0 ε²,   force on b  −(EA ε/l0) r                                              (1)
// Its discrete gradient is exact and keeps momenta: P_b = (EA ε̄/l0) r_m, means of both ends.                          (2)
//                                                                                     Hoitink 2011, §2.3; Gonzalez 1996
#pragma once

#include "driftless/forces/force_element.hpp"

namespace driftless {

template <int D>
struct Truss {
  PointOf<D> a, b;
  double stiffness = 0, free = 1;  // EA, l0

  template <class S>
  S strain(const VecOf<S, D>& r) const {
    return (r.dot(r) - free * free) / (2 * free * free);
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    const VecOf<S, D> r = view.place(b) - view.place(a);
    const S factor = strain<S>(r) * (stiffness / free);
    const VecOf<S, D> pull = r * factor;
    loads.push(a.body, pull, view.arm(a));
    loads.push(b.body, -pull, view.arm(b));
  }
  // (2): places at the start and end of a step, gradients handed on by point.
  template <class Start, class End, class Push>
  void discrete_gradient(Start&& start, End&& end, Push&& push) const {
    const VecOf<double, D> r0 = start(b) - start(a), r1 = end(b) - end(a);
    const VecOf<double, D> gradient =
        stiffness / free * (strain<double>(r0) + strain<double>(r1)) / 2 * (r0 + r1) / 2;
    push(b, gradient);
    push(a, -gradient);
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&&) const {
    body_seen(a.body);
    body_seen(b.body);
  }
  double potential(const ViewOf<double, D>& view) const {
    const double e = strain<double>(view.place(b) - view.place(a));
    return 0.5 * stiffness * free * e * e;
  }
  double power(const ViewOf<double, D>&) const { return 0; }
  bool conservative() const { return true; }
  template <class Visit>
  void functions(Visit&&) const {}

  static constexpr std::array<ForceOutput, 3> outputs = {{{"length", "m"}, {"strain", ""}, {"force", "N"}}};
  double measure(size_t k, const ViewOf<double, D>& view) const {
    const VecOf<double, D> r = view.place(b) - view.place(a);
    const double length = r.norm(), e = strain<double>(r);
    return k == 0 ? length : k == 1 ? e : stiffness * e * length / free;
  }
};

}  // namespace driftless
