// Canonical forms under an integrator that remembers past momenta (bdf): multipliers that iterations find are carried along, too.
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Results run(const std::string& name, const std::string& formulation, double rtol) {
  const auto instance = problem(name);
  RunSetup setup = figures_only(1);
  setup.formulation = formulation;
  setup.integrator = "bdf";
  setup.rtol = rtol;
  setup.max_steps = 5000;
  return simulate(*instance.system, instance.start, setup);
}

// Where jumps of the base ended the past of bdf, it went on at order 1: a hundred times the steps at every two digits more.
TEST(CanonicalMemory, IteratedMultipliersKeepTheOrderOfBdf) {
  for (const char* name : {"circle-track", "double-pendulum"})
    for (const double rtol : {1e-6, 1e-8}) {
      const Results exact = run(name, "canonical-lagrange", rtol),
                    iterated = run(name, "canonical-augmented", rtol);
      ASSERT_TRUE(exact.good()) << name << ": " << exact.message;
      ASSERT_TRUE(iterated.good()) << name << ": " << iterated.message;
      EXPECT_LT(iterated.statistics.accepted, 2 * exact.statistics.accepted) << name << ", " << rtol;
      EXPECT_LT(max_difference(iterated.final.q, exact.final.q), 1000 * rtol) << name << ", " << rtol;
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
