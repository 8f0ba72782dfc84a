// Factors and solutions of random KKT patterns against dense ones: rows behind the coordinates, and mixed with them.
#include "driftless/math/linear/scheduled_ldlt.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

struct Problem {
  Mat A;  // symmetric, in the order of elimination
  std::vector<std::vector<ScheduledLdlt::Entry>> rows;
  std::vector<int> diagonal;
  std::vector<double> values;
  int negative = 0;  // rows of the second group
};

// n coordinates with masses and m rows of three coordinates each; `mixed`: every row right behind the last of its coordinates.
Problem random_problem(int n, int m, bool mixed, std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Mat M = Mat::Zero(n, n), J = Mat::Zero(m, n);
  for (int i = 0; i < n; ++i) {
    M(i, i) = 4 + uniform(engine);
    if (i > 0 && uniform(engine) > 0.3) M(i, i - 1) = M(i - 1, i) = uniform(engine);
  }
  for (int k = 0; k < m; ++k)
    for (int c = 0; c < 3; ++c) J(k, (k * n / m + c * (c + 1)) % n) = uniform(engine) + (c == 0 ? 2 : 0);
  std::vector<int> order;  // i: coordinate; n + k: row
  std::vector<char> placed(size_t(m), 0);
  for (int i = 0; i < n; ++i) {
    order.push_back(i);
    for (int k = 0; mixed && k < m; ++k)
      if (!placed[size_t(k)] && (J.row(k).tail(n - i - 1).array() == 0).all()) {
        placed[size_t(k)] = 1;
        order.push_back(n + k);
      }
  }
  for (int k = 0; k < m; ++k)
    if (!placed[size_t(k)]) order.push_back(n + k);
  Mat K = Mat::Zero(n + m, n + m);
  K << M, J.transpose(), J, Mat::Zero(m, m);
  Problem out;
  out.A = Mat(n + m, n + m);
  out.rows.resize(size_t(n + m));
  out.diagonal.assign(size_t(n + m), -1);
  out.negative = m;
  for (int a = 0; a < n + m; ++a)
    for (int b = 0; b <= a; ++b) {
      const double value = K(order[size_t(a)], order[size_t(b)]);
      out.A(a, b) = out.A(b, a) = value;
      if (value == 0) continue;
      const int source = static_cast<int>(out.values.size());
      out.values.push_back(value);
      if (a == b)
        out.diagonal[size_t(a)] = source;
      else
        out.rows[size_t(a)].push_back({b, source});
    }
  return out;
}

TEST(ScheduledLdlt, SolvesWhatDenseFactorsSolve) {
  std::mt19937 engine(3);
  for (const bool mixed : {false, true})
    for (const auto& [n, m] : {std::pair(1, 0), std::pair(8, 3), std::pair(30, 11), std::pair(60, 25)}) {
      const Problem problem = random_problem(n, m, mixed, engine);
      ScheduledLdlt ldlt(problem.rows, problem.diagonal, int(problem.values.size()));
      ASSERT_FALSE(ldlt.too_long());
      std::copy(problem.values.begin(), problem.values.end(), ldlt.values());
      ASSERT_EQ(ldlt.factor(1e-13), n + m) << n << ' ' << mixed;
      const Vec b = Vec::LinSpaced(n + m, -1, 2);
      Vec x = b;
      ldlt.solve(x.data());
      EXPECT_LT((problem.A * x - b).norm(), 1e-10 * (1 + x.norm())) << n << ' ' << mixed;
      Vec only = b, there = b;
      for (int i = 0; i < n + m; ++i)
        if (problem.diagonal[size_t(i)] >= 0) only[i] = there[i] = 0;
      ldlt.solve_second_group(only.data());
      EXPECT_LT((problem.A * only - there).norm(), 1e-10 * (1 + only.norm())) << n << ' ' << mixed;
    }
}

// An arrow that points the wrong way fills entirely: n (n − 1) (n − 2)/6 products. The other one has none at all.
TEST(ScheduledLdlt, FindsFillAndGivesUpWhereToldTo) {
  constexpr int n = 20;
  std::vector<std::vector<ScheduledLdlt::Entry>> full(n), none(n);
  std::vector<int> diagonal(n);
  for (int i = 0; i < n; ++i) {
    diagonal[size_t(i)] = i;
    if (i > 0) full[size_t(i)].push_back({0, n + i});
    if (i < n - 1) none[n - 1].push_back({i, n + i});
  }
  EXPECT_EQ(ScheduledLdlt(full, diagonal, 2 * n).products(), size_t(n * (n - 1) * (n - 2) / 6));
  EXPECT_EQ(ScheduledLdlt(none, diagonal, 2 * n).products(), 0u);
  EXPECT_FALSE(ScheduledLdlt(full, diagonal, 2 * n, n * (n - 1) * (n - 2) / 6).too_long());
  EXPECT_TRUE(ScheduledLdlt(full, diagonal, 2 * n, n * (n - 1) * (n - 2) / 6 - 1).too_long());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
