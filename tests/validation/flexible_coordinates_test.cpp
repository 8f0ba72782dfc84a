// Flexible bodies and point masses in every coordinate set that takes them: the same motion, energy and reactions; what a set does not
// take is refused, with what would do.
#include <cmath>

#include "driftless/model/flexible_spec.hpp"
#include "driftless/system/switching/switching.hpp"

#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Quantities at the end, all that the model has, and its energy error.
Vec outcome(const Model& model, const std::string& coordinates, double t_end) {
  const AssembledModel made = assembled(model, coordinates);
  RunSetup setup = figures_only(t_end);
  setup.formulation = "lagrange";
  setup.integrator = "radau-iia5";
  setup.rtol = 1e-9;
  const Results results = simulate(made.system(), made.start(), setup);
  EXPECT_TRUE(results.good()) << model.name << " in " << coordinates << ": " << results.message;
  if (results.energy) {
    EXPECT_LT(results.energy->max_relative_error, 1e-6) << model.name << " in " << coordinates;
  }
  return results.final_quantities;
}

void expect_same(const Model& model, const std::string& coordinates, double t_end, double tolerance = 1e-6) {
  const Vec known = outcome(model, "reference-point", t_end), found = outcome(model, coordinates, t_end);
  ASSERT_EQ(known.size(), found.size());
  for (Eigen::Index k = 0; k < known.size(); ++k)
    EXPECT_NEAR(found[k], known[k], tolerance * (1 + std::abs(known[k])))
        << model.name << " in " << coordinates << ", quantity " << k;
}

Element reaction(const char* name, const char* joint, const char* component) {
  return element(name, "reaction", {{"joint", std::string(joint)}, {"component", std::string(component)}});
}

TEST(FlexibleCoordinates, RelativeMovesAsReferencePoint) {
  Model crank = flexible_problem("flexible-slider-crank", {{"phi_rate", "60"}});
  crank.outputs.push_back(reaction("O", "pin_O", "fx"));  // of a joint of the tree
  crank.outputs.push_back(reaction("A", "pin_A", "fy"));  // of a row
  expect_same(crank, "relative", 0.01);
  Model modal = flexible_problem("flexible-slider-crank", {{"phi_rate", "60"}, {"modes", "2"}});
  expect_same(modal, "relative", 0.01);
  expect_same(model_file("flexible-four-bar"), "relative", 0.05, 1e-5);
  Model arm = model_file("flexible-robot-arm");
  arm.outputs.push_back(reaction("base_tz", "base", "tz"));
  expect_same(arm, "relative", 0.2, 1e-5);
  expect_same(model_file("flexible-spatial-slider-crank"), "relative", 0.02, 1e-5);
  expect_same(model_file("point-masses"), "relative", 0.5);
}

// A rigid arm turned by a hinge, a cable at its end, a mass on a spring at the end of that; the arm's twist spring counts turns.
Model arm_with_cable(bool spatial) {
  Model model;
  model.name = "arm";
  model.space = spatial ? Space::spatial : Space::planar;
  model.gravity = {0, -9.81, 0};
  model.ground_points = {{"O", Vec3::Zero()}};
  Body arm;
  arm.name = "arm";
  arm.mass = 2;
  if (spatial)
    arm.inertia_tensor = Vec3(0.05, 0.1, 0.12).asDiagonal();
  else
    arm.inertia = 0.1;
  arm.center_of_mass = {0.3, 0, 0};
  arm.points = {{"O", Vec3::Zero()}, {"E", Vec3(0.6, 0, 0)}};
  FlexibleSpec spec = straight_mesh(0.8, 3, given_section(300, 0.02, 0.3));
  spec.type = FlexibleSpec::Type::cable;
  Body cable = flexible_body("cable", spec);
  cable.position = {0.6, 0, 0};
  Body mass;
  mass.name = "mass";
  mass.mass = 0.4;
  mass.point = true;
  mass.points = {{"P", Vec3::Zero()}};
  mass.position = {1.7, 0.1, spatial ? 0.2 : 0};
  model.bodies = {cable, arm, mass};
  Element hinge = element("hinge", "revolute", {{"a", point("ground", "O")}, {"b", point("arm", "O")}});
  if (spatial) hinge.fields.emplace("axis", direction({0, 0, 1}));
  model.joints = {hinge, element("tip", spatial ? "spherical" : "revolute",
                                 {{"a", point("arm", "E")}, {"b", point("cable", "A")}})};
  model.forces = {element("spring", "tsda",
                          {{"a", point("cable", "B")},
                           {"b", point("mass", "P")},
                           {"stiffness", FieldValue(80.0)},
                           {"free_length", FieldValue(0.3)},
                           {"damping", FieldValue(0.5)}})};
  if (!spatial) {
    Element twist{"twist", "rsda", {}};
    twist.fields.emplace("a", std::string("ground"));
    twist.fields.emplace("b", std::string("arm"));
    twist.fields.emplace("stiffness", FieldValue(5.0));
    twist.fields.emplace("damping", FieldValue(0.2));
    model.forces.push_back(twist);
  }
  add_point_outputs(model, "end", point("cable", "B"));
  add_point_outputs(model, "mass", point("mass", "P"));
  model.outputs.push_back(reaction("hinge_fx", "hinge", "fx"));
  model.outputs.push_back(reaction("tip_fy", "tip", "fy"));
  return model;
}

TEST(FlexibleCoordinates, RelativeTakesCablesAndPointMasses) {
  for (const bool spatial : {false, true}) {
    expect_same(arm_with_cable(spatial), "relative", 0.1);
    const CompiledModel made = compile(arm_with_cable(spatial), "relative", "arm");
    EXPECT_EQ(made.system->layout().q_names[0], "hinge.angle");
    EXPECT_EQ(made.system->layout().nv, 1 + (spatial ? 24 + 3 : 16 + 2));
  }
}

// J, ν, γ against differences along the motion: the rows of cut joints through the tree.
TEST(FlexibleCoordinates, RowsOfRelativeCoordinates) {
  for (const Model& model :
       {flexible_problem("flexible-slider-crank", {}), arm_with_cable(false), arm_with_cable(true),
        model_file("flexible-robot-arm"), model_file("flexible-spatial-slider-crank")}) {
    const CompiledModel made = compile(model, "relative", model.name);
    const DescriptorSystem& system = *made.system;
    const Layout& layout = system.layout();
    const State state = bent_state(system, made.guess, 3, 0.05);
    Terms terms = system.make_terms();
    const double w[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 3e-3;
    Vec dg = Vec::Zero(layout.mh), dr = Vec::Zero(layout.m), r(layout.m);
    for (int k = 1; k <= 4; ++k)
      for (const int sign : {1, -1}) {
        Vec q = state.q;
        system.retract(q, sign * k * h * state.v);
        system.position(sign * k * h, q, terms);
        velocity_residual(terms, state.v, r);
        dg += sign * w[k - 1] / h * terms.g;
        dr += sign * w[k - 1] / h * r;
      }
    system.evaluate(0, state.q, state.v, terms);
    velocity_residual(terms, state.v, r);
    EXPECT_LT(max_abs(dg - r.head(layout.mh)), 1e-8 * (1 + max_abs(r))) << model.name;
    bool balls = false;  // v of a ball or a frame in space is no derivative of q at constant v
    for (const std::string& name : layout.q_names) balls = balls || name.ends_with(".e0");
    if (!balls) {
      EXPECT_LT(max_abs(dr + terms.gamma), 1e-7 * (1 + max_abs(terms.gamma))) << model.name;
    }
    const Mat M = terms.M;
    EXPECT_LT((M - M.transpose()).cwiseAbs().maxCoeff(), 1e-14 * M.cwiseAbs().maxCoeff()) << model.name;
  }
}

TEST(FlexibleCoordinates, NaturalTakesCablesAndPointMasses) {
  expect_same(flexible_problem("flexible-pendulum", {{"elements", "3"}}), "natural", 0.05);
  expect_same(model_file("point-masses"), "natural", 0.5);
  const CompiledModel made = compile(model_file("point-masses"), "natural", "m");
  EXPECT_TRUE(made.system->layout().mass_is_constant);
  const auto refusal = [](const Model& model, const std::string& coordinates) -> std::string {
    try {
      compile(model, coordinates, "m");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(flexible_problem("flexible-slider-crank", {}), "natural").find("flexible body 'rod'"),
            std::string::npos);
  EXPECT_NE(refusal(arm_with_cable(false), "natural").find("'relative'"), std::string::npos);
  EXPECT_NE(refusal(arm_with_cable(true), "natural").find("rigid body 'arm'"), std::string::npos);
}

// Vibrations that `check` shows: of few coordinates by all modes, of many by iteration, the same.
TEST(FlexibleVibrations, LowestAndHighest) {
  const auto range = [](int elements, bool spatial, bool cable) {
    FlexibleSpec spec = straight_mesh(1, elements, given_section(1e4, 1, 1));
    spec.sections[0].GJ = 1;
    spec.sections[0].rhoIy = spec.sections[0].rhoIz = 1e-4;
    if (cable) spec.type = FlexibleSpec::Type::cable;
    Model model = one_flexible(spec, spatial);
    const CompiledModel made = compile(model, "reference-point", "m");
    return dynamic_cast<const Strained&>(*made.system).vibrations().at(0);
  };
  EXPECT_NEAR(range(8, false, false).lowest, 3.516022592, 1e-6);
  EXPECT_NEAR(range(60, false, false).lowest, 3.516015269, 1e-6);  // 180 coordinates
  EXPECT_NEAR(range(60, true, false).lowest, 3.5160, 2e-3);        // with rotary inertia
  const auto fine = range(60, false, false), less = range(30, false, false);
  EXPECT_NEAR(fine.highest / less.highest, 4, 0.1);  // that of bending grows with the square
  EXPECT_NEAR(range(2, false, true).highest, 19.5 * 100 / 0.5, 1e-9 * 4000);
  EXPECT_EQ(range(2, false, true).lowest, 0);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
