// What springs along one relative coordinate have in common (Tsda, Rsda): an effort that depends on it and on its rate. A Derived
// offers
//   stretch(view)                      the coordinate and its rate, .length and .rate, on any scalar
//   apply(view, loads), slots(...)     as in force_element.hpp
#pragma once

#include "driftless/forces/force_element.hpp"
#include "driftless/forces/springs/spring_effort.hpp"

namespace driftless {

template <int D, class Derived>
struct SpringElement {
  SpringEffort<D> effort = {};

  double potential(const ViewOf<double, D>& view) const {
    return effort.potential(self().stretch(view).length);
  }
  double power(const ViewOf<double, D>& view) const {
    const auto s = self().stretch(view);
    return effort.power(s.length, s.rate, view);
  }
  bool conservative() const { return effort.conservative(); }
  template <class Visit>
  void functions(Visit&& visit) const {
    effort.functions(visit);
  }
  template <class Visit>
  void places(Visit&& visit) const {
    effort.law.places(visit, [this](const ViewOf<double, D>& view) { return self().stretch(view).length; });
  }

  int& first_mode() { return effort.first_mode(); }
  int first_mode() const { return effort.first_mode(); }
  int mode_count() const { return effort.mode_count(); }
  void describe(const std::string& element, std::vector<Switch>& out) const { effort.describe(element, out); }
  void begin_modes(const ViewOf<double, D>& view, int* modes) const {
    const auto s = self().stretch(view);
    effort.begin_modes(s.length, s.rate, view, modes);
  }
  void roots(const ViewOf<double, D>& view, const int* modes, double* values, double* rates) const {
    const auto s = self().stretch(view);
    effort.roots(s.length, s.rate, view, modes, values, rates);
  }
  void cross(const ViewOf<double, D>& view, int root, int* modes) const {
    const auto s = self().stretch(view);
    effort.cross(root, s.length, s.rate, view, modes);
  }

  template <class S>
  S measure(size_t k, const ViewOf<S, D>& view) const {
    const auto s = self().stretch(view);
    return k == 0 ? s.length : k == 1 ? s.rate : effort.force(s.length, s.rate, view);
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace driftless
