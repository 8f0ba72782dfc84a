// Bodies that spin: a free body, a fast gyroscope and a heavy top in every spatial coordinate set. What reference-point
// coordinates reach at a tolerance, the others must reach within a factor of 100; and never shrink: where the position of a
// turning vector is put back on its rows, its velocity goes along (stabilization/projector.hpp).
#include <cmath>

#include <fmt/format.h>

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct Spin {
  const char* name;
  const char* inertia;
  const char* omega;  // in the axes of the body
  double height;      // of the centre of mass above the ball joint; 0: free
  double t_end;
};

constexpr Spin kSpins[] = {{"free", "[0.2, 0.3, 0.45]", "[10, 4, 30]", 0, 2},
                           {"gyroscope", "[0.05, 0.05, 0.08]", "[0, 0, 100]", 0.2, 1},
                           {"top", "[0.2, 0.25, 0.1]", "[0.3, -0.2, 8]", 0.7, 2}};

Model spinning(const Spin& spin) {
  const bool is_free = spin.height == 0;
  std::string outputs;
  for (const char* point : {"tip", "side"})
    for (const char axis : {'x', 'y', 'z'})
      outputs +=
          fmt::format(R"({}{{"name": "{}_{}", "type": "point", "point": "body.{}", "component": "{}"}})",
                      outputs.empty() ? "" : ", ", point, axis, point, axis);
  return parse_model(
      fmt::format(
          R"({{"driftless": 1, "name": "{}", "space": "spatial", "gravity": [0, 0, {}],
              "ground": {{"points": {{"O": [0, 0, 0]}}}},
              "bodies": [{{"name": "body", "mass": 1, "inertia": {}, "center_of_mass": [0, 0, {}],
                "points": {{"O": [0, 0, 0], "tip": [0, 0, 1], "side": [1, 0, 0]}},
                "orientation": {{"quaternion": [1, 0.3, 0.1, 0]}}, "angular_velocity_body": {}}}],
              "joints": [{}], "outputs": [{}]}})",
          spin.name, is_free ? 0.0 : -9.81, spin.inertia, spin.height, spin.omega,
          is_free ? "" : R"({"name": "ball", "type": "spherical", "a": "ground.O", "b": "body.O"})", outputs),
      spin.name);
}

Vec places(const Spin& spin,
           const std::string& coordinates,
           const std::string& integrator,
           double rtol,
           const std::string& formulation = "lagrange") {
  const AssembledModel model = assembled(spinning(spin), coordinates);
  RunSetup setup = figures_only(spin.t_end);
  setup.formulation = formulation;
  setup.integrator = integrator;
  setup.rtol = rtol;
  // Penalties leave an error of their own, which no tolerance makes smaller: 1e-7 at the stiffness they have by default.
  if (formulation == "penalty") setup.options["penalty"] = "1e9";
  const Results results = simulate(model.system(), model.start(), setup);
  EXPECT_TRUE(results.good()) << results.message;
  return results.final_quantities;
}

// Two methods that agree.
Vec truth(const Spin& spin) {
  const Vec found = places(spin, "reference-point", "dop853", 1e-13);
  EXPECT_LT(max_difference(found, places(spin, "relative", "dop853", 1e-12)), 1e-9) << spin.name;
  return found;
}

class SpinningBodies : public ::testing::TestWithParam<std::string> {};

TEST_P(SpinningBodies, FollowTheToleranceInEverySet) {
  for (const Spin& spin : kSpins) {
    const Vec expected = truth(spin);
    for (const double rtol : {1e-5, 1e-7}) {
      const double measure = max_difference(places(spin, "reference-point", GetParam(), rtol), expected);
      for (const char* set : {"euler-parameters", "natural", "relative"})
        EXPECT_LT(max_difference(places(spin, set, GetParam(), rtol), expected),
                  100 * std::max(measure, rtol))
            << spin.name << " in " << set << " at " << rtol;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         SpinningBodies,
                         ::testing::Values("dopri5", "dop853", "adams", "bdf", "radau-iia5"),
                         [](const auto& one) { return plain(one.param); });

// A free body that turns about its middle axis, which it leaves and comes back to, again and again: what an error of the start
// becomes grows a hundredfold at every passage. In axes of the body the spin rests and schemes keep it; velocities in space turn, and
// errors of the tolerance in every one of their steps push it off (system/turning_vectors.hpp).
constexpr Spin kFlips[] = {{"flip", "[1, 2, 3]", "[0.1, 10, 0.1]", 0, 5},
                           {"thick", "[1, 2, 2.5]", "[0.1, 10, 0.1]", 0, 5},
                           {"slow", "[1, 1.5, 2]", "[0.05, 5, 0.02]", 0, 10}};

class FlippingBodies : public ::testing::TestWithParam<std::string> {};

TEST_P(FlippingBodies, FollowTheToleranceInEverySet) {
  for (const Spin& spin : kFlips) {
    const Vec expected = truth(spin);
    for (const double rtol : {1e-6, 1e-8}) {
      const double measure = max_difference(places(spin, "reference-point", GetParam(), rtol), expected);
      for (const char* set : {"euler-parameters", "natural", "relative"})
        EXPECT_LT(max_difference(places(spin, set, GetParam(), rtol), expected), 100 * measure)
            << spin.name << " in " << set << " at " << rtol;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All,
    FlippingBodies,
    ::testing::Values("dopri5", "dop853", "adams", "sdirk4", "rosenbrock4", "radau-iia5", "bdf", "auto"),
    [](const auto& one) { return plain(one.param); });

// The forms that integrate velocities, explicitly and implicitly.
class FlippingForms : public ::testing::TestWithParam<std::string> {};

TEST_P(FlippingForms, FollowTheToleranceInEverySet) {
  const Spin& spin = kFlips[0];
  const Vec expected = truth(spin);
  for (const char* integrator : {"dopri5", "radau-iia5", "bdf"}) {
    const double measure =
        max_difference(places(spin, "reference-point", integrator, 1e-6, GetParam()), expected);
    for (const char* set : {"euler-parameters", "natural"})
      EXPECT_LT(max_difference(places(spin, set, integrator, 1e-6, GetParam()), expected), 100 * measure)
          << integrator << " in " << set;
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         FlippingForms,
                         ::testing::Values("baumgarte",
                                           "stabilized-field",
                                           "penalty",
                                           "augmented-lagrangian",
                                           "projection-dependent"),
                         [](const auto& one) { return plain(one.param); });

// Those that solve for what depends, and those of momenta, where schemes take no Jacobian.
class FlippingSolvers : public ::testing::TestWithParam<std::string> {};

TEST_P(FlippingSolvers, FollowTheToleranceInEverySet) {
  for (const Spin& spin : kFlips) {
    const Vec expected = truth(spin);
    for (const char* integrator : {"dopri5", "dop853"})
      for (const double rtol : {1e-6, 1e-8}) {
        const double measure =
            max_difference(places(spin, "reference-point", integrator, rtol, GetParam()), expected);
        // The length of euler-parameters gives way to the penalties of canonical-augmented within a step, and the spin with it.
        std::vector<const char*> sets = {"natural", "euler-parameters"};
        if (GetParam() == "canonical-augmented") sets.pop_back();
        for (const char* set : sets)
          EXPECT_LT(max_difference(places(spin, set, integrator, rtol, GetParam()), expected), 100 * measure)
              << spin.name << ", " << integrator << " in " << set << " at " << rtol;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All,
    FlippingSolvers,
    ::testing::Values("partitioned", "projection-independent", "canonical-lagrange", "canonical-augmented"),
    [](const auto& one) { return plain(one.param); });

// A wheel in the plane, driven by nothing, in natural coordinates: its speed is what it was.
TEST(SpinningBodies, KeepTheirSpeedInThePlane) {
  const Model model = parse_model(
      R"({"driftless": 1, "name": "wheel", "space": "planar", "gravity": [0, 0],
          "ground": {"points": {"O": [0, 0]}},
          "bodies": [{"name": "wheel", "mass": 2, "inertia": 0.3, "center_of_mass": [0.1, 0],
            "points": {"O": [0, 0]}, "angular_velocity": 80}],
          "joints": [{"name": "pin", "type": "revolute", "a": "ground.O", "b": "wheel.O"}],
          "outputs": [{"name": "angle", "type": "joint", "joint": "pin", "value": "angle"}]})",
      "wheel");
  const AssembledModel wheel = assembled(model, "natural");
  for (const char* integrator : {"dopri5", "bdf", "adams"}) {
    RunSetup setup = figures_only(2);
    setup.integrator = integrator;
    const Results results = simulate(wheel.system(), wheel.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.final_quantities[0], 160, 160 * 1e-5) << integrator;
    EXPECT_LT(results.energy->max_relative_error, 10 * setup.rtol) << integrator;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
