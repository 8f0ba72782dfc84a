// Planar force elements, compiled: what the system evaluates, one batch a kind. An element adds its forces to the
// resultants of the bodies it acts on: (F_x, F_y, moment about the centre of mass). force_element.hpp says what else it
// offers.
#pragma once

#include <tuple>
#include <vector>

#include "driftless/forces/bushing.hpp"
#include "driftless/forces/force_element.hpp"
#include "driftless/forces/spring_law.hpp"
#include "driftless/forces/tyre.hpp"

namespace driftless {

// Translational spring–damper–actuator between two points: s = |p_b − p_a|.                                        (1)
struct Tsda {
  PointOn a, b;
  SpringLaw law;

  struct Stretch {
    Planar<double> unit;  // from a to b
    double length, rate;
  };
  Stretch stretch(const PlanarView& view) const;
  void apply(const PlanarView& view, Resultant* on) const;
  double potential(const PlanarView& view) const { return law.potential(stretch(view).length); }
  double power(const PlanarView& view) const;
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    law.functions(visit);
  }
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit, [this](const PlanarView& view) { return stretch(view).length; });
  }

  static constexpr std::array<ForceOutput, 3> outputs = {{{"length", "m"}, {"rate", "m/s"}, {"force", "N"}}};
  double measure(size_t k, const PlanarView& view) const {
    const Stretch s = stretch(view);
    return k == 0 ? s.length : k == 1 ? s.rate : law.force(s.length, s.rate, view.t);
  }
};

// Rotational spring–damper–actuator between two bodies: s = θ_b − θ_a.                                             (2)
struct Rsda {
  int a = 0, b = 0;
  SpringLaw law;

  double angle(const PlanarView& view) const { return view.frames[b].theta - view.frames[a].theta; }
  double rate(const PlanarView& view) const { return view.velocities[b].omega - view.velocities[a].omega; }
  void apply(const PlanarView& view, Resultant* on) const;
  double potential(const PlanarView& view) const { return law.potential(angle(view)); }
  double power(const PlanarView& view) const { return law.power(angle(view), rate(view), view.t); }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    law.functions(visit);
  }
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit, [this](const PlanarView& view) { return angle(view); });
  }

  static constexpr std::array<ForceOutput, 3> outputs = {
      {{"length", "rad"}, {"rate", "rad/s"}, {"force", "N m"}}};
  double measure(size_t k, const PlanarView& view) const {
    return k == 0 ? angle(view) : k == 1 ? rate(view) : law.force(angle(view), rate(view), view.t);
  }
};

// Force at a point, its components given in world or body axes.                                                    (3)
struct PointForce {
  PointOn at;
  TimeFunction x, y;
  bool body_axes = false;

  Planar<double> force(const PlanarView& view) const;
  void apply(const PlanarView& view, Resultant* on) const { push(on[at.body], force(view), view.arm(at)); }
  double potential(const PlanarView&) const { return 0; }
  double power(const PlanarView& view) const { return force(view).dot(view.velocity(at)); }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(x);
    visit(y);
  }
};

// Force at a point along a direction of the body, of a magnitude that depends on time.                             (4)
struct FollowerForce {
  PointOn at;
  Vec2 direction = Vec2::UnitX();  // unit, body axes
  TimeFunction magnitude;

  Planar<double> force(const PlanarView& view) const {
    return view.frames[at.body].turn(direction) * magnitude(view.t);
  }
  void apply(const PlanarView& view, Resultant* on) const { push(on[at.body], force(view), view.arm(at)); }
  double potential(const PlanarView&) const { return 0; }
  double power(const PlanarView& view) const { return force(view).dot(view.velocity(at)); }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(magnitude);
  }
};

// Torque on a body, with its reaction on another (ground: none that matters).                                      (5)
struct Torque {
  int body = 0, reaction = 0;
  TimeFunction torque;

  void apply(const PlanarView& view, Resultant* on) const;
  double potential(const PlanarView&) const { return 0; }
  double power(const PlanarView& view) const {
    return torque(view.t) * (view.velocities[body].omega - view.velocities[reaction].omega);
  }
  bool conservative() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(torque);
  }
};

using PlanarForces = std::tuple<std::vector<Tsda>,
                                std::vector<Rsda>,
                                std::vector<PointForce>,
                                std::vector<FollowerForce>,
                                std::vector<Torque>,
                                std::vector<PlanarBushing>,
                                std::vector<PlanarTyre>>;

}  // namespace driftless
