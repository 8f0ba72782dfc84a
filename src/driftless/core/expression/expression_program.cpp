#include "driftless/core/expression/expression_program.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace driftless::expression_detail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Derivatives kUndefined{kNan, kNan, kNan};

struct Recorder {
  SwitchState* next;  // or null
  const int* state;   // frozen, or null
  void operator()(double now,
                  const Derivatives& argument,
                  bool many_levels = false,
                  const Derivatives& second = {}) {
    if (next != nullptr) *next++ = {now, argument, many_levels, second};
  }
  // The state of this switch if it is frozen, else what comes of its argument.
  double decide(double now) { return state == nullptr ? now : *state++; }
};

Derivatives operator+(const Derivatives& u, const Derivatives& v) {
  return {u.value + v.value, u.rate + v.rate, u.acceleration + v.acceleration};
}
Derivatives operator-(const Derivatives& u) { return {-u.value, -u.rate, -u.acceleration}; }
Derivatives operator-(const Derivatives& u, const Derivatives& v) { return u + (-v); }

// factor · part, left out when part is exactly 0, so that an infinite factor does not make it NaN.
double term(double factor, double part) { return part == 0.0 ? 0.0 : factor * part; }

// (3), from φ(u), φ'(u), φ''(u).
Derivatives chain(double f, double f1, double f2, const Derivatives& u) {
  if (std::isnan(f)) return kUndefined;
  return {f, term(f1, u.rate), term(f2, u.rate * u.rate) + term(f1, u.acceleration)};
}

Derivatives multiply(const Derivatives& u, const Derivatives& v) {  // (1)
  return {u.value * v.value, u.rate * v.value + u.value * v.rate,
          u.acceleration * v.value + 2.0 * u.rate * v.rate + u.value * v.acceleration};
}

Derivatives divide(const Derivatives& u, const Derivatives& w) {  // (2)
  const double z = u.value / w.value;
  const double z_dot = (u.rate - term(z, w.rate)) / w.value;
  return {z, z_dot, (u.acceleration - 2.0 * term(z_dot, w.rate) - term(z, w.acceleration)) / w.value};
}

Derivatives power(const Derivatives& u, const Derivatives& y) {
  if (std::isnan(u.value) || std::isnan(y.value)) return kUndefined;  // std::pow(NaN, 0) is 1
  const double value = std::pow(u.value, y.value);
  if (y.rate == 0.0 && y.acceleration == 0.0) {  // (4); negative u with an integer exponent is fine
    const double n = y.value;
    const double f1 = n == 0.0 ? 0.0 : n * std::pow(u.value, n - 1.0);
    const double f2 = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(u.value, n - 2.0);
    return chain(value, f1, f2, u);
  }
  if (u.value == 0.0 && u.rate == 0.0 && u.acceleration == 0.0) return {value, 0.0, 0.0};
  const double x = u.value;
  const Derivatives exponent = multiply(y, chain(std::log(x), 1.0 / x, -1.0 / (x * x), u));
  return chain(value, value, value, exponent);  // u^y = exp(y log u)
}

Derivatives smooth(Code code, const Derivatives& u) {
  const double x = u.value;
  switch (code) {
    case Code::negate:
      return -u;
    case Code::sin:
      return chain(std::sin(x), std::cos(x), -std::sin(x), u);
    case Code::cos:
      return chain(std::cos(x), -std::sin(x), -std::cos(x), u);
    case Code::tan: {
      const double y = std::tan(x), y1 = 1.0 + y * y;
      return chain(y, y1, 2.0 * y * y1, u);
    }
    case Code::asin:
    case Code::acos: {
      const double f1 = 1.0 / std::sqrt((1.0 - x) * (1.0 + x)), f2 = x * f1 * f1 * f1;
      return code == Code::asin ? chain(std::asin(x), f1, f2, u) : chain(std::acos(x), -f1, -f2, u);
    }
    case Code::atan: {
      const double f1 = 1.0 / (1.0 + x * x);
      return chain(std::atan(x), f1, -2.0 * x * f1 * f1, u);
    }
    case Code::sinh:
      return chain(std::sinh(x), std::cosh(x), std::sinh(x), u);
    case Code::cosh:
      return chain(std::cosh(x), std::sinh(x), std::cosh(x), u);
    case Code::tanh: {
      const double y = std::tanh(x), y1 = 1.0 - y * y;
      return chain(y, y1, -2.0 * y * y1, u);
    }
    case Code::exp:
      return chain(std::exp(x), std::exp(x), std::exp(x), u);
    case Code::log:
      return chain(std::log(x), 1.0 / x, -1.0 / (x * x), u);
    case Code::log10: {
      const double f1 = 1.0 / (std::numbers::ln10 * x);
      return chain(std::log10(x), f1, -f1 / x, u);
    }
    case Code::sqrt: {
      const double y = std::sqrt(x), f1 = 0.5 / y;
      return chain(y, f1, -0.5 * f1 / x, u);
    }
    default:
      return kUndefined;
  }
}

Derivatives arctangent(const Derivatives& y, const Derivatives& x, double value) {
  const double r2 = x.value * x.value + y.value * y.value;
  const double rate = (x.value * y.rate - y.value * x.rate) / r2;
  const double r2_dot = 2.0 * (x.value * x.rate + y.value * y.rate);
  return {value, rate, (x.value * y.acceleration - y.value * x.acceleration - r2_dot * rate) / r2};
}

int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

// Sign of u, or of what u becomes just after the instant.
int sign_of(const Derivatives& u, Tie tie) {
  if (u.value != 0.0 || tie == Tie::as_written) return sign_of(u.value);
  return u.rate != 0.0 ? sign_of(u.rate) : sign_of(u.acceleration);
}

Derivatives switching(Code code, const Derivatives& u, Tie tie, Recorder& observe) {
  if (std::isnan(u.value)) return observe(kNoState, kUndefined), observe.decide(0), kUndefined;
  const int s = sign_of(u, tie);
  switch (code) {
    case Code::abs:
      return observe(s >= 0, u), observe.decide(s >= 0) != 0 ? u : -u;
    case Code::sign:
      return observe(s, u), Derivatives{observe.decide(s)};
    case Code::step:
      return observe(s >= 0, u), Derivatives{observe.decide(s >= 0)};
    default: {
      double level = std::floor(u.value);
      if (level == u.value && sign_of({0.0, u.rate, u.acceleration}, tie) < 0) level -= 1.0;
      return observe(level, u, true), Derivatives{observe.decide(level)};
    }
  }
}

// The angle of (x, y) on the sheet of `state`: 0 for x > 0, else the sign of y.
double angle_on_sheet(double y, double x, double state) {
  const double angle = std::atan2(y, x);
  if (state > 0 && angle < -std::numbers::pi / 2) return angle + 2 * std::numbers::pi;
  if (state < 0 && angle > std::numbers::pi / 2) return angle - 2 * std::numbers::pi;
  return angle;
}

Derivatives switching(Code code, const Derivatives& u, const Derivatives& v, Tie tie, Recorder& observe) {
  if (std::isnan(u.value) || std::isnan(v.value))
    return observe(kNoState, kUndefined), observe.decide(0), kUndefined;
  if (code == Code::atan2) {  // u = y, v = x; jumps where y changes sign at x < 0
    const bool below = sign_of(u, tie) < 0;
    observe(v.value < 0.0 ? (below ? -1 : 1) : 0, u, false, v);
    if (observe.state != nullptr)
      return arctangent(u, v, angle_on_sheet(u.value, v.value, observe.decide(0)));
    return arctangent(u, v, std::atan2(below ? std::copysign(u.value, -1.0) : std::abs(u.value), v.value));
  }
  // Equal values, infinite ones too, must compare as equal.
  const Derivatives difference{u.value == v.value ? 0.0 : u.value - v.value, u.rate - v.rate,
                               u.acceleration - v.acceleration};
  const int s = sign_of(difference, tie);
  const auto decide = [&](bool yes) { return observe(yes, difference), observe.decide(yes) != 0; };
  const auto truth = [&](bool yes) { return Derivatives{decide(yes) ? 1.0 : 0.0}; };
  switch (code) {
    case Code::min:
      return decide(s <= 0) ? u : v;
    case Code::max:
      return decide(s >= 0) ? u : v;
    case Code::less:
      return truth(s < 0);
    case Code::less_equal:
      return truth(s <= 0);
    case Code::greater:
      return truth(s > 0);
    default:
      return truth(s >= 0);
  }
}

Derivatives combine(Code code, const Derivatives& u, const Derivatives& v) {
  switch (code) {
    case Code::add:
      return u + v;
    case Code::subtract:
      return u - v;
    case Code::multiply:
      return multiply(u, v);
    case Code::divide:
      return divide(u, v);
    case Code::power:
      return power(u, v);
    default:
      break;
  }
  if (std::isnan(u.value) || std::isnan(v.value)) return kUndefined;
  return {(u.value == v.value) == (code == Code::equal) ? 1.0 : 0.0};
}

Derivatives choose(const Derivatives& condition, const Derivatives& a, const Derivatives& b) {
  return std::isnan(condition.value) ? kUndefined : condition.value != 0.0 ? a : b;
}

}  // namespace

Derivatives run(std::span<const Instruction> program,
                double t,
                Tie tie,
                SwitchState* record,
                const double* variables,
                const int* states,
                const double* rates,
                int along) {
  Recorder observe{record, states}, unwatched{nullptr, nullptr};
  std::array<Derivatives, kMaxStack> stack;
  std::size_t size = 0;  // compile() has checked that it stays within the stack
  for (const Instruction& now : program) {
    const Code code = now.code;
    const double operand = now.operand;
    size -= arity(code);
    Derivatives* const x = &stack[size++];  // arguments, and then the result
    Recorder& seen = is_watched(now) ? observe : unwatched;
    switch (arity(code)) {
      case 0:
        x[0] =
            code == Code::time ? Derivatives{t, along < 0 ? 1.0 : 0.0, 0.0} : Derivatives{operand, 0.0, 0.0};
        if (code == Code::variable) {
          x[0].value = variables == nullptr ? kNan : variables[static_cast<std::size_t>(operand)];
          if (rates != nullptr) x[0].rate = rates[static_cast<std::size_t>(operand)];
          if (along == static_cast<int>(operand)) x[0].rate = 1.0;
        }
        break;
      case 1:
        x[0] = is_switch(code) ? switching(code, x[0], tie, seen) : smooth(code, x[0]);
        break;
      case 2:
        x[0] = is_switch(code) ? switching(code, x[0], x[1], tie, seen) : combine(code, x[0], x[1]);
        break;
      default:
        x[0] = choose(x[0], x[1], x[2]);
    }
  }
  return stack[0];
}

}  // namespace driftless::expression_detail
