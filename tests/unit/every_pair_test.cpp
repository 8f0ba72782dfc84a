// Every legal (formulation, integrator) pair takes a few steps, with records, on mechanisms of different kinds. What comes out
// is checked in the batteries; here it is the sanitizers that look on.
#include <algorithm>

#include <gtest/gtest.h>

#include "driftless/integrator/choices.hpp"
#include "driftless/system/user/vector_space.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

class EveryPair : public ::testing::TestWithParam<const FormulationRecord*> {};

TEST_P(EveryPair, TakesAFewSteps) {
  const auto crank = assembled(model_file("slider-crank"));
  const auto arm = assembled(model_file("spatial-double-pendulum"), "euler-parameters");
  const auto natural = assembled(model_file("four-bar"), "natural");
  const auto angles = assembled(model_file("spatial-slider-crank"), "relative");
  for (const auto* integrator : integrator_records()) {
    if (!fits(*GetParam(), *integrator)) continue;
    for (const auto* at : {&crank, &arm, &natural, &angles}) {
      if (GetParam()->needs_mass && at->system().layout().mass_is_implicit) continue;
      const auto* meant =  // `auto` stands for another
          choose_methods(GetParam()->method.name, integrator->method.name, "", {}, !integrator->adaptive)
              .integrator;
      if (GetParam()->kind == FormKind::residual && meant->needs_vector_space &&
          !is_vector_space(at->system(), at->start()))
        continue;
      SCOPED_TRACE(GetParam()->method.name + " " + integrator->method.name);
      RunSetup setup;
      setup.formulation = GetParam()->method.name;
      setup.integrator = integrator->method.name;
      setup.rtol = 1e-4;
      setup.t_end = at->start().t + 0.01;
      setup.output_step = 0.004;
      if (!integrator->adaptive) setup.step = 0.002;
      const Results results = simulate(at->system(), at->start(), setup);
      EXPECT_TRUE(results.good()) << results.message;
      EXPECT_TRUE(results.final.q.allFinite() && results.final.v.allFinite());
      EXPECT_EQ(results.trajectory.size(), 4u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryPair, ::testing::ValuesIn(formulation_records()), [](const auto& at) {
  std::string name = at.param->method.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
