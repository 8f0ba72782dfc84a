// The effort of a spring element along its relative coordinate s: the law (1) of spring_law.hpp, and laws that read signals (law.hpp) besides.
// Their modes follow one another.
#pragma once

#include <array>

#include "driftless/forces/law.hpp"
#include "driftless/forces/springs/spring_law.hpp"

namespace driftless {

template <int D>
struct SpringEffort {
  SpringLaw law;
  LawList<D> feedback = {};

  template <class S>
  S force(const S& s, const S& s_dot, const ViewOf<S, D>& view) const {
    const S own = law.force(s, s_dot, view.t, view.modes(law.first_mode));
    return feedback.empty() ? own : own + fed_back(s, s_dot, view);
  }
  double power(double s, double s_dot, const ViewOf<double, D>& view) const {
    const double own = law.power(s, s_dot, view.t, view.modes(law.first_mode));
    return feedback.empty() ? own : own - fed_back(s, s_dot, view) * s_dot;
  }
  double potential(double s) const { return law.potential(s); }
  bool conservative() const { return law.conservative() && feedback.empty(); }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&& scalar_seen) const {
    feedback.slots(body_seen, scalar_seen);
  }
  template <class Visit>
  void functions(Visit&& visit) const {
    law.functions(visit);
    feedback.functions(visit);
  }

  int& first_mode() { return law.first_mode; }
  int first_mode() const { return law.first_mode; }
  int mode_count() const { return law.mode_count() + feedback.mode_count(); }
  void describe(const std::string& element, std::vector<Switch>& out) const {
    law.describe(element, out);
    feedback.describe(element, out);
  }
  void begin_modes(double s, double s_dot, const ViewOf<double, D>& view, int* modes) const {
    const double own[] = {s, s_dot}, rates[] = {s_dot, 0};
    law.begin_modes(s, s_dot, view.t, modes);
    feedback.begin_modes(view, own, rates, modes + law.mode_count());
  }
  void roots(double s,
             double s_dot,
             const ViewOf<double, D>& view,
             const int* modes,
             double* values,
             double* rates) const {
    const double own[] = {s, s_dot}, own_rates[] = {s_dot, std::numeric_limits<double>::quiet_NaN()};
    const int n = law.mode_count();
    law.roots(s, s_dot, view.t, modes, values, rates);
    feedback.roots(view, own, own_rates, modes + n, values + 2 * n, rates + 2 * n);
  }
  void cross(int root, double s, double s_dot, const ViewOf<double, D>& view, int* modes) const {
    const double own[] = {s, s_dot};
    const int n = law.mode_count();
    if (root < 2 * n)
      law.cross(root, s, s_dot, view.t, modes);
    else
      feedback.cross(view, own, root - 2 * n, modes + n);
  }

 private:
  template <class S>
  S fed_back(const S& s, const S& s_dot, const ViewOf<S, D>& view) const {
    const std::array<S, 2> own = {s, s_dot};
    const int* modes = view.modes(law.first_mode);
    return feedback.sum(view, own.data(), modes == nullptr ? nullptr : modes + law.mode_count());
  }
};

}  // namespace driftless
