// Spatial force elements, compiled: what systems evaluate, one batch a kind. An element adds its forces to the wrenches of
// the bodies it acts on, and to the loads on scalars. It knows its potential, if it has one, and the power of what the
// potential does not cover. Laws are those of planar_forces.hpp.
#pragma once

#include <tuple>
#include <vector>

#include "driftless/constraints/spatial_frame.hpp"
#include "driftless/forces/planar_forces.hpp"

namespace driftless {

// Where forces go: one wrench a body (ground last), one load a scalar.
struct SpatialLoads {
  Wrench* on;
  double* scalars;

  void push(int body, const Vec3& force, const Vec3& arm) {
    on[body].force += force;
    on[body].moment += arm.cross(force);
  }
};

// Translational spring–damper–actuator between two points: s = |p_b − p_a|.                                        (1)
struct SpatialTsda {
  SpatialPoint a, b;
  SpringLaw law;

  struct Stretch {
    Vec3 unit;  // from a to b; zero where the ends meet
    double length, rate;
  };
  Stretch stretch(const SpatialView& view) const {
    const Vec3 d = view.place(b) - view.place(a);
    const double length = d.norm();
    const Vec3 unit = length > 0 ? Vec3(d / length) : Vec3::Zero();
    return {unit, length, unit.dot(view.velocity(b) - view.velocity(a))};
  }
  void apply(const SpatialView& view, SpatialLoads& loads) const {
    const Stretch s = stretch(view);
    const Vec3 pull = s.unit * law.force(s.length, s.rate, view.t);
    loads.push(a.body, pull, view.arm(a));
    loads.push(b.body, -pull, view.arm(b));
  }
  double potential(const SpatialView& view) const { return law.potential(stretch(view).length); }
  double power(const SpatialView& view) const {
    const Stretch s = stretch(view);
    return -law.dissipative(s.rate, view.t) * s.rate;
  }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(law.actuator);
  }
};

// Rotational spring–damper–actuator: the law on the angle of a scalar, which counts whole turns.                   (2)
struct ScalarSpring {
  int scalar = 0;
  SpringLaw law;

  void apply(const SpatialView& view, SpatialLoads& loads) const {
    loads.scalars[scalar] -= law.force(view.s[scalar], view.sdot[scalar], view.t);
  }
  double potential(const SpatialView& view) const { return law.potential(view.s[scalar]); }
  double power(const SpatialView& view) const {
    return -law.dissipative(view.sdot[scalar], view.t) * view.sdot[scalar];
  }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(law.actuator);
  }
};

using SpatialForces = std::tuple<std::vector<SpatialTsda>, std::vector<ScalarSpring>>;

}  // namespace driftless
