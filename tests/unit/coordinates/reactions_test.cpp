// What joints exert: against statics, against Newton and Euler, planar against spatial.
#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/formulation/formulation.hpp"

#include "support/runs.hpp"
#include "support/small_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

AssembledModel assembled_in(const Model& model, const std::string& coordinates) {
  AssembledModel out;
  out.compiled = compile(of_one_space(model), coordinates, model.name);
  out.assembly = assemble(out.compiled, 0, model.name);
  return out;
}

Reaction reaction_at(const DescriptorSystem& system, const State& state) {
  for (const auto* record : formulation_records())
    if (record->method.name == "lagrange") {
      const auto form = record->make(system, Options("lagrange", record->method.options, {}));
      Reaction reaction;
      EXPECT_EQ(form->react(state, reaction), Status::ok);
      return reaction;
    }
  return {};
}

std::map<std::string, JointReaction> reactions_of(const AssembledModel& mechanism) {
  std::vector<JointReaction> values;
  const State& state = mechanism.start();
  mechanism.system().joint_reactions(state.t, state.q, state.v, reaction_at(mechanism.system(), state),
                                     values);
  const auto names = mechanism.system().joint_names();
  EXPECT_EQ(names.size(), values.size());
  std::map<std::string, JointReaction> out;
  for (size_t i = 0; i < names.size(); ++i) out[names[i]] = values[i];
  return out;
}

struct Case {
  Space space;
  const char* coordinates;
};
constexpr Case kCases[] = {{Space::planar, "reference-point"},
                           {Space::spatial, "reference-point"},
                           {Space::spatial, "euler-parameters"}};

// A block held at a point 0.5 m from its centre of mass: weight, and its moment about that point.
TEST(JointReactions, HeldBlockIsItsWeight) {
  for (const auto& [space, coordinates] : kCases) {
    Model model = empty_model(space);
    model.bodies = {flat_body("block", 2, 0.3, Vec3(0.5, 0, 0))};
    model.joints = {
        element("weld", "fixed", {{"a", point_on("ground")}, {"b", point_on("block", Vec3(-0.5, 0, 0))}})};
    const auto weld = reactions_of(assembled_in(model, coordinates)).at("weld");
    EXPECT_LT((weld.force - Vec3(0, 2 * 9.81, 0)).norm(), 1e-11) << coordinates;
    EXPECT_LT((weld.torque - Vec3(0, 0, 0.5 * 2 * 9.81)).norm(), 1e-11) << coordinates;
    EXPECT_LT((weld.force_joint - weld.force).norm(), 1e-11);
  }
}

// F = m (a − g) at the pin, and no moment about it.
TEST(JointReactions, PendulumFollowsNewton) {
  for (const auto& [space, coordinates] : kCases) {
    Model model = pendulum(space, -0.4);
    model.initial.joints = {{"pin", std::nullopt, 3.0}};
    const auto mechanism = assembled_in(model, coordinates);
    const auto at = reactions_of(mechanism).at("pin");
    const double theta = -0.4, omega = 3, inertia = 0.3 + 2 * 0.25;
    const double alpha = -2 * 9.81 * 0.5 * std::cos(theta) / inertia;
    const Vec3 radial(std::cos(theta), std::sin(theta), 0), tangent(-std::sin(theta), std::cos(theta), 0);
    const Vec3 a = 0.5 * (alpha * tangent - omega * omega * radial);
    EXPECT_LT((at.force - 2 * (a - model.gravity)).norm(), 1e-10) << coordinates;
    EXPECT_LT(at.torque.norm(), 1e-10) << coordinates;
    if (space == Space::planar) {  // joint axes are those of the bar
      EXPECT_NEAR(at.force_joint.x(), at.force.dot(radial), 1e-12);
      EXPECT_NEAR(at.force_joint.y(), at.force.dot(tangent), 1e-12);
    }
  }
}

// A pendulum driven at constant rate: the driver's torque balances the weight, the pin the rest.
TEST(JointReactions, DriverTorqueBalancesTheWeight) {
  for (const auto& [space, coordinates] : kCases) {
    Model model = pendulum(space, 0.2);
    model.drivers = {element(
        "motor", "angle",
        {{"a", std::string("ground")},
         {"b", std::string("bar")},
         {"function", TimeFunction(time_function::Polynomial{{space == Space::planar ? 0.2 : 0.0, 5.0}})}})};
    if (space == Space::spatial) model.drivers[0].fields["axis"] = along(Vec3::UnitZ());
    const auto all = reactions_of(assembled_in(model, coordinates));
    EXPECT_NEAR(all.at("motor").torque.z(), 2 * 9.81 * 0.5 * std::cos(0.2), 1e-10) << coordinates;
    EXPECT_LT(all.at("motor").force.norm(), 1e-12);
    EXPECT_LT(all.at("pin").torque.norm(), 1e-10);
    const Vec3 radial(std::cos(0.2), std::sin(0.2), 0);
    EXPECT_LT((all.at("pin").force - 2 * (-0.5 * 25 * radial - model.gravity)).norm(), 1e-10);
  }
}

// Slider-crank with joints that leave a spatial one without redundancy: crank on a revolute, crank pin a ball, wrist pin a
// cylindrical joint, slider on a translational one.
Model slider_crank(Space space) {
  const bool planar = space == Space::planar;
  Model model = empty_model(space);
  const double crank = 1.0, rod_angle = -std::asin(std::sin(crank) / 3);
  const Vec3 pin_at(std::cos(crank), std::sin(crank), 0);
  const Vec3 slider_at = pin_at + 3 * Vec3(std::cos(rod_angle), std::sin(rod_angle), 0);
  model.bodies = {flat_body("crank", 1.5, 0.2, 0.5 * pin_at, crank),
                  flat_body("rod", 2.5, 1.9, 0.5 * (pin_at + slider_at), rod_angle),
                  flat_body("slider", 1, 0.1, slider_at)};
  model.bodies[0].points = model.bodies[1].points = {};
  const PointRef at_crank = point_on("crank", Vec3(0.5, 0, 0)), at_rod = point_on("rod", Vec3(-1.5, 0, 0));
  const PointRef rod_end = point_on("rod", Vec3(1.5, 0, 0)), slider = point_on("slider");
  model.joints = {pin("main", point_on("ground"), point_on("crank", Vec3(-0.5, 0, 0)), space)};
  if (planar) {
    model.joints.push_back(pin("crank_pin", at_crank, at_rod, space));
    model.joints.push_back(pin("wrist", rod_end, slider, space));
    model.joints.push_back(element("guide", "translational",
                                   {{"a", point_on("ground")}, {"axis", Vec3(1, 0, 0)}, {"b", slider}}));
  } else {
    model.joints.push_back(element("crank_pin", "spherical", {{"a", at_crank}, {"b", at_rod}}));
    model.joints.push_back(
        element("wrist", "cylindrical", {{"a", rod_end}, {"b", slider}, {"axis", along(Vec3::UnitZ())}}));
    model.joints.push_back(
        element("guide", "translational",
                {{"a", point_on("ground")}, {"axis", along(Vec3::UnitX())}, {"b", slider}}));
  }
  std::vector<TimeFunction> push = {-50.0, 0.0};
  if (!planar) push.emplace_back(0.0);
  model.forces = {element("gas", "point-force", {{"at", point_on("slider")}, {"force", push}})};
  model.initial.joints = {{"main", std::nullopt, 12.0}};
  return model;
}

TEST(JointReactions, PlanarAndSpatialSliderCrankAgree) {
  const auto flat = reactions_of(assembled_in(slider_crank(Space::planar), "reference-point"));
  for (const char* coordinates : {"reference-point", "euler-parameters"}) {
    const auto deep = reactions_of(assembled_in(slider_crank(Space::spatial), coordinates));
    ASSERT_EQ(flat.size(), deep.size());
    for (const auto& [name, reaction] : flat) {
      EXPECT_LT((reaction.force - deep.at(name).force).norm(), 1e-8) << name;
      EXPECT_LT((reaction.torque - deep.at(name).torque).norm(), 1e-8) << name;
    }
  }
  EXPECT_GT(flat.at("wrist").force.norm(), 50);
}

// Newton and Euler for every body of the slider-crank: with −F and −T on the first body at the same place.
TEST(JointReactions, BodiesOfTheSliderCrankAreInBalance) {
  const Model model = slider_crank(Space::planar);
  const auto mechanism = assembled_in(model, "reference-point");
  const auto all = reactions_of(mechanism);
  const State& state = mechanism.start();
  const Reaction motion = reaction_at(mechanism.system(), state);
  const std::map<std::string, std::pair<int, int>> ends = {
      {"main", {3, 0}}, {"crank_pin", {0, 1}}, {"wrist", {1, 2}}, {"guide", {3, 2}}};
  const std::map<std::string, Vec3> place = {{"main", Vec3::Zero()},
                                             {"crank_pin", Vec3(std::cos(1), std::sin(1), 0)},
                                             {"wrist", Vec3(state.q[6], state.q[7], 0)},
                                             {"guide", Vec3(state.q[6], state.q[7], 0)}};
  for (int i = 0; i < 3; ++i) {
    const Body& body = model.bodies[size_t(i)];
    const Vec3 r(state.q[3 * i], state.q[3 * i + 1], 0);
    Vec3 force = body.mass * model.gravity, moment = Vec3::Zero();
    if (body.name == "slider") force += Vec3(-50, 0, 0);
    for (const auto& [name, reaction] : all) {
      const double sign = ends.at(name).second == i ? 1 : ends.at(name).first == i ? -1 : 0;
      force += sign * reaction.force;
      moment += sign * (reaction.torque + (place.at(name) - r).cross(reaction.force));
    }
    EXPECT_NEAR(force.x(), body.mass * motion.vdot[3 * i], 1e-9) << body.name;
    EXPECT_NEAR(force.y(), body.mass * motion.vdot[3 * i + 1], 1e-9) << body.name;
    EXPECT_NEAR(moment.z(), body.inertia * motion.vdot[3 * i + 2], 1e-9) << body.name;
  }
}

TEST(JointReactions, GuideHasItsAxes) {
  Model model = slider_crank(Space::planar);
  for (Element& joint : model.joints)
    if (joint.name == "guide") joint.fields["axis"] = Vec3(0, -1, 0);
  model.initial.joints.clear();
  model.bodies = {model.bodies[2]};
  model.joints = {model.joints[3]};
  model.gravity = Vec3(-4, 0, 0);
  model.forces.clear();
  const auto guide = reactions_of(assembled_in(model, "reference-point")).at("guide");
  EXPECT_LT((guide.force - Vec3(4, 0, 0)).norm(), 1e-12);
  EXPECT_LT((guide.force_joint - Vec3(0, 4, 0)).norm(), 1e-12);  // x along −y of the world
}

// ---- scalars ------------------------------------------------------------------------------------------------------

// Two wheels in mesh, one with a torsion spring on its pin, the other loaded. The mesh carries what accelerates the second
// wheel; the spring, though it acts on the same angle, is no reaction.
Model geared(bool with_spring) {
  Model model = empty_model(Space::spatial);
  model.gravity.setZero();
  model.bodies = {flat_body("one", 1, 0.2, Vec3::Zero()), flat_body("two", 1, 0.5, Vec3(3, 0, 0))};
  model.joints = {pin("pin_1", point_on("ground"), point_on("one"), Space::spatial),
                  pin("pin_2", point_on("ground", Vec3(3, 0, 0)), point_on("two"), Space::spatial),
                  element("mesh", "gear",
                          {{"a", std::string("one")},
                           {"b", std::string("two")},
                           {"radius_a", 1.0},
                           {"radius_b", 2.0},
                           {"axis_a", along(Vec3::UnitZ())}})};
  model.forces = {
      element("load", "torque",
              {{"body", std::string("two")}, {"torque", std::vector<TimeFunction>{0.0, 0.0, 7.0}}})};
  if (with_spring)
    model.forces.push_back(
        element("spring", "rsda", {{"joint", std::string("pin_2")}, {"actuator", TimeFunction(3.0)}}));
  return model;
}

TEST(JointReactions, SpringOnTheAngleOfAGearIsNoReaction) {
  for (const char* coordinates : {"reference-point", "euler-parameters"})
    for (const bool with_spring : {false, true}) {
      const auto mechanism = assembled_in(geared(with_spring), coordinates);
      const auto all = reactions_of(mechanism);
      // One equation of motion for α of the second wheel, the first turning at −2 α: M − 2·0.2·2 α = 0.5 α.
      const double applied = 7.0 - (with_spring ? 3.0 : 0.0);
      const double alpha = applied / (0.5 + 4 * 0.2);
      EXPECT_NEAR(all.at("mesh").torque.z(), 0.5 * alpha - applied, 1e-10) << coordinates << with_spring;
      // The teeth push at (1, 0, 0), and the pins hold against it.
      const Vec3 push(0, -(0.5 * alpha - applied) / 2, 0);
      EXPECT_LT((all.at("mesh").force - push).norm(), 1e-10);
      EXPECT_LT((all.at("pin_1").force - push).norm(), 1e-10);
      EXPECT_LT((all.at("pin_2").force + push).norm(), 1e-10);
      EXPECT_LT(all.at("pin_1").torque.norm(), 1e-10);
      EXPECT_LT(all.at("pin_2").torque.norm(), 1e-10);
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
