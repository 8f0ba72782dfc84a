// Laws of springs, and springs on joints.
#include "driftless/forces/springs/spring_law.hpp"

#include "support/runs.hpp"
#include "support/small_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

TEST(SpringLaw, AddsItsParts) {
  SpringLaw law;
  law.stiffness = 10;
  law.damping = 2;
  law.free = 0.5;
  law.spring = PiecewiseLinear({{-1, -3}, {0, 0}, {1, 5}});
  law.damper = PiecewiseLinear({{0, 0}, {1, 1}});
  law.actuator = time_function::Polynomial{{0, 7}};
  law.expression.emplace("x^2 + 3*v + t", std::vector<std::string>{"t", "x", "v"});
  const double s = 0.9, v = 0.25, t = 2;
  const double elastic = 10 * 0.4 + 5 * 0.4, other = 2 * v + v + 7 * t + s * s + 3 * v + t;
  EXPECT_NEAR(law.force(s, v, t), elastic + other, 1e-14);
  EXPECT_NEAR(law.power(s, v, t), -other * v, 1e-14);
  EXPECT_NEAR(law.potential(s), 5 * 0.16 + 2.5 * 0.16, 1e-14);
  EXPECT_FALSE(law.conservative());
}

TEST(SpringLaw, ExpressionCountsAsAppliedEvenIfItDependsOnTheLengthAlone) {
  SpringLaw law;
  EXPECT_TRUE(law.conservative());
  law.expression.emplace("100*x", std::vector<std::string>{"t", "x", "v"});
  EXPECT_FALSE(law.conservative());
  EXPECT_EQ(law.potential(3), 0);
}

// A mass on a hardening spring, as a law and as stiffness: the same motion, and energy that balances in both.
TEST(SpringLaw, ExpressionMovesAMassAsTheLinearSpringDoes) {
  Model model = empty_model(Space::spatial);
  model.gravity.setZero();
  model.bodies = {flat_body("mass", 1, 1, Vec3(1.5, 0, 0))};
  const auto run = [&](const std::map<std::string, FieldValue>& law) {
    Model own = model;
    std::map<std::string, FieldValue> fields = {{"a", point_on("ground")}, {"b", point_on("mass")}};
    fields.insert(law.begin(), law.end());
    own.forces = {element("spring", "tsda", fields)};
    const auto mechanism = assembled(of_one_space(own));
    RunSetup setup = figures_only(2);
    setup.rtol = 1e-9;
    return simulate(mechanism.system(), mechanism.start(), setup);
  };
  const Results linear = run({{"stiffness", 40.0}, {"free_length", 1.0}});
  const Results text = run({{"law", std::string("40*(x - 1)")}});
  ASSERT_TRUE(linear.good() && text.good()) << linear.message << text.message;
  EXPECT_LT(max_difference(linear.final.q, text.final.q), 1e-7);
  EXPECT_NEAR(linear.final.q[0], 1 + 0.5 * std::cos(std::sqrt(40) * 2), 1e-7);
  EXPECT_LT(linear.energy->max_relative_error, 1e-7);
  EXPECT_LT(text.energy->max_relative_error, 1e-7);
}

TEST(SpringLaw, TimeSwitchesInAnExpressionAreBreaks) {
  Model model = empty_model(Space::planar);
  model.bodies = {flat_body("mass", 1, 1, Vec3(1.5, 0, 0))};
  model.forces = {element("spring", "tsda",
                          {{"a", point_on("ground")},
                           {"b", point_on("mass")},
                           {"law", std::string("if(t < 0.75, 10*x, 3*v*abs(v))")}})};
  const auto compiled = compile(of_one_space(model), "reference-point", "sample");
  const auto breaks = compiled.system->break_times(0, 2);
  ASSERT_EQ(breaks.size(), 1u);
  EXPECT_EQ(breaks[0], 0.75);
}

TEST(SpringLaw, BadExpressionIsToldWithItsColumn) {
  Model model = empty_model(Space::planar);
  model.bodies = {flat_body("mass", 1, 1, Vec3(1.5, 0, 0))};
  model.forces = {element(
      "spring", "tsda", {{"a", point_on("ground")}, {"b", point_on("mass")}, {"law", std::string("10*y")}})};
  const auto complaints = validate(of_one_space(model), standard_catalogue());
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_EQ(complaints[0].where, "forces[0].law");
  EXPECT_NE(complaints[0].hint.find("column 4: unknown name 'y'"), std::string::npos) << complaints[0].hint;
}

// ---- rotational springs -------------------------------------------------------------------------------------------

Element rsda(std::map<std::string, FieldValue> fields) {
  return element("spring", "rsda", std::move(fields));
}

std::vector<Complaint> complaints_of(const Model& model) {
  try {
    compile(of_one_space(model), "reference-point", "sample");
    return {};
  } catch (const InputError& error) {
    return error.complaints();
  }
}

TEST(Rsda, ActsOnBodiesOrOnAJoint) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Model model = pendulum(space, 0.3);
    model.forces = {rsda({{"stiffness", 1.0}})};
    EXPECT_EQ(complaints_of(model).size(), space == Space::planar ? 2u : 3u);
    model.forces = {rsda({{"joint", std::string("pin")}, {"a", std::string("ground")}})};
    const auto both = complaints_of(model);
    ASSERT_EQ(both.size(), 1u);
    EXPECT_EQ(both[0].where, "forces[0].a");
    model.forces = {rsda({{"joint", std::string("pin")}})};
    EXPECT_TRUE(complaints_of(model).empty());
    model.joints.push_back(
        element("rod", "distance",
                {{"a", point_on("ground", Vec3(0, 1, 0))}, {"b", point_on("bar")}, {"length", 1.0}}));
    model.forces = {rsda({{"joint", std::string("rod")}})};
    const auto no_angle = complaints_of(model);
    ASSERT_EQ(no_angle.size(), 1u);
    EXPECT_EQ(no_angle[0].where, "forces[0].joint");
  }
}

// A wheel on a torsion spring wound up by several turns swings as k φ says, and the spring knows the turns.
TEST(Rsda, CountsWholeTurns) {
  for (const Space space : {Space::planar, Space::spatial}) {
    for (const char* coordinates : {"reference-point", "euler-parameters"}) {
      if (space == Space::planar && coordinates == std::string("euler-parameters")) continue;
      Model model = pendulum(space, 0);
      model.gravity.setZero();
      model.bodies[0].position.setZero();
      model.joints = {pin("pin", point_on("ground"), point_on("bar"), space)};
      model.forces = {rsda({{"joint", std::string("pin")}, {"stiffness", 2.0}, {"free_angle", 15.0}})};
      model.outputs = {
          element("angle", "joint", {{"joint", std::string("pin")}, {"value", std::string("angle")}}),
          element("wound", "force", {{"force", std::string("spring")}, {"value", std::string("length")}}),
          element("torque", "force", {{"force", std::string("spring")}, {"value", std::string("force")}})};
      AssembledModel mechanism;
      mechanism.compiled = compile(of_one_space(model), coordinates, "sample");
      mechanism.assembly = assemble(mechanism.compiled, 0, "sample");
      RunSetup setup;
      setup.t_end = 1;
      setup.rtol = 1e-9;
      setup.output_step = 0.05;
      const Results results = simulate(mechanism.system(), mechanism.start(), setup);
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_LT(results.energy->max_relative_error, 1e-7);
      for (size_t i = 0; i < results.trajectory.size(); ++i) {
        const double expected = 15 * (1 - std::cos(std::sqrt(2 / 0.3) * results.trajectory.t[i]));
        EXPECT_NEAR(results.trajectory.quantities.at(i, 0), expected, 1e-6) << coordinates;
        EXPECT_NEAR(results.trajectory.quantities.at(i, 1), expected, 1e-6) << coordinates;
        EXPECT_NEAR(results.trajectory.quantities.at(i, 2), 2 * (expected - 15), 2e-6) << coordinates;
      }
    }
  }
}

// ---- other forces -------------------------------------------------------------------------------------------------

// A thrust fixed in a body that turns at ω: the velocity goes round a circle of radius F/(m ω).
TEST(FollowerForce, TurnsWithItsBody) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Model model = empty_model(space);
    model.gravity.setZero();
    model.bodies = {flat_body("craft", 2, 0.5, Vec3::Zero())};
    model.bodies[0].angular_velocity = 3;
    model.bodies[0].spin = Vec3(0, 0, 3);
    const FieldValue ahead =
        space == Space::planar ? FieldValue(Vec3(2, 0, 0)) : FieldValue(along(Vec3(2, 0, 0)));
    model.forces = {
        element("thrust", "follower-force",
                {{"at", point_on("craft")}, {"direction", ahead}, {"magnitude", TimeFunction(6.0)}})};
    model.outputs = {
        element("vx", "body", {{"body", std::string("craft")}, {"component", std::string("vx")}}),
        element("vy", "body", {{"body", std::string("craft")}, {"component", std::string("vy")}}),
        element("wz", "body", {{"body", std::string("craft")}, {"component", std::string("wz")}})};
    const auto mechanism = assembled(of_one_space(model));
    RunSetup setup = figures_only(1.3);
    setup.rtol = 1e-9;
    const Results results = simulate(mechanism.system(), mechanism.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.final_quantities[0], std::sin(3 * 1.3), 1e-7);
    EXPECT_NEAR(results.final_quantities[1], 1 - std::cos(3 * 1.3), 1e-7);
    EXPECT_NEAR(results.final_quantities[2], 3, 1e-12);
    EXPECT_LT(results.energy->max_relative_error, 1e-7);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
