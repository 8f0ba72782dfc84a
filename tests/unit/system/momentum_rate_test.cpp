// Ṁ v + J̇ᵀ s along the motion: exact jets against the differences every system has, and both against pencil and paper.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

#include "support/equations.hpp"
#include "support/pencil_and_paper.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

Vec random_vector(int size, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Vec::NullaryExpr(size, [&] { return uniform(random); });
}

template <class E>
class MomentumRate : public ::testing::Test {};
using Equations = ::testing::
    Types<pencil_and_paper::Pendulum, pencil_and_paper::KnifeEdge, pencil_and_paper::Top, testing::TwoArm>;
TYPED_TEST_SUITE(MomentumRate, Equations);

TYPED_TEST(MomentumRate, JetsMeetDifferences) {
  TypeParam equations;
  if constexpr (requires { equations.omega = 1.0; }) {
    if constexpr (requires { equations.a = 0.3; }) {
      equations.a = 0.3;
      equations.omega = 2;
    }
  }
  const JetSystem<TypeParam> system(equations);
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  DifferenceScratch scratch(layout);
  std::mt19937 random(7);
  for (int trial = 0; trial < 5; ++trial) {
    Vec q = random_vector(layout.nq, random);
    system.normalize(q);
    const Vec v = 3 * random_vector(layout.nv, random), s = random_vector(layout.m, random);
    Vec exact(layout.nv), differences(layout.nv);
    system.momentum_rate(0.7, q, v, s, terms, scratch, exact);
    system.DescriptorSystem::momentum_rate(0.7, q, v, s, terms, scratch, differences);
    EXPECT_GT(max_abs(exact), 1e-3);
    EXPECT_LT(max_abs(exact - differences), 1e-10 * (1 + max_abs(exact)));
  }
}

// J = ((x − a sin ωt)/l, y/l):   J̇ᵀ s = ((ẋ − a ω cos ωt)/l, ẏ/l) s.
TEST(MomentumRateByHand, MovingPendulum) {
  const pencil_and_paper::Pendulum equations{.l = 1.3, .a = 0.4, .omega = 2};
  const JetSystem<pencil_and_paper::Pendulum> system(equations);
  Terms terms = system.make_terms();
  DifferenceScratch scratch(system.layout());
  Vec rate(2);
  system.momentum_rate(0.7, Vec2(0.2, -1.1), Vec2(0.5, 0.3), Vec::Constant(1, 2.0), terms, scratch, rate);
  EXPECT_NEAR(rate[0], 2 * (0.5 - 0.8 * std::cos(1.4)) / 1.3, 1e-14);
  EXPECT_NEAR(rate[1], 2 * 0.3 / 1.3, 1e-14);
}

// Ṁ = −sin θ₂ θ̇₂ (1 ½; ½ 0)
TEST(MomentumRateByHand, TwoArmMass) {
  const JetSystem<testing::TwoArm> system({});
  Terms terms = system.make_terms();
  DifferenceScratch scratch(system.layout());
  Vec rate(2);
  system.momentum_rate(0, Vec2(0.4, 0.9), Vec2(1.1, -0.6), Vec::Zero(1), terms, scratch, rate);
  const double slope = -std::sin(0.9) * -0.6;
  EXPECT_NEAR(rate[0], slope * (1.1 - 0.3), 1e-14);
  EXPECT_NEAR(rate[1], slope * 0.55, 1e-14);
}

// Every mechanism and problem: along a motion, the difference quotient of M v + Jᵀ s at constant v and s.
TEST(MomentumRateByHand, EveryProblem) {
  std::mt19937 random(11);
  for (const ProblemRecord* record : problem_records()) {
    const ProblemInstance problem = instantiate(*record, Options(record->name, record->options, {}));
    const DescriptorSystem& system = *problem.system;
    const Layout& layout = system.layout();
    if (layout.mass_is_implicit) continue;
    Terms terms = system.make_terms();
    DifferenceScratch scratch(layout);
    const Vec v = problem.start.v + random_vector(layout.nv, random).cwiseProduct(layout.v_scale);
    const Vec s = random_vector(layout.m, random);
    Vec rate(layout.nv);
    system.momentum_rate(problem.start.t, problem.start.q, v, s, terms, scratch, rate);
    const auto momentum = [&](double ahead) {
      Vec q = problem.start.q, p(layout.nv);
      system.retract(q, ahead * v);
      system.position(problem.start.t + ahead, q, terms);
      system.mass(problem.start.t + ahead, q, terms);
      mass_times(terms, v, p);
      add_transposed_rows(terms, 1, s, p);
      return p;
    };
    const double h = 1e-5 / std::max(1.0, max_abs(v) / 10);  // the way made, not the time
    const Vec rough = (momentum(h) - momentum(-h)) / (2 * h);
    EXPECT_LT(max_abs(rate - rough), 1e-7 * (1 + max_abs(rough))) << record->name;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
