// Translational spring–damper–actuator between two points: the law of spring_law.hpp along s = |p_b − p_a|.
#pragma once

#include "driftless/forces/force_element.hpp"
#include "driftless/forces/spring_law.hpp"

namespace driftless {

template <int D>
struct Tsda {
  PointOf<D> a, b;
  SpringLaw law;

  template <class S>
  struct Stretch {
    VecOf<S, D> unit;  // from a to b; zero where the ends meet: no direction, no force
    S length, rate;
  };
  template <class S>
  Stretch<S> stretch(const ViewOf<S, D>& view) const {
    const VecOf<S, D> d = view.place(b) - view.place(a);
    const S length = sqrt(d.dot(d));
    const VecOf<S, D> unit =
        value_of(length) > 0 ? VecOf<S, D>(d / length) : VecOf<S, D>(VecOf<S, D>::Zero());
    return {unit, length, unit.dot(view.velocity(b) - view.velocity(a))};
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    const Stretch<S> s = stretch(view);
    const VecOf<S, D> pull = s.unit * law.force(s.length, s.rate, view.t, view.modes(law.first_mode));
    loads.push(a.body, pull, view.arm(a));
    loads.push(b.body, -pull, view.arm(b));
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&&) const {
    body_seen(a.body);
    body_seen(b.body);
  }
  double potential(const ViewOf<double, D>& view) const { return law.potential(stretch(view).length); }
  double power(const ViewOf<double, D>& view) const {
    const Stretch<double> s = stretch(view);
    return law.power(s.length, s.rate, view.t, view.modes(law.first_mode));
  }
  bool conservative() const { return law.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    law.functions(visit);
  }
  template <class Visit>
  void places(Visit&& visit) const {
    law.places(visit, [this](const ViewOf<double, D>& view) { return stretch(view).length; });
  }

  int& first_mode() { return law.first_mode; }
  int first_mode() const { return law.first_mode; }
  int mode_count() const { return law.mode_count(); }
  void describe(const std::string& element, std::vector<Switch>& out) const { law.describe(element, out); }
  void begin_modes(const ViewOf<double, D>& view, int* modes) const {
    const Stretch<double> s = stretch(view);
    law.begin_modes(s.length, s.rate, view.t, modes);
  }
  void roots(const ViewOf<double, D>& view, const int* modes, double* values, double* rates) const {
    const Stretch<double> s = stretch(view);
    law.roots(s.length, s.rate, view.t, modes, values, rates);
  }
  void cross(const ViewOf<double, D>& view, int root, int* modes) const {
    const Stretch<double> s = stretch(view);
    law.cross(root, s.length, s.rate, view.t, modes);
  }

  static constexpr std::array<ForceOutput, 3> outputs = {{{"length", "m"}, {"rate", "m/s"}, {"force", "N"}}};
  double measure(size_t k, const ViewOf<double, D>& view) const {
    const Stretch<double> s = stretch(view);
    return k == 0   ? s.length
           : k == 1 ? s.rate
                    : law.force(s.length, s.rate, view.t, view.modes(law.first_mode));
  }
};

}  // namespace driftless
