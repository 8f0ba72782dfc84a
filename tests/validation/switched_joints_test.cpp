// Joints and drivers that come and go: impacts by which they come, momentum, complaints.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/switching.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// S5: momentum to round-off, energy by the formula.
TEST(SwitchedJoints, GripperCatchesAndReleases) {
  for (const char* integrator : {"dopri5", "radau-iia5", "bdf"}) {
    SCOPED_TRACE(integrator);
    const Results results = run_model(model_file("gripper"), sharp(2, integrator));
    ASSERT_EQ(results.status, Status::ok) << results.message;
    const auto on = times_of(results, "grip: on"), off = times_of(results, "grip: off");
    ASSERT_EQ(on.size(), 1U);
    ASSERT_EQ(off.size(), 1U);
    EXPECT_NEAR(on[0], 0.5, 1e-9);
    EXPECT_NEAR(off[0], 1.5, 1e-8);
    EXPECT_NEAR(results.final.v[0], 0.75, 1e-9);
    EXPECT_NEAR(results.final.q[3], 1.125, 1e-8);
    EXPECT_NEAR(results.final.q[4], -1.25, 1e-8);
    EXPECT_NEAR(results.energy->lost, 12.875, 1e-7);
    EXPECT_LT(results.energy->max_relative_error, 1e-8);
  }
}

// The parcel is let go on the level where "catch" listens, where rows hold it to round-off or to a tolerance: it has not passed it.
TEST(SwitchedJoints, WhatIsLetGoOnItsLevelHasNotPassedIt) {
  const Model model = model_file("gripper");
  for (const char* formulation :
       {"lagrange", "baumgarte", "stabilized-field", "penalty", "augmented-lagrangian",
        "projection-dependent", "partitioned", "projection-independent", "canonical-lagrange",
        "canonical-augmented", "canonical-independent"})
    for (const char* integrator : {"dopri5", "dop853", "radau-iia5"})
      for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-9}) {
        SCOPED_TRACE(::testing::Message() << formulation << " " << integrator << " " << rtol);
        RunSetup setup = sharp(2, integrator, rtol);
        setup.formulation = formulation;
        const Results results = run_model(model, setup);
        ASSERT_EQ(results.status, Status::ok) << results.message;
        EXPECT_EQ(times_of(results, "grip: on").size(), 1U);
        EXPECT_EQ(times_of(results, "grip: off").size(), 1U);
        EXPECT_NEAR(results.final.q[4], -1.25, 100 * rtol);
      }
}

Model two_in_space(const std::string& when_on) {
  return model_of(R"({ "driftless": 1, "space": "spatial",
    "bodies": [
      { "name": "a", "mass": 2, "inertia": [0.3, 0.4, 0.5], "points": { "c": [0, 0, 0] }, "velocity": [1, 0.2, 0],
        "angular_velocity": [0.3, -0.2, 0.5] },
      { "name": "b", "mass": 1, "inertia": [0.1, 0.2, 0.15], "points": { "c": [0, 0, 0] }, "position": [1, 0.1, 0.3],
        "velocity": [-1, 0, 0.3], "angular_velocity": [-1, 0.5, 0.2] } ],
    "joints": [ { "name": "grip", "type": "fixed", "a": "a.c", "b": "b.c" } ],
    "switches": [ { "name": "on", "joint": "grip", "do": "on", )" +
                  when_on + R"(, "when": { "time": 0.4 } },
                  { "name": "off", "joint": "grip", "do": "off", "when": { "time": 1.1 } } ] })");
}

// Two bodies grip each other where they are and let go: momentum and moment of momentum stay, in both sets.
TEST(SwitchedJoints, BodiesInSpaceHoldWhereTheyAre) {
  const Model model = two_in_space(R"("hold": "here")");
  std::vector<Pose> poses;
  std::vector<double> lost;
  for (const char* coordinates : {"reference-point", "euler-parameters"}) {
    SCOPED_TRACE(coordinates);
    const AssembledModel at = assembled(model, coordinates);
    const Results results = simulate(at.system(), at.start(), sharp(2));
    ASSERT_EQ(results.status, Status::ok) << results.message;
    ASSERT_EQ(times_of(results, "grip: on").size(), 1U);
    EXPECT_NEAR(times_of(results, "grip: on")[0], 0.4, 1e-15);
    EXPECT_NEAR(times_of(results, "grip: off")[0], 1.1, 1e-15);
    const auto nv = at.system().layout().nv / 2;
    const Vec3 momentum = 2 * results.final.v.head<3>() + results.final.v.segment<3>(nv);
    EXPECT_LT((momentum - Vec3(1, 0.4, 0.3)).norm(), 1e-13);
    EXPECT_LT(results.energy->max_relative_error, 1e-8);
    lost.push_back(results.energy->lost);
    std::vector<Pose> final;
    at.system().poses(2, results.final.q, final);
    if (poses.empty())
      poses = final;
    else
      for (size_t i = 0; i < final.size(); ++i)
        EXPECT_LT((final[i].position - poses[i].position).norm(), 1e-8);
  }
  EXPECT_GT(lost[0], 1);
  EXPECT_NEAR(lost[0], lost[1], 1e-8);
}

TEST(SwitchedJoints, JointThatDoesNotFitIsRefused) {
  const Results results = run_model(two_in_space(R"("comment": "")"), sharp(2));
  EXPECT_EQ(results.status, Status::no_mode);
  EXPECT_NE(results.message.find("grip"), std::string::npos) << results.message;
}

// S5: the coupler of a four-bar lets go at both pins: two pendulums and a free body.
TEST(SwitchedJoints, FourBarFallsApart) {
  Model model = model_file("four-bar");
  model.forces.clear();
  model.outputs.clear();
  for (const char* pin : {"pin_A", "pin_B"}) {
    Element off{std::string("let_go_") + pin, "switch", {}};
    off.fields["joint"] = std::string(pin);
    off.fields["do"] = std::string("off");
    off.fields["when.time"] = 0.2;
    model.switches.push_back(off);
  }
  RunSetup setup = sharp(0.5);
  const Results results = run_model(model, setup);
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_EQ(times_of(results, ": off").size(), 2U);
  EXPECT_EQ(results.energy->lost, 0);
  // The coupler from its record at the switch: a parabola, at constant speed of turning.
  const Trajectory& path = results.trajectory;
  size_t k = 0;
  while (path.t[k + 1] <= 0.2) ++k;
  const size_t columns = path.q.columns();
  const double T = 0.5 - path.t[k];
  const double* q = path.q.data.data() + k * columns + 3;
  const double* v = path.v.data.data() + k * columns + 3;
  EXPECT_NEAR(results.final.q[3], q[0] + T * v[0], 1e-9);
  EXPECT_NEAR(results.final.q[4], q[1] + T * v[1] - 9.81 * T * T / 2, 1e-9);
  EXPECT_NEAR(results.final.q[5], q[2] + T * v[2], 1e-9);
  EXPECT_NEAR(results.final.v[2], path.v.data[k * columns + 2], 1e-9);  // the balanced crank turns on
}

TEST(SwitchedJoints, GenevaWheelTurnsByQuarters) {
  RunSetup setup = sharp(2, "dopri5", 1e-9);
  setup.output_step = 0.25;
  const Results results = run_model(model_file("geneva-drive"), setup);
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_NEAR(results.final.q[5], -std::numbers::pi, 1e-8);
  EXPECT_LT(std::abs(results.energy->lost), 1e-10);
  const Trajectory& path = results.trajectory;
  for (size_t k = 0; k < path.size(); ++k) {
    if (path.t[k] == 0.25) {
      EXPECT_NEAR(path.v.data[6 * k + 5], -2 * std::numbers::pi * (1 + std::numbers::sqrt2), 1e-6);
    } else if (path.t[k] == 1) {
      EXPECT_NEAR(path.q.data[6 * k + 5], -std::numbers::pi / 2, 1e-8);
    }
  }
}

// By contacts: on the line of centres −2π (1 + √2) rad/s again, quarters to within the play; E − E₀ = W − lost.
TEST(SwitchedJoints, GenevaWheelIsDrivenByItsWalls) {
  RunSetup setup = sharp(2, "dopri5", 1e-8);
  setup.output_step = 0.25;
  const Results results = run_model(model_file("geneva-contacts"), setup);
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_EQ(times_of(results, ": closed").size(), 4U);
  EXPECT_EQ(times_of(results, ": open").size(), 4U);
  EXPECT_LT(results.energy->max_relative_error, 1e-5);
  EXPECT_GT(results.energy->lost, 0.01);
  EXPECT_NEAR(results.final.q[5], -std::numbers::pi, 0.0071);
  EXPECT_LT(results.final.v.tail<1>().norm(), 1e-13);
  const Trajectory& path = results.trajectory;
  for (size_t k = 0; k < path.size(); ++k)
    if (path.t[k] == 0.25) {
      EXPECT_NEAR(path.v.data[6 * k + 5], -2 * std::numbers::pi * (1 + std::numbers::sqrt2), 1e-6);
    }
}

// With less friction in the axle the pin leaves a corner, and a long step has it dip into the wall and come out again before its middle:
// a root that is at zero where the step begins, rises, falls below zero, and is up again.
TEST(SwitchedJoints, WhatDipsBehindAnImpactIsSeen) {
  Model model = model_file("geneva-contacts");
  model.joints[1].fields["friction.torque"] = TimeFunction(0.02);
  const Results results = run_model(model, sharp(2, "dopri5", 1e-8));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  ASSERT_GE(times_of(results, "south: closed").size(), 2U);
  EXPECT_NEAR(times_of(results, "south: closed")[1], 1.146372, 1e-5);  // radau-iia5 at 1e-8, bdf: the same
  EXPECT_LT(results.energy->max_relative_error, 1e-4);
}

// A rod breaks where it carries too much: a mass hung on it, pulled down by a force that grows.
TEST(SwitchedJoints, JointBreaksAtItsLimit) {
  const Model model =
      model_of(R"({ "driftless": 1, "gravity": [0, -10], "ground": { "points": { "O": [0, 0] } },
    "bodies": [ { "name": "m", "mass": 1, "inertia": 1, "points": { "c": [0, 0] }, "position": [0, -1] } ],
    "joints": [ { "name": "rod", "type": "distance", "a": "ground.O", "b": "m.c", "length": 1 } ],
    "forces": [ { "name": "pull", "type": "point-force", "at": "m.c", "force": [0, "-20*t"] } ],
    "switches": [ { "name": "snap", "joint": "rod", "do": "off", "when": { "reaction": "rod", "exceeds": 25 } } ] })");
  const Results results = run_model(model, sharp(1));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto off = times_of(results, "rod: off");
  ASSERT_EQ(off.size(), 1U);
  EXPECT_NEAR(off[0], 0.75, 1e-9);
  EXPECT_NEAR(results.final.v[1], -(10 * 0.25 + 10 * (1 - 0.5625)), 1e-8);
}

// Runs cut in two go on in the mode they were in.
TEST(SwitchedJoints, ResumeKeepsWhatIsInForce) {
  const AssembledModel at = assembled(model_file("gripper"));
  const Results whole = simulate(at.system(), at.start(), sharp(2));
  const Results first = simulate(at.system(), at.start(), sharp(1));
  RunSetup setup = sharp(2);
  setup.checkpoint = first.checkpoint;
  const Results second = simulate(at.system(), first.final, setup);
  ASSERT_EQ(second.status, Status::ok) << second.message;
  EXPECT_LT((second.final.q - whole.final.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_EQ(second.final_mode, whole.final_mode);
}

std::string complaint_about_switch(const std::string& fields) {
  try {
    const Model model = model_of(R"({ "driftless": 1, "ground": { "points": { "O": [0, 0] } },
      "bodies": [ { "name": "b", "mass": 1, "inertia": 1, "points": { "O": [0, 0] } } ],
      "joints": [ { "name": "p", "type": "revolute", "a": "ground.O", "b": "b.O" } ],
      "switches": [ { "name": "s", )" +
                                 fields + " } ] }");
    compile(model, "reference-point", "test");
  } catch (const InputError& error) {
    return error.complaints().front().where;
  }
  return "";
}

TEST(SwitchedJoints, ComplaintsAboutSwitchesNameTheField) {
  EXPECT_EQ(complaint_about_switch(R"("joint": "p", "do": "off", "when": { "time": 1 })"), "");
  EXPECT_EQ(complaint_about_switch(R"("joint": "x", "do": "off", "when": { "time": 1 })"),
            "switches[0].joint");
  EXPECT_EQ(complaint_about_switch(R"("joint": "p", "do": "of", "when": { "time": 1 })"), "switches[0].do");
  EXPECT_EQ(complaint_about_switch(R"("joint": "p", "do": "off")"), "switches[0].when");
  EXPECT_EQ(complaint_about_switch(R"("joint": "p", "do": "off", "when": { "reaction": "p" })"),
            "switches[0].when.exceeds");
  EXPECT_EQ(complaint_about_switch(R"("joint": "p", "do": "off", "hold": "here", "when": { "time": 1 })"),
            "switches[0].hold");
  EXPECT_EQ(complaint_about_switch(R"("joint": "p", "do": "off", "when": { "time": 1, "crosses": 2 })"),
            "switches[0].when.crosses");
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
