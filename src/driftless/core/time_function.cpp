#include "driftless/core/time_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace driftless {
namespace {

using namespace time_function;

constexpr std::array<std::string_view, std::variant_size_v<TimeFunction::Variant>> kKinds = {
    "constant", "polynomial", "harmonic", "table", "step", "ramp", "pulse", "expression"};

// ---- checks ------------------------------------------------------------------------------------------

void require(bool ok, std::string_view field, double found, const std::string& must_be) {
  if (!ok) throw std::invalid_argument(fmt::format("{} = {}: must be {}", field, found, must_be));
}

void require_finite(std::string_view field, double found) {
  require(std::isfinite(found), field, found, "finite");
}

void require_finite(std::string_view field, const std::vector<double>& found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i])) require_finite(fmt::format("{}[{}]", field, i), found[i]);
  }
}

// A change of `height` from `start` on that takes `duration` > 0 must not be lost in rounding or overflow.
void require_resolved(std::string_view field, double start, double duration, double height) {
  require(start + duration > start, field, duration,
          fmt::format("long enough to differ from 0 at t = {}", start));
  require(std::isfinite(start + duration) && std::isfinite(6.0 * (height / duration) / duration), field,
          duration, "such that its end and the accelerations are finite numbers");
}

void check(const Constant& f) { require_finite("value", f.value); }

void check(const Polynomial& f) {
  if (f.coefficients.empty()) throw std::invalid_argument("coefficients = 0 entries: must be at least 1");
  require_finite("coefficients", f.coefficients);
}

void check(const Harmonic& f) {
  require_finite("amplitude", f.amplitude);
  require_finite("frequency", f.frequency);
  require_finite("phase", f.phase);
  require_finite("offset", f.offset);
}

void check(const Table& f) {
  const std::size_t n = f.times.size();
  if (n < 2) throw std::invalid_argument(fmt::format("times = {} entries: must be at least 2", n));
  if (f.values.size() != n) {
    throw std::invalid_argument(
        fmt::format("values = {} entries: must be as many as times, {}", f.values.size(), n));
  }
  require_finite("times", f.times);
  require_finite("values", f.values);
  for (std::size_t i = 1; i < n; ++i) {
    if (!(f.times[i] > f.times[i - 1])) {
      require(false, fmt::format("times[{}]", i), f.times[i],
              fmt::format("greater than times[{}] = {}", i - 1, f.times[i - 1]));
    }
    if (!std::isfinite((f.values[i] - f.values[i - 1]) / (f.times[i] - f.times[i - 1]))) {
      require(false, fmt::format("values[{}]", i), f.values[i],
              fmt::format("such that the slope from values[{}] = {} is finite", i - 1, f.values[i - 1]));
    }
  }
}

void check(const Step& f) {
  require_finite("time", f.time);
  require_finite("before", f.before);
  require_finite("after", f.after);
  require(std::isfinite(f.duration) && f.duration >= 0.0, "duration", f.duration, "finite and >= 0");
  if (f.duration > 0.0) require_resolved("duration", f.time, f.duration, f.after - f.before);
}

void check(const Ramp& f) {
  require_finite("start", f.start);
  require(std::isfinite(f.end_time) && f.end_time > f.start, "end_time", f.end_time,
          fmt::format("finite and greater than start = {}", f.start));
  require_finite("from", f.from);
  require_finite("to", f.to);
  require(std::isfinite((f.to - f.from) / (f.end_time - f.start)), "to", f.to,
          "such that the slope is finite");
}

void check(const Pulse& f) {
  require_finite("start", f.start);
  require(std::isfinite(f.duration) && f.duration > 0.0, "duration", f.duration, "finite and > 0");
  require_finite("height", f.height);
  require(f.rise >= 0.0 && f.rise <= f.duration / 2.0, "rise", f.rise,
          fmt::format("between 0 and duration/2 = {}", f.duration / 2.0));
  require_resolved("duration", f.start, f.duration, 0.0);
  if (f.rise > 0.0) require_resolved("rise", f.start + f.duration, f.rise, f.height);
}

void check(const ExpressionText&) {}  // compiling it checks it

// ---- evaluation --------------------------------------------------------------------------------------

// Whether `instant` lies behind, for a function that changes there.
bool passed(double instant, double t, Side side) { return side == Side::right ? t >= instant : t > instant; }

// The rise (5) as a function of t.
Derivatives rise(double t, double start, double duration) {
  const double s = (t - start) / duration;
  if (!(s > 0.0)) return {0.0, 0.0, 0.0};
  if (s >= 1.0) return {1.0, 0.0, 0.0};
  return {s * s * s * (10.0 + s * (6.0 * s - 15.0)), 30.0 * s * s * (1.0 - s) * (1.0 - s) / duration,
          60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / duration / duration};
}

Derivatives evaluate(const Constant& f) { return {f.value, 0.0, 0.0}; }

Derivatives evaluate(const Polynomial& f, double t) {  // (1)
  Derivatives x;
  for (std::size_t i = f.coefficients.size(); i-- > 0;) {
    x.acceleration = x.acceleration * t + 2.0 * x.rate;
    x.rate = x.rate * t + x.value;
    x.value = x.value * t + f.coefficients[i];
  }
  return x;
}

Derivatives evaluate(const Harmonic& f, double t) {  // (2)
  const double angle = f.frequency * t + f.phase;
  const double wave = f.amplitude * std::sin(angle);
  return {f.offset + wave, f.amplitude * f.frequency * std::cos(angle), -f.frequency * f.frequency * wave};
}

// `m` as in (3), empty for linear interpolation.
Derivatives evaluate(const Table& f, const std::vector<double>& m, double t, Side side) {
  const auto first = f.times.begin(), last = f.times.end();
  const auto next = side == Side::right ? std::upper_bound(first, last, t) : std::lower_bound(first, last, t);
  if (next == first) return {f.values.front(), 0.0, 0.0};
  if (next == last) return {f.values.back(), 0.0, 0.0};
  const auto j = static_cast<std::size_t>(next - first), i = j - 1;
  const double h = f.times[j] - f.times[i];
  const double slope = (f.values[j] - f.values[i]) / h;
  const double b = (t - f.times[i]) / h, a = (f.times[j] - t) / h;
  const double line = std::lerp(f.values[i], f.values[j], b);
  if (m.empty()) return {line, slope, 0.0};
  return {line + (a * (a * a - 1.0) * m[i] + b * (b * b - 1.0) * m[j]) * h * h / 6.0,
          slope + ((1.0 - 3.0 * a * a) * m[i] + (3.0 * b * b - 1.0) * m[j]) * h / 6.0, a * m[i] + b * m[j]};
}

Derivatives evaluate(const Step& f, double t, Side side) {
  if (f.duration == 0.0) return {passed(f.time, t, side) ? f.after : f.before, 0.0, 0.0};
  const Derivatives r = rise(t, f.time, f.duration);
  const double height = f.after - f.before;
  return {std::lerp(f.before, f.after, r.value), height * r.rate, height * r.acceleration};
}

Derivatives evaluate(const Ramp& f, double t, Side side) {
  if (!passed(f.start, t, side)) return {f.from, 0.0, 0.0};
  if (passed(f.end_time, t, side)) return {f.to, 0.0, 0.0};
  const double length = f.end_time - f.start;
  return {std::lerp(f.from, f.to, (t - f.start) / length), (f.to - f.from) / length, 0.0};
}

Derivatives evaluate(const Pulse& f, double t, Side side) {
  const double end = f.start + f.duration;
  if (f.rise == 0.0) return {passed(f.start, t, side) && !passed(end, t, side) ? f.height : 0.0, 0.0, 0.0};
  // The flanks do not overlap, so the falling one is 0 where the rising one moves.
  const Derivatives up = rise(t, f.start, f.rise), down = rise(t, end - f.rise, f.rise);
  return {f.height * (up.value - down.value), f.height * (up.rate - down.rate),
          f.height * (up.acceleration - down.acceleration)};
}

// Second derivatives at the knots of the natural spline: (4), tridiagonal and diagonally dominant, so
// elimination needs no pivots.
std::vector<double> spline_moments(const Table& f) {
  const std::size_t n = f.times.size();
  std::vector<double> m(n, 0.0), upper(n, 0.0);  // upper: what elimination leaves right of the unit diagonal
  const auto h = [&](std::size_t i) { return f.times[i + 1] - f.times[i]; };
  const auto slope = [&](std::size_t i) { return (f.values[i + 1] - f.values[i]) / h(i); };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double diagonal = 2.0 * (h(i - 1) + h(i)) - h(i - 1) * upper[i - 1];
    upper[i] = h(i) / diagonal;
    m[i] = (6.0 * (slope(i) - slope(i - 1)) - h(i - 1) * m[i - 1]) / diagonal;
  }
  m[n - 1] = 0.0;
  for (std::size_t i = n - 1; i-- > 1;) m[i] -= upper[i] * m[i + 1];
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (!std::isfinite(m[i] * h(i) * h(i))) {
      require(false, fmt::format("times[{}]", i), f.times[i],
              "such that the spline through the table is finite");
    }
  }
  return m;
}

// ---- properties --------------------------------------------------------------------------------------

bool is_flat(const Constant&) { return true; }
bool is_flat(const Polynomial& f) {
  return std::all_of(f.coefficients.begin() + 1, f.coefficients.end(), [](double c) { return c == 0.0; });
}
bool is_flat(const Harmonic& f) { return f.amplitude == 0.0 || f.frequency == 0.0; }
bool is_flat(const Table& f) {
  return std::ranges::all_of(f.values, [&](double x) { return x == f.values.front(); });
}
bool is_flat(const Step& f) { return f.before == f.after; }
bool is_flat(const Ramp& f) { return f.from == f.to; }
bool is_flat(const Pulse& f) { return f.height == 0.0; }

// Instants where the function may jump, in order.
std::vector<double> candidates(const Table& f) {
  if (f.interpolation == Interpolation::linear) return f.times;
  return {f.times.front(), f.times.back()};  // C² at the inner knots
}
std::vector<double> candidates(const Step& f) {
  return f.duration == 0.0 ? std::vector{f.time} : std::vector{f.time, f.time + f.duration};
}
std::vector<double> candidates(const Ramp& f) { return {f.start, f.end_time}; }
std::vector<double> candidates(const Pulse& f) {
  const double end = f.start + f.duration;
  return f.rise == 0.0 ? std::vector{f.start, end}
                       : std::vector{f.start, f.start + f.rise, end - f.rise, end};
}
template <class Smooth>
std::vector<double> candidates(const Smooth&) {
  return {};
}

// Ends of C² rises: only the third derivative jumps there, but a long step would pass over the whole of a short pulse.
bool has_smooth_rise(const Step& f) { return f.duration > 0.0; }
bool has_smooth_rise(const Pulse& f) { return f.rise > 0.0; }
template <class Other>
bool has_smooth_rise(const Other&) {
  return false;
}

// Slopes of neighbouring segments on one line agree to rounding only.
bool jumps(double left, double right) {
  return std::abs(right - left) > 1e-12 * (std::abs(left) + std::abs(right));
}

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace

struct TimeFunction::Compiled {
  Variant data;
  std::vector<double> moments;        // of a cubic table
  std::optional<Expression> program;  // of an expression

  explicit Compiled(Variant given) : data(std::move(given)) {
    std::visit([](const auto& f) { check(f); }, data);
    if (const auto* table = std::get_if<Table>(&data);
        table && table->interpolation == Interpolation::cubic) {
      moments = spline_moments(*table);
    }
    if (const auto* expression = std::get_if<ExpressionText>(&data)) {
      std::vector names = {expression->variable};
      names.insert(names.end(), expression->signals.begin(), expression->signals.end());
      program.emplace(expression->text, std::move(names));
    }
  }
};

TimeFunction::TimeFunction(Variant data) : compiled_(std::make_shared<const Compiled>(std::move(data))) {}

Derivatives TimeFunction::at(double t, Side side) const {
  const Compiled& c = *compiled_;
  return std::visit(Overloaded{[&](const Constant& f) { return evaluate(f); },
                               [&](const Polynomial& f) { return evaluate(f, t); },
                               [&](const Harmonic& f) { return evaluate(f, t); },
                               [&](const Table& f) { return evaluate(f, c.moments, t, side); },
                               [&](const ExpressionText&) { return c.program->limit(t, side); },
                               [&](const auto& f) { return evaluate(f, t, side); }},
                    c.data);
}

std::vector<double> TimeFunction::break_times(double t0, double t1) const {
  if (compiled_->program) return compiled_->program->break_times(t0, t1);
  std::vector<double> breaks = std::visit([](const auto& f) { return candidates(f); }, compiled_->data);
  const bool keeps_all =
      !is_constant() && std::visit([](const auto& f) { return has_smooth_rise(f); }, compiled_->data);
  const auto meet = [](double a, double b) { return std::abs(b - a) <= 1e-12 * (std::abs(a) + std::abs(b)); };
  breaks.erase(std::unique(breaks.begin(), breaks.end(), meet), breaks.end());  // two rises
  std::erase_if(breaks, [&](double b) {
    if (!(t0 < b && b < t1)) return true;
    if (keeps_all) return false;
    const Derivatives left = at(b, Side::left), right = at(b, Side::right);
    return !jumps(left.value, right.value) && !jumps(left.rate, right.rate) &&
           !jumps(left.acceleration, right.acceleration);
  });
  return breaks;
}

std::vector<double> TimeFunction::knots() const {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  return compiled_->program ? std::vector<double>() : break_times(-kInfinite, kInfinite);
}

const Expression* TimeFunction::expression() const {
  return compiled_->program ? &*compiled_->program : nullptr;
}

const std::vector<std::string>& TimeFunction::signals() const {
  static const std::vector<std::string> none;
  const auto* text = std::get_if<ExpressionText>(&compiled_->data);
  return text != nullptr ? text->signals : none;
}

bool TimeFunction::is_constant() const {
  return std::visit(Overloaded{[&](const ExpressionText&) { return compiled_->program->is_constant(); },
                               [](const auto& f) { return is_flat(f); }},
                    compiled_->data);
}

std::string TimeFunction::kind() const { return std::string(kKinds[compiled_->data.index()]); }

const TimeFunction::Variant& TimeFunction::data() const { return compiled_->data; }

std::vector<std::string> TimeFunction::kinds() { return {kKinds.begin(), kKinds.end()}; }

}  // namespace driftless
