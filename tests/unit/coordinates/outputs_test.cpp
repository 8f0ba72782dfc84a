// Output channels: what they read, in which units, and what is refused.
#include "driftless/system/observables.hpp"

#include "support/runs.hpp"
#include "support/small_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Element text_output(const std::string& name,
                    const std::string& type,
                    const std::map<std::string, std::string>& fields) {
  Element out{name, type, {}};
  for (const auto& [field, value] : fields) out.fields[field] = value;
  return out;
}

Vec measured(const Model& model, const std::string& coordinates = "reference-point") {
  AssembledModel mechanism;
  mechanism.compiled = compile(of_one_space(model), coordinates, model.name);
  mechanism.assembly = assemble(mechanism.compiled, 0, model.name);
  const State& state = mechanism.start();
  Vec out(static_cast<Eigen::Index>(model.outputs.size()));
  mechanism.system().quantities(state.t, state.q, state.v, initial_reaction(mechanism.system(), state), out);
  return out;
}

std::vector<Complaint> complaints_of(const Model& model) {
  try {
    compile(of_one_space(model), "reference-point", "sample");
    return {};
  } catch (const InputError& error) {
    return error.complaints();
  }
}

// A body on a cylindrical joint along the world's (0, 0, 1): turned by 0.4, moved by 0.25, both with a rate.
Model cylinder() {
  Model model = empty_model(Space::spatial);
  model.gravity.setZero();
  model.bodies = {flat_body("bar", 2, 0.3, Vec3(0.5, 0, 0))};
  model.joints = {element(
      "sleeve", "cylindrical",
      {{"a", point_on("ground")}, {"b", point_on("bar", Vec3(-0.5, 0, 0))}, {"axis", along(Vec3::UnitZ())}})};
  model.initial.joints = {{"sleeve", 0.4, 3.0, "angle"}, {"sleeve", 0.25, -2.0, "displacement"}};
  return model;
}

TEST(Outputs, SpatialPointsBodiesAndJoints) {
  for (const char* coordinates : {"reference-point", "euler-parameters"}) {
    Model model = cylinder();
    for (const char* c : {"x", "y", "z", "vx", "vy", "vz"}) {
      model.outputs.push_back(text_output(std::string("p_") + c, "point", {{"component", c}}));
      model.outputs.back().fields["point"] = point_on("bar", Vec3(0.5, 0, 0));
    }
    for (const char* c : {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"})
      model.outputs.push_back(
          text_output(std::string("b_") + c, "body", {{"body", "bar"}, {"component", c}}));
    model.outputs.push_back(text_output("a", "joint", {{"joint", "sleeve"}, {"value", "angle"}}));
    model.outputs.push_back(text_output("d", "joint", {{"joint", "sleeve"}, {"value", "displacement"}}));
    model.outputs.push_back(
        text_output("a_rate", "joint", {{"joint", "sleeve"}, {"value", "rate"}, {"coordinate", "angle"}}));
    model.outputs.push_back(text_output(
        "d_rate", "joint", {{"joint", "sleeve"}, {"value", "rate"}, {"coordinate", "displacement"}}));
    model.outputs.push_back(text_output("first_rate", "joint", {{"joint", "sleeve"}, {"value", "rate"}}));
    const Vec found = measured(model, coordinates);
    const double c = std::cos(0.4), s = std::sin(0.4);
    Vec expected(20);
    expected << c, s, 0.25, -3 * s, 3 * c, -2,               // the tip
        c / 2, s / 2, 0.25, -1.5 * s, 1.5 * c, -2, 0, 0, 3,  // the body
        0.4, 0.25, 3, -2, -2;                                // the joint
    for (Eigen::Index i = 0; i < 20; ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-9) << model.outputs[size_t(i)].name << " " << coordinates;
    const auto compiled = compile(of_one_space(model), coordinates, "sample");
    const auto units = compiled.system->quantity_units();
    EXPECT_EQ(units[0], "m");
    EXPECT_EQ(units[5], "m/s");
    EXPECT_EQ(units[14], "rad/s (world axes)");
    EXPECT_EQ(units[15], "rad");
    EXPECT_EQ(units[16], "m");
    EXPECT_EQ(units[18], "m/s");
    EXPECT_EQ(compiled.system->observables().wrapped_quantities(), std::vector<int>{15});
  }
}

TEST(Outputs, PlanarBodies) {
  Model model = pendulum(Space::planar, 0.3);
  model.initial.joints = {{"pin", std::nullopt, 2.0}};
  for (const char* c : {"x", "y", "angle", "vx", "vy", "wz"})
    model.outputs.push_back(text_output(c, "body", {{"body", "bar"}, {"component", c}}));
  const Vec found = measured(model);
  const double c = std::cos(0.3) / 2, s = std::sin(0.3) / 2;
  const double expected[] = {c, s, 0.3, -2 * s, 2 * c, 2};
  for (Eigen::Index i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(Outputs, ReactionsOfJointsAndDriversInBothAxes) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Model model = pendulum(space, 0.2);
    model.drivers = {element(
        "motor", "joint-coordinate",
        {{"joint", std::string("pin")}, {"function", TimeFunction(space == Space::planar ? 0.2 : 0.0)}})};
    for (const char* c : {"fx", "fy", "tz"})
      model.outputs.push_back(text_output(c, "reaction", {{"joint", "pin"}, {"component", c}}));
    model.outputs.push_back(
        text_output("own", "reaction", {{"joint", "pin"}, {"component", "fx"}, {"frame", "joint"}}));
    model.outputs.push_back(text_output("drive", "reaction", {{"joint", "motor"}, {"component", "tz"}}));
    const Vec found = measured(model);
    const double weight = 2 * 9.81;
    EXPECT_NEAR(found[0], 0, 1e-10);
    EXPECT_NEAR(found[1], weight, 1e-10);
    EXPECT_NEAR(found[2], 0, 1e-10);
    if (space == Space::planar) {
      EXPECT_NEAR(found[3], weight * std::sin(0.2), 1e-10);
    }
    EXPECT_NEAR(found[4], 0.5 * weight * std::cos(0.2), 1e-10);
    EXPECT_EQ(compile(of_one_space(model), "reference-point", "sample").system->quantity_units()[4], "N m");
  }
}

TEST(Outputs, PlanarModelsHaveNoThirdComponent) {
  Model model = pendulum(Space::planar, 0.3);
  model.outputs = {
      text_output("z", "body", {{"body", "bar"}, {"component", "z"}}),
      text_output("fz", "reaction", {{"joint", "pin"}, {"component", "fz"}}),
      text_output("rate", "joint", {{"joint", "pin"}, {"value", "rate"}, {"coordinate", "angle"}})};
  const auto complaints = validate(of_one_space(model), standard_catalogue());
  ASSERT_EQ(complaints.size(), 3u);
  EXPECT_EQ(complaints[0].where, "outputs[0].component");
  EXPECT_EQ(complaints[0].found, "'z' (output 'z')");
  EXPECT_EQ(complaints[1].where, "outputs[1].component");
  EXPECT_EQ(complaints[2].where, "outputs[2].coordinate");
}

TEST(Outputs, WhatMakesNoSenseIsRefused) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Model model = pendulum(space, 0.3);
    std::vector<TimeFunction> push(space == Space::planar ? 2 : 3, TimeFunction(1.0));
    model.forces = {
        element("push", "point-force", {{"at", point_on("bar")}, {"force", push}}),
        element("spring", "tsda", {{"a", point_on("ground", Vec3(2, 0, 0))}, {"b", point_on("bar")}})};
    model.outputs = {text_output("d", "joint", {{"joint", "pin"}, {"value", "displacement"}}),
                     text_output("f", "force", {{"force", "push"}, {"value", "force"}}),
                     text_output("x", "force", {{"force", "spring"}, {"value", "fx"}})};
    const auto complaints = complaints_of(model);
    ASSERT_EQ(complaints.size(), 3u);
    EXPECT_EQ(complaints[0].where, "outputs[0]");
    EXPECT_EQ(complaints[1].expected, space == Space::planar ? "'fx', 'fy'" : "'fx', 'fy', 'fz'");
    EXPECT_EQ(complaints[2].expected, "'length', 'rate', 'force'");
  }
}

TEST(Outputs, ReactionCannotStopARun) {
  Model model = pendulum(Space::planar, 0.3);
  model.outputs = {text_output("load", "reaction", {{"joint", "pin"}, {"component", "fy"}})};
  model.stop_when = {{"load", 30, "any"}};
  const auto complaints = complaints_of(model);
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_EQ(complaints[0].where, "simulate.stop_when[0].output");
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
