// Every stabilization on Hoitink's double pendulum (six coordinates, singular mass matrix), with fixed steps of order p:
// the drift falls with the powers of the step that theory gives (ε = C hᵖ⁺¹ is the local error).
#include <map>

#include "driftless/integrator/choices.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct DriftCase {
  const char* stabilization;
  const char* integrator;
  int p;
  double position_slope, velocity_slope;  // expected powers of h; 0: round-off
  double h;                               // the coarser of two steps, small enough to show the slope
};

Drift drift_of(
    const DescriptorSystem& system, const State& start, const DriftCase& c, double h, const char* weight) {
  RunSetup setup = fixed(0.8, c.integrator, h);
  setup.stabilization = c.stabilization;
  setup.options["weight"] = weight;
  const Results results = simulate(system, start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  return results.drift;
}

class DriftSlope : public ::testing::TestWithParam<DriftCase> {};

TEST_P(DriftSlope, IsTheOneOfTheory) {
  const DriftCase& c = GetParam();
  const auto pendulum = problem("double-pendulum");
  const double width = c.p < 4 ? 0.5 : 1.0;  // rk4 reaches round-off before its slopes settle
  for (const char* weight : {"mass", "identity"}) {
    const Drift coarse = drift_of(*pendulum.system, pendulum.start, c, c.h, weight);
    const Drift fine = drift_of(*pendulum.system, pendulum.start, c, c.h / 2, weight);
    const auto check = [&](double of_coarse, double of_fine, double slope, const char* level) {
      SCOPED_TRACE(std::string(weight) + ", " + level);
      if (slope == 0) {
        EXPECT_LT(of_fine, 1e-14);
        return;
      }
      EXPECT_GT(of_fine, 1e-15);  // below it round-off hides the slope: take longer steps
      EXPECT_NEAR(order(of_coarse, of_fine), slope, width);
    };
    check(coarse.position_max, fine.position_max, c.position_slope, "positions");
    check(coarse.velocity_max, fine.velocity_max, c.velocity_slope, "velocities");
  }
}

INSTANTIATE_TEST_SUITE_P(Theory,
                         DriftSlope,
                         ::testing::Values(DriftCase{"pstab", "euler", 1, 6, 4, 0.005},
                                           DriftCase{"pstab", "heun", 2, 9, 6, 0.04},
                                           DriftCase{"pstab", "rk4", 4, 0, 10, 0.04},
                                           DriftCase{"s-both", "euler", 1, 4, 2, 0.005},
                                           DriftCase{"s-both", "heun", 2, 6, 3, 0.01},
                                           DriftCase{"s-both", "rk4", 4, 10, 5, 0.04},
                                           DriftCase{"s-seq", "euler", 1, 4, 4, 0.005},
                                           DriftCase{"s-seq", "heun", 2, 6, 6, 0.01},
                                           DriftCase{"s-seq", "rk4", 4, 10, 10, 0.04},
                                           DriftCase{"s-full", "euler", 1, 4, 4, 0.005},
                                           DriftCase{"s-full", "heun", 2, 6, 6, 0.005},
                                           DriftCase{"velocity-only", "heun", 2, 2, 0, 0.01}),
                         [](const auto& test) {
                           return plain(std::string(test.param.stabilization) + "_" + test.param.integrator);
                         });

TEST(Stabilization, ProjectionReachesRoundOff) {
  const auto pendulum = problem("double-pendulum");
  const Drift drift =
      drift_of(*pendulum.system, pendulum.start, {"projection", "heun", 2, 0, 0, 0}, 0.02, "mass");
  EXPECT_LT(drift.position_max, 2e-14);
  EXPECT_LT(drift.velocity_max, 1e-14);
}

TEST(Stabilization, WithoutItDriftGrowsWithTime) {
  const auto pendulum = problem("double-pendulum");
  std::vector<double> position, velocity;
  for (const double t_end : {0.5, 1.0, 2.0, 4.0}) {
    RunSetup setup = fixed(t_end, "rk4", 0.01);
    setup.stabilization = "none";
    const Results results = simulate(*pendulum.system, pendulum.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    position.push_back(results.drift.position_max);
    velocity.push_back(results.drift.velocity_max);
  }
  for (size_t i = 1; i < position.size(); ++i) {
    EXPECT_GT(position[i], 1.5 * position[i - 1]);  // like t², with the liveliness of the motion
    EXPECT_GE(velocity[i], velocity[i - 1]);
  }
  EXPECT_GT(position.back(), 30 * position.front());
}

// Every registered stabilization keeps the order of the scheme and, but for `none`, acts in every step.
class EveryStabilization : public ::testing::TestWithParam<const StabilizationRecord*> {};

TEST_P(EveryStabilization, KeepsTheOrderOfTheMotion) {
  const std::string name = GetParam()->method.name;
  EXPECT_FALSE(GetParam()->method.reference.empty());
  const auto track = problem("circle-track");
  std::vector<double> errors;
  for (const double h : {0.05, 0.025}) {
    RunSetup setup = fixed(1, "rk4", h);
    setup.stabilization = name;
    const Results results = simulate(*track.system, track.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    errors.push_back(std::hypot(results.final.q[0] - std::sin(1.0), results.final.q[1] - std::cos(1.0)));
    EXPECT_EQ(results.statistics.stabilizations, name == "none" ? 0 : results.statistics.accepted);
  }
  EXPECT_GT(order(errors[0], errors[1]), 3.8);
}

INSTANTIATE_TEST_SUITE_P(Registry,
                         EveryStabilization,
                         ::testing::ValuesIn(stabilization_records().begin(), stabilization_records().end()),
                         [](const auto& test) { return plain(test.param->method.name); });

TEST(Stabilization, GateLeavesSmallDriftAlone) {
  const auto andrews = problem("andrews");
  std::map<double, long> corrected;
  long steps = 0;
  for (const char* text : {"0", "1e-9", "1e-6"}) {
    const double datol = std::stod(text);
    RunSetup setup = figures_only(0.03);
    setup.rtol = 1e-6;
    setup.options["datol"] = text;
    const Results results = simulate(*andrews.system, andrews.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    corrected[datol] = results.statistics.stabilizations;
    if (datol == 0) {
      steps = results.statistics.steps();
      EXPECT_EQ(corrected[datol], steps);  // every attempted step
    } else {
      EXPECT_LT(corrected[datol], steps);
      EXPECT_LT(results.drift.position_max, 10 * datol + 1e-12);
    }
    EXPECT_NEAR(static_cast<double>(results.statistics.steps()), static_cast<double>(steps),
                0.05 * static_cast<double>(steps));
  }
  EXPECT_LT(corrected[1e-6], corrected[1e-9]);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
