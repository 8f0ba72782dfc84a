// Spatial force elements, compiled: what systems evaluate, one batch a kind. An element adds its forces to the wrenches of
// the bodies it acts on, and to the loads on scalars. force_element.hpp says what else it offers.
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "driftless/forces/bushing.hpp"
#include "driftless/forces/force_element.hpp"
#include "driftless/forces/spring_law.hpp"
#include "driftless/forces/tyre.hpp"

namespace driftless {

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
    return law.power(s.length, s.rate, view.t);
  }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    law.functions(visit);
  }
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit, [this](const SpatialView& view) { return stretch(view).length; });
  }

  static constexpr std::array<ForceOutput, 3> outputs = {{{"length", "m"}, {"rate", "m/s"}, {"force", "N"}}};
  double measure(size_t k, const SpatialView& view) const {
    const Stretch s = stretch(view);
    return k == 0 ? s.length : k == 1 ? s.rate : law.force(s.length, s.rate, view.t);
  }
};

// Rotational spring–damper–actuator: the law on the angle of a scalar, which counts whole turns.                   (2)
struct ScalarSpring {
  int scalar = 0;
  SpringLaw law;

  double force(const SpatialView& view) const { return law.force(view.s[scalar], view.sdot[scalar], view.t); }
  void apply(const SpatialView& view, SpatialLoads& loads) const { loads.scalars[scalar] -= force(view); }
  double potential(const SpatialView& view) const { return law.potential(view.s[scalar]); }
  double power(const SpatialView& view) const { return law.power(view.s[scalar], view.sdot[scalar], view.t); }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    law.functions(visit);
  }
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit, [this](const SpatialView& view) { return view.s[scalar]; });
  }

  static constexpr std::array<ForceOutput, 3> outputs = {
      {{"length", "rad"}, {"rate", "rad/s"}, {"force", "N m"}}};
  double measure(size_t k, const SpatialView& view) const {
    return k == 0 ? view.s[scalar] : k == 1 ? view.sdot[scalar] : force(view);
  }
};

using VectorFunction = std::array<TimeFunction, 3>;

// Force at a point, its components given in world or body axes.                                                    (3)
struct SpatialPointForce {
  SpatialPoint at;
  VectorFunction components;
  bool body_axes = false;

  Vec3 force(const SpatialView& view) const {
    const Vec3 given(components[0](view.t), components[1](view.t), components[2](view.t));
    return body_axes ? Vec3(view.frames[at.body].R * given) : given;
  }
  void apply(const SpatialView& view, SpatialLoads& loads) const {
    loads.push(at.body, force(view), view.arm(at));
  }
  double potential(const SpatialView&) const { return 0; }
  double power(const SpatialView& view) const { return force(view).dot(view.velocity(at)); }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    for (const TimeFunction& f : components) visit(f);
  }
};

// Force at a point along a direction of the body, of a magnitude that depends on time.                             (4)
struct SpatialFollowerForce {
  SpatialPoint at;
  Vec3 direction = Vec3::UnitX();  // unit, body axes
  TimeFunction magnitude;

  Vec3 force(const SpatialView& view) const {
    return magnitude(view.t) * (view.frames[at.body].R * direction);
  }
  void apply(const SpatialView& view, SpatialLoads& loads) const {
    loads.push(at.body, force(view), view.arm(at));
  }
  double potential(const SpatialView&) const { return 0; }
  double power(const SpatialView& view) const { return force(view).dot(view.velocity(at)); }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(magnitude);
  }
};

// Torque on a body, its components in world or body axes, with its reaction on another.                            (5)
struct SpatialTorque {
  int body = 0, reaction = 0;
  VectorFunction components;
  bool body_axes = false;

  Vec3 torque(const SpatialView& view) const {
    const Vec3 given(components[0](view.t), components[1](view.t), components[2](view.t));
    return body_axes ? Vec3(view.frames[body].R * given) : given;
  }
  void apply(const SpatialView& view, SpatialLoads& loads) const {
    const Vec3 value = torque(view);
    loads.twist(body, value);
    loads.twist(reaction, -value);
  }
  double potential(const SpatialView&) const { return 0; }
  double power(const SpatialView& view) const {
    return torque(view).dot(view.twists[body].omega - view.twists[reaction].omega);
  }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    for (const TimeFunction& f : components) visit(f);
  }
};

using SpatialForces = std::tuple<std::vector<SpatialTsda>,
                                 std::vector<ScalarSpring>,
                                 std::vector<SpatialPointForce>,
                                 std::vector<SpatialFollowerForce>,
                                 std::vector<SpatialTorque>,
                                 std::vector<SpatialBushing>,
                                 std::vector<SpatialTyre>>;

}  // namespace driftless
