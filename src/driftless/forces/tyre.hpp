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
// damper, which takes hold at touch-down with c δ̇. What switches (switching.hpp): the piece of the road under the wheel, and in (3) whether
// it presses, min(δ, k δ + c δ̇) > 0.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driftless/core/time_function.hpp"
#include "driftless/forces/force_element.hpp"
#include "driftless/forces/pieces.hpp"

namespace driftless {

struct TyreLaw {
  double radius = 0, stiffness = 0, damping = 0;
  Profile road;      // z(x)
  double speed = 0;  // s
  bool unilateral = true;

  template <class S>
  struct Contact {
    S deflection, rate;  // δ, δ̇
    S force, elastic;    // N, V′(δ)
    S height_rate;       // u·ṗ
  };
  // From h·(p − o), u·(p − o) and their rates.
  template <class S>
  Contact<S> contact(const S& along,
                     const S& along_rate,
                     const S& height,
                     const S& height_rate,
                     const S& t,
                     const int* modes) const {
    const auto [z, slope] = road_at(S(along + speed * t), modes);
    const S delta = radius + z - height;  // (1)
    const S delta_dot = slope * (along_rate + speed) - height_rate;
    S force = S(stiffness * delta + damping * delta_dot);  // (2)
    bool touches = true;
    if (unilateral) {  // (3)
      const bool presses =
          modes != nullptr ? modes[road.mode_count()] != 0 : value_of(delta) > 0 && value_of(force) > 0;
      touches = value_of(delta) > 0 || (modes != nullptr && presses);
      if (!presses) force = S(0.0);
    }
    return {delta, delta_dot, force, touches ? S(stiffness * delta) : S(0.0), height_rate};
  }
  double potential(const Contact<double>& c) const { return 0.5 * c.elastic * c.deflection; }
  static double power(const Contact<double>& c) {
    return c.force * c.height_rate + c.elastic * c.rate;
  }  // (4)
  bool conservative() const { return damping == 0 && road.function().is_constant(); }
  // The height at h·(p − o); `visit` and `at` as in force_element.hpp.
  template <class Visit, class Place>
  void places(Visit&& visit, Place&& at) const {
    if (road.function().is_constant()) return;
    visit(
        "the road under a tyre",
        [this](double t, double x, double, const Mode* mode) {
          return road
              .at(x + speed * t,
                  mode == nullptr || first_mode < 0 ? nullptr : mode->values.data() + first_mode)
              .value;
        },
        at);
  }

  // ---- switches, as force_element.hpp asks for them
  int first_mode = -1;
  int mode_count() const { return road.mode_count() + (unilateral ? 1 : 0); }
  void describe(const std::string& element, std::vector<Switch>& out) const {
    road.describe({element, "road", "road", {}, 0, "a smooth road"}, out);
    if (unilateral)
      out.push_back({element, "tyre", "contact", {"lifted off", "on the road"}, 0, "contact: bilateral"});
  }
  // From x and its rate; δ, δ̇.
  void begin_modes(double x, double x_rate, const Contact<double>& c, int* modes) const {
    road.begin(x, x_rate, modes);
    if (unilateral) modes[road.mode_count()] = c.force > 0 ? 1 : 0;
  }
  void roots(double x,
             double x_rate,
             const Contact<double>& c,
             const int* modes,
             double* values,
             double* rates) const {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    road.roots(x, x_rate, modes, values, rates);
    if (!unilateral) return;
    const int k = road.mode_count();
    const double presses =
        damping == 0 ? c.deflection : std::min(c.deflection, c.deflection + damping / stiffness * c.rate);
    const double rate = damping == 0 ? c.rate : kUnknown;
    values[2 * k] = modes[k] != 0 ? presses : kUnknown;
    values[2 * k + 1] = modes[k] == 0 ? -presses : kUnknown;
    rates[2 * k] = rate;
    rates[2 * k + 1] = -rate;
  }
  void cross(int root, double x, int* modes) const {
    if (root < 2 * road.mode_count())
      road.cross(root, x, modes);
    else
      modes[road.mode_count()] = root % 2;
  }

 private:
  template <class S>
  std::pair<S, S> road_at(const S& x, const int* modes) const {  // z, z′
    const Derivatives z = road.at(value_of(x), modes);
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
    return law.contact<S>(h.dot(from), h.dot(rate), u.dot(from), u.dot(rate), view.t,
                          view.modes(law.first_mode));
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

  double place(const ViewOf<double, D>& view) const {
    return along.dot(view.place(wheel) - origin) + law.speed * view.t;
  }
  double place_rate(const ViewOf<double, D>& view) const {
    return along.dot(view.velocity(wheel)) + law.speed;
  }
  int& first_mode() { return law.first_mode; }
  int first_mode() const { return law.first_mode; }
  int mode_count() const { return law.mode_count(); }
  void describe(const std::string& element, std::vector<Switch>& out) const { law.describe(element, out); }
  void begin_modes(const ViewOf<double, D>& view, int* modes) const {
    ViewOf<double, D> free = view;
    free.mode = nullptr;
    law.begin_modes(place(view), place_rate(view), contact(free), modes);
  }
  void roots(const ViewOf<double, D>& view, const int* modes, double* values, double* rates) const {
    law.roots(place(view), place_rate(view), contact(view), modes, values, rates);
  }
  void cross(const ViewOf<double, D>& view, int root, int* modes) const {
    law.cross(root, place(view), modes);
  }

  static constexpr std::array<ForceOutput, 3> outputs = {
      {{"deflection", "m"}, {"rate", "m/s"}, {"force", "N"}}};
  double measure(size_t k, const ViewOf<double, D>& view) const {
    const auto c = contact(view);
    return k == 0 ? c.deflection : k == 1 ? c.rate : c.force;
  }
};

}  // namespace driftless
