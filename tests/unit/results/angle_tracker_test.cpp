// Angles that come out modulo 2π are recorded as they turn on.
#include "driftless/results/angle_tracker.hpp"

#include "support/runs.hpp"
#include "support/small_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// A wheel on a pin, its angle against the ground as an output. Spun at 40 rad/s, slowed by a brake.
Model wheel() {
  Model model = empty_model(Space::spatial);
  model.gravity.setZero();
  model.bodies = {flat_body("wheel", 2, 0.5, Vec3::Zero())};
  model.joints = {pin("pin", point_on("ground"), point_on("wheel"), Space::spatial)};
  model.forces = {
      element("brake", "torque",
              {{"body", std::string("wheel")}, {"torque", std::vector<TimeFunction>{0.0, 0.0, -6.0}}})};
  model.outputs = {
      element("angle", "joint", {{"joint", std::string("pin")}, {"value", std::string("angle")}}),
      element("rate", "joint", {{"joint", std::string("pin")}, {"value", std::string("rate")}})};
  model.initial.joints = {{"pin", std::nullopt, 40.0}};
  return of_one_space(model);
}
double angle_at(double t) { return 40 * t - 6 * t * t; }

RunSetup recorded(double t_end, double output_step) {
  RunSetup setup;
  setup.t_end = t_end;
  setup.rtol = 1e-10;  // ten turns take a hundred steps: their errors add up
  setup.output_step = output_step;
  return setup;
}

TEST(AngleTracker, RecordsEveryTurnInAllSets) {
  for (const char* coordinates : {"reference-point", "euler-parameters", "natural", "relative"}) {
    AssembledModel mechanism;
    mechanism.compiled = compile(wheel(), coordinates, "sample");
    mechanism.assembly = assemble(mechanism.compiled, 0, "sample");
    const Results results = simulate(mechanism.system(), mechanism.start(), recorded(5, 0.37));
    ASSERT_TRUE(results.good()) << results.message;
    for (size_t i = 0; i < results.trajectory.size(); ++i)  // several turns between two records
      EXPECT_NEAR(results.trajectory.quantities.at(i, 0), angle_at(results.trajectory.t[i]), 1e-5);
    EXPECT_NEAR(results.final_quantities[0], angle_at(5), 1e-5);
  }
}

TEST(AngleTracker, FigureIsTheSameWithoutRecords) {
  const auto mechanism = assembled(wheel());
  const Results results = simulate(mechanism.system(), mechanism.start(), figures_only(2));
  EXPECT_NEAR(results.final_quantities[0], angle_at(2), 1e-3);
}

// Steps of most of a turn: the rates say which.
TEST(AngleTracker, CoarseStepsDoNotLoseTurns) {
  const auto mechanism = assembled(wheel());
  RunSetup setup = recorded(3, 0);
  setup.integrator = "dopri5";
  setup.step = 0.1;  // 4 rad
  setup.drift_limit = 10;
  const Results results = simulate(mechanism.system(), mechanism.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  for (size_t i = 0; i < results.trajectory.size(); ++i) {
    const double found = results.trajectory.quantities.at(i, 0);
    EXPECT_NEAR(found, angle_at(results.trajectory.t[i]), 2);  // errors of the scheme, but never a turn
  }
}

TEST(AngleTracker, StopsWhereTheCountedAnglePassesALevel) {
  const auto mechanism = assembled(wheel());
  RunSetup setup = recorded(5, 0.1);
  Event event;
  event.name = "five turns";
  event.quantity = 0;
  event.level = 10 * M_PI;
  event.stop = true;
  setup.events = {event};
  const Results results = simulate(mechanism.system(), mechanism.start(), setup);
  EXPECT_EQ(results.status, Status::stopped);
  const double t = (40 - std::sqrt(1600 - 24 * 10 * M_PI)) / 12;
  EXPECT_NEAR(results.final.t, t, 1e-7);
  EXPECT_NEAR(results.final_quantities[0], 10 * M_PI, 1e-6);
}

// An event that does not stop cuts the step; the count goes on behind it.
TEST(AngleTracker, GoesOnBehindAnEvent) {
  const auto mechanism = assembled(wheel());
  RunSetup setup = recorded(2, 0.05);
  Event event;
  event.name = "mark";
  event.root = [](double t, ConstVec, ConstVec) { return t - 0.777; };
  setup.events = {event};
  const Results results = simulate(mechanism.system(), mechanism.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  ASSERT_EQ(results.trajectory.events.size(), 1u);
  for (size_t i = 0; i < results.trajectory.size(); ++i)
    EXPECT_NEAR(results.trajectory.quantities.at(i, 0), angle_at(results.trajectory.t[i]), 1e-5);
}

// A run continued from its checkpoint counts on and is the uninterrupted run.
TEST(AngleTracker, ContinuedRunCountsOn) {
  const auto mechanism = assembled(wheel());
  const Results whole = simulate(mechanism.system(), mechanism.start(), recorded(2, 0.1));
  const Results half = simulate(mechanism.system(), mechanism.start(), recorded(1, 0.1));
  RunSetup rest = recorded(2, 0.1);
  rest.checkpoint = half.checkpoint;
  rest.quantities = half.final_quantities;
  const Results on = simulate(mechanism.system(), half.final, rest);
  ASSERT_TRUE(on.good()) << on.message;
  EXPECT_NEAR(on.trajectory.quantities.at(0, 0), angle_at(1), 1e-5);
  EXPECT_EQ(on.final_quantities[0], whole.final_quantities[0]);
  rest.quantities.reset();
  const Results anew = simulate(mechanism.system(), half.final, rest);
  EXPECT_LE(std::abs(anew.trajectory.quantities.at(0, 0)), M_PI + 1e-9);
}

TEST(AngleTracker, PlanarSystemsHaveNothingToTrack) {
  Model model = pendulum(Space::planar, 0.3);
  model.outputs = {
      element("angle", "joint", {{"joint", std::string("pin")}, {"value", std::string("angle")}})};
  const auto compiled = compile(of_one_space(model), "reference-point", "sample");
  EXPECT_TRUE(compiled.system->observables().wrapped_quantities().empty());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
