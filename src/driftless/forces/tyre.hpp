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

#include <type_traits>
#include <utility>

#include "driftless/core/time_function.hpp"
#include "driftless/forces/force_element.hpp"

namespace driftless {

struct TyreLaw {
  double radius = 0, stiffness = 0, damping = 0;
  TimeFunction road;  // z(x)
  double speed = 0;   // s
  bool unilateral = true;

  template <class S>
  struct Contact {
    S deflection, rate;  // δ, δ̇
    S force, elastic;    // N, V′(δ)
    S height_rate;       // u·ṗ
  };
  // From h·(p − o), u·(p − o) and their rates.
  template <class S>
  Contact<S> contact(
      const S& along, const S& along_rate, const S& height, const S& height_rate, const S& t) const {
    const auto [z, slope] = road_at(S(along + speed * t));
    const S delta = radius + z - height;  // (1)
    const S delta_dot = slope * (along_rate + speed) - height_rate;
    const bool touches = !unilateral || value_of(delta) > 0;
    S force = touches ? S(stiffness * delta + damping * delta_dot) : S(0.0);  // (2)
    if (unilateral && !(value_of(force) > 0)) force = S(0.0);                 // (3)
    return {delta, delta_dot, force, touches ? S(stiffness * delta) : S(0.0), height_rate};
  }
  double potential(const Contact<double>& c) const { return 0.5 * c.elastic * c.deflection; }
  static double power(const Contact<double>& c) {
    return c.force * c.height_rate + c.elastic * c.rate;
  }  // (4)
  bool conservative() const { return damping == 0 && road.is_constant(); }
  // The height at h·(p − o); `visit` and `at` as in force_element.hpp.
  template <class Visit, class Place>
  void places(Visit&& visit, Place&& at) const {
    if (road.is_constant()) return;
    visit(
        "the road under a tyre", [this](double t, double x, double) { return road(x + speed * t); }, at);
  }

 private:
  template <class S>
  std::pair<S, S> road_at(const S& x) const {  // z, z′
    const Derivatives z = road.at(value_of(x));
    if constexpr (std::is_same_v<S, double>)
      return {z.value, z.rate};
    else
      return {S(z.value) + (x - value_of(x)) * z.rate, S(z.rate) + (x - value_of(x)) * z.acceleration};
  }
};

template <int D>
struct Tyre {
  using V = VecOf<double, D>;
  PointOf<D> wheel;
  V up = V::Unit(D - 1), along = V::UnitX(), origin = V::Zero();  // unit, across each other
  TyreLaw law;

  template <class S>
  TyreLaw::Contact<S> contact(const ViewOf<S, D>& view) const {
    const VecOf<S, D> h = along.template cast<S>(), u = up.template cast<S>();
    const VecOf<S, D> from = view.place(wheel) - origin.template cast<S>(), rate = view.velocity(wheel);
    return law.contact<S>(h.dot(from), h.dot(rate), u.dot(from), u.dot(rate), view.t);
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    loads.push(wheel.body, up.template cast<S>() * contact(view).force, view.arm(wheel));
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&&) const {
    body_seen(wheel.body);
  }
  double potential(const ViewOf<double, D>& view) const { return law.potential(contact(view)); }
  double power(const ViewOf<double, D>& view) const { return TyreLaw::power(contact(view)); }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&&) const {}
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit,
               [this](const ViewOf<double, D>& view) { return along.dot(view.place(wheel) - origin); });
  }

  static constexpr std::array<ForceOutput, 3> outputs = {
      {{"deflection", "m"}, {"rate", "m/s"}, {"force", "N"}}};
  double measure(size_t k, const ViewOf<double, D>& view) const {
    const auto c = contact(view);
    return k == 0 ? c.deflection : k == 1 ? c.rate : c.force;
  }
};

}  // namespace driftless
