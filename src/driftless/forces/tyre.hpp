// Tyre: a vertical spring and damper between the centre of a wheel and a road whose height z depends on the place x along
// one horizontal direction. With u up, h along the road, o its origin, r the radius and p the centre of the wheel
//   x = h·(p − o) + s t,   δ = r + z(x) − u·(p − o),   δ̇ = z′(x) ẋ − u·ṗ                                             (1)
//   bilateral     N = k δ + c δ̇,                              V = ½ k δ²                                              (2)
//   unilateral    N = max(0, k δ + c δ̇) for δ > 0, else 0,    V = ½ k max(0, δ)²                                      (3)
// The force N u acts on the wheel along the vertical through its centre: no moment about it, no force along the road, no
// rolling. s is the speed at which the road runs backwards beneath the wheel. A slope lifts the wheel without holding it
// back: on it the force is not the gradient of V, and what it does beside −dV/dt,
//   P = N u·ṗ + V′(δ) δ̇                                                                                             (4)
// enters the energy balance as work. P = 0 where the road is flat and c = 0. In (3) N is continuous in δ but for the
// damper, which takes hold at touch-down with c δ̇; lift-off and touch-down lie inside steps.
#pragma once

#include <algorithm>

#include "driftless/core/time_function.hpp"
#include "driftless/forces/force_element.hpp"

namespace driftless {

struct TyreLaw {
  double radius = 0, stiffness = 0, damping = 0;
  TimeFunction road;  // z(x)
  double speed = 0;   // s
  bool unilateral = true;

  struct Contact {
    double deflection, rate;  // δ, δ̇
    double force, elastic;    // N, V′(δ)
    double height_rate;       // u·ṗ
  };
  // From h·(p − o), u·(p − o) and their rates.
  Contact contact(double along, double along_rate, double height, double height_rate, double t) const {
    const Derivatives z = road.at(along + speed * t);
    const double delta = radius + z.value - height;  // (1)
    const double delta_dot = z.rate * (along_rate + speed) - height_rate;
    const bool touches = !unilateral || delta > 0;
    double force = touches ? stiffness * delta + damping * delta_dot : 0.0;  // (2)
    if (unilateral) force = std::max(0.0, force);                            // (3)
    return {delta, delta_dot, force, touches ? stiffness * delta : 0.0, height_rate};
  }
  double potential(const Contact& c) const { return 0.5 * c.elastic * c.deflection; }
  static double power(const Contact& c) { return c.force * c.height_rate + c.elastic * c.rate; }  // (4)
  bool conservative() const { return damping == 0 && road.is_constant(); }
  // The height at h·(p − o); `visit` and `at` as in force_element.hpp.
  template <class Visit, class Place>
  void places(Visit&& visit, Place&& at) const {
    if (road.is_constant()) return;
    visit(
        "the road under a tyre", [this](double t, double x, double) { return road(x + speed * t); }, at);
  }
};

inline constexpr std::array<ForceOutput, 3> kTyreOutputs = {
    {{"deflection", "m"}, {"rate", "m/s"}, {"force", "N"}}};
inline double measure_tyre(size_t k, const TyreLaw::Contact& c) {
  return k == 0 ? c.deflection : k == 1 ? c.rate : c.force;
}

struct PlanarTyre {
  PointOn wheel;
  Vec2 up = Vec2::UnitY(), along = Vec2::UnitX(), origin = Vec2::Zero();  // unit, across each other
  TyreLaw law;

  TyreLaw::Contact contact(const PlanarView& view) const {
    const auto p = view.place(wheel), v = view.velocity(wheel);
    const Vec2 from(p.x - origin.x(), p.y - origin.y()), rate(v.x, v.y);
    return law.contact(along.dot(from), along.dot(rate), up.dot(from), up.dot(rate), view.t);
  }
  void apply(const PlanarView& view, Resultant* on) const {
    const double force = contact(view).force;
    push(on[wheel.body], {force * up.x(), force * up.y()}, view.arm(wheel));
  }
  double potential(const PlanarView& view) const { return law.potential(contact(view)); }
  double power(const PlanarView& view) const { return TyreLaw::power(contact(view)); }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&&) const {}
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit, [this](const PlanarView& view) {
      const auto p = view.place(wheel);
      return along.dot(Vec2(p.x - origin.x(), p.y - origin.y()));
    });
  }

  static constexpr const auto& outputs = kTyreOutputs;
  double measure(size_t k, const PlanarView& view) const { return measure_tyre(k, contact(view)); }
};

struct SpatialTyre {
  SpatialPoint wheel;
  Vec3 up = Vec3::UnitZ(), along = Vec3::UnitX(), origin = Vec3::Zero();  // unit, across each other
  TyreLaw law;

  TyreLaw::Contact contact(const SpatialView& view) const {
    const Vec3 from = view.place(wheel) - origin, rate = view.velocity(wheel);
    return law.contact(along.dot(from), along.dot(rate), up.dot(from), up.dot(rate), view.t);
  }
  void apply(const SpatialView& view, SpatialLoads& loads) const {
    loads.push(wheel.body, contact(view).force * up, view.arm(wheel));
  }
  double potential(const SpatialView& view) const { return law.potential(contact(view)); }
  double power(const SpatialView& view) const { return TyreLaw::power(contact(view)); }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&&) const {}
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit, [this](const SpatialView& view) { return along.dot(view.place(wheel) - origin); });
  }

  static constexpr const auto& outputs = kTyreOutputs;
  double measure(size_t k, const SpatialView& view) const { return measure_tyre(k, contact(view)); }
};

}  // namespace driftless
