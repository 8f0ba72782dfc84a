// The law along one relative coordinate s (a length or an angle) that TSDA and RSDA share:
//   F = k (s − s₀) + C(s − s₀) + c ṡ + D(ṡ) + A(t) + E(s, ṡ, t),   V = k (s − s₀)²/2 + ∫C                           (1)
// k and c are numbers, C and D tables, A a function of time, E an expression. Positive F pulls the two ends together. What
// is not in V (c, D, A and all of E, even where it depends on s alone) does work that enters the energy balance.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "driftless/constraints/marker.hpp"
#include "driftless/core/expression.hpp"
#include "driftless/core/time_function.hpp"
#include "driftless/forces/characteristic.hpp"

namespace driftless {

struct SpringLaw {
  double stiffness = 0, damping = 0, free = 0;
  PiecewiseLinear spring, damper;        // C and D; empty: zero
  TimeFunction actuator;                 // A
  std::optional<Expression> expression;  // E in t, x = s and v = ṡ

  // On any scalar that carries first derivatives.
  template <class S>
  S force(const S& s, const S& s_dot, const S& t) const {
    return stiffness * (s - free) + value_at(spring, S(s - free)) + applied(s, s_dot, t);
  }
  // What the potential does not cover.
  template <class S>
  S applied(const S& s, const S& s_dot, const S& t) const {
    const S sum = damping * s_dot + value_at(damper, s_dot) + value_at(actuator, t);
    if (!expression) return sum;
    const double at[] = {value_of(t), value_of(s), value_of(s_dot)};
    S own = S(evaluated(at));
    if constexpr (!std::is_same_v<S, double>) {
      const S* const by[] = {&t, &s, &s_dot};
      for (size_t k = 0; k < 3; ++k) own += (*by[k] - at[k]) * partial(k, at);
    }
    return sum + own;
  }
  double power(double s, double s_dot, double t) const { return -applied(s, s_dot, t) * s_dot; }
  double potential(double s) const {
    return 0.5 * stiffness * (s - free) * (s - free) + spring.integral(s - free);
  }
  bool conservative() const {
    return damping == 0 && damper.empty() && actuator.is_constant() && actuator(0) == 0 && !expression;
  }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(actuator);
    if (expression) visit(*expression);
  }
  // E along s; `visit` and `at` as in force_element.hpp.
  template <class Visit, class Place>
  void places(Visit&& visit, Place&& at) const {
    if (!expression || expression->is_constant()) return;
    visit(
        "the law '" + expression->text() + "'",
        [this](double t, double s, double s_dot) {
          const double variables[] = {s, s_dot};
          return (*expression)(t, variables);
        },
        at);
  }

 private:
  double evaluated(const double (&at)[3]) const {
    const double variables[] = {at[1], at[2]};
    return (*expression)(at[0], variables);
  }
  // Expressions know no partial derivatives by their variables: differences of fourth order, to about 1e-11.
  double partial(size_t k, const double (&at)[3]) const {
    const double h = 1e-3 * std::max(1.0, std::abs(at[k]));
    const auto off = [&](double by) {
      double moved[] = {at[0], at[1], at[2]};
      moved[k] += by;
      return evaluated(moved);
    };
    return (8 * (off(h) - off(-h)) - (off(2 * h) - off(-2 * h))) / (12 * h);
  }
};

}  // namespace driftless
