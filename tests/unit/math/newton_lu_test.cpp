// Factors of Newton's method: they refuse to solve where there are none, and come back with the same digits.
#include "driftless/math/linear/newton_lu.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "support/assembled_matrix.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using testing::assembled_matrix;

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
    EXPECT_EQ(lu.factor(assembled_matrix(W)), Status::not_finite);
    EXPECT_NE(lu.solve(b, x), Status::ok);  // failed
    EXPECT_EQ(lu.factor(assembled_matrix(banded(n, 1))), Status::ok);
    EXPECT_EQ(lu.solve(b, x), Status::ok);
    EXPECT_LT(max_abs(banded(n, 1) * x - b), 1e-9 * (1 + max_abs(x)));
  }
}

// Blocks that overlap, transposes; a second sequence of additions in place of the first.
TEST(SparseAssembly, AddsUpWhatItIsHanded) {
  SparseRows A(2, 3);
  A.insert(0, 1) = 2;
  A.insert(1, 0) = -1;
  A.insert(1, 2) = 5;
  SparseAssembly<double> W;
  W.size(5);
  const auto dense = [&] {
    Mat out = Mat::Zero(5, 5);
    for (int j = 0; j < 5; ++j)
      for (int p = W.starts()[size_t(j)]; p < W.starts()[size_t(j) + 1]; ++p)
        out(W.rows()[size_t(p)], j) = W.values()[size_t(p)];
    return out;
  };
  for (const double c : {1.0, -3.0}) {  // learned, then known
    W.assemble([&](SparseAssembly<double>& sum) {
      sum.add_block(A, 3, 0, c);
      sum.add_transposed(A, 0, 3, 2 * c);
      sum.add_diagonal(0, 0, 5, 1);
      sum.add(3, 1, 0.5);
    });
    Mat expected = Mat::Identity(5, 5);
    expected.block(3, 0, 2, 3) += c * Mat(A);
    expected.block(0, 3, 3, 2) += 2 * c * Mat(A).transpose();
    expected(3, 1) += 0.5;
    EXPECT_EQ(dense(), expected);
  }
  const long before = W.version();
  W.assemble([&](SparseAssembly<double>& sum) { sum.add_block(A, 0, 2, 7); });
  EXPECT_NE(W.version(), before);
  Mat expected = Mat::Zero(5, 5);
  expected.block(0, 2, 2, 3) = 7 * Mat(A);
  EXPECT_EQ(dense(), expected);
}

TEST(NewtonLu, HasTheSameDigitsAgain) {
  constexpr int n = 80;
  NewtonLu<double> first, second;
  first.size(n);
  second.size(n);
  ASSERT_EQ(first.factor(assembled_matrix(banded(n, 5))), Status::ok);  // pivots are chosen here
  ASSERT_TRUE(first.is_sparse());
  Memory writes;
  first.keep(writes);
  Memory reads(writes.written());
  second.keep(reads);
  EXPECT_TRUE(reads.is_read());
  ASSERT_EQ(first.factor(assembled_matrix(banded(n, 0.3))), Status::ok);
  ASSERT_EQ(second.factor(assembled_matrix(banded(n, 0.3))), Status::ok);
  Vec x(n), y(n);
  const Vec b = Vec::LinSpaced(n, 1, 2);
  ASSERT_EQ(first.solve(b, x), Status::ok);
  ASSERT_EQ(second.solve(b, y), Status::ok);
  EXPECT_EQ(x, y);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
