// Reactions of redundant mechanisms: those of least norm, the same in every coordinate set and along a whole run.
#include <cmath>

#include <fmt/format.h>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/formulation/formulation.hpp"

#include "support/runs.hpp"
#include "support/small_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

std::vector<JointReaction> reactions_at(const DescriptorSystem& system, const State& state) {
  std::vector<JointReaction> out;
  for (const auto* record : formulation_records()) {
    if (record->method.name != "lagrange") continue;
    const auto form = record->make(system, Options("lagrange", record->method.options, {}));
    form->drop_rows(find_redundancy(system, state).rows);
    Reaction reaction;
    EXPECT_EQ(form->react(state, reaction), Status::ok);
    system.joint_reactions(state.t, state.q, state.v, reaction, out);
  }
  return out;
}

// Three parallel bars carry a platform: any two would do.
Model parallel_bars() {
  Model model = empty_model(Space::planar);
  const double angle = 0.6;
  const Vec3 bar(std::cos(angle), std::sin(angle), 0);
  model.bodies = {flat_body("platform", 3, 0.7, Vec3(1, 0.2, 0) + bar)};
  for (int i = 0; i < 3; ++i) {
    const std::string name = fmt::format("bar_{}", i);
    const Vec3 foot(i, 0, 0);
    model.bodies.push_back(flat_body(name, 1 + 0.1 * i, 0.2, foot + 0.5 * bar, angle));
    model.joints.push_back(pin(fmt::format("foot_{}", i), point_on("ground", foot),
                               point_on(name, Vec3(-0.5, 0, 0)), Space::planar));
    model.joints.push_back(pin(fmt::format("top_{}", i), point_on(name, Vec3(0.5, 0, 0)),
                               point_on("platform", foot - Vec3(1, 0.2, 0)), Space::planar));
  }
  return model;
}

// Two wheels on one axle that roll on the floor: both hold it against sliding along itself.
Model wheel_set() {
  Model model = empty_model(Space::spatial);
  model.gravity = Vec3(0, 0, -9.81);
  const double radius = 0.4;
  model.bodies = {flat_body("axle", 5, 0.6, Vec3(0, 0, radius))};
  model.bodies[0].spin = Vec3(0, 0, 1.5);
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "right" : "left";
    Body wheel = flat_body(name, 2, 0.15, Vec3(0, side, radius));
    wheel.spin = Vec3(0, side * -1.5 / radius, 1.5);
    wheel.velocity = Vec3(-1.5 * side, 0, 0);
    model.bodies.push_back(wheel);
    model.joints.push_back(element(
        "hub_" + name, "revolute",
        {{"a", point_on("axle", Vec3(0, side, 0))}, {"b", point_on(name)}, {"axis", along(Vec3::UnitY())}}));
    model.joints.push_back(element("floor_" + name, "rolling-disc",
                                   {{"a", point_on("ground")},
                                    {"axis", along(Vec3::UnitZ())},
                                    {"b", point_on(name)},
                                    {"axis_b", along(Vec3::UnitY())},
                                    {"radius", radius}}));
  }
  return model;
}

struct Case {
  std::string name;
  Model model;
  double t_end;
};

std::vector<Case> cases() {
  return {{"parallel_bars", of_one_space(parallel_bars()), 0.4},
          {"wheel_set", of_one_space(wheel_set()), 0.3},
          {"bricard", model_file("bricard"), 0.3},
          {"spatial_four_bar", model_file("spatial-four-bar"), 0.3},
          {"universal_shaft", model_file("universal-shaft"), 0.3}};
}

class RedundantReactions : public ::testing::TestWithParam<Case> {};

TEST_P(RedundantReactions, AreTheSameInEveryCoordinateSet) {
  const Model& model = GetParam().model;
  const AssembledModel bodies = assembled(model);
  EXPECT_FALSE(find_redundancy(bodies.system(), bodies.start()).rows.empty());
  RunSetup setup = figures_only(GetParam().t_end);
  setup.stabilization = "projection";
  const Results results = simulate(bodies.system(), bodies.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  for (const State& state : {bodies.start(), results.final}) {
    const auto expected = reactions_at(bodies.system(), state);
    double size = 0;
    for (const auto& joint : expected) size = std::max({size, max_abs(joint.force), max_abs(joint.torque)});
    for (const std::string set : {"euler-parameters", "natural", "relative"}) {
      const bool by_start = set == "euler-parameters";  // nothing hands a state over to it
      if (by_start && (model.space == Space::planar || state.t > 0)) continue;
      const AssembledModel other = assembled(model, set);
      const auto found =
          reactions_at(other.system(), by_start ? other.start() : other.compiled.from_reference(state));
      ASSERT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_LT(max_abs(found[i].force - expected[i].force), 1e-9 * size) << set << " " << i;
        EXPECT_LT(max_abs(found[i].torque - expected[i].torque), 1e-9 * size) << set << " " << i;
        EXPECT_LT(max_abs(found[i].force_joint - expected[i].force_joint), 1e-9 * size) << set << " " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RedundantReactions, ::testing::ValuesIn(cases()), [](const auto& of) {
  return of.param.name;
});

// Records of a drifting run, off the constraints: the reactions follow those of an exact one.
TEST(RedundantReactionsOfRuns, FollowTheMotionWhereItDrifts) {
  const Model model = model_file("bricard");
  const auto run = [&](const std::string& set, const std::string& formulation) {
    const AssembledModel mechanism = assembled(model, set);
    RunSetup setup;
    setup.t_end = 0.3;
    setup.output_step = 0.01;
    setup.formulation = formulation;
    setup.integrator = formulation == "lagrange" ? "" : "radau-iia5";
    const Results results = simulate(mechanism.system(), mechanism.start(), setup);
    EXPECT_TRUE(results.good()) << set << " " << formulation << ": " << results.message;
    return results.trajectory;
  };
  const Trajectory expected = run("reference-point", "lagrange");
  double size = 0;
  for (const double x : expected.reactions) size = std::max(size, std::abs(x));
  for (const std::string set : {"natural", "relative"})
    for (const std::string formulation : {"lagrange", "baumgarte", "index2"}) {
      const Trajectory found = run(set, formulation);
      ASSERT_EQ(found.reactions.size(), expected.reactions.size());
      for (size_t i = 0; i < found.reactions.size(); ++i)
        ASSERT_NEAR(found.reactions[i], expected.reactions[i], 1e-3 * size)
            << set << " " << formulation << " at " << found.t[i / found.joint_names.size() / 12];
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
