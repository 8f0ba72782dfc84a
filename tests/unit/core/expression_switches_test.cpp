// Switches of expressions with given states: smooth beyond their ends, roots that are positive while a state lasts.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "driftless/core/expression/expression.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

struct Seen {
  std::vector<int> states;
  std::vector<double> roots, rates;
};
Seen at(const Expression& f, double x, double v) {
  const double variables[] = {x, v}, rates[] = {v, 0};
  Seen out;
  out.states.resize(f.switch_count());
  out.roots.resize(2 * f.switch_count());
  out.rates = out.roots;
  f.begin_states(0, variables, rates, out.states.data());
  f.roots(0, variables, rates, out.states.data(), out.roots.data(), out.rates.data());
  return out;
}
Expression law(const char* text) { return Expression(text, {"t", "x", "v"}); }
double frozen(const Expression& f, double x, double v, const std::vector<int>& states) {
  const double variables[] = {x, v};
  return f.frozen(0, variables, states.data());
}

TEST(ExpressionSwitches, StayInTheirStates) {
  const Expression f = law("if(x < 1, x^2, 7) + abs(v)");
  ASSERT_EQ(f.switch_count(), 2U);  // `if` follows its condition
  const Seen below = at(f, 0.5, -2), above = at(f, 3, 2);
  EXPECT_EQ(below.states, std::vector<int>({1, 0}));
  EXPECT_EQ(above.states, std::vector<int>({0, 1}));
  EXPECT_DOUBLE_EQ(frozen(f, 3, 5, below.states), 9 - 5);
  EXPECT_DOUBLE_EQ(frozen(f, 0.5, -5, above.states), 7 - 5);
  EXPECT_DOUBLE_EQ(below.roots[0], 0.5);  // 1 − x
  EXPECT_DOUBLE_EQ(below.rates[0], 2);
  EXPECT_TRUE(std::isnan(below.roots[1]));
  EXPECT_DOUBLE_EQ(above.roots[1], 2);
  EXPECT_DOUBLE_EQ(below.roots[3], 2);  // −v
}

TEST(ExpressionSwitches, LevelsHaveTwoEnds) {
  const Expression f = law("floor(4*x)");
  const Seen seen = at(f, 0.6, 1);
  EXPECT_EQ(seen.states, std::vector<int>({2}));
  EXPECT_NEAR(seen.roots[0], 0.4, 1e-15);
  EXPECT_NEAR(seen.roots[1], 0.6, 1e-15);
  const double variables[] = {0.75, 1};
  EXPECT_EQ(f.state_behind(0, 0, variables, seen.states.data()), 1);
  EXPECT_EQ(f.state_behind(1, 0, variables, seen.states.data()), 3);
}

TEST(ExpressionSwitches, SignGoesToTheOtherSide) {
  const Expression f = law("3*sign(v)");
  const Seen seen = at(f, 0, 2);
  const double variables[] = {0, 0};
  EXPECT_EQ(f.state_behind(0, 0, variables, seen.states.data()), -1);
  const Seen rest = at(f, 0, 0);
  EXPECT_EQ(rest.states, std::vector<int>({0}));
  EXPECT_EQ(rest.roots, std::vector<double>({0, 0}));  // either way
}

TEST(ExpressionSwitches, AnglesGoOnAcrossTheCut) {
  const Expression f = law("atan2(v, x)");
  const Seen above = at(f, -1, 0.1);
  EXPECT_EQ(above.states, std::vector<int>({1}));
  EXPECT_NEAR(frozen(f, -1, -0.1, above.states), 2 * std::numbers::pi + std::atan2(-0.1, -1), 1e-15);
}

TEST(ExpressionSwitches, BranchesThatEndAreLeft) {
  const Expression f = law("if(x < 1, (1 - x)^1.5, 0)");
  EXPECT_EQ(frozen(f, 1.5, 0, at(f, 0.5, 0).states), 0);
}

TEST(ExpressionSwitches, SmoothHasNone) {
  const Expression f = law("smooth(max(x, 0)) + 2");
  EXPECT_EQ(f.switch_count(), 0U);
  EXPECT_TRUE(f.has_smooth());
  EXPECT_FALSE(law("max(x, 0)").has_smooth());
  EXPECT_TRUE(Expression("smooth(abs(t - 1))").break_times(0, 2).empty());
}

TEST(ExpressionSwitches, CeilAndMod) {
  const Expression ceil("ceil(t)"), mod("mod(t, 0.25)");
  EXPECT_EQ(ceil(0.3), 1);
  EXPECT_EQ(ceil(-0.3), 0);
  EXPECT_NEAR(mod(0.6), 0.1, 1e-15);
  EXPECT_NEAR(mod(-0.1), 0.15, 1e-15);
  EXPECT_EQ(mod.break_times(0, 1).size(), 3U);
  EXPECT_EQ(Expression("mod(7, 4)")(0), 3);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
