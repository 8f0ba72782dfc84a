// Penalties with schemes on positions: what was tried and given up leaves no trace in the equations.
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// The motor starts at 0.1 s with a step far too long, in which its unit vector grows long.
TEST(PenaltyResidual, GearAndRackInNaturalCoordinates) {
  const AssembledModel gears = assembled(model_file("gear-and-rack"), "natural");
  RunSetup setup = figures_only(0.5);
  const Results expected = simulate(gears.system(), gears.start(), setup);
  ASSERT_TRUE(expected.good()) << expected.message;
  setup.formulation = "penalty";
  for (const char* integrator : {"generalized-alpha", "hht-alpha", "newmark"}) {
    setup.integrator = integrator;
    const Results results = simulate(gears.system(), gears.start(), setup);
    ASSERT_TRUE(results.good()) << integrator << ": " << results.message;
    EXPECT_LT(results.energy->max_relative_error, 1e-4) << integrator;
    EXPECT_LT(max_difference(results.final.q, expected.final.q), 1e-4 * max_abs(expected.final.q))
        << integrator;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
