// penalty and augmented-lagrangian as formulations: order, limit, model error, masses and rows they may lack.
#include <cmath>

#include <gtest/gtest.h>

#include "driftless/system/user/jet_system.hpp"

#include "support/equations.hpp"
#include "support/runs.hpp"
#include "support/slider_crank.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Crank angle and rate at t = 2 from (0.4, 3), to ten digits from minimal coordinates.
constexpr double kAngle = -1.3159331177, kRate = -3.8327426843;

class PenaltyFamily : public ::testing::TestWithParam<std::string> {
 protected:
  RunSetup setup(double t_end, double rtol) const {
    RunSetup out = figures_only(t_end);
    out.formulation = GetParam();
    out.rtol = rtol;
    return out;
  }
};

TEST_P(PenaltyFamily, MeetsTheReference) {
  const auto system = make_system(SliderCrank{});
  const Results results = simulate(*system, SliderCrank::at(0.4, 3), setup(2, 1e-9));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(results.final.q[2], kAngle, 2e-6);  // penalty gives way by 1e-7 of the forces
  EXPECT_NEAR(results.final.v[2], kRate, 2e-5);
  EXPECT_LT(results.drift.position_max, 1e-12);
}

TEST_P(PenaltyFamily, KeepsTheOrderOfTheScheme) {
  const auto system = make_system(SliderCrank{});
  double error[3];
  for (int k = 0; k < 3; ++k) {
    RunSetup run = fixed(2, "rk4", 0.02 / (1 << k));
    run.formulation = GetParam();
    const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
    ASSERT_TRUE(results.good()) << results.message;
    error[k] = std::abs(results.final.q[2] - kAngle);
  }
  EXPECT_GT(order(error[0], error[1]), 3.5);
  EXPECT_LT(order(error[0], error[1]), 5.2);
  EXPECT_GT(order(error[1], error[2]), 3.3);
}

TEST_P(PenaltyFamily, HoldsNonholonomicRows) {
  const auto system = make_system(KnifeEdge{});
  const Results results = simulate(*system, KnifeEdge::start(), setup(3, 1e-9));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT((results.final.q - KnifeEdge::exact(3)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(results.energy->max_relative_error, 1e-6);
}

TEST_P(PenaltyFamily, FollowsRowsThatMove) {
  const auto system = make_system(TwoArm{});
  const Results results = simulate(*system, TwoArm::start(), setup(2, 1e-9));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT((results.final.q - TwoArm::at_two_seconds()).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT(results.energy->max_relative_error, 1e-6);  // with the work of the moving row
}

TEST_P(PenaltyFamily, TakesCoordinatesWithoutMass) {
  const auto pendulum = problem("double-pendulum");
  const Results results = simulate(*pendulum.system, pendulum.start, setup(1, 1e-9));
  RunSetup other = figures_only(1);
  other.rtol = 1e-10;
  const Results expected = simulate(*pendulum.system, pendulum.start, other);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(max_difference(results.final.q, expected.final.q), 1e-5);
  EXPECT_LT(results.energy->max_relative_error, 1e-6);
}

TEST_P(PenaltyFamily, RemarksOnRatesFasterThanTheSteps) {
  const auto system = make_system(SliderCrank{});
  RunSetup run = fixed(0.1, "rk4", 0.01);
  run.formulation = GetParam();
  EXPECT_TRUE(simulate(*system, SliderCrank::at(0.4, 3), run).notices.empty());
  run.options["omega"] = "100";
  const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
  ASSERT_EQ(results.notices.size(), 1u);
  EXPECT_NE(results.notices[0].find("omega"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Battery,
                         PenaltyFamily,
                         ::testing::Values("penalty", "augmented-lagrangian"),
                         [](const auto& test) { return plain(test.param); });

// The limit of the iterations is baumgarte with alpha = omega mu, beta = omega.
TEST(AugmentedLagrangian, IsBaumgarteInTheLimit) {
  const auto system = make_system(SliderCrank{});
  RunSetup run = fixed(2, "rk4", 0.01);
  run.stabilization = "none";
  run.formulation = "baumgarte";
  const Results expected = simulate(*system, SliderCrank::at(0.4, 3), run);
  run.formulation = "augmented-lagrangian";
  const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
  ASSERT_TRUE(results.good() && expected.good());
  EXPECT_LT(max_difference(results.final.q, expected.final.q), 1e-9);
  EXPECT_LT(max_difference(results.final.v, expected.final.v), 1e-8);
  EXPECT_NEAR(results.drift.position_max / expected.drift.position_max, 1, 1e-3);
}

// Without iterations and projection the rows stand off by λ/(α Ω²).
TEST(Penalty, RowsGiveWayLikeOneOverThePenalty) {
  const auto system = make_system(SliderCrank{});
  double before = 0;
  for (const char* penalty : {"1e3", "1e4", "1e5"}) {
    RunSetup run = figures_only(2);
    run.formulation = "penalty";
    run.stabilization = "none";
    run.options["penalty"] = penalty;
    run.rtol = 1e-9;
    const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
    ASSERT_TRUE(results.good()) << results.message;
    if (before > 0) {
      EXPECT_NEAR(before / results.drift.position_max, 10, 0.5) << penalty;
    }
    before = results.drift.position_max;
  }
}

TEST(AugmentedLagrangian, ReactionsAreThoseOfTheMechanism) {
  const auto system = make_system(SliderCrank{});
  RunSetup run = figures_only(1e-9);
  run.formulation = "augmented-lagrangian";
  const Results results = simulate(*system, SliderCrank::at(0.7, 2), run);
  const double lambda[] = {-6.75411882, -9.14395671, -6.14051049,  -3.16699883,
                           -2.45664692, 8.78691691,  -18.59691691, 0};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(results.final_reaction.lambda[i], lambda[i], 1e-6);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
