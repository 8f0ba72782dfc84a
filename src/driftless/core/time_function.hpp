// A number that depends on time: constant, polynomial, harmonic, table, step, ramp, pulse, expression.
//
// Given wherever a driver or a force needs one; evaluated with its first two derivatives, because a rheonomic
// constraint needs g_t and g_tt. Times in s, angles in rad, values in whatever unit the owner says.
//
//   polynomial   c0 + c1 t + c2 t² + …                                                                   (1)
//   harmonic     offset + amplitude sin(frequency t + phase)                                             (2)
//   table        linear, or natural cubic spline: with a = (t_{i+1} − t)/h, b = 1 − a, h = t_{i+1} − t_i,
//                x = a x_i + b x_{i+1} + ((a³ − a) m_i + (b³ − b) m_{i+1}) h²/6,  m = x'' at the knots   (3)
//                h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 (s_i − s_{i−1}),  m_0 = m_n = 0,
//                s_i = (x_{i+1} − x_i)/h_i                                       [deBoor01] ch. IV       (4)
//                Outside its range a table is held constant at its end values.
//   step, pulse  sharp, or with the quintic rise  r(s) = s³ (10 − 15 s + 6 s²), 0 ≤ s ≤ 1, which is C²   (5)
//   ramp         linear between two instants, constant outside
//   expression   text in t (or another name), see expression.hpp
//
// Value semantics: copies share the immutable data, so copying is cheap. Evaluation is const, thread-safe and
// does not allocate; cost O(1), O(log n) for a table, O(length) for a polynomial or an expression.
//
// [deBoor01] C. de Boor, A Practical Guide to Splines, revised ed., Springer, 2001.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/core/expression/expression.hpp"

namespace driftless {

// The kinds, as plain data. TimeFunction checks them when it is made.
namespace time_function {

struct Constant {
  double value = 0.0;
  bool operator==(const Constant&) const = default;
};

struct Polynomial {
  std::vector<double> coefficients = {0.0};  // c0, c1, …; at least one
  bool operator==(const Polynomial&) const = default;
};

struct Harmonic {
  double amplitude = 1.0;
  double frequency = 1.0;  // [rad/s]
  double phase = 0.0;      // [rad]
  double offset = 0.0;
  bool operator==(const Harmonic&) const = default;
};

enum class Interpolation { linear, cubic };

struct Table {
  std::vector<double> times;   // strictly increasing, at least two
  std::vector<double> values;  // as many
  Interpolation interpolation = Interpolation::linear;
  bool operator==(const Table&) const = default;
};

struct Step {
  double time = 0.0;
  double before = 0.0;
  double after = 1.0;
  double duration = 0.0;  // 0: a jump at `time`; > 0: rise (5) from `time` to `time + duration`
  bool operator==(const Step&) const = default;
};

// Linear from (start, from) to (end_time, to), constant outside.
struct Ramp {
  double start = 0.0;
  double end_time = 1.0;  // > start
  double from = 0.0;
  double to = 1.0;
  bool operator==(const Ramp&) const = default;
};

// `height` between start and start + duration, 0 outside.
struct Pulse {
  double start = 0.0;
  double duration = 1.0;  // > 0, flanks included
  double height = 1.0;
  double rise = 0.0;  // 0: rectangular; > 0: flanks (5) of this length, both inside the duration
  bool operator==(const Pulse&) const = default;
};

struct ExpressionText {
  std::string text = "0";
  std::string variable = "t";  // what the argument is called in the text
  // Names of values that are known while a run goes on (outputs, inputs): then it is no function of time, and NaN where it is
  // asked for its value at a time alone.
  std::vector<std::string> signals = {};
  bool operator==(const ExpressionText&) const = default;
};

template <class Kind, class Variant>
constexpr bool is_one_of = false;
template <class Kind, class... Kinds>
constexpr bool is_one_of<Kind, std::variant<Kinds...>> = (std::same_as<Kind, Kinds> || ...);

}  // namespace time_function

class TimeFunction {
 public:
  using Variant = std::variant<time_function::Constant,
                               time_function::Polynomial,
                               time_function::Harmonic,
                               time_function::Table,
                               time_function::Step,
                               time_function::Ramp,
                               time_function::Pulse,
                               time_function::ExpressionText>;

  // Constant. Implicit, so that a plain number serves wherever a time function is wanted.
  TimeFunction(double value = 0.0) : TimeFunction(Variant(time_function::Constant{value})) {}
  // Any kind:  TimeFunction f = time_function::Harmonic{.amplitude = 2, .frequency = 3};
  // Throws std::invalid_argument:  "duration = -1: must be finite and >= 0".
  template <class Kind>
    requires(time_function::is_one_of<Kind, Variant>)
  TimeFunction(Kind kind) : TimeFunction(Variant(std::move(kind))) {}
  explicit TimeFunction(Variant data);

  // Moving copies: a moved-from function would have no data.
  TimeFunction(const TimeFunction&) = default;
  TimeFunction& operator=(const TimeFunction&) = default;

  // Right-continuous: at a break time this is the limit from the right. A step that ends at a break asks for
  // Side::left, with exactly the time that break_times gave.
  Derivatives at(double t, Side side = Side::right) const;
  double operator()(double t) const { return at(t).value; }

  // Sorted instants strictly inside (t0, t1) where value, rate or acceleration jumps, and the ends of the rises (5), which a
  // long step would pass over: an integrator restarts there. Exact, but for expressions, which are sampled (expression.hpp says how, and what it throws).
  std::vector<double> break_times(double t0, double t1) const;

  // Arguments where value, rate or acceleration jumps, sorted, all there are; none of an expression, which has switches.
  std::vector<double> knots() const;
  const Expression* expression() const;             // null: it is of another kind
  const std::vector<std::string>& signals() const;  // it reads; none: it is a function of time

  bool is_constant() const;  // the same value at all times
  std::string kind() const;  // one of kinds()
  const Variant& data() const;

  // "constant", "polynomial", …, in the order of Variant.
  static std::vector<std::string> kinds();

  friend bool operator==(const TimeFunction& a, const TimeFunction& b) { return a.data() == b.data(); }

 private:
  struct Compiled;  // the data and what evaluation derives from it once
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace driftless
