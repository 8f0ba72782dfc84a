// The law along one relative coordinate s (a length or an angle) that TSDA and RSDA share:
//   F = k (s − s₀) + C(s − s₀) + c ṡ + D(ṡ) + A(t) + E(s, ṡ, t),   V = k (s − s₀)²/2 + ∫C                           (1)
// k and c are numbers, C and D tables, A a function of time, E an expression. Positive F pulls the two ends together. What
// is not in V (c, D, A and all of E, even where it depends on s alone) does work that enters the energy balance.
// What switches (switching.hpp): E, where it has cases, and C and D at their points. In the mode, one after the other: states of E, the
// piece of C, the piece of D.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "driftless/constraints/marker.hpp"
#include "driftless/core/expression/expression.hpp"
#include "driftless/core/time_function.hpp"
#include "driftless/forces/pieces.hpp"
#include "driftless/forces/springs/characteristic.hpp"

namespace driftless {

struct SpringLaw {
  double stiffness = 0, damping = 0, free = 0;
  PiecewiseLinear spring, damper;        // C and D; empty: zero
  TimeFunction actuator;                 // A
  std::optional<Expression> expression;  // E in t, x = s and v = ṡ

  // On any scalar that carries first derivatives; `modes`: its own, null: as they come.
  template <class S>
  S force(const S& s, const S& s_dot, const S& t, const int* modes = nullptr) const {
    return stiffness * (s - free) + value_at(spring, S(s - free), piece_of(spring, modes, cases())) +
           applied(s, s_dot, t, modes);
  }
  // What the potential does not cover.
  template <class S>
  S applied(const S& s, const S& s_dot, const S& t, const int* modes = nullptr) const {
    const S sum = damping * s_dot +
                  value_at(damper, s_dot, piece_of(damper, modes, cases() + has_pieces(spring))) +
                  value_at(actuator, t);
    if (!expression) return sum;
    const double at[] = {value_of(t), value_of(s), value_of(s_dot)};
    S own = S(evaluated(at, modes));
    if constexpr (!std::is_same_v<S, double>) {
      const S* const by[] = {&t, &s, &s_dot};
      for (size_t k = 0; k < 3; ++k) own += (*by[k] - at[k]) * partial(k, at, modes);
    }
    return sum + own;
  }
  double power(double s, double s_dot, double t, const int* modes = nullptr) const {
    return -applied(s, s_dot, t, modes) * s_dot;
  }
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
        [this](double t, double s, double s_dot, const Mode* mode) {
          const double all[] = {t, s, s_dot};
          return evaluated(all,
                           mode == nullptr || first_mode < 0 ? nullptr : mode->values.data() + first_mode);
        },
        at);
  }

  // ---- switches, as force_element.hpp asks for them
  int first_mode = -1;
  int mode_count() const { return cases() + has_pieces(spring) + has_pieces(damper); }
  void describe(const std::string& element, std::vector<Switch>& out) const {
    if (expression)
      describe_switches(*expression,
                        {element,
                         "law",
                         "",
                         {},
                         0,
                         "friction of a joint, a stop or a contact, which stick, or smooth(...)"},
                        out);
    describe_table("spring", spring, element, out);
    describe_table("damper", damper, element, out);
  }
  void begin_modes(double s, double s_dot, double t, int* modes) const {
    const double x[] = {s, s_dot}, rates[] = {s_dot, 0};
    if (expression) expression->begin_states(t, x, rates, modes);
    modes += cases();
    if (has_pieces(spring)) *modes++ = static_cast<int>(spring.segment(s - free));
    if (has_pieces(damper)) *modes = static_cast<int>(damper.segment(s_dot));
  }
  void roots(double s, double s_dot, double t, const int* modes, double* values, double* rates) const {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const double x[] = {s, s_dot}, x_rates[] = {s_dot, kUnknown};
    if (expression && cases() > 0) expression->roots(t, x, x_rates, modes, values, rates);
    modes += cases();
    values += 2 * cases();
    rates += 2 * cases();
    if (has_pieces(spring)) {
      table_roots(spring, s - free, s_dot, *modes++, values, rates);
      values += 2;
      rates += 2;
    }
    if (has_pieces(damper)) table_roots(damper, s_dot, kUnknown, *modes, values, rates);
  }
  void cross(int root, double s, double s_dot, double t, int* modes) const {
    const double x[] = {s, s_dot};
    int& mode = modes[root / 2];
    if (root < 2 * cases())
      mode = expression->state_behind(size_t(root), t, x, modes);
    else
      mode = piece_behind(root, mode);
  }

 private:
  int cases() const { return expression ? static_cast<int>(expression->switch_count()) : 0; }
  static int has_pieces(const PiecewiseLinear& table) { return table.pieces() > 1 ? 1 : 0; }
  static const int* piece_of(const PiecewiseLinear& table, const int* modes, int at) {
    return modes == nullptr || has_pieces(table) == 0 ? nullptr : modes + at;
  }
  static void table_roots(
      const PiecewiseLinear& table, double x, double x_rate, int piece, double* values, double* rates) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const auto i = static_cast<size_t>(piece);
    piece_roots(x, x_rate, i == 0 ? -kInfinite : table.knot(i),
                i + 1 == table.pieces() ? kInfinite : table.knot(i + 1), values, rates);
  }
  static void describe_table(const char* name,
                             const PiecewiseLinear& table,
                             const std::string& element,
                             std::vector<Switch>& out) {
    if (has_pieces(table) == 0) return;
    out.push_back({element,
                   "table",
                   std::string(name) + " of " + std::to_string(table.pieces() - 1) + " knots",
                   {},
                   0,
                   "a table without steps",
                   true});
  }
  double evaluated(const double (&at)[3], const int* modes) const {
    const double variables[] = {at[1], at[2]};
    return modes == nullptr || cases() == 0 ? (*expression)(at[0], variables)
                                            : expression->frozen(at[0], variables, modes);
  }
  // Expressions know no partial derivatives by their variables: differences of fourth order, to about 1e-11.
  double partial(size_t k, const double (&at)[3], const int* modes) const {
    const double h = 1e-3 * std::max(1.0, std::abs(at[k]));
    const auto off = [&](double by) {
      double moved[] = {at[0], at[1], at[2]};
      moved[k] += by;
      return evaluated(moved, modes);
    };
    return (8 * (off(h) - off(-h)) - (off(2 * h) - off(-2 * h))) / (12 * h);
  }
};

}  // namespace driftless
