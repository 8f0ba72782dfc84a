// Laws that read outputs and inputs: feedback against the springs it imitates, in every coordinate set and with exact tangents;
// what cannot be read, loops, inputs that are held, cases in laws.
#include <cmath>

#include "driftless/core/errors.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// A pendulum with a torsion spring and a damper, by `force`.
std::string pendulum(const std::string& force, const std::string& more = "") {
  return R"({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0] } },
  "bodies": [ { "name": "bar", "mass": 2, "inertia": 0.3, "points": { "A": [-0.4, 0], "tip": [0.4, 0] }, "position": [0.4, 0] } ],
  "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.A" } ],
  "forces": [ )" +
         force + R"( ],
  "outputs": [ { "name": "lean", "type": "joint", "joint": "pin", "value": "angle", "unit": "deg" },
               { "name": "w", "type": "joint", "joint": "pin", "value": "rate" },
               { "name": "height", "type": "point", "point": "bar.tip", "component": "y" },
               { "name": "climb", "type": "point", "point": "bar.tip", "component": "vy" },
               { "name": "push", "type": "point", "point": "bar.tip", "component": "ay" },
               { "name": "pd", "type": "expression", "expression": "5*deg(lean) + 0.3*w" } ])" +
         (more.empty() ? "" : ", " + more) + " }";
}

std::string spatial(const std::string& force) {
  return R"({ "driftless": 1, "space": "spatial", "gravity": [0, -9.81, 0], "ground": { "points": { "O": [0, 0, 0] } },
  "bodies": [ { "name": "bar", "mass": 2, "inertia": [0.1, 0.3, 0.35], "points": { "A": [-0.4, 0, 0] }, "position": [0.4, 0, 0] } ],
  "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.A", "axis": [0, 0, 1] } ],
  "forces": [ )" +
         force + " ] }";
}

const std::string kSpring =
    R"({ "name": "spring", "type": "rsda", "joint": "pin", "stiffness": 5, "damping": 0.3 })";

Results run_text(const std::string& text,
                 const std::string& coordinates,
                 const std::string& formulation,
                 const std::string& integrator,
                 double rtol = 1e-9,
                 double t_end = 0.6) {
  const auto mechanism = assembled(parse_model(text, "test"), coordinates);
  RunSetup setup;
  setup.t_end = t_end;
  setup.rtol = rtol;
  setup.formulation = formulation;
  setup.integrator = integrator;
  return simulate(mechanism.system(), mechanism.start(), setup);
}

void expect_same(const std::string& a, const std::string& b, const std::string& coordinates, double bound) {
  for (const auto& [formulation, integrator] :
       {std::pair("lagrange", "dopri5"), std::pair("lagrange", "radau-iia5"),
        std::pair("index3", "generalized-alpha")}) {
    const double rtol = integrator == std::string("generalized-alpha") ? 1e-5 : 1e-9;
    const Results x = run_text(a, coordinates, formulation, integrator, rtol),
                  y = run_text(b, coordinates, formulation, integrator, rtol);
    ASSERT_TRUE(x.good()) << x.message;
    ASSERT_TRUE(y.good()) << y.message;
    EXPECT_LT((x.final.v - y.final.v).cwiseAbs().maxCoeff(), bound * (rtol / 1e-9))
        << coordinates << " " << formulation << " " << integrator;
  }
}

TEST(Signals, FeedbackIsTheSpringItImitates) {
  for (const char* coordinates : {"reference-point", "natural", "relative"}) {
    for (
        const char* law :
        {R"({ "name": "spring", "type": "torque", "body": "bar", "torque": "-5*pin.angle - 0.3*pin.angle_rate" })",
         R"J({ "name": "spring", "type": "torque", "body": "bar", "torque": "-5*deg(lean) - 0.3*pin.angle_rate" })J",
         R"({ "name": "spring", "type": "rsda", "joint": "pin", "law": "2*x + 3*pin.angle + 0.3*v" })",
         R"({ "name": "spring", "type": "rsda", "joint": "pin", "actuator": "pd" })"})
      expect_same(pendulum(kSpring), pendulum(law), coordinates, 1e-7);
  }
}

TEST(Signals, FeedbackInSpace) {
  const std::string law =
      R"({ "name": "spring", "type": "torque", "body": "bar", "torque": [0, 0, "-5*pin.angle - 0.3*pin.angle_rate"] })";
  for (const char* coordinates : {"reference-point", "euler-parameters", "natural", "relative"})
    expect_same(spatial(kSpring), spatial(law), coordinates, 1e-7);
}

// Springs read by another law: the effort comes before the law, whatever the order in the file.
TEST(Signals, LawsReadEfforts) {
  const std::string copy =
      R"({ "name": "half", "type": "torque", "body": "bar", "torque": "-0.5*half_spring.force" },
      { "name": "half_spring", "type": "rsda", "joint": "pin", "stiffness": 3.3333333333333335, "damping": 0.2 })";
  expect_same(pendulum(kSpring), pendulum(copy), "reference-point", 1e-7);
}

TEST(Signals, Inputs) {
  const std::string force =
      R"({ "name": "spring", "type": "torque", "body": "bar", "torque": "-gain*pin.angle - damper" })";
  const std::string inputs =
      R"("inputs": { "gain": { "value": 5, "unit": "N m" }, "damper": "0.3*pin.angle_rate" })";
  expect_same(pendulum(kSpring), pendulum(force, inputs), "reference-point", 1e-7);
  const Model model = parse_model(pendulum(force, inputs), "test", {{"gain", 7}});
  EXPECT_EQ(model.inputs[0].value(0), 7);
  EXPECT_TRUE(model.inputs[0].set);
  EXPECT_EQ(with(model, {{"gain", 4}}).inputs[0].value(0), 4);
  const Model again = parse_model(model_to_json(model), "again");
  EXPECT_EQ(model_to_json(again), model_to_json(model));
}

// A program's own law, read as an input.
TEST(Signals, InputsOfPrograms) {
  Model model =
      parse_model(pendulum(R"({ "name": "spring", "type": "torque", "body": "bar", "torque": "motor" })",
                           R"("inputs": { "motor": 0 })"),
                  "test");
  model.inputs[0].function = [](double, std::span<const double> read) {
    return -5 * read[0] - 0.3 * read[1];
  };
  model.inputs[0].reads = {"pin.angle", "pin.angle_rate"};
  for (const char* integrator : {"dopri5", "radau-iia5"}) {
    const auto mechanism = assembled(model);
    RunSetup setup;
    setup.t_end = 0.6;
    setup.rtol = 1e-9;
    setup.integrator = integrator;
    const Results run = simulate(mechanism.system(), mechanism.start(), setup);
    const Results spring = run_text(pendulum(kSpring), "reference-point", "lagrange", integrator);
    EXPECT_LT((run.final.v - spring.final.v).cwiseAbs().maxCoeff(), 1e-7);
  }
}

// Held in between: a free mass on rails under a force that is minus its speed at the last instant,
//   v_{k+1} = v_k (1 − h/m).
TEST(Signals, HeldInputs) {
  const std::string text = R"({ "driftless": 1, "ground": { "points": { "O": [0, 0] } },
  "bodies": [ { "name": "cart", "mass": 2, "inertia": 1, "points": { "C": [0, 0] }, "velocity": [3, 0] } ],
  "joints": [ { "name": "rail", "type": "translational", "a": "ground.O", "b": "cart.C", "axis": [1, 0] } ],
  "inputs": { "brake": { "value": "rail.displacement_rate", "unit": "N", "every": 0.1 } },
  "forces": [ { "name": "f", "type": "tsda", "joint": "rail", "actuator": "brake" } ] })";
  for (const char* coordinates : {"reference-point", "relative"}) {
    const auto mechanism = assembled(parse_model(text, "test"), coordinates);
    RunSetup setup;
    setup.t_end = 1;
    setup.rtol = 1e-9;
    const Results run = simulate(mechanism.system(), mechanism.start(), setup);
    ASSERT_TRUE(run.good()) << run.message;
    EXPECT_NEAR(run.final.v[0], 3 * std::pow(1 - 0.1 / 2, 10), 1e-9);
  }
}

// A case in a law that reads a signal is an event: a constant push while the tip is below zero.
TEST(Signals, CasesAreEvents) {
  const std::string by_output =
      R"J({ "name": "f", "type": "torque", "body": "bar", "torque": "if(height < -0.3, 4, 0)" })J";
  const std::string by_place =
      R"J({ "name": "f", "type": "rsda", "joint": "pin", "law": "if(0.8*sin(x) < -0.3, -4, 0)" })J";
  const Results a = run_text(pendulum(by_output), "reference-point", "lagrange", "dopri5", 1e-9, 3),
                b = run_text(pendulum(by_place), "reference-point", "lagrange", "dopri5", 1e-9, 3);
  EXPECT_LT((a.final.v - b.final.v).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(a.trajectory.events.size(), 3u);  // 0.247 s, 1.527 s, 2.021 s
  EXPECT_EQ(b.trajectory.events.size(), 3u);
}

std::string complaint(const std::string& text) {
  try {
    compile(parse_model(text, "test"), "reference-point", "test");
  } catch (const InputError& error) {
    return error.complaints().front().where + ": " + error.complaints().front().found + "; " +
           error.complaints().front().hint;
  }
  return "";
}

TEST(Signals, WhatCannotBeRead) {
  const auto torque = [](const std::string& law) {
    return R"({ "name": "f", "type": "torque", "body": "bar", "torque": ")" + law + R"(" })";
  };
  EXPECT_NE(complaint(pendulum(torque("2*haight")))
                .find("forces[0].torque: '2*haight'; column 3: unknown name "
                      "'haight'; did you mean 'height'?"),
            std::string::npos)
      << complaint(pendulum(torque("2*haight")));
  EXPECT_NE(complaint(pendulum(torque("push"))).find("accelerations"), std::string::npos);
  EXPECT_NE(complaint(pendulum(torque("pin.length"))).find("'pin.angle'"), std::string::npos)
      << complaint(pendulum(torque("pin.length")));
  EXPECT_NE(complaint(pendulum(torque("u"), R"("inputs": { "u": "2*z", "z": "u + t" })")).find("u → z → u"),
            std::string::npos)
      << complaint(pendulum(torque("u"), R"("inputs": { "u": "2*z", "z": "u + t" })"));
  const std::string own =
      R"({ "name": "f", "type": "rsda", "joint": "pin", "stiffness": 2, "actuator": "0.1*f.force" })";
  EXPECT_NE(complaint(pendulum(own)).find("algebraic loop"), std::string::npos) << complaint(pendulum(own));
  const std::string driver =
      R"("drivers": [ { "name": "d", "type": "angle", "a": "ground", "b": "bar", "function": "height" } ])";
  EXPECT_NE(complaint(pendulum(kSpring, driver)), "");
  EXPECT_NE(complaint(pendulum(kSpring, R"("inputs": { "height": 0 })")).find("inputs.height"),
            std::string::npos);
}

// Outputs that nobody declared, against what is known of them.
TEST(Signals, UndeclaredOutputs) {
  Model model = parse_model(pendulum(kSpring, R"("inputs": { "u": 3 })"), "test");
  EXPECT_EQ(assembled(model).system().quantity_names().size(), 6u);
  model.simulate.record = "all";
  const auto mechanism = assembled(model);
  const auto names = mechanism.system().quantity_names();
  const std::vector<std::string> wanted = {"lean", "w",         "height",         "climb",        "push",
                                           "pd",   "pin.angle", "pin.angle_rate", "spring.force", "u"};
  ASSERT_EQ(names, wanted);
  RunSetup setup;
  setup.t_end = 1;
  const Results run = simulate(mechanism.system(), mechanism.start(), setup);
  const Vec& last = run.final_quantities;
  EXPECT_NEAR(last[0] * M_PI / 180, last[6], 1e-12);
  EXPECT_NEAR(last[8], 5 * last[6] + 0.3 * last[7], 1e-12);
  EXPECT_NEAR(last[5], last[8], 1e-12);
  EXPECT_EQ(last[9], 3);
}

// What a driver needs: the torque that turns a bar at constant speed holds its weight.
TEST(Signals, EffortsOfDrivers) {
  const std::string driver =
      R"("drivers": [ { "name": "motor", "type": "angle", "a": "ground", "b": "bar", "function": "2*t" } ])";
  const std::string still = R"({ "name": "f", "type": "torque", "body": "bar", "torque": 0 })";
  for (const char* coordinates : {"reference-point", "natural", "relative"}) {
    Model model = parse_model(pendulum(still, driver), "test");
    model.simulate.record = "all";
    const auto mechanism = assembled(model, coordinates);
    const auto names = mechanism.system().quantity_names();
    const auto at = std::find(names.begin(), names.end(), "motor.torque") - names.begin();
    ASSERT_LT(at, static_cast<std::ptrdiff_t>(names.size()));
    RunSetup setup;
    setup.t_end = 1;
    setup.rtol = 1e-9;
    const Results run = simulate(mechanism.system(), mechanism.start(), setup);
    EXPECT_NEAR(run.final_quantities[at], 2 * 9.81 * 0.4 * std::cos(2.0), 1e-6) << coordinates;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
