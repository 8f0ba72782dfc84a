// Planar force elements, compiled: what the system evaluates, one batch a kind. An element adds its forces to the
// resultants of the bodies it acts on: (F_x, F_y, moment about the centre of mass). It also knows its potential, if it
// has one, and the power of what the potential does not cover.
#pragma once

#include <array>
#include <vector>

#include "driftless/constraints/planar_blocks.hpp"
#include "driftless/forces/characteristic.hpp"

namespace driftless {

using Resultant = std::array<double, 3>;  // force and moment on one body

inline void push(Resultant& on, const Planar<double>& force, const Planar<double>& arm) {
  on[0] += force.x;
  on[1] += force.y;
  on[2] += arm.x * force.y - arm.y * force.x;
}

// A scalar law along one relative coordinate s (a length or an angle), shared by TSDA and RSDA:
//   F = k (s − s₀) + C(s − s₀) + c ṡ + D(ṡ) + A(t),   V = k (s − s₀)²/2 + ∫C                                       (1)
// Positive F pulls the two ends together.
struct SpringLaw {
  double stiffness = 0, damping = 0, free = 0;
  PiecewiseLinear spring, damper;  // C and D; empty: zero
  TimeFunction actuator;           // A

  double force(double s, double s_dot, double t) const {
    return stiffness * (s - free) + spring(s - free) + dissipative(s_dot, t);
  }
  double dissipative(double s_dot, double t) const { return damping * s_dot + damper(s_dot) + actuator(t); }
  double potential(double s) const {
    return 0.5 * stiffness * (s - free) * (s - free) + spring.integral(s - free);
  }
  bool conservative() const {
    return damping == 0 && damper.empty() && actuator.is_constant() && actuator(0) == 0;
  }
};

// Translational spring–damper–actuator between two points: s = |p_b − p_a|.                                        (2)
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
    visit(law.actuator);
  }
};

// Rotational spring–damper–actuator between two bodies: s = θ_b − θ_a.                                             (3)
struct Rsda {
  int a = 0, b = 0;
  SpringLaw law;

  double angle(const PlanarView& view) const { return view.frames[b].theta - view.frames[a].theta; }
  double rate(const PlanarView& view) const { return view.velocities[b].omega - view.velocities[a].omega; }
  void apply(const PlanarView& view, Resultant* on) const;
  double potential(const PlanarView& view) const { return law.potential(angle(view)); }
  double power(const PlanarView& view) const { return -law.dissipative(rate(view), view.t) * rate(view); }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(law.actuator);
  }
};

// Force at a point, its components given in world or body axes.                                                    (4)
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

}  // namespace driftless
