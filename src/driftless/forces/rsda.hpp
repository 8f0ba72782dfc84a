// Rotational spring–damper–actuator: the law of spring_law.hpp on an angle that counts whole turns.
//   plane   s = θ_b − θ_a of two bodies            space   s, a scalar                                              (1)
#pragma once

#include "driftless/forces/force_element.hpp"
#include "driftless/forces/spring_effort.hpp"

namespace driftless {

// The angle of (1).
template <int D>
struct CountedAngle;

template <>
struct CountedAngle<2> {
  int a = 0, b = 0;  // bodies

  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&&) const {
    body_seen(a);
    body_seen(b);
  }

  template <class S>
  S value(const ViewOf<S, 2>& view) const {
    return view.frames[b].theta - view.frames[a].theta;
  }
  template <class S>
  S rate(const ViewOf<S, 2>& view) const {
    return view.twists[b].omega - view.twists[a].omega;
  }
  template <class S>
  void pull(const S& effort, LoadsOf<S, 2>& loads) const {
    loads.twist(a, effort);
    loads.twist(b, -effort);
  }
};

template <>
struct CountedAngle<3> {
  int scalar = 0;

  template <class Body, class Scalar>
  void slots(Body&&, Scalar&& scalar_seen) const {
    scalar_seen(scalar);
  }

  template <class S>
  S value(const ViewOf<S, 3>& view) const {
    return view.s[scalar];
  }
  template <class S>
  S rate(const ViewOf<S, 3>& view) const {
    return view.sdot[scalar];
  }
  template <class S>
  void pull(const S& effort, LoadsOf<S, 3>& loads) const {
    loads.scalars[scalar] -= effort;
  }
};

template <int D>
struct Rsda {
  CountedAngle<D> angle;
  SpringEffort<D> effort;

  template <class S>
  S force(const ViewOf<S, D>& view) const {
    return effort.force(angle.value(view), angle.rate(view), view);
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    angle.pull(force(view), loads);
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&& scalar_seen) const {
    angle.slots(body_seen, scalar_seen);
    effort.slots(body_seen, scalar_seen);
  }
  double potential(const ViewOf<double, D>& view) const { return effort.potential(angle.value(view)); }
  double power(const ViewOf<double, D>& view) const {
    return effort.power(angle.value(view), angle.rate(view), view);
  }
  bool conservative() const { return effort.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    effort.functions(visit);
  }
  template <class Visit>
  void places(Visit&& visit) const {
    effort.law.places(visit, [this](const ViewOf<double, D>& view) { return angle.value(view); });
  }

  int& first_mode() { return effort.first_mode(); }
  int first_mode() const { return effort.first_mode(); }
  int mode_count() const { return effort.mode_count(); }
  void describe(const std::string& element, std::vector<Switch>& out) const { effort.describe(element, out); }
  void begin_modes(const ViewOf<double, D>& view, int* modes) const {
    effort.begin_modes(angle.value(view), angle.rate(view), view, modes);
  }
  void roots(const ViewOf<double, D>& view, const int* modes, double* values, double* rates) const {
    effort.roots(angle.value(view), angle.rate(view), view, modes, values, rates);
  }
  void cross(const ViewOf<double, D>& view, int root, int* modes) const {
    effort.cross(root, angle.value(view), angle.rate(view), view, modes);
  }

  static constexpr std::array<ForceOutput, 3> outputs = {
      {{"length", "rad"}, {"rate", "rad/s"}, {"force", "N m"}}};
  template <class S>
  S measure(size_t k, const ViewOf<S, D>& view) const {
    return k == 0 ? angle.value(view) : k == 1 ? angle.rate(view) : force(view);
  }
};

}  // namespace driftless
