#include "driftless/core/expression/expression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "driftless/core/expression/expression_program.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

using expression_detail::Code;
using expression_detail::Instruction;
using expression_detail::is_switch;
using expression_detail::is_watched;
using expression_detail::SwitchState;
using expression_detail::Tie;

constexpr std::size_t kMaxSwitches = 200;
constexpr std::size_t kMaxBreaks = 100'000;
constexpr double kMaxWork = 3e8;  // instructions spent on one search for breaks: seconds
constexpr int kSamples = 1000;
constexpr int kHalvings = 10;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// A time surely before the break t, whatever rounding did to the bisection.
double before(double t) {
  return std::min(t - 8.0 * kEpsilon * std::abs(t),
                  std::nextafter(t, -std::numeric_limits<double>::infinity()));
}

// Whether the argument could pass a threshold between two samples h apart, moving faster than they can show.
// The trapezoidal rule must link x to x' and x' to x'': for a sine of frequency ω it fails from ω h ≈ 1 on.
bool is_undersampled(const SwitchState& a, const SwitchState& b, double h) {
  const auto mean_size = [](double x, double y) { return (std::abs(x) + std::abs(y)) / 2.0; };
  const auto distance = [](const SwitchState& s) {
    const double x = s.argument.value;
    return s.many_levels ? std::abs(x - std::round(x)) : std::abs(x);
  };
  const Derivatives &xa = a.argument, &xb = b.argument;
  const double rate = mean_size(xa.rate, xb.rate);
  const double acceleration = mean_size(xa.acceleration, xb.acceleration);
  if (!(2.0 * h * (rate + h * acceleration) >= std::min(distance(a), distance(b)))) return false;
  const double change = xb.value - xa.value, change_dot = xb.rate - xa.rate;
  const double miss = std::abs(change - h * (xa.rate + xb.rate) / 2.0);
  const double miss_dot = std::abs(change_dot - h * (xa.acceleration + xb.acceleration) / 2.0);
  const double noise = 32.0 * kEpsilon * mean_size(xa.value, xb.value);
  return !(miss <= 0.1 * (std::abs(change) + h * rate) + noise &&
           miss_dot <= 0.1 * (std::abs(change_dot) + h * acceleration + rate));
}

// Finds where the switches of a program change state.
class BreakSearch {
 public:
  BreakSearch(std::span<const Instruction> program, std::size_t switches)
      : program_(program), probe_(switches) {}

  std::vector<double> find(double t0, double t1) {
    States left = sample(t0);
    double a = t0;
    for (int k = 1; k <= kSamples; ++k) {
      const double b = k == kSamples ? t1 : t0 + (t1 - t0) * k / kSamples;
      States right = sample(b);
      search_all(a, left, b, right, kHalvings);
      left = std::move(right);
      a = b;
    }
    std::ranges::sort(breaks_);
    return std::move(breaks_);
  }

 private:
  using States = std::vector<SwitchState>;  // one per switch

  void observe(double t, States& states) {
    work_ += static_cast<double>(program_.size());
    if (work_ > kMaxWork) throw std::length_error("too much work");
    run(program_, t, Tie::just_after, states.data());
  }
  States sample(double t) {
    States states(probe_.size());
    observe(t, states);
    return states;
  }
  const SwitchState& probe(std::size_t i, double t) {
    observe(t, probe_);
    return probe_[i];
  }

  void search_all(double a, const States& at_a, double b, const States& at_b, int halvings) {
    bool halve = false;
    for (std::size_t i = 0; i < at_a.size() && !halve; ++i) halve = is_undersampled(at_a[i], at_b[i], b - a);
    if (halve && halvings > 0) {
      const double mid = std::midpoint(a, b);
      const States at_mid = sample(mid);
      search_all(a, at_a, mid, at_mid, halvings - 1);
      search_all(mid, at_mid, b, at_b, halvings - 1);
    } else {
      for (std::size_t i = 0; i < at_a.size(); ++i) search(i, a, at_a[i], b, at_b[i]);
    }
  }

  void search(std::size_t i, double a, const SwitchState& at_a, double b, const SwitchState& at_b) {
    if (at_a.state != at_b.state) return cross(i, a, at_a.state, b, at_b.state);
    // Nearing a threshold at a, leaving it at b: the argument turns in between, perhaps beyond the threshold.
    const Derivatives &xa = at_a.argument, &xb = at_b.argument;
    const bool turns =
        at_a.many_levels ? xa.rate * xb.rate < 0.0 : xa.value * xa.rate < 0.0 && xb.value * xb.rate > 0.0;
    if (!turns) return;
    double low = a, high = b;
    for (double mid = std::midpoint(a, b); low < mid && mid < high; mid = std::midpoint(low, high)) {
      const SwitchState at_mid = probe(i, mid);
      if (at_mid.state != at_a.state) {
        cross(i, a, at_a.state, mid, at_mid.state);
        return cross(i, mid, at_mid.state, b, at_b.state);
      }
      (at_mid.argument.rate * xa.rate > 0.0 ? low : high) = mid;
    }
  }

  // One break for every change on the way from state_a to state_b (floor may pass many levels).
  void cross(std::size_t i, double a, double state_a, double b, double state_b) {
    while (state_a != state_b) {
      double low = a, high = b, state_high = state_b;
      for (double mid = std::midpoint(low, high); low < mid && mid < high; mid = std::midpoint(low, high)) {
        const double state = probe(i, mid).state;
        if (state == state_a) {
          low = mid;
        } else {
          high = mid;
          state_high = state;
        }
      }
      if (breaks_.size() == kMaxBreaks) throw std::length_error("too many breaks");
      breaks_.push_back(high);
      a = high;
      state_a = state_high;
    }
  }

  std::span<const Instruction> program_;
  std::vector<SwitchState> probe_;
  std::vector<double> breaks_;
  double work_ = 0.0;
};

// Whether a break shows: l and r are taken `offset` apart in time, h is the time scale of interest. Noise of
// an acceleration is measured by what it could do to value and rate within h; in doubt the break stays.
bool differ(const Derivatives& l, const Derivatives& r, double offset, double h) {
  const double tolerance = 1e-12 + 2.0 * offset / h;
  const double value = std::abs(l.value) + std::abs(r.value);
  const double rate = std::abs(l.rate) + std::abs(r.rate);
  const double acceleration = std::abs(l.acceleration) + std::abs(r.acceleration);
  const auto same = [](double x, double y, double bound) {
    return x == y || (std::isfinite(bound) && std::abs(x - y) <= bound);
  };
  return !same(l.value, r.value, tolerance * value + 2.0 * offset * rate) ||
         !same(l.rate, r.rate, tolerance * (value / h + rate) + 2.0 * offset * acceleration) ||
         !same(l.acceleration, r.acceleration, tolerance * ((value / h + rate) / h + acceleration));
}

}  // namespace

Expression::Expression(std::string_view text, std::vector<std::string> names)
    : text_(text), program_(expression_detail::compile(text, names)) {
  switch_count_ = static_cast<std::size_t>(std::ranges::count_if(program_, expression_detail::is_watched));
  if (switch_count_ > kMaxSwitches) {
    throw std::invalid_argument(
        fmt::format("expression '{}': expected at most {} of abs, sign, step, floor, min, "
                    "max, if, atan2 and comparisons, found {}",
                    printable(text, 60), kMaxSwitches, switch_count_));
  }
}

bool Expression::is_constant() const { return program_.size() == 1 && program_[0].code == Code::constant; }

Derivatives Expression::at(double t) const { return run(program_, t, Tie::as_written); }

double Expression::operator()(double t, std::span<const double> variables) const {
  return run(program_, t, Tie::as_written, nullptr, variables.data()).value;
}

double Expression::partial(int k, double t, std::span<const double> variables, const int* states) const {
  if (k < 0) return run(program_, t, Tie::as_written, nullptr, variables.data(), states).rate;
  return run(program_, t, Tie::as_written, nullptr, variables.data(), states, nullptr, k).rate;
}

double Expression::rate(double t, const double* variables, const double* rates, const int* states) const {
  return run(program_, t, Tie::as_written, nullptr, variables, states, rates).rate;
}

Derivatives Expression::limit(double t, Side side) const {
  if (switch_count_ == 0) return at(t);
  const double t_side = side == Side::left ? before(t) : t;
  const Derivatives after = run(program_, t_side, Tie::just_after);
  return std::isfinite(after.value) ? after : at(t_side);  // a guarded singularity: see the header
}

std::vector<double> Expression::break_times(double t0, double t1) const {
  if (switch_count_ == 0 || !(t0 < t1)) return {};
  if (!std::isfinite(t1 - t0)) {
    throw std::invalid_argument(fmt::format("t0 = {}, t1 = {}: must be finite for an expression", t0, t1));
  }
  std::vector<double> found;
  try {
    found = BreakSearch(program_, switch_count_).find(t0, t1);
  } catch (const std::length_error&) {
    throw std::invalid_argument(fmt::format(
        "expression '{}': too many break times between t = {} and {}: must be at most {}, fewer in a "
        "long expression",
        printable(text_, 60), t0, t1, kMaxBreaks));
  }
  std::vector<double> breaks;
  const double h = (t1 - t0) / kSamples;
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Several switches may mean one instant and find it with different rounding: the last stands for all.
    const double b = found[i];
    if (i + 1 < found.size() && found[i + 1] - b <= 4.0 * kEpsilon * std::abs(b)) continue;
    const double offset = b - before(b);
    if (t0 < b && b < t1 && differ(limit(b, Side::left), limit(b, Side::right), offset, h))
      breaks.push_back(b);
  }
  return breaks;
}

}  // namespace driftless
