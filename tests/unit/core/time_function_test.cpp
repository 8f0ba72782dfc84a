#include "driftless/core/time_function.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace time_function;
using time_function::Table;  // not the one of trajectories

constexpr double kRoundoff = 1e-14;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

std::string complaint(const TimeFunction::Variant& data) {
  try {
    const TimeFunction f(data);
    return "no error";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

void expect_equal(const Derivatives& x, double value, double rate, double acceleration) {
  EXPECT_NEAR(x.value, value, kRoundoff * (1 + std::abs(value)));
  EXPECT_NEAR(x.rate, rate, kRoundoff * (1 + std::abs(rate)));
  EXPECT_NEAR(x.acceleration, acceleration, kRoundoff * (1 + std::abs(acceleration)));
}

// One of every kind and variant, all with times within [-2, 6].
std::vector<TimeFunction> examples() {
  return {
      3.5,
      Polynomial{{1, -2, 0.5, 0.25}},
      Harmonic{.amplitude = 2, .frequency = 3, .phase = 0.4, .offset = -1},
      Table{{-1, 0, 0.5, 2, 4}, {0, 1, -1, 2, 2.5}, Interpolation::linear},
      Table{{-1, 0, 0.5, 2, 4}, {0, 1, -1, 2, 2.5}, Interpolation::cubic},
      Table{{0, 1}, {2, 5}, Interpolation::cubic},
      Step{.time = 1, .before = -1, .after = 2},
      Step{.time = 1, .before = -1, .after = 2, .duration = 1.5},
      Ramp{.start = 0.5, .end_time = 2.5, .from = 3, .to = -1},
      Pulse{.start = 0.5, .duration = 2, .height = 4},
      Pulse{.start = 0.5, .duration = 2, .height = 4, .rise = 0.7},
      Pulse{.start = 0.5, .duration = 2, .height = -4, .rise = 1},
      ExpressionText{"if(t<1, sin(3*t), exp(-t)) + abs(t-2)"},
  };
}

TEST(TimeFunction, DefaultIsZeroAndNumbersConvert) {
  const TimeFunction zero;
  expect_equal(zero.at(17), 0, 0, 0);
  EXPECT_TRUE(zero.is_constant());
  EXPECT_EQ(zero.kind(), "constant");
  const auto take = [](TimeFunction f) { return f(0.0); };
  EXPECT_EQ(take(2.5), 2.5);
  EXPECT_EQ(take(3), 3);
  EXPECT_EQ(take(Step{}), 1);
  static_assert(std::is_convertible_v<double, TimeFunction>);
  static_assert(!std::is_convertible_v<std::string, TimeFunction>);
  static_assert(!std::is_convertible_v<const char*, TimeFunction>);
}

TEST(TimeFunction, KindsNameTheVariant) {
  const std::vector<std::string> kinds = TimeFunction::kinds();
  EXPECT_EQ(kinds, (std::vector<std::string>{"constant", "polynomial", "harmonic", "table", "step", "ramp",
                                             "pulse", "expression"}));
  for (const TimeFunction& f : examples()) EXPECT_EQ(f.kind(), kinds.at(f.data().index()));
}

TEST(TimeFunction, DataGiveTheFunctionBack) {
  for (const TimeFunction& f : examples()) {
    const TimeFunction again(f.data());
    EXPECT_EQ(again, f);
    EXPECT_EQ(again.at(0.7).value, f.at(0.7).value);
  }
  EXPECT_EQ(std::get<Harmonic>(examples()[2].data()).frequency, 3);
  EXPECT_NE(TimeFunction(1), TimeFunction(2));
  EXPECT_NE(TimeFunction(1), TimeFunction(Step{}));
}

TEST(TimeFunction, CopiesAndMovedFromFunctionsStayValid) {
  TimeFunction f = Harmonic{.amplitude = 2};
  const TimeFunction copy = f;
  const TimeFunction moved = std::move(f);
  EXPECT_EQ(f, moved);  // NOLINT(bugprone-use-after-move): moving copies, on purpose
  f = 3.0;
  EXPECT_EQ(f(0), 3);
  EXPECT_EQ(copy, moved);
}

// Differences of the exact lower derivative, away from breaks.
TEST(TimeFunction, DerivativesAgreeWithDifferencesAtRandomTimes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> time(-2, 6);
  const double h = 1e-5;
  for (const TimeFunction& f : examples()) {
    const std::vector<double> breaks = f.break_times(-3, 7);
    for (int i = 0; i < 500; ++i) {
      const double t = time(random);
      bool near_break = false;
      for (const double b : breaks) near_break = near_break || std::abs(t - b) <= h;
      if (near_break) continue;
      const Derivatives x = f.at(t), right = f.at(t + h), left = f.at(t - h);
      // h² x''''/6 < 1e-7 for the steepest of the examples (x''' of the C² kinds jumps: h x''' < 1e-2).
      EXPECT_NEAR(x.rate, (right.value - left.value) / (2 * h), 1e-7) << f.kind() << " at " << t;
      EXPECT_NEAR(x.acceleration, (right.rate - left.rate) / (2 * h), 1e-2) << f.kind() << " at " << t;
      EXPECT_EQ(f(t), x.value);
    }
  }
}

// Between breaks value, rate and acceleration are continuous: in 1e-7 s they move by 1e-7 of a bounded slope.
TEST(TimeFunction, ContinuousButAtBreaks) {
  for (const TimeFunction& f : examples()) {
    const std::vector<double> breaks = f.break_times(-3, 7);
    for (double t = -2; t < 6; t += 1.0 / 128) {  // meets the knots of the tables exactly
      bool at_break = false;
      for (const double b : breaks) at_break = at_break || std::abs(t - b) < 1e-6;
      if (at_break) continue;
      const Derivatives left = f.at(t - 1e-7), x = f.at(t), right = f.at(t + 1e-7);
      for (const Derivatives& y : {left, right, f.at(t, Side::left)}) {
        EXPECT_NEAR(x.value, y.value, 1e-4) << f.kind() << " at " << t;
        EXPECT_NEAR(x.rate, y.rate, 1e-4) << f.kind() << " at " << t;
        EXPECT_NEAR(x.acceleration, y.acceleration, 1e-4) << f.kind() << " at " << t;
      }
    }
  }
}

TEST(TimeFunction, LeftAndRightLimitsAtBreaks) {
  int sharp = 0, smooth = 0;
  for (const TimeFunction& f : examples()) {
    for (const double b : f.break_times(-3, 7)) {
      const Derivatives before = f.at(b - 1e-10), left = f.at(b, Side::left);
      const Derivatives after = f.at(b + 1e-10), right = f.at(b, Side::right);
      EXPECT_NEAR(left.value, before.value, 1e-7) << f.kind() << " at " << b;
      EXPECT_NEAR(left.rate, before.rate, 1e-7) << f.kind() << " at " << b;
      EXPECT_NEAR(left.acceleration, before.acceleration, 1e-7) << f.kind() << " at " << b;
      EXPECT_NEAR(right.value, after.value, 1e-7) << f.kind() << " at " << b;
      EXPECT_NEAR(right.rate, after.rate, 1e-7) << f.kind() << " at " << b;
      EXPECT_NEAR(right.acceleration, after.acceleration, 1e-7) << f.kind() << " at " << b;
      EXPECT_EQ(f.at(b).value, right.value);
      const bool is_sharp = std::abs(left.value - right.value) + std::abs(left.rate - right.rate) +
                                std::abs(left.acceleration - right.acceleration) >
                            1e-3;
      EXPECT_TRUE(is_sharp || f.kind() == "step" || f.kind() == "pulse") << f.kind() << " at " << b;
      (is_sharp ? sharp : smooth) += 1;
    }
  }
  EXPECT_EQ(sharp, 5 + 2 + 2 + 1 + 2 + 2 + 2);  // two tables and the line, step, ramp, pulse, expression
  EXPECT_EQ(smooth, 2 + 4 + 3);                 // step, pulses: the rises of the second meet
}

// A step of an integrator at rest must not pass over a short pulse, however smooth it is.
TEST(TimeFunction, SmoothRisesEndAtBreaks) {
  const auto times = [](const TimeFunction& f) { return f.break_times(0, 10); };
  EXPECT_EQ(times(Pulse{.start = 1, .duration = 2, .rise = 0.5}), (std::vector<double>{1, 1.5, 2.5, 3}));
  EXPECT_EQ(times(Pulse{.start = 1, .duration = 2, .rise = 1}), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(times(Step{.time = 1, .duration = 0.25}), (std::vector<double>{1, 1.25}));
  EXPECT_EQ(times(Pulse{.start = 0.7, .duration = 0.6, .rise = 0.3}).size(),
            3u);  // but for rounding, they meet
  EXPECT_TRUE(times(Pulse{.start = 1, .duration = 2, .height = 0, .rise = 0.5}).empty());
}

TEST(TimeFunction, BreakTimesLieStrictlyInside) {
  const TimeFunction pulse = Pulse{.start = 1, .duration = 2};
  EXPECT_EQ(pulse.break_times(0, 5), (std::vector<double>{1, 3}));
  EXPECT_EQ(pulse.break_times(1, 3), std::vector<double>{});
  EXPECT_EQ(pulse.break_times(1, 5), std::vector<double>{3});
  EXPECT_EQ(pulse.break_times(5, 0), std::vector<double>{});
  EXPECT_EQ(pulse.break_times(-kInfinity, kInfinity).size(), 2u);
}

TEST(TimeFunction, BreakTimesWithoutJumpAreNotListed) {
  EXPECT_TRUE(TimeFunction(Step{.before = 2, .after = 2}).break_times(-1, 1).empty());
  EXPECT_TRUE(TimeFunction(Step{.before = 2, .after = 2, .duration = 1}).break_times(-1, 2).empty());
  EXPECT_TRUE(TimeFunction(Ramp{.from = 2, .to = 2}).break_times(-1, 2).empty());
  EXPECT_TRUE(TimeFunction(Pulse{.height = 0}).break_times(-1, 2).empty());
  const TimeFunction table = Table{{0, 0.1, 0.2, 0.3, 1}, {1, 1, 1.1, 1.2, 1.2}};
  EXPECT_EQ(table.break_times(-1, 2), (std::vector<double>{0.1, 0.3}));  // 0.2 lies on a line
}

TEST(TimeFunction, IsConstantMeansTheSameAtAllTimes) {
  EXPECT_TRUE(TimeFunction(Polynomial{{4, 0, 0}}).is_constant());
  EXPECT_FALSE(TimeFunction(Polynomial{{4, 0, 1}}).is_constant());
  EXPECT_TRUE(TimeFunction(Harmonic{.amplitude = 0}).is_constant());
  EXPECT_TRUE(TimeFunction(Harmonic{.frequency = 0, .phase = 1}).is_constant());
  EXPECT_TRUE(TimeFunction(Table{{0, 1, 2}, {3, 3, 3}}).is_constant());
  EXPECT_TRUE(TimeFunction(Step{.before = 1, .after = 1}).is_constant());
  EXPECT_TRUE(TimeFunction(ExpressionText{"2*pi"}).is_constant());
  EXPECT_FALSE(TimeFunction(ExpressionText{"2*t"}).is_constant());
  for (const TimeFunction& f : examples()) EXPECT_EQ(f.is_constant(), f.kind() == "constant");
}

TEST(TimeFunctionPolynomial, KnownValues) {
  expect_equal(TimeFunction(Polynomial{{1, 2, 3, 4}}).at(2), 1 + 4 + 12 + 32, 2 + 12 + 48, 6 + 48);
  expect_equal(TimeFunction(Polynomial{{1, 2, 3}}).at(0), 1, 2, 6);
  expect_equal(TimeFunction(Polynomial{{7}}).at(3), 7, 0, 0);
}

TEST(TimeFunctionHarmonic, KnownValues) {
  const TimeFunction f = Harmonic{.amplitude = 2, .frequency = std::numbers::pi, .phase = 0, .offset = 1};
  expect_equal(f.at(0.5), 3, 0, -2 * std::numbers::pi * std::numbers::pi);
  expect_equal(f.at(0), 1, 2 * std::numbers::pi, 0);
}

TEST(TimeFunctionTable, PassesThroughItsPointsAndIsHeldOutside) {
  const std::vector<double> times = {-1, 0, 0.5, 2, 4}, values = {0, 1, -1, 2, 2.5};
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const TimeFunction f = Table{times, values, interpolation};
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_EQ(f(times[i]), values[i]);
      EXPECT_EQ(f.at(times[i], Side::left).value, values[i]);
    }
    expect_equal(f.at(-100), 0, 0, 0);
    expect_equal(f.at(100), 2.5, 0, 0);
    expect_equal(f.at(-1, Side::left), 0, 0, 0);
    expect_equal(f.at(4, Side::right), 2.5, 0, 0);
  }
}

TEST(TimeFunctionTable, LinearSlopes) {
  const TimeFunction f = Table{{0, 1, 3}, {0, 2, 1}};
  expect_equal(f.at(0.25), 0.5, 2, 0);
  expect_equal(f.at(1, Side::left), 2, 2, 0);
  expect_equal(f.at(1, Side::right), 2, -0.5, 0);
}

// On uniform knots 0, 1, 2 with values 0, 1, 0 the natural spline has m = (0, -3, 0).
TEST(TimeFunctionTable, CubicIsTheNaturalSpline) {
  const TimeFunction f = Table{{0, 1, 2}, {0, 1, 0}, Interpolation::cubic};
  expect_equal(f.at(0), 0, 1.5, 0);
  expect_equal(f.at(1), 1, 0, -3);
  expect_equal(f.at(0.5), 0.6875, 1.5 - 3.0 / 8, -1.5);
  expect_equal(f.at(2, Side::left), 0, -1.5, 0);
}

// Interpolating sin at distance h, the error inside falls like h⁴ (natural ends fit: sin'' = 0 at 0 and π).
TEST(TimeFunctionTable, SplineErrorFallsLikeH4) {
  const auto error = [](int n) {
    Table table{{}, {}, Interpolation::cubic};
    for (int i = 0; i <= n; ++i) {
      table.times.push_back(std::numbers::pi * i / n);
      table.values.push_back(std::sin(table.times.back()));
    }
    const TimeFunction f = table;
    double largest = 0;
    for (double t = 0; t < std::numbers::pi; t += 1e-3)
      largest = std::max(largest, std::abs(f(t) - std::sin(t)));
    return largest;
  };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 4, 0.1);
}

TEST(TimeFunctionStep, SharpAndSmooth) {
  const TimeFunction sharp = Step{.time = 1, .before = -1, .after = 2};
  EXPECT_EQ(sharp(std::nextafter(1.0, 0.0)), -1);
  EXPECT_EQ(sharp(1), 2);
  EXPECT_EQ(sharp.at(1, Side::left).value, -1);
  EXPECT_EQ(sharp.break_times(0, 2), std::vector<double>{1});

  const TimeFunction smooth = Step{.time = 1, .before = 0.1, .after = 0.7, .duration = 0.5};
  EXPECT_EQ(smooth(1), 0.1);
  EXPECT_EQ(smooth(1.5), 0.7);
  EXPECT_EQ(smooth(9), 0.7);
  expect_equal(smooth.at(1.25), 0.4, 0.6 * 15.0 / 8 / 0.5, 0);
}

TEST(TimeFunctionRamp, KnownValues) {
  const TimeFunction f = Ramp{.start = 1, .end_time = 3, .from = 5, .to = 1};
  expect_equal(f.at(0), 5, 0, 0);
  expect_equal(f.at(1, Side::left), 5, 0, 0);
  expect_equal(f.at(1, Side::right), 5, -2, 0);
  expect_equal(f.at(2), 3, -2, 0);
  expect_equal(f.at(3, Side::left), 1, -2, 0);
  expect_equal(f.at(3, Side::right), 1, 0, 0);
  EXPECT_EQ(f.break_times(0, 9), (std::vector<double>{1, 3}));
}

TEST(TimeFunctionPulse, FlanksLieInsideTheDuration) {
  const TimeFunction f = Pulse{.start = 1, .duration = 4, .height = 2, .rise = 1};
  expect_equal(f.at(1), 0, 0, 0);
  expect_equal(f.at(1.5), 1, 2 * 15.0 / 8, 0);
  expect_equal(f.at(2), 2, 0, 0);
  expect_equal(f.at(3), 2, 0, 0);
  expect_equal(f.at(4.5), 1, -2 * 15.0 / 8, 0);
  expect_equal(f.at(5), 0, 0, 0);
  EXPECT_EQ(f.break_times(0, 9), (std::vector<double>{1, 2, 4, 5}));

  const TimeFunction rectangle = Pulse{.start = 1, .duration = 4, .height = 2};
  EXPECT_EQ(rectangle(1), 2);
  EXPECT_EQ(rectangle(5), 0);
  EXPECT_EQ(rectangle.at(1, Side::left).value, 0);
  EXPECT_EQ(rectangle.at(5, Side::left).value, 2);
}

TEST(TimeFunctionExpression, IsRightContinuousAtBreaks) {
  const TimeFunction f = ExpressionText{"if(t<=1,2,3)"};
  EXPECT_EQ(f.break_times(0, 2), std::vector<double>{1});
  EXPECT_EQ(f(1), 3);
  EXPECT_EQ(f.at(1, Side::left).value, 2);
}

TEST(TimeFunctionErrors, NameFieldFoundAndBound) {
  EXPECT_EQ(complaint(Constant{kNan}), "value = nan: must be finite");
  EXPECT_EQ(complaint(Polynomial{{}}), "coefficients = 0 entries: must be at least 1");
  EXPECT_EQ(complaint(Polynomial{{1, kInfinity}}), "coefficients[1] = inf: must be finite");
  EXPECT_EQ(complaint(Harmonic{.frequency = kNan}), "frequency = nan: must be finite");
  EXPECT_EQ(complaint(Table{}), "times = 0 entries: must be at least 2");
  EXPECT_EQ(complaint(Table{{0, 1, 2}, {1, 2}}), "values = 2 entries: must be as many as times, 3");
  EXPECT_EQ(complaint(Table{{0, 1, 0.5}, {1, 2, 3}}), "times[2] = 0.5: must be greater than times[1] = 1");
  EXPECT_EQ(complaint(Table{{0, 0}, {1, 2}}), "times[1] = 0: must be greater than times[0] = 0");
  EXPECT_EQ(complaint(Table{{0, 1}, {1, kNan}}), "values[1] = nan: must be finite");
  EXPECT_EQ(complaint(Table{{0, kNan}, {1, 2}}), "times[1] = nan: must be finite");
  EXPECT_EQ(complaint(Step{.duration = -1}), "duration = -1: must be finite and >= 0");
  EXPECT_EQ(complaint(Step{.time = kInfinity}), "time = inf: must be finite");
  EXPECT_EQ(complaint(Ramp{.start = 1, .end_time = 1}),
            "end_time = 1: must be finite and greater than start = 1");
  EXPECT_EQ(complaint(Pulse{.duration = 0}), "duration = 0: must be finite and > 0");
  EXPECT_EQ(complaint(Pulse{.rise = 0.6}), "rise = 0.6: must be between 0 and duration/2 = 0.5");
  EXPECT_EQ(complaint(Pulse{.rise = kNan}), "rise = nan: must be between 0 and duration/2 = 0.5");
  EXPECT_EQ(complaint(ExpressionText{"2*tt"}),
            "expression '2*tt': column 3: unknown name 'tt'; did you mean 't'?");
}

TEST(TimeFunctionErrors, ExtremeButFiniteNumbersAreRefusedOrFinite) {
  EXPECT_NE(complaint(Step{.time = 1, .duration = 1e-20}), "no error");
  EXPECT_NE(complaint(Step{.time = 0, .duration = 1e-300}), "no error");
  EXPECT_NE(complaint(Pulse{.start = 1e20, .duration = 1}), "no error");
  EXPECT_NE(complaint(Pulse{.start = 1e308, .duration = 1e308}), "no error");
  EXPECT_NE(complaint(Ramp{.start = 0, .end_time = 1e-300, .to = 1e300}), "no error");
  EXPECT_NE(complaint(Table{{0, 5e-324}, {0, 1}}), "no error");
  EXPECT_NE(complaint(Table{{0, 1e-200, 1, 2}, {0, 1e100, 0, 1e308}, Interpolation::cubic}), "no error");
  for (const TimeFunction& f : examples()) {
    for (const double t : {-1e300, -0.0, 5e-324, 1e-300, 1e300}) {
      if (f.kind() == "polynomial") continue;  // overflows by right
      EXPECT_TRUE(std::isfinite(f.at(t).value)) << f.kind() << " at " << t;
      EXPECT_TRUE(std::isfinite(f.at(t, Side::left).value)) << f.kind() << " at " << t;
    }
    f.at(kNan, Side::left);  // whatever comes out, nothing is read out of bounds
    f.at(kNan, Side::right);
    f.at(kInfinity);
  }
}

TEST(TimeFunction, SharedBetweenThreads) {
  const std::vector<TimeFunction> functions = examples();
  std::vector<double> sums(4, 0.0);
  std::vector<std::thread> workers;
  for (double& sum : sums) {
    workers.emplace_back([&functions, &sum] {
      for (const TimeFunction& f : functions) {
        const TimeFunction copy = f;
        for (double t = -2; t < 6; t += 0.01) sum += copy(t);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
