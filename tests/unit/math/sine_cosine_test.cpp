// sine_cosine(): within one unit in the last place of the exact values, at angles of every size.
#include "driftless/math/sine_cosine.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

double unit_in_last_place(double x) {
  return std::nextafter(std::abs(x), std::numeric_limits<double>::infinity()) - std::abs(x);
}

// long double has 11 bits more: enough to tell.
void expect_exact(double x) {
  double s = 0, c = 0;
  sine_cosine(x, s, c);
  const long double sine = std::sin(static_cast<long double>(x)),
                    cosine = std::cos(static_cast<long double>(x));
  EXPECT_LE(std::abs(static_cast<double>(s - sine)), unit_in_last_place(static_cast<double>(sine))) << x;
  EXPECT_LE(std::abs(static_cast<double>(c - cosine)), unit_in_last_place(static_cast<double>(cosine))) << x;
}

TEST(SineCosine, AreExactToTheLastPlace) {
  std::mt19937 engine(1);
  for (const double range : {1e-3, 1.0, 10.0, 1e3, 1e5}) {
    std::uniform_real_distribution<double> angles(-range, range);
    for (int i = 0; i < 5000; ++i) expect_exact(angles(engine));
  }
}

TEST(SineCosine, AreExactBesideQuarterTurns) {
  for (int k = -20000; k <= 20000; k += 7) {
    const double x = k * std::acos(0.0);
    expect_exact(x);
    expect_exact(std::nextafter(x, 1e9));
  }
}

TEST(SineCosine, FarAnglesAndSpecialValuesAreThoseOfTheLibrary) {
  for (const double x : {0.0, -0.0, 1e-310, 1.00001e5, -1e22}) {
    double s = 7, c = 7;
    sine_cosine(x, s, c);
    EXPECT_EQ(s, std::sin(x));
    EXPECT_EQ(std::signbit(s), std::signbit(std::sin(x)));
    EXPECT_EQ(c, std::cos(x));
  }
  for (const double x : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    double s = 0, c = 0;
    sine_cosine(x, s, c);
    EXPECT_TRUE(std::isnan(s) && std::isnan(c));
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
