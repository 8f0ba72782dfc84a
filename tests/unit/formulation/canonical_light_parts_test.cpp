// Momenta of parts with next to no inertia (flat bodies in natural coordinates, thin rods about their axis) must not set the
// pace: they take up reactions of the whole mechanism and mean no velocity of their own.
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Model bricard(const Vec3& inertia) {
  Model model = model_file("bricard");
  for (Body& body : model.bodies) body.inertia_tensor = inertia.asDiagonal();
  return model;
}

Results run(const AssembledModel& model, const std::string& formulation) {
  RunSetup setup = figures_only(0.1);
  setup.formulation = formulation;
  setup.rtol = 1e-8;
  setup.max_steps = 500;
  return simulate(model.system(), model.start(), setup);
}

// 0.01 + 0.1 is 0.11 but for round-off: what that leaves of the third moment is no mass.
TEST(CanonicalLightParts, DoNotSetThePace) {
  for (const Vec3& inertia : {Vec3(0.01, 0.1, 0.11), Vec3(0.03, 0.07, 0.09999999), Vec3(1e-9, 0.08, 0.08)})
    for (const char* coordinates : {"natural", "reference-point"}) {
      const AssembledModel model = assembled(bricard(inertia), coordinates);
      const Results expected = run(model, "lagrange");
      ASSERT_TRUE(expected.good()) << coordinates << ": " << expected.message;
      for (const char* formulation : {"canonical-lagrange", "canonical-augmented"}) {
        const Results results = run(model, formulation);
        ASSERT_TRUE(results.good()) << coordinates << ", " << formulation << ": " << results.message;
        EXPECT_LT(results.statistics.accepted, 50) << coordinates << ", " << formulation;
        EXPECT_LT(max_difference(results.final_quantities, expected.final_quantities), 1e-7);
      }
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
