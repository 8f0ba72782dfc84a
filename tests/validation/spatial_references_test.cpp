// Spatial problems against values computed elsewhere: heavy top, rolling disc, knife edge, Bricard linkage, in every
// coordinate set that takes them.
#include <cmath>

#include "driftless/problems/mechanism.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Results run_problem(const std::string& name,
                    const std::map<std::string, std::string>& options,
                    const std::string& coordinates,
                    double t_end,
                    double rtol) {
  const ProblemRecord& record = *find_problem(name);
  const AssembledModel model =
      assembled(record.mechanism(Options("problem " + name, record.options, options)), coordinates);
  RunSetup setup = figures_only(t_end);
  setup.rtol = rtol;
  return simulate(model.system(), model.start(), setup);
}

std::vector<std::string> spatial_sets() {
  std::vector<std::string> names;
  for (const CoordinatesRecord* record : coordinates_records())
    if (record->compile != nullptr) names.push_back(record->method.name);
  return names;
}

class SpatialReferences : public ::testing::TestWithParam<std::string> {};

// C_x, C_y, C_z of the last output.
void expect_center(const Results& results, const Vec3& expected, double tolerance) {
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT((results.final_quantities.head<3>() - expected).lpNorm<Eigen::Infinity>(), tolerance);
}

// Nine digits are known.
TEST_P(SpatialReferences, HeavyTop) {
  expect_center(run_problem("heavy-top", {}, GetParam(), 1.5, 1e-11),
                {-0.076985719, 0.419951151, 0.554719956}, 2e-8);
}

TEST_P(SpatialReferences, RollingDisc) {
  expect_center(run_problem("rolling-disc", {}, GetParam(), 1, 1e-11),
                {0.29297846556020035, 0.11245002758470779, 0.9546361356363756}, 2e-8);
}

TEST_P(SpatialReferences, RollingDiscLeaning) {
  expect_center(
      run_problem(
          "rolling-disc",
          {{"phi", "0.3"}, {"theta", "0.4"}, {"phi_rate", "1.5"}, {"theta_rate", "-0.2"}, {"psi_rate", "2"}},
          GetParam(), 1.2, 1e-11),
      {-0.61963639, 1.36486901, 0.92174262}, 2e-8);
}

TEST_P(SpatialReferences, Bricard) {
  const ProblemRecord& record = *find_problem("bricard");
  const AssembledModel model = assembled(record.mechanism(Options()), GetParam());
  RunSetup setup;
  setup.t_end = 10;
  setup.rtol = 1e-8;
  setup.output_step = 0.5;
  const Results results = simulate(model.system(), model.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_EQ(results.redundant_rows.size(), 1u);
  EXPECT_LT(results.energy->max_relative_error, 1e-6);
  const Table& outputs = results.trajectory.quantities;
  for (const ReferenceValue& value : record.values)
    for (size_t row = 0; row < outputs.rows(); ++row)
      for (size_t c = 0; c < outputs.columns(); ++c)
        if (std::abs(results.trajectory.t[row] - value.t) < 1e-12 && outputs.names[c] == value.name) {
          EXPECT_NEAR(outputs.at(row, c), value.value, 1e-5) << value.name << " at " << value.t;
        }
}

// Skate on an incline: x = g/(2ω²) sin² ωt, y = g/(2ω²) (ωt − sin(2ωt)/2), φ = ωt.
TEST_P(SpatialReferences, KnifeEdge) {
  const bool takes_planar = GetParam() != "euler-parameters";
  for (const Space space : {Space::planar, Space::spatial}) {
    if (space == Space::planar && !takes_planar) continue;
    const double slope = 4, omega = 2, t = 1.5;
    Model model;
    model.name = "skate";
    model.space = space;
    model.gravity = {slope, 0, 0};
    Body skate;
    skate.name = "skate";
    skate.mass = 1;
    skate.points = {{"P", Vec3::Zero()}};
    if (space == Space::planar) {
      skate.inertia = 0.3;
      skate.angular_velocity = omega;
      model.joints = {element("edge", "knife-edge", {{"b", point("skate", "P")}, {"axis", Vec3(0, 1, 0)}})};
    } else {
      skate.inertia_tensor = Vec3(0.2, 0.2, 0.3).asDiagonal();
      skate.spin = {0, 0, omega};
      model.ground_points = {{"O", Vec3::Zero()}};
      model.joints = {
          element(
              "floor", "planar",
              {{"a", point("ground", "O")}, {"b", point("skate", "P")}, {"axis", direction(Vec3::UnitZ())}}),
          element("edge", "knife-edge", {{"b", point("skate", "P")}, {"axis", direction(Vec3::UnitY())}})};
    }
    model.bodies = {skate};
    add_point_outputs(model, "P", point("skate", "P"));
    const AssembledModel compiled = assembled(model, GetParam());
    RunSetup setup = figures_only(t);
    setup.rtol = 1e-11;
    const Results results = simulate(compiled.system(), compiled.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    const double k = slope / (2 * omega * omega);
    EXPECT_NEAR(results.final_quantities[0], k * std::pow(std::sin(omega * t), 2), 2e-8);
    EXPECT_NEAR(results.final_quantities[1], k * (omega * t - std::sin(2 * omega * t) / 2), 2e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(AllSets, SpatialReferences, ::testing::ValuesIn(spatial_sets()), [](const auto& of) {
  return plain(of.param);
});

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
