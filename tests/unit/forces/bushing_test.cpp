// Bushings at large displacements and angles.
#include "support/runs.hpp"
#include "support/small_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Model on_bushing(Space space) {
  Model model = empty_model(space);
  model.bodies = {flat_body("block", 3, 0.2, Vec3(0.4, 0.1, 0))};
  model.forces = {
      element("mount", "bushing",
              {{"a", point_on("ground", Vec3(0, 0.1, 0))},
               {"b", point_on("block", Vec3(-0.4, 0, 0))},
               {"stiffness", space == Space::planar ? Vec3(300, 500, 0) : Vec3(300, 500, 400)},
               {"angular_stiffness", space == Space::planar ? FieldValue(4.0) : FieldValue(Vec3(6, 5, 4))}})};
  return model;
}

// No damping: whatever the bushing does, however far it turns, the energy stays.
TEST(Bushing, KeepsTheEnergyAtLargeAngles) {
  for (const char* coordinates : {"reference-point", "euler-parameters"}) {
    Model model = on_bushing(Space::spatial);
    model.bodies[0].spin = Vec3(4, -5, 6);
    model.outputs = {element("rz", "force", {{"force", std::string("mount")}, {"value", std::string("rz")}})};
    AssembledModel mechanism;
    mechanism.compiled = compile(of_one_space(model), coordinates, "sample");
    mechanism.assembly = assemble(mechanism.compiled, 0, "sample");
    EXPECT_FALSE(mechanism.system().exchanges_energy());
    RunSetup setup;
    setup.t_end = 2;
    setup.rtol = 1e-10;
    setup.output_step = 0.01;
    const Results results = simulate(mechanism.system(), mechanism.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(results.energy->max_relative_error, 1e-7);
    double largest = 0;
    for (size_t i = 0; i < results.trajectory.size(); ++i)
      largest = std::max(largest, std::abs(results.trajectory.quantities.at(i, 0)));
    EXPECT_GT(largest, 0.6);  // the test means something
  }
}

// Loaded by its weight: deflection m g / k along its own axes, moment m g l against the angular spring.
TEST(Bushing, CarriesAWeight) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Model model = on_bushing(space);
    const bool planar = space == Space::planar;
    model.forces[0].fields["damping"] = planar ? Vec3(40, 40, 0) : Vec3(40, 40, 40);
    model.forces[0].fields["angular_damping"] = planar ? FieldValue(2.0) : FieldValue(Vec3(2, 2, 2));
    for (const char* value : {"x", "y", "rz", "fy", "tz"})
      model.outputs.push_back(
          element(value, "force", {{"force", std::string("mount")}, {"value", std::string(value)}}));
    const auto mechanism = assembled(of_one_space(model));
    RunSetup setup = figures_only(20);
    const Results results = simulate(mechanism.system(), mechanism.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    const double weight = 3 * 9.81, angle = results.final_quantities[2];
    EXPECT_NEAR(results.final_quantities[0], 0, 1e-5);
    EXPECT_NEAR(results.final_quantities[1], -weight / 500, 1e-5);
    EXPECT_NEAR(results.final_quantities[3], weight, 1e-3);
    EXPECT_NEAR(4 * angle, -weight * 0.4 * std::cos(angle), 1e-3);
    EXPECT_NEAR(results.final_quantities[4], -4 * angle, 1e-3);
  }
}

// Axes given by directions: stiff along x_axis, whatever the body frames are.
TEST(Bushing, AxesTurnWithTheFirstBody) {
  Model model = on_bushing(Space::spatial);
  model.gravity = Vec3(0, 0, -9.81);
  auto& fields = model.forces[0].fields;
  fields["axis"] = along(Vec3(1, 0, 0));                   // z of the bushing
  fields["x_axis"] = DirectionRef{"", "", Vec3(5, 0, 1)};  // x of it, but for what lies along z: world z
  fields["stiffness"] = Vec3(1000, 100, 100);
  fields["damping"] = Vec3(60, 60, 60);
  fields["angular_stiffness"] = Vec3(1e4, 1e4, 1e4);
  fields["angular_damping"] = Vec3(100, 100, 100);
  model.outputs = {element(
      "z", "point", {{"point", point_on("block", Vec3(-0.4, 0, 0))}, {"component", std::string("z")}})};
  const auto mechanism = assembled(of_one_space(model));
  const Results results = simulate(mechanism.system(), mechanism.start(), figures_only(4));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(results.final_quantities[0], -3 * 9.81 / 1000, 1e-5);
}

TEST(Bushing, RatesMustNotBeNegative) {
  Model model = on_bushing(Space::spatial);
  model.forces[0].fields["damping"] = Vec3(1, -1, 0);
  try {
    compile(of_one_space(model), "reference-point", "sample");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.complaints().at(0).where, "forces[0].damping");
    EXPECT_EQ(error.complaints().at(0).found, "[1, -1, 0] (force 'mount')");
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
