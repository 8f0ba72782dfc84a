// Tangents of every system at hand against differences of eighth order: problems, joints, drivers, trees, shipped models in
// every coordinate set.
#include <algorithm>
#include <filesystem>

#include "driftless/system/switching/switching.hpp"
#include "driftless/system/tangents/tangent_columns.hpp"

#include "support/runs.hpp"
#include "support/spatial_samples.hpp"
#include "support/spatial_trees.hpp"
#include "support/tangent_checks.hpp"
#include "support/tree_models.hpp"

namespace driftless {
namespace {

using namespace testing;

constexpr double kExact = 1e-10;       // filled by batches, or by jets
constexpr double kDifferenced = 1e-6;  // central differences of second order, on forces of any stiffness

// M must be there to be differenced.
std::map<std::string, std::string> formed(const std::string& coordinates) {
  if (coordinates == "relative") return {{"mass", "formed"}};
  return {};
}

double bound(const DescriptorSystem& system) { return system.fills_tangents() ? kExact : kDifferenced; }

// Equations hold anywhere: near no solution in particular.
State any_state(const DescriptorSystem& system, unsigned seed) {
  Random random(seed);
  State state{0.3, Vec(system.layout().nq), Vec(system.layout().nv)};
  for (auto& x : state.q) x = random.number(-1.5, 1.5);
  for (auto& x : state.v) x = random.number(-2, 2);
  system.normalize(state.q);
  return state;
}

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
    for (const char* coordinates : {"reference-point", "euler-parameters", "natural", "relative"})
      for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(record->element.type + " in " + coordinates);
        Random random(seed);
        const SpatialSample sample = spatial_sample(record->element.type, is_driver(record), random);
        const CompiledModel compiled = compile(sample.model, coordinates, "sample", formed(coordinates));
        EXPECT_TRUE(compiled.system->fills_tangents());
        EXPECT_LT(worst_tangent_error(*compiled.system, any_state(*compiled.system, seed), seed), kExact);
      }
}

// Joints of every kind in both directions, balls, screws, loops with and without ancestors that move, scalars that are
// coordinates of the tree or of their own.
TEST(Tangents, OfTreesAreExact) {
  std::vector<Model> models = tree_models();
  for (const SpatialTreeModel& tree : {branched_tree(), looped_trees(), geared_tree()})
    models.push_back(tree.model);
  for (const Model& model : models)
    for (const char* coordinates : {"relative", "natural"})
      for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(model.name + " in " + coordinates);
        const CompiledModel compiled = compile(model, coordinates, "tree", formed(coordinates));
        EXPECT_LT(worst_tangent_error(*compiled.system, any_state(*compiled.system, seed), seed), kExact);
      }
}

// The changes of T v, and increments from changes of q.
TEST(Tangents, OfKinematicsOfBallsAreExact) {
  SpatialTreeModel tree = looped_trees();
  const CompiledModel compiled = compile(tree.model, "relative", "tree", {{"mass", "formed"}});
  const State state = any_state(*compiled.system, 4);
  KinematicTangents found, expected;
  for (int round = 0; round < 2; ++round) compiled.system->kinematic_tangents(0, state.q, state.v, found);
  difference_kinematics(*compiled.system, 0, state.q, state.v, expected);
  EXPECT_LT((Mat(found.T) - Mat(expected.T)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((Mat(found.N) - Mat(expected.N)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((Mat(found.P) - Mat(expected.P)).cwiseAbs().maxCoeff(), 1e-14);
}

// Trees that are solved by articulated bodies form M for Jacobians.
TEST(Tangents, MassIsFormedWhereItIsAskedFor) {
  const Model model = branched_tree().model;
  const CompiledModel never = compile(model, "relative", "tree"),
                      always = compile(model, "relative", "tree", {{"mass", "formed"}});
  ASSERT_TRUE(never.system->layout().mass_is_implicit);
  const State state = any_state(*never.system, 6);
  Terms without = never.system->make_terms(), with = always.system->make_terms();
  never.system->position(0, state.q, without);
  always.system->position(0, state.q, with);
  always.system->mass(0, state.q, with);
  const auto mass = dynamic_cast<const FormsMass&>(*never.system).make_formed_mass();
  mass->fill(without);
  EXPECT_EQ((Mat(mass->M()) - Mat(with.M)).norm(), 0);
}

// Stops that yield and clutches that slip are forces along rows that are not in force.
TEST(Tangents, OfStopsAndClutchesAreExact) {
  for (const char* name : {"bump-stop", "clutch"}) {
    SCOPED_TRACE(name);
    const AssembledModel made = assembled(model_file(name));
    State state = made.start();
    const auto& names = made.system().layout().q_names;
    if (const auto car = std::find(names.begin(), names.end(), "car.y"); car != names.end())
      state.q[car - names.begin()] -= 0.1;  // onto the stop
    Mode mode = switching_of(made.system())->make_mode();
    const auto system = switching_of(made.system())->in_mode(mode);
    Terms terms = system->make_terms();
    switching_of(*system)->begin_mode(state, nullptr, terms, mode);
    EXPECT_NE(std::count(mode.values.begin(), mode.values.end(), 0), std::ssize(mode.values));
    for (unsigned seed = 1; seed <= 3; ++seed) EXPECT_LT(worst_tangent_error(*system, state, seed), kExact);
  }
}

// Parts asked for one by one are those of all together.
TEST(Tangents, OfPartsAreThoseOfTheWhole) {
  for (const char* coordinates : {"relative", "natural", "reference-point"}) {
    const CompiledModel compiled = compile(looped_trees().model, coordinates, "tree", formed(coordinates));
    const DescriptorSystem& system = *compiled.system;
    const State state = any_state(system, 5);
    const Vec a = Vec::LinSpaced(system.layout().nv, -1, 2),
              lambda = Vec::LinSpaced(system.layout().m, 3, -1);
    Terms terms = system.make_terms();
    const auto fill = [&](const TangentParts& parts) {
      Tangents out = system.make_tangents(parts);
      system.tangents(0.2, state.q, state.v, a, lambda, terms, out);
      return out;
    };
    const Tangents all = fill({.dynamics = true, .velocity = true, .acceleration = true});
    EXPECT_EQ((Mat(fill({.velocity = true}).L) - Mat(all.L)).norm(), 0);
    EXPECT_EQ((Mat(fill({.acceleration = true}).S_q) - Mat(all.S_q)).norm(), 0);
    EXPECT_EQ((Mat(fill({.acceleration = true}).S_v) - Mat(all.S_v)).norm(), 0);
    // K of Jᵀλ is what λ adds to K.
    Tangents none = system.make_tangents({.dynamics = true});
    system.tangents(0.2, state.q, state.v, a, Vec::Zero(lambda.size()), terms, none);
    const Mat sum = Mat(none.K) + Mat(fill({.reactions = true}).K);
    EXPECT_LT((sum - Mat(all.K)).cwiseAbs().maxCoeff(), 1e-11 * sum.cwiseAbs().maxCoeff()) << coordinates;
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
      made = assembled(model, record->method.name, formed(record->method.name));
    } catch (const InputError&) {
      continue;  // not every set takes every model
    }
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
