// Tyres: what the road may do to a wheel.
#include "driftless/forces/tyre.hpp"

#include "support/runs.hpp"
#include "support/small_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

TyreLaw law(bool unilateral, const TimeFunction& road = 0.0) {
  TyreLaw out;
  out.radius = 0.3;
  out.stiffness = 1000;
  out.damping = 50;
  out.road = Profile(road);
  out.unilateral = unilateral;
  return out;
}

TEST(Tyre, PushesWithSpringAndDamper) {
  const auto c = law(true).contact<double>(2, 5, 0.25, -0.1, 0, nullptr);
  EXPECT_DOUBLE_EQ(c.deflection, 0.3 - 0.25);
  EXPECT_DOUBLE_EQ(c.rate, 0.1);
  EXPECT_DOUBLE_EQ(c.force, 1000 * (0.3 - 0.25) + 50 * 0.1);
}

TEST(Tyre, UnilateralNeverPulls) {
  EXPECT_EQ(law(true).contact<double>(0, 0, 0.4, -5, 0, nullptr).force, 0);  // in the air, falling
  EXPECT_EQ(law(true).contact<double>(0, 0, 0.29, 1, 0, nullptr).force,
            0);  // leaving faster than the spring follows
  EXPECT_EQ(law(true).potential(law(true).contact<double>(0, 0, 0.4, 0, 0, nullptr)), 0);
  EXPECT_LT(law(false).contact<double>(0, 0, 0.4, 0, 0, nullptr).force, 0);
  EXPECT_GT(law(false).potential(law(false).contact<double>(0, 0, 0.4, 0, 0, nullptr)), 0);
}

TEST(Tyre, FollowsTheProfileAndItsSlope) {
  const TimeFunction hill = time_function::ExpressionText{"0.1*x^2", "x"};
  TyreLaw moving = law(true, hill);
  moving.speed = 3;
  const double x = 0.5 + 3 * 0.2;  // the road has run 0.6 m beneath the wheel
  const auto c = moving.contact<double>(0.5, 1, 0.2, 0.4, 0.2, nullptr);
  EXPECT_NEAR(c.deflection, 0.3 + 0.1 * x * x - 0.2, 1e-15);
  EXPECT_NEAR(c.rate, 0.2 * x * (1 + 3) - 0.4, 1e-15);
}

// A quarter car at rest: the tyre carries the weight.
Model wheel(Space space, const char* contact) {
  Model model = empty_model(space);
  if (space == Space::spatial) model.gravity = Vec3(0, 0, -9.81);
  model.bodies = {flat_body("wheel", 10, 0.4, space == Space::planar ? Vec3(0, 0.5, 0) : Vec3(0, 0, 0.5))};
  model.forces = {element("tyre", "tyre",
                          {{"at", point_on("wheel")},
                           {"radius", 0.3},
                           {"stiffness", 20000.0},
                           {"damping", 400.0},
                           {"contact", std::string(contact)}})};
  model.outputs = {
      element("delta", "force", {{"force", std::string("tyre")}, {"value", std::string("deflection")}}),
      element("N", "force", {{"force", std::string("tyre")}, {"value", std::string("force")}})};
  return model;
}

TEST(Tyre, DroppedWheelSettlesOnItsWeightAndTheEnergyBalanceCloses) {
  for (const Space space : {Space::planar, Space::spatial}) {
    const auto dropped = assembled(of_one_space(wheel(space, "unilateral")));
    RunSetup setup = figures_only(2);
    setup.rtol = 1e-8;
    setup.max_step = 1e-4;
    const Results results = simulate(dropped.system(), dropped.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.final_quantities[0], 10 * 9.81 / 20000, 1e-6);
    EXPECT_NEAR(results.final_quantities[1], 10 * 9.81, 1e-2);
    // Touch-down is a jump of the damper's force inside a step: the estimate of its work is as good as the step there.
    EXPECT_LT(results.energy->max_relative_error, 1e-6);
  }
}

TEST(Tyre, BilateralHoldsTheWheelDown) {
  Model model = wheel(Space::planar, "bilateral");
  model.gravity = Vec3(0, 9.81, 0);
  const auto held = assembled(of_one_space(model));
  const Results results = simulate(held.system(), held.start(), figures_only(3));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(results.final_quantities[1], -10 * 9.81, 1e-2);
}

// A wheel driven over a wave at constant speed does what a shaker test at ω = 2π s/λ does: steady amplitude of the
// one-mass oscillator with base excitation, |H| = sqrt((k² + c²ω²)/((k − mω²)² + c²ω²)).
TEST(Tyre, WaveAnswersLikeABaseExcitedOscillator) {
  Model model = wheel(Space::planar, "bilateral");
  model.bodies[0].position = Vec3(0, 0.3 - 10 * 9.81 / 20000, 0);
  model.forces[0].fields["road"] = TimeFunction(time_function::Harmonic{.amplitude = 0.01, .frequency = 2.0});
  model.forces[0].fields["speed"] = 15.0;
  model.outputs = {element("y", "body", {{"body", std::string("wheel")}, {"component", std::string("y")}})};
  const auto driven = assembled(of_one_space(model));
  RunSetup setup;
  setup.t_end = 4;
  setup.rtol = 1e-8;
  setup.output_step = 0.001;
  const Results results = simulate(driven.system(), driven.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  double low = 1e9, high = -1e9;
  for (size_t i = results.trajectory.size() - 500; i < results.trajectory.size(); ++i) {
    low = std::min(low, results.trajectory.quantities.at(i, 0));
    high = std::max(high, results.trajectory.quantities.at(i, 0));
  }
  const double k = 20000, c = 400, m = 10, w = 30;
  const double gain = std::sqrt((k * k + c * c * w * w) / (std::pow(k - m * w * w, 2) + c * c * w * w));
  EXPECT_NEAR((high - low) / 2, 0.01 * gain, 2e-5 * gain);  // extremes off the samples by (ω Δt)²/8
}

TEST(Tyre, RoadMustLeadAcrossUp) {
  Model model = wheel(Space::planar, "unilateral");
  model.forces[0].fields["along"] = Vec3(0, 2, 0);
  try {
    compile(of_one_space(model), "reference-point", "sample");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.complaints().at(0).where, "forces[0].along");
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
