// Tangents of every system at hand against differences of eighth order: problems, joints, drivers, shipped models in every
// coordinate set.
#include <algorithm>
#include <filesystem>

#include "support/runs.hpp"
#include "support/spatial_samples.hpp"
#include "support/tangent_checks.hpp"

namespace driftless {
namespace {

using namespace testing;

constexpr double kExact = 1e-10;       // filled by batches, or by jets
constexpr double kDifferenced = 1e-6;  // central differences of second order, on forces of any stiffness

double bound(const DescriptorSystem& system) { return system.fills_tangents() ? kExact : kDifferenced; }

TEST(Tangents, OfProblemsAreDerivatives) {
  for (const ProblemRecord* record : problem_records()) {
    SCOPED_TRACE(record->name);
    const auto instance = instantiate(*record, Options("problem", record->options, {}));
    if (instance.system->layout().mass_is_implicit) continue;
    EXPECT_LT(worst_tangent_error(*instance.system, instance.start, 3), bound(*instance.system));
  }
}

// Mechanisms of the library with all of their equations in templates.
TEST(Tangents, OfTemplatesAreExact) {
  for (const char* name : {"circle-track", "rolling-disc", "double-pendulum"}) {
    SCOPED_TRACE(name);
    const auto instance = problem(name);
    EXPECT_LT(worst_tangent_error(*instance.system, instance.start, 5), 1e-8);
  }
}

TEST(Tangents, OfSpatialJointsAreDerivatives) {
  for (const auto* record : spatial_records())
    for (const char* coordinates : {"reference-point", "euler-parameters"})
      for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(record->element.type + " in " + coordinates);
        Random random(seed);
        const SpatialSample sample = spatial_sample(record->element.type, is_driver(record), random);
        const CompiledModel compiled = compile(sample.model, coordinates, "sample");
        EXPECT_LT(worst_tangent_error(*compiled.system, compiled.guess, seed), bound(*compiled.system));
      }
}

void check_model(const std::string& name) {
  const Model model = model_file(name);
  for (const CoordinatesRecord* record : coordinates_records()) {
    if (record->compile == nullptr) continue;
    if (model.space == Space::planar && record->method.name == "euler-parameters") continue;
    SCOPED_TRACE(name + " in " + record->method.name);
    AssembledModel made;
    try {
      made = assembled(model, record->method.name);
    } catch (const InputError&) {
      continue;  // not every set takes every model
    }
    if (made.system().layout().mass_is_implicit) continue;
    EXPECT_LT(worst_tangent_error(made.system(), made.start(), 7), bound(made.system()));
  }
}

TEST(Tangents, OfModelsAreDerivatives) {
  for (const char* name : {"slider-crank", "gear-and-rack", "spatial-slider-crank", "five-link-suspension"})
    check_model(name);
}

TEST(Tangents, OfAllModelsAreDerivatives_full) {
  for (const auto& file : std::filesystem::directory_iterator(std::string(DRIFTLESS_SOURCE_DIR) + "/models"))
    if (file.path().extension() == ".json") check_model(file.path().stem().string());
}

}  // namespace
}  // namespace driftless
