// Contacts, stops and dry friction against closed forms (the shipped models and small ones beside them).
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/switching.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// S1: w = sqrt(2/g), impacts at w (1 + 2 e + 2 e² + …).
void expect_bounces(const std::string& formulation, const std::string& integrator) {
  SCOPED_TRACE(integrator);
  RunSetup setup = sharp(5, integrator);
  setup.formulation = formulation;
  const Results results = run_model(model_file("bouncing-ball"), setup);
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto times = times_of(results, "floor");
  const double g = 9.81, e = 0.8, w = std::sqrt(2 / g);
  double t = w, wait = 2 * w * e, speed = g * w;
  size_t k = 0;
  for (; k < times.size() && speed * e > 1e-4; ++k, t += wait, wait *= e, speed *= e)
    EXPECT_NEAR(times[k], t, 1e-9);
  EXPECT_GT(k, 40U);
  EXPECT_NEAR(times.back(), w * (1 + e) / (1 - e), 2 * 1e-4 / (g * (1 - e)));
  EXPECT_NEAR(results.final.q[1], 0.05, 1e-12);
  EXPECT_EQ(results.final_mode[0], 1);
}

TEST(SwitchingElements, BallBouncesUntilItLies) { expect_bounces("lagrange", "dopri5"); }
TEST(SwitchingElements, BallBouncesWithRadau) { expect_bounces("lagrange", "radau-iia5"); }
TEST(SwitchingElements, BallBouncesWithBdf) { expect_bounces("lagrange", "bdf"); }
TEST(SwitchingElements, BallBouncesWithGeneralizedAlpha) { expect_bounces("index3", "generalized-alpha"); }

// Hops below the tolerance: the ball comes to rest, sooner than it should, but not later and not with a failure.
TEST(SwitchingElements, BallComesToRestWhereStepsAreCoarse) {
  const double last = std::sqrt(2 / 9.81) * (1 + 0.8) / (1 - 0.8);
  for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6}) {
    SCOPED_TRACE(rtol);
    RunSetup setup = sharp(5, "bdf", rtol);
    setup.formulation = "index3";
    const Results results = run_model(model_file("bouncing-ball"), setup);
    ASSERT_EQ(results.status, Status::ok) << results.message;
    EXPECT_NEAR(results.final.q[1], 0.05, 1e-12);
    EXPECT_EQ(results.final_mode[0], 1);
    ASSERT_FALSE(results.notices.empty());
    EXPECT_NE(results.notices.back().find("came to rest"), std::string::npos);
    // A hop of height z lasts 2 sqrt(2 z/g), and those behind it 4 times as long, e/(1 − e); before, bdf at index 3 errs by
    // 43 and 26 tolerances in the energy, of which the time left is the root, and 10 times that in the bounces it cost.
    const double missed = 5 * 2 * std::sqrt(2 * 11 * rtol / 9.81);
    EXPECT_NEAR(times_of(results, "floor").back(), last, rtol > 5e-5 ? 2 * missed : missed);
  }
}

// S2
TEST(SwitchingElements, BeltSticksAndSlips) {
  const Results results = run_model(model_file("stick-slip-belt"), sharp(30));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto slips = times_of(results, "rub: slips");
  ASSERT_GE(slips.size(), 3U);
  for (size_t k = 1; k < slips.size(); ++k)
    EXPECT_NEAR(slips[k] - slips[k - 1], 5 + std::numbers::pi + 2 * std::atan(0.4), 1e-8);
}

// S3
TEST(SwitchingElements, BlockDoesNotCreep) {
  const Model model = model_file("block-on-incline");
  const AssembledModel at = assembled(model);
  for (const double t_end : {1e3, 1e6}) {
    RunSetup setup = sharp(t_end, "dopri5", 1e-6);
    setup.output_step = t_end;
    const Results results = simulate(at.system(), at.start(), setup);
    ASSERT_EQ(results.status, Status::ok) << results.message;
    EXPECT_NEAR(results.final.q[0], at.start().q[0], 1e-13);
    EXPECT_NEAR(results.final.q[1], at.start().q[1], 1e-13);
  }
}

TEST(SwitchingElements, BlockSlidesWhereItIsTooSteep) {
  const double alpha = 0.3, mu = 0.2;
  const Results results = run_model(with(model_file("block-on-incline"), {{"mu", mu}}), sharp(2));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const double way = 0.5 * 9.81 * (std::sin(alpha) - mu * std::cos(alpha)) * 4;
  EXPECT_NEAR(results.final.q[0], -way * std::cos(alpha), 1e-9);
}

// S7: half swings lose 2 T/(m g l), up to the third power of the amplitude; then it hangs for ever.
TEST(SwitchingElements, PendulumWithHardPinComesToRest) {
  const Results results = run_model(model_file("friction-pendulum"), sharp(40));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_EQ(results.final_mode[0], 0);
  EXPECT_LT(results.final.v.lpNorm<Eigen::Infinity>(), 1e-15);
  EXPECT_LE(std::abs(std::sin(results.final.q[2])), 0.05 / 9.81);
}

// S8
TEST(SwitchingElements, ClutchLocksAndSlipsAgain) {
  const Results results = run_model(model_file("clutch"), sharp(16));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto locks = times_of(results, "clutch: sticks"), slips = times_of(results, "clutch: slips");
  ASSERT_EQ(locks.size(), 1U);
  ASSERT_EQ(slips.size(), 1U);
  EXPECT_NEAR(locks[0], 4, 1e-9);
  EXPECT_NEAR(slips[0], 14.75, 1e-9);
}

// Multistep methods make long steps of what is straight in the motion; work is a parabola there (work_quadrature.hpp).
TEST(SwitchingElements, WorkIsThatOfTheMotionWithMultistepMethods) {
  for (const char* integrator : {"bdf", "cvode-bdf", "cvode-adams", "ida"})
    for (const char* model : {"stick-slip-belt", "clutch"}) {
      SCOPED_TRACE(std::string(integrator) + ", " + model);
      const Results results = run_model(model_file(model), sharp(16, integrator, 1e-6));
      ASSERT_EQ(results.status, Status::ok) << results.message;
      ASSERT_TRUE(results.energy);
      EXPECT_LT(results.energy->max_relative_error, 1e-4);
    }
}

// S10
TEST(SwitchingElements, StopsThatCloseTogetherAreSymmetric) {
  const Model model = model_of(
      R"({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "A": [-1, 0], "B": [1, 0] } },
    "bodies": [
      { "name": "left", "mass": 1, "inertia": 0.1, "center_of_mass": [0, -1], "points": { "O": [0, 0] }, "position": [-1, 0],
        "angle": -1 },
      { "name": "right", "mass": 1, "inertia": 0.1, "center_of_mass": [0, -1], "points": { "O": [0, 0] }, "position": [1, 0],
        "angle": 1 } ],
    "joints": [
      { "name": "p", "type": "revolute", "a": "ground.A", "b": "left.O", "stops": { "max": 0.2, "restitution": 0.5 } },
      { "name": "q", "type": "revolute", "a": "ground.B", "b": "right.O", "stops": { "min": -0.2, "restitution": 0.5 } } ] })");
  const Results results = run_model(model, sharp(3));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_GT(times_of(results, "stop").size(), 1U);
  EXPECT_NEAR(results.final.q[2], -results.final.q[5], 1e-14);
  EXPECT_NEAR(results.final.v[2], -results.final.v[5], 1e-13);
  EXPECT_LT(results.energy->max_relative_error, 1e-8);
}

// S7 with the force of the pin: it hangs while |sin θ| ≤ μ r/l.
TEST(SwitchingElements, PinHoldsByItsOwnForce) {
  const Model model =
      model_of(R"({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0] } },
    "parameters": { "a": 0.0119 },
    "bodies": [ { "name": "arm", "mass": 1, "inertia": 0.01, "center_of_mass": [0, -1], "points": { "O": [0, 0] }, "angle": "a" } ],
    "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.O",
                  "friction": { "coefficient": 0.5, "static": 0.6, "radius": 0.02 } } ] })");
  const Results hangs = run_model(model, sharp(10));
  EXPECT_NEAR(hangs.final.q[2], 0.0119, 1e-15);
  const Results swings = run_model(with(model, {{"a", 0.0121}}), sharp(10));
  ASSERT_EQ(swings.status, Status::ok) << swings.message;
  EXPECT_NEAR(swings.final.q[2], -0.0121 + 2 * 0.01, 1e-5);  // by 2 μ r/l, to the second order
}

// S6: 1 + 3 cos²θ − 3 μ sin θ cos θ changes its sign at μ = 4/3 for tan θ = 2.
TEST(SwitchingElements, PainleveIsReported) {
  const Model model =
      model_of(R"({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0] } },
    "parameters": { "mu": 1.3 },
    "bodies": [ { "name": "rod", "mass": 1, "inertia": 0.3333333333333333, "points": { "tip": [0, -1] },
      "position": [-0.4472135954999579, 0.8944271909999159], "angle": 0.4636476090008061, "velocity": [3, 0] } ],
    "contacts": [ { "name": "floor", "type": "point-plane", "a": "ground.O", "normal": [0, 1], "b": "rod.tip",
                    "friction": { "coefficient": "mu" } } ] })");
  EXPECT_EQ(run_model(with(model, {{"mu", 1.333}}), sharp(0.01)).status, Status::ok);
  EXPECT_THROW(run_model(with(model, {{"mu", 1.334}}), sharp(0.01)), InputError);
}

// S3 in space.
TEST(SwitchingElements, PointOnInclineInSpace) {
  const Model model = model_of(R"m({ "driftless": 1, "space": "spatial", "gravity": [0, 0, -9.81],
    "ground": { "points": { "O": [0, 0, 0] } }, "parameters": { "mu": 0.4 },
    "bodies": [ { "name": "b", "mass": 2, "inertia": [0.1, 0.1, 0.1], "points": { "f": [0, 0, 0] } } ],
    "contacts": [ { "name": "slope", "type": "point-plane", "a": "ground.O", "normal": ["sin(0.3)", 0, "cos(0.3)"],
                    "b": "b.f", "friction": { "coefficient": "mu" } } ] })m");
  const Results holds = run_model(model, sharp(1000));
  ASSERT_EQ(holds.status, Status::ok) << holds.message;
  EXPECT_LT(holds.final.q.head(3).norm(), 1e-13);
  const Results slides = run_model(with(model, {{"mu", 0.2}}), sharp(1));
  const double way = 0.5 * 9.81 * (std::sin(0.3) - 0.2 * std::cos(0.3));
  EXPECT_NEAR(slides.final.q.head(3).norm(), way, 1e-9);
}

// Newton's cradle of three, one blow after the other, and a compliant stop that gives everything back.
TEST(SwitchingElements, CradleHandsItsSpeedOn) {
  const Model model = model_of(R"({ "driftless": 1, "bodies": [
      { "name": "a", "mass": 1, "inertia": 1, "points": { "c": [0, 0] }, "velocity": [1, 0] },
      { "name": "b", "mass": 1, "inertia": 1, "points": { "c": [0, 0] }, "position": [1, 0] },
      { "name": "d", "mass": 1, "inertia": 1, "points": { "c": [0, 0] }, "position": [2, 0] } ],
    "contacts": [
      { "name": "ab", "type": "circle-circle", "a": "a.c", "b": "b.c", "radius_a": 0.1, "radius_b": 0.1, "restitution": 1 },
      { "name": "bd", "type": "circle-circle", "a": "b.c", "b": "d.c", "radius_a": 0.1, "radius_b": 0.1, "restitution": 1 } ] })");
  const Results results = run_model(model, sharp(3));
  const auto times = times_of(results, "impact");
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 0.8, 1e-12);
  EXPECT_NEAR(times[1], 1.6, 1e-12);
  EXPECT_NEAR(results.final.v[6], 1, 1e-12);
}

TEST(SwitchingElements, BumpStopGivesBack) {
  const Model model =
      model_of(R"({ "driftless": 1, "gravity": [0, -10], "ground": { "points": { "O": [0, 0] } },
    "bodies": [ { "name": "m", "mass": 1, "inertia": 1, "points": { "c": [0, 0] }, "position": [0, 1] } ],
    "joints": [ { "name": "s", "type": "translational", "a": "ground.O", "axis": [0, 1], "b": "m.c",
                  "stops": { "min": 0, "stiffness": 1000 } } ] })");
  const Results results = run_model(model, sharp(1));
  const auto closes = times_of(results, "closed"), opens = times_of(results, "open");
  ASSERT_EQ(closes.size(), 1U);
  ASSERT_EQ(opens.size(), 1U);
  const double w = std::sqrt(1000.0), v = std::sqrt(20.0);
  EXPECT_NEAR(closes[0], std::sqrt(0.2), 1e-9);
  EXPECT_NEAR(opens[0] - closes[0], 2 * (std::numbers::pi - std::atan(v * w / 10)) / w, 1e-8);
}

TEST(SwitchingElements, BumpStopTakesHold) {
  RunSetup setup = sharp(1, "dopri5", 1e-9);
  const Results results = run_model(model_file("bump-stop"), setup);
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto closes = times_of(results, "strut: stop min: closed");
  ASSERT_EQ(closes.size(), 1U);
  EXPECT_NEAR(closes[0], 0.1285196331, 1e-8);
  EXPECT_NEAR(results.final.q[4], 0.8697909665, 1e-8);
}

// S7: swings of a pendulum with a constant torque T in its pin lose 2 T/(m g l) a half swing, for small angles.
TEST(SwitchingElements, PendulumLosesTheSameEveryHalfSwing) {
  const Model model =
      model_of(R"({ "driftless": 1, "gravity": [0, -10], "ground": { "points": { "O": [0, 0] } },
    "bodies": [ { "name": "arm", "mass": 1, "inertia": 0.01, "center_of_mass": [0, -1], "points": { "O": [0, 0] }, "angle": 0.0205 } ],
    "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.O", "friction": { "torque": 0.01 } } ] })");
  const Results results = run_model(model, sharp(20));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const Trajectory& path = results.trajectory;
  double last = 0.0205;
  int turns = 0;
  for (size_t k = 1; k + 1 < path.size(); ++k)
    if (path.t[k] == path.t[k + 1] && path.t[k] > 0 && std::abs(path.v.data[3 * k + 2]) < 1e-9) {
      const double angle = std::abs(path.q.data[3 * k + 2]);
      if (angle >= last - 1e-6) continue;
      EXPECT_NEAR(last - angle, 2 * 0.01 / 10, 2e-7) << turns;  // to the third power of the angle
      last = angle;
      ++turns;
    }
  EXPECT_EQ(turns, 10);
}

// Fields of objects keep their places in files and in complaints.
TEST(SwitchingElements, ModelFilesGoRound) {
  for (const char* name :
       {"bouncing-ball", "stick-slip-belt", "block-on-incline", "friction-pendulum", "clutch", "gripper",
        "geneva-drive", "geneva-contacts", "rocking-block", "bump-stop"}) {
    const std::string text = model_to_json(model_file(name));
    EXPECT_EQ(text, model_to_json(parse_model(text, name))) << name;
  }
}

std::string complaint_about(const std::string& joint_fields) {
  try {
    const Model model = model_of(R"({ "driftless": 1, "ground": { "points": { "O": [0, 0] } },
      "bodies": [ { "name": "b", "mass": 1, "inertia": 1, "points": { "O": [0, 0] } } ],
      "joints": [ { "name": "p", "type": "revolute", "a": "ground.O", "b": "b.O", )" +
                                 joint_fields + " } ] }");
    compile(model, "reference-point", "test");
  } catch (const InputError& error) {
    return error.complaints().front().where;
  }
  return "";
}

TEST(SwitchingElements, ComplaintsNameTheField) {
  EXPECT_EQ(complaint_about(R"("stops": { "min": 0, "restitution": 0.5 })"), "");
  EXPECT_EQ(complaint_about(R"("friction": {})"), "joints[0].friction");
  EXPECT_EQ(complaint_about(R"("friction": { "torqe": 1 })").substr(0, 18), "joints[0].friction");
  EXPECT_EQ(complaint_about(R"("friction": { "coefficient": 0.1 })"), "joints[0].friction.radius");
  EXPECT_EQ(complaint_about(R"("stops": { "min": 1, "max": 0 })"), "joints[0].stops.max");
  EXPECT_EQ(complaint_about(R"("stops": { "min": 1, "restitution": 2 })"), "joints[0].stops.restitution");
  EXPECT_EQ(complaint_about(R"("stops": { "min": 1, "stiffness": 2, "restitution": 1 })"),
            "joints[0].stops.restitution");
}

// Runs that cannot go on say so: a block that leaves its slope slower than time resolves, a slider that rubs on a springy stop.
TEST(SwitchingElements, WhatNeverSettlesEndsTheRun) {
  Model block = model_file("block-on-incline");
  block.bodies[0].velocity = Vec3(-1.28e-9, 0.85e-9, 0);
  const Model shoe =
      model_of(R"({"driftless": 1, "name": "shoe", "gravity": [0, -9.81], "ground": {"points": {"O": [0, 0]}},
      "bodies": [{"name": "shoe", "mass": 1, "inertia": 0.05, "points": {"O": [0, 0]}, "velocity": [1.5, 0]}],
      "joints": [{"name": "rail", "type": "translational", "a": "ground.O", "axis": [1, 0], "b": "shoe.O",
                  "friction": {"coefficient": 0.2}, "stops": {"max": 0.1, "stiffness": 2000}}]})");
  for (const Model* model : std::initializer_list<const Model*>{&block, &shoe}) {
    RunSetup setup = sharp(0.3, "dopri5", 1e-9);
    setup.max_steps = 10'000;
    const Results results = run_model(*model, setup);
    EXPECT_TRUE(results.good() || results.status == Status::chattering) << results.message;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
