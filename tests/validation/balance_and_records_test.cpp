// What is not tested for errors in steps must be right as well: the work at a cut, that of drivers under penalties, records between
// steps.
#include <cmath>

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Steps of dop853 are long and cut at every knot of a damper: dense output had the work 1e-5 of the energy off at rtol 1e-9.
TEST(Work, IsRightWhereStepsAreCut) {
  const AssembledModel car = assembled(model_file("car-on-bump"));
  for (const double rtol : {1e-8, 1e-9, 1e-10}) {
    RunSetup setup = figures_only(1.5);
    setup.integrator = "dop853";
    setup.rtol = rtol;
    const Results results = simulate(car.system(), car.start(), setup);
    ASSERT_EQ(results.status, Status::ok) << results.message;
    EXPECT_TRUE(results.warnings.empty()) << results.warnings.front();
    EXPECT_LT(results.energy->max_relative_error, 10 * rtol);
  }
}

// λ of a penalty is 1e7 times an error of the accelerations that a scheme on positions has: no force that does work. The balance was off
// by 9500 times the energy.
TEST(Work, OfDriversIsThatOfTheMotionUnderPenalties) {
  const AssembledModel shaft = assembled(model_file("universal-shaft"), "natural");
  for (const char* integrator :
       {"generalized-alpha", "hht-alpha", "newmark", "wilson-theta", "collocation"}) {
    RunSetup setup = figures_only(0.3);
    setup.formulation = "penalty";
    setup.integrator = integrator;
    const Results results = simulate(shaft.system(), shaft.start(), setup);
    ASSERT_EQ(results.status, Status::ok) << results.message;
    EXPECT_TRUE(results.warnings.empty()) << integrator << ": " << results.warnings.front();
    EXPECT_LT(results.energy->max_relative_error, 100 * setup.rtol) << integrator;
  }
}

// M⁻¹Jᵀ is nearly tangent to the constraint of this problem: put back along it, records moved by a thousand times what they were off.
TEST(Records, BetweenStepsAreAsGoodAsTheSteps) {
  const ProblemInstance linear = problem("stabilization-index3");
  for (const char* formulation : {"index2", "index2-ggl", "lagrange"}) {
    RunSetup setup = figures_only(1);
    setup.record = true;
    setup.output_step = 0.1;
    setup.formulation = formulation;
    setup.integrator = formulation[0] == 'l' ? "radau-iia5" : "bdf";
    setup.rtol = 1e-4;
    const Results results = simulate(*linear.system, linear.start, setup);
    ASSERT_EQ(results.status, Status::ok) << results.message;
    EXPECT_TRUE(results.warnings.empty()) << formulation << ": " << results.warnings.front();
    const Trajectory& records = results.trajectory;
    for (size_t i = 0; i < records.t.size(); ++i)
      for (size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(records.q.data[2 * i + k], std::exp(records.t[i]), 0.005) << formulation;
        EXPECT_NEAR(records.v.data[2 * i + k], std::exp(records.t[i]), 0.05) << formulation;
      }
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
