// Factors of Newton's method: they refuse to solve where there are none, and come back with the same digits.
#include "driftless/math/newton_lu.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

Mat banded(int n, double corner) {
  Mat W = Mat::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
      W(i, j) = i == j ? 0.01 * (i % 7) : 1 + 0.1 * i;
  W(0, 0) = corner;
  return W;
}

TEST(NewtonLu, SolvesNothingWithoutFactors) {
  for (const int n : {3, 60}) {
    NewtonLu<double> lu;
    lu.size(n);
    Vec x = Vec::Zero(n);
    const Vec b = Vec::Ones(n);
    EXPECT_NE(lu.solve(b, x), Status::ok);  // none yet
    Mat W = banded(n, 1);
    W(1, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(lu.factor(W), Status::not_finite);
    EXPECT_NE(lu.solve(b, x), Status::ok);  // failed
    EXPECT_EQ(lu.factor(banded(n, 1)), Status::ok);
    EXPECT_EQ(lu.solve(b, x), Status::ok);
    EXPECT_LT(max_abs(banded(n, 1) * x - b), 1e-9 * (1 + max_abs(x)));
  }
}

TEST(NewtonLu, HasTheSameDigitsAgain) {
  constexpr int n = 80;
  NewtonLu<double> first, second;
  first.size(n);
  second.size(n);
  ASSERT_EQ(first.factor(banded(n, 5)), Status::ok);  // pivots are chosen here
  ASSERT_TRUE(first.is_sparse());
  Memory writes;
  first.keep(writes);
  Memory reads(writes.written());
  second.keep(reads);
  EXPECT_TRUE(reads.is_read());
  ASSERT_EQ(first.factor(banded(n, 0.3)), Status::ok);
  ASSERT_EQ(second.factor(banded(n, 0.3)), Status::ok);
  Vec x(n), y(n);
  const Vec b = Vec::LinSpaced(n, 1, 2);
  ASSERT_EQ(first.solve(b, x), Status::ok);
  ASSERT_EQ(second.solve(b, y), Status::ok);
  EXPECT_EQ(x, y);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
