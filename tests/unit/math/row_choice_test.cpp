// Dependent rows: as many as a dense QR says, whatever their scales; choices that leave well-conditioned sets.
#include "driftless/math/linear/row_choice.hpp"

#include <algorithm>
#include <random>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

SparseRows sparse(const Mat& dense) {
  SparseRows out = dense.sparseView();
  out.makeCompressed();
  return out;
}

Mat unit_rows(Mat J) {
  for (int i = 0; i < J.rows(); ++i) J.row(i).normalize();
  return J;
}

// Condition of the rows that are kept, at unit length.
double condition(const Mat& J, const std::vector<int>& dropped) {
  Mat kept(J.rows() - static_cast<Eigen::Index>(dropped.size()), J.cols());
  Eigen::Index k = 0;
  for (int i = 0; i < J.rows(); ++i)
    if (!std::binary_search(dropped.begin(), dropped.end(), i)) kept.row(k++) = J.row(i);
  const Vec values = unit_rows(kept).jacobiSvd().singularValues();
  return values[0] / values[values.size() - 1];
}

// Rows that couple neighbours of a chain of blocks, the last `extra` combinations of others nearby.
Mat chain_rows(int blocks, int extra, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Mat J = Mat::Zero(2 * blocks + extra, 3 * blocks);
  for (int b = 0; b < blocks; ++b)
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 3; ++c) {
        J(2 * b + r, 3 * b + c) = uniform(engine);
        if (b > 0) J(2 * b + r, 3 * b - 3 + c) = uniform(engine);
      }
  for (int e = 0; e < extra; ++e) {
    const int first = std::min(2 * (e * blocks / std::max(extra, 1)), 2 * blocks - 4);
    for (int k = 0; k < 4; ++k) J.row(2 * blocks + e) += uniform(engine) * J.row(first + k);
  }
  return J;
}

TEST(DependentRows, FindsThemAll) {
  Mat J = Mat::Zero(5, 8);
  J.topLeftCorner(3, 8).setRandom();
  J.row(3) = J.row(0) + 1e3 * J.row(1);
  J.row(4) = J.row(2);
  EXPECT_EQ(dependent_rows(sparse(J)).size(), 2u);
  EXPECT_TRUE(dependent_rows(sparse(J.topRows(3))).empty());
}

TEST(DependentRows, AreAsManyAsAQrFindsAndLeaveAGoodSet) {
  for (const int extra : {0, 1, 3, 8})
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const Mat J = chain_rows(10, extra, seed);
      const std::vector<int> rows = dependent_rows(sparse(J));
      EXPECT_EQ(rows.size(), size_t(extra));
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      // As good as what column pivoting chooses, to a factor that maximal volume allows.
      const Mat unit = unit_rows(J);
      const auto qr = unit.transpose().colPivHouseholderQr();
      std::vector<int> pivoted;
      for (Eigen::Index k = J.rows() - extra; k < J.rows(); ++k)
        pivoted.push_back(qr.colsPermutation().indices()[k]);
      std::sort(pivoted.begin(), pivoted.end());
      EXPECT_LT(condition(J, rows), 5 * condition(J, pivoted)) << extra << " " << seed;
    }
}

TEST(DependentRows, ScalesOfRowsDoNotMatter) {
  Mat J = chain_rows(8, 3, 4);
  const std::vector<int> rows = dependent_rows(sparse(J));
  for (int i = 0; i < J.rows(); ++i) J.row(i) *= std::pow(10.0, (i * 7) % 13 - 6);
  EXPECT_EQ(dependent_rows(sparse(J)), rows);
}

// A row 1e-7 rad from the others is independent, one 1e-12 rad from them is not: squared, both are round-off.
TEST(DependentRows, ToleranceIsAnAngle) {
  Mat J = chain_rows(6, 0, 9);
  J.conservativeResize(13, Eigen::NoChange);
  const Vec combination = J.row(2).transpose() + 0.5 * J.row(5).transpose();
  Vec aside = Vec::Unit(18, 17);
  aside -= J.topRows(12).transpose() * J.topRows(12).transpose().colPivHouseholderQr().solve(aside);
  aside.normalize();
  J.row(12) = combination + 1e-7 * combination.norm() * aside;
  EXPECT_TRUE(dependent_rows(sparse(J)).empty());
  J.row(12) = combination + 1e-12 * combination.norm() * aside;
  EXPECT_EQ(dependent_rows(sparse(J)).size(), 1u);
  EXPECT_EQ(dependent_rows(sparse(J), 1e-13).size(), 0u);
}

TEST(DependentRows, MoreRowsThanColumnsAndEmptyRows) {
  Mat J = Mat::Zero(7, 3);
  J.topRows(5).setRandom();
  const std::vector<int> rows = dependent_rows(sparse(J));
  EXPECT_EQ(rows.size(), 4u);
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), 5) &&
              std::binary_search(rows.begin(), rows.end(), 6));
  EXPECT_TRUE(dependent_rows(SparseRows(0, 3)).empty());
}

// Two rows that are parallel to each other, and to none of the others: one of them stays.
TEST(DependentRows, CandidatesThatImplyEachOther) {
  Mat J = chain_rows(6, 0, 5);
  J.conservativeResize(14, Eigen::NoChange);
  const Vec combination = J.row(2).transpose() + 0.5 * J.row(5).transpose();
  J.row(12) = J.row(13) = combination + 1e-5 * combination.norm() * Vec::Unit(18, 17);
  EXPECT_EQ(dependent_rows(sparse(J)).size(), 1u);
}

// Metres or micrometres: the angle a row makes with others is that of the mechanism.
TEST(DependentRows, UnitsOfColumnsDoNotMatter) {
  const Mat J = chain_rows(8, 3, 4);
  const std::vector<int> rows = dependent_rows({sparse(J), Vec::Ones(24), 1, 19});
  for (const double unit : {1e-3, 1e6}) {
    Vec scale = Vec::Ones(24);
    for (int j = 0; j < 24; j += 3) scale[j] = unit;  // lengths
    const Mat other = unit * J * scale.cwiseInverse().asDiagonal();
    EXPECT_EQ(dependent_rows({sparse(other), scale, unit, 19}), rows);
  }
}

TEST(DependentRows, RowsOnVelocitiesAreLeftOutBeforeRowsOnPositions) {
  Mat J = chain_rows(6, 0, 7);
  J.conservativeResize(13, Eigen::NoChange);
  J.row(12) = J.row(3);
  J.row(3) = J.row(4) + 0.05 * J.row(12);  // nearly parallel: without row 12 these two are a bad pair
  EXPECT_NE(dependent_rows(sparse(J)), std::vector<int>{12});
  EXPECT_EQ(dependent_rows({sparse(J), Vec::Ones(18), 1, 12}), std::vector<int>{12});
}

TEST(ImplyingRows, NamesThemAndNoOthers) {
  Mat J = chain_rows(6, 0, 2);
  J.conservativeResize(13, Eigen::NoChange);
  J.row(12) = 0.1 * J.row(3) - 0.2 * J.row(4);  // the smallest share: this is the one to go
  const std::vector<int> rows = dependent_rows(sparse(J));
  ASSERT_EQ(rows.size(), 1u);
  std::vector<int> all = implying_rows(sparse(J), rows).front();
  all.push_back(rows.front());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<int>{3, 4, 12}));
}

// Three directions in a plane, two of them kept: as they turn, the two kept ones come to lie on one line.
TEST(RechooseRows, GivesUpABadPairForAGoodOne) {
  Mat J = Mat::Zero(4, 4);
  J.row(3) << 0, 0, 1, 0.3;
  for (const double angle : {0.0, 1e-9, 1e-5, 1e-3}) {
    J.row(0) << 1, 0, 0, 0;
    J.row(1) << std::cos(angle), std::sin(angle), 0, 0;
    J.row(2) << 0.6, 0.8, 0, 0;
    std::vector<int> dropped = {2};
    EXPECT_TRUE(rechoose_rows(sparse(J), dropped));
    ASSERT_EQ(dropped.size(), 1u);
    EXPECT_TRUE(dropped[0] == 0 || dropped[0] == 1);
    EXPECT_LT(condition(J, dropped), 10);
    EXPECT_FALSE(rechoose_rows(sparse(J), dropped));  // nothing better
  }
}

TEST(RechooseRows, SaysWhenThereIsNoSetOfThatSize) {
  Mat J = Mat::Zero(3, 4);
  J.row(0) << 1, 0, 0, 0;
  J.row(1) << 2, 0, 0, 0;
  J.row(2) << 3, 0, 0, 0;
  std::vector<int> dropped = {2};  // only one of the three is independent
  EXPECT_FALSE(rechoose_rows(sparse(J), dropped));
  EXPECT_EQ(dropped, (std::vector<int>{2}));
}

// Sparse all through: ten thousand rows are a matter of milliseconds, and a dense method would not end here.
TEST(DependentRows, ServeLongChains) {
  constexpr int kBlocks = 5000;
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int b = 0; b < kBlocks; ++b)
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 3; ++c) {
        entries.emplace_back(2 * b + r, 3 * b + c, uniform(engine));
        if (b > 0) entries.emplace_back(2 * b + r, 3 * b - 3 + c, uniform(engine));
      }
  SparseRows J(2 * kBlocks + 20, 3 * kBlocks);
  J.setFromTriplets(entries.begin(), entries.end());
  for (int e = 0; e < 20; ++e)
    for (int k = 0; k < 3; ++k)
      for (SparseRows::InnerIterator i(J, 500 * e + k); i; ++i)
        entries.emplace_back(2 * kBlocks + e, static_cast<int>(i.col()), (k + 1) * i.value());
  J.setFromTriplets(entries.begin(), entries.end());
  J.makeCompressed();
  EXPECT_EQ(dependent_rows(J).size(), 20u);
}

// Rows that pin bars of length 1 to one another at the nodes of a square net hung up at its upper edge, in metres and radians.
SparseRows net_rows(int side, int copies) {
  struct End {
    int bar;
    double arm_x, arm_y;
  };
  std::vector<std::vector<End>> at(size_t(side * side));
  int bars = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const size_t node = size_t(i * side + j);
      if (j + 1 < side && i > 0) {
        at[node].push_back({bars, -0.5, 0});
        at[node + 1].push_back({bars++, 0.5, 0});
      }
      if (i + 1 < side) {
        at[node].push_back({bars, 0, 0.5});
        at[node + size_t(side)].push_back({bars++, 0, -0.5});
      }
    }
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;
  const auto add = [&](int row, const End& end, double sign) {
    entries.emplace_back(row, 3 * end.bar, sign);
    entries.emplace_back(row, 3 * end.bar + 2, -sign * end.arm_y);
    entries.emplace_back(row + 1, 3 * end.bar + 1, sign);
    entries.emplace_back(row + 1, 3 * end.bar + 2, sign * end.arm_x);
  };
  for (size_t node = 0; node < at.size(); ++node)
    for (size_t k = node < size_t(side) ? 0 : 1; k < at[node].size(); ++k, rows += 2) {
      if (node >= size_t(side)) add(rows, at[node].front(), -1);
      add(rows, at[node][k], 1);
    }
  for (int copy = 0; copy < copies; ++copy, rows += 2)
    add(rows, at[size_t(copy)].front(), 1);  // two pins in one place
  SparseRows J(rows, 3 * bars);
  J.setFromTriplets(entries.begin(), entries.end());
  J.makeCompressed();
  return J;
}

// Bars are short against the whole, so that angles hardly count and thousands of pivots of the Gram matrix are small.
TEST(DependentRows, AreFewInNetsWhereManyPivotsAreSmall) {
  for (const int copies : {0, 3}) {
    const SparseRows J = net_rows(30, copies);
    Vec scale = Vec::Constant(J.cols(), 3000);
    for (int k = 2; k < J.cols(); k += 3) scale[k] = 1;
    const BalancedRows balanced(J, scale, 3000, static_cast<int>(J.rows()));
    EXPECT_LT(weakest_kept(balanced, dependent_rows(balanced)), 1e-6);
    EXPECT_EQ(dependent_rows(balanced).size(), size_t(2 * copies));
  }
}

TEST(LeastSingularValue, IsNotAboveTheLeastOne) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> decade(-3, 3);
  for (unsigned seed = 0; seed < 20; ++seed) {
    Mat J = chain_rows(12, 0, seed);
    const double exact = unit_rows(J).jacobiSvd().singularValues().tail(1)[0];
    const double found = least_singular_value(sparse(unit_rows(J)));
    EXPECT_LE(found, exact);
    EXPECT_GT(found, 1e-3 * exact);
    for (int j = 0; j < J.cols(); ++j) J.col(j) *= std::pow(10, decade(engine));
    EXPECT_LE(least_singular_value(sparse(J)), J.jacobiSvd().singularValues().tail(1)[0]);
  }
  EXPECT_EQ(least_singular_value(sparse(chain_rows(12, 1, 1))), 0);
  const SparseRows net = net_rows(6, 0);
  EXPECT_GT(least_singular_value(net), 0);
  EXPECT_LE(least_singular_value(net), Mat(net).jacobiSvd().singularValues().tail(1)[0]);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
