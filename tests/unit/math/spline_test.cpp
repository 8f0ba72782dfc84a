#include "driftless/math/spline.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

TEST(Spline, GoesThroughItsPointsAndIsSmooth) {
  const std::vector<double> x = {0, 0.4, 1.1, 1.3, 2}, y = {1, -0.5, 0.7, 0.2, 1};
  for (const auto ends : {Spline::Ends::lines, Spline::Ends::periodic}) {
    const Spline f(x, y, ends);
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(f(x[i]), y[i], 1e-14);
      const Derivatives before = f.at(x[i] - 1e-9), after = f.at(x[i] + 1e-9);
      EXPECT_NEAR(before.value, after.value, 1e-7);
      EXPECT_NEAR(before.rate, after.rate, 1e-6);
      EXPECT_NEAR(before.acceleration, after.acceleration, 1e-5);
    }
    for (double s = -3.05; s < 5; s += 0.37) {  // derivatives against differences, outside the knots as well
      const double h = 1e-5;
      EXPECT_NEAR(f.at(s).rate, (f(s + h) - f(s - h)) / (2 * h), 1e-7);
      EXPECT_NEAR(f.at(s).acceleration, (f.at(s + h).rate - f.at(s - h).rate) / (2 * h), 1e-7);
    }
  }
}

TEST(Spline, GoesOnStraightOrRepeats) {
  const std::vector<double> x = {0, 0.4, 1.1, 1.3, 2}, y = {1, -0.5, 0.7, 0.2, 1};
  const Spline lines(x, y, Spline::Ends::lines), ring(x, y, Spline::Ends::periodic);
  EXPECT_NEAR(lines.at(0).acceleration, 0, 1e-14);
  EXPECT_NEAR(lines(-2), 1 - 2 * lines.at(0).rate, 1e-14);
  EXPECT_NEAR(lines(5), 1 + 3 * lines.at(2).rate, 1e-13);
  for (double s = 0.1; s < 2; s += 0.3) {
    EXPECT_NEAR(ring(s + 6), ring(s), 1e-13);
    EXPECT_NEAR(ring(s - 4), ring(s), 1e-13);
  }
}

TEST(Spline, TwoPointsAreALine) {
  const Spline f({1, 3}, {2, -2}, Spline::Ends::lines);
  EXPECT_NEAR(f(2), 0, 1e-15);
  EXPECT_NEAR(f(10), -16, 1e-14);
}

// Fourth order, the sign of a spline with the right ends: sin over a period.
TEST(Spline, PeriodicOneIsOfFourthOrder) {
  const auto error = [](int n) {
    std::vector<double> x, y;
    for (int i = 0; i <= n; ++i) {
      x.push_back(2 * M_PI * i / n);
      y.push_back(i == n ? 0.0 : std::sin(x.back()));
    }
    const Spline f(x, y, Spline::Ends::periodic);
    double most = 0;
    for (double s = 0; s < 2 * M_PI; s += 0.01) most = std::max(most, std::abs(f(s) - std::sin(s)));
    return most;
  };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 4, 0.2);
}

TEST(Spline, JetsFollowTheChainRule) {
  const Spline f({0, 0.4, 1.1, 2}, {1, -0.5, 0.7, 1}, Spline::Ends::periodic);
  const Taylor2<double> s(0.9, 1.5, -0.4), g = value_at(f, s);
  const Derivatives d = f.at(0.9);
  EXPECT_EQ(g.v, d.value);
  EXPECT_NEAR(g.d1, d.rate * 1.5, 1e-15);
  EXPECT_NEAR(g.d2, d.acceleration * 2.25 - d.rate * 0.4, 1e-14);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
