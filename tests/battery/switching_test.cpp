// Systems that switch, with every integrator that chooses its steps: laws with cases, knots of tables and roads, wheels that
// lift off, events that happen twice in a step. Answers in closed form, or by a run with a tolerance no step can hide from.
#include "driftless/system/switching/switching.hpp"

#include <numbers>

#include <fmt/format.h>

#include "driftless/integrator/choices.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr double kG = 9.81;

// A hammer of 1 kg that falls from 1 m on a stop at 0.1 m, k = 5000 N/m, written as a law.
Model hammer(const std::string& space = "planar",
             const std::string& law = "if(x < 0.1, -5000*(0.1 - x), 0)") {
  const bool planar = space == "planar";
  return parse_model(
      fmt::format(R"json({{ "driftless": 1, "name": "hammer", "space": "{}", "gravity": {},
    "ground": {{ "points": {{ "O": {} }} }},
    "bodies": [ {{ "name": "head", "mass": 1, "inertia": {}, "points": {{ "c": {} }}, "position": {} }} ],
    "joints": [ {{ "name": "guide", "type": "translational", "a": "ground.O", "axis": {}, "b": "head.c" }} ],
    "forces": [ {{ "name": "stop", "type": "tsda", "a": "ground.O", "b": "head.c", "law": "{}" }} ],
    "outputs": [ {{ "name": "h", "type": "point", "point": "head.c", "component": "{}" }} ] }})json",
                  space, planar ? "[0, -9.81]" : "[0, 0, -9.81]", planar ? "[0, 0]" : "[0, 0, 0]",
                  planar ? "0.1" : "[0.1, 0.1, 0.1]", planar ? "[0, 0]" : "[0, 0, 0]",
                  planar ? "[0, 1]" : "[0, 0, 1]", planar ? "[0, 1]" : "[0, 0, 1]", law, planar ? "y" : "z"),
      "hammer.json");
}

// From 1 m to 1 m: fall, half an oscillation about where the spring bears the weight, rise.
double hammer_period() {
  const double fall = std::sqrt(2 * 0.9 / kG), speed = kG * fall, omega = std::sqrt(5000.0);
  return 2 * fall + 2 / omega * (std::numbers::pi - std::atan(speed * omega / kG));
}

class Switches : public ::testing::TestWithParam<const IntegratorRecord*> {
 protected:
  std::vector<std::string> formulations() const {
    std::vector<std::string> out;
    for (const FormKind kind : {FormKind::ode, FormKind::residual})
      for (const auto* formulation : formulation_records())
        if (formulation->kind == kind && fits(*formulation, *GetParam())) {
          out.push_back(formulation->method.name);
          break;
        }
    return out;
  }
  std::vector<double> tolerances(double finest = 1e-8) const {
    std::vector<double> out;
    for (const double rtol : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12})
      if (rtol >= finest && (rtol >= 1e-6 || GetParam()->order > 2)) out.push_back(rtol);
    return out;
  }
  RunSetup setup(double t_end, const std::string& formulation, double rtol) const {
    RunSetup out = figures_only(t_end);
    out.integrator = GetParam()->method.name;
    out.formulation = formulation;
    out.rtol = rtol;
    return out;
  }
};

std::vector<const IntegratorRecord*> adaptive_ones() {
  std::vector<const IntegratorRecord*> out;
  for (const auto* record : integrator_records())
    if (record->adaptive) out.push_back(record);
  return out;
}

double height(const Results& results) { return results.final_quantities[0]; }

TEST_P(Switches, AStopWrittenAsALawStops) {
  const auto model = assembled(hammer());
  const double t_end = 1.25 * hammer_period();
  // a quarter of the second period behind the start
  const double t = 0.25 * hammer_period(), expected = 1 - 0.5 * kG * t * t;
  for (const auto& formulation : formulations())
    for (const double rtol : tolerances()) {
      const Results results = simulate(model.system(), model.start(), setup(t_end, formulation, rtol));
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_EQ(results.trajectory.events.size(), 2U) << formulation << " at " << rtol;
      const double allowed = GetParam()->order <= 2 ? 300 * std::pow(rtol, 0.6) : 1000 * rtol;
      EXPECT_NEAR(height(results), expected, allowed) << formulation << " at " << rtol;
    }
}

TEST_P(Switches, ALevelThatIsPassedTwiceInAStepIsSeen) {
  Model thrown = hammer("planar", "0");
  const auto model = assembled(thrown);
  State start = model.start();
  start.q[1] = 0.2;
  start.v[1] = 4.5;  // to 1.23 m
  const double root = std::sqrt(4.5 * 4.5 - 2 * kG * 0.8);
  for (const auto& formulation : formulations())
    for (const double rtol : tolerances(1e-6)) {
      for (const Direction direction : {Direction::up, Direction::down, Direction::any}) {
        RunSetup run = setup(0.9, formulation, rtol);
        run.events = {{.name = "h",
                       .root = {},
                       .direction = direction,
                       .stop = true,
                       .action = {},
                       .quantity = 0,
                       .level = 1}};
        const Results results = simulate(model.system(), start, run);
        ASSERT_EQ(results.status, Status::stopped) << formulation << " at " << rtol << results.message;
        const double expected = (4.5 + (direction == Direction::down ? root : -root)) / kG;
        EXPECT_NEAR(results.final.t, expected, std::max(1e-9, 100 * rtol * (GetParam()->order <= 2 ? 10 : 1)))
            << formulation << " at " << rtol;
      }
    }
}

TEST_P(Switches, ABounceThatIsAnEventBouncesAgainAndAgain) {
  const auto model = assembled(hammer("planar", "0"));
  const auto formulation = formulations().front();
  for (const double rtol : tolerances(1e-6)) {
    RunSetup run = setup(2.6, formulation, rtol);
    run.record = true;
    run.events = {{.name = "bounce",
                   .root = [](double, ConstVec q, ConstVec) { return q[1]; },
                   .direction = Direction::down,
                   .stop = false,
                   .action = [](State& at) { at.v *= -0.8; }}};
    const Results results = simulate(model.system(), model.start(), run);
    ASSERT_TRUE(results.good()) << results.message;
    double t = std::sqrt(2 / kG), apart = 2 * 0.8 * t;
    const double allowed = std::max(1e-9, (GetParam()->order <= 2 ? 1000 : 100) * rtol);
    for (const EventRecord& event : results.trajectory.events) {
      EXPECT_NEAR(event.t, t, allowed) << rtol;
      t += apart;
      apart *= 0.8;
    }
    EXPECT_GT(t, 2.6);
    EXPECT_GE(results.trajectory.events.size(), 5U);
    EXPECT_LT(results.energy->max_relative_error, std::max(1e-9, 30 * rtol));
    size_t twice = 0;
    for (size_t i = 1; i < results.trajectory.size(); ++i)
      twice += results.trajectory.t[i] == results.trajectory.t[i - 1];
    EXPECT_GE(twice, results.trajectory.events.size());  // before and behind
  }
}

INSTANTIATE_TEST_SUITE_P(, Switches, ::testing::ValuesIn(adaptive_ones()), [](const auto& one) {
  return plain(one.param->method.name);
});

TEST(Switching, WorksInEveryCoordinateSetInPlaneAndSpace) {
  for (const std::string space : {"planar", "spatial"})
    for (const std::string coordinates : {"reference-point", "euler-parameters", "natural", "relative"}) {
      if (space == "planar" && coordinates == "euler-parameters") continue;
      const auto model = assembled(hammer(space), coordinates);
      RunSetup run = figures_only(3 * hammer_period());
      run.rtol = 1e-9;
      const Results results = simulate(model.system(), model.start(), run);
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_EQ(results.trajectory.events.size(), 6U) << space << " " << coordinates;
      EXPECT_NEAR(height(results), 1, 1e-7) << space << " " << coordinates;
      EXPECT_EQ(results.final_mode, std::vector<int>({0})) << space << " " << coordinates;
    }
}

TEST(Switching, TightTolerancesHoldAsWell) {
  const auto model = assembled(hammer());
  for (const char* integrator : {"dopri5", "dop853", "adams", "radau-iia5", "bdf"})
    for (const double rtol : {1e-10, 1e-12}) {
      RunSetup run = figures_only(hammer_period());
      run.integrator = integrator;
      run.rtol = rtol;
      const Results results = simulate(model.system(), model.start(), run);
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_NEAR(height(results), 1, std::max(2000 * rtol, 2e-10)) << integrator << " at " << rtol;
    }
}

TEST(Switching, CoulombFrictionBySignSaysThatItChatters) {
  // Slides with 3 N against it, and a spring that cannot pull it on from where it comes to rest.
  const auto model =
      assembled(parse_model(R"json({ "driftless": 1, "name": "block", "space": "planar", "gravity": [0, 0],
    "ground": { "points": { "O": [0, 0] } },
    "bodies": [ { "name": "block", "mass": 1, "inertia": 1, "points": { "c": [0, 0] }, "position": [1, 0], "velocity": [1, 0] } ],
    "joints": [ { "name": "guide", "type": "translational", "a": "ground.O", "axis": [1, 0], "b": "block.c" } ],
    "forces": [ { "name": "rub", "type": "tsda", "a": "ground.O", "b": "block.c", "law": "3*sign(v) + 2*(x - 1)" } ] })json",
                            "block.json"));
  RunSetup run = figures_only(100);
  const Results results = simulate(model.system(), model.start(), run);
  EXPECT_EQ(results.status, Status::chattering);
  EXPECT_NE(results.message.find("'rub'"), std::string::npos) << results.message;
  EXPECT_NE(results.message.find("friction"), std::string::npos) << results.message;
  EXPECT_LT(results.statistics.accepted, 100);
}

// Steps cut at a knot whose state, put on the constraints, stood before it by 1e-27 m/s: round-off switched back, for ever.
TEST(Switching, KnotsAreNotCrossedByRoundOff) {
  const auto car = assembled(model_file("car-on-bump"));
  RunSetup run = fixed(1, "dopri5", 0.01);
  run.stabilization = "none";
  run.max_steps = 1000;
  const Results results = simulate(car.system(), car.start(), run);
  EXPECT_TRUE(results.good()) << results.message;
}

TEST(Switching, CasesThatEndInNothingAreLeft) {
  // Hertz: the power is not defined beyond the end of its branch.
  const auto model = assembled(hammer("planar", "if(x < 0.1, -2e5*(0.1 - x)^1.5, 0)"));
  for (const char* integrator : {"dopri5", "dop853", "rkf45", "radau-iia5", "adams"}) {
    RunSetup run = figures_only(2);
    run.integrator = integrator;
    run.rtol = 1e-9;
    const Results results = simulate(model.system(), model.start(), run);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(results.energy->max_relative_error, 1e-6) << integrator;
    // The first step of the second blow is as long as the flight before: no stage of it was in the stop, and the hammer went through.
    EXPECT_NEAR(results.final.q[1], 0.6939586, 1e-5) << integrator;
  }
}

TEST(Switching, SmoothAsksForNoEvents) {
  const auto plain_law = assembled(hammer()),
             smooth = assembled(hammer("planar", "smooth(if(x < 0.1, -5000*(0.1 - x), 0))"));
  EXPECT_NE(switching_of(plain_law.system()), nullptr);
  EXPECT_EQ(switching_of(smooth.system()), nullptr);
}

TEST(Switching, ARunGoesOnInTheModeItWasIn) {
  const auto model = assembled(hammer());
  const double in_contact = 0.5 * hammer_period();
  RunSetup whole = figures_only(2 * hammer_period()), first = figures_only(in_contact);
  const Results all = simulate(model.system(), model.start(), whole);
  const Results half = simulate(model.system(), model.start(), first);
  ASSERT_TRUE(half.good());
  EXPECT_EQ(half.final_mode, std::vector<int>({1}));
  whole.checkpoint = half.checkpoint;
  const Results rest = simulate(model.system(), half.final, whole);
  ASSERT_TRUE(rest.good()) << rest.message;
  EXPECT_EQ(rest.final.q, all.final.q);
  EXPECT_EQ(rest.final.v, all.final.v);
}

// A mass on a spring given by a table of `points` points between -0.5 and 1.5 m: 100 N/m.
Model table_spring(int points) {
  std::string table;
  for (int i = 0; i < points; ++i) {
    const double x = -0.5 + 2.0 * i / (points - 1);
    table += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", x, 100 * x + 20 * x * x * x);
  }
  return parse_model(
      fmt::format(R"json({{ "driftless": 1, "name": "table", "space": "planar", "gravity": [0, 0],
    "ground": {{ "points": {{ "O": [0, 0] }} }},
    "bodies": [ {{ "name": "mass", "mass": 1, "inertia": 1, "points": {{ "c": [0, 0] }}, "position": [1.2, 0] }} ],
    "joints": [ {{ "name": "guide", "type": "translational", "a": "ground.O", "axis": [1, 0], "b": "mass.c" }} ],
    "forces": [ {{ "name": "coil", "type": "tsda", "a": "ground.O", "b": "mass.c", "free_length": 1, "spring": [{}] }} ] }})json",
                  table),
      "table.json");
}

TEST(Switching, KnotsOfATableAreMet) {
  RunSetup run = figures_only(3);
  run.rtol = 1e-8;
  const auto fine = assembled(table_spring(1001)), coarse = assembled(table_spring(5));
  const Results results = simulate(fine.system(), fine.start(), run);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(results.energy->max_relative_error, 1e-6);  // of 1700 knots
  EXPECT_TRUE(results.trajectory.events.empty());       // knots are quiet
  run.rtol = 1e-4;
  const Results rough = simulate(coarse.system(), coarse.start(), run);
  run.rtol = 1e-11;
  const Results exact = simulate(coarse.system(), coarse.start(), run);
  EXPECT_NEAR(rough.final.q[0], exact.final.q[0], 5e-3);
}

// A wheel on a sprung guide, driven over a triangular bump 2 cm long at 10 m.
TEST(Switching, AShortBumpIsNotSteppedOver) {
  const auto model = assembled(
      parse_model(R"json({ "driftless": 1, "name": "wheel", "space": "planar", "gravity": [0, -9.81],
    "ground": { "points": { "O": [0, 0] } },
    "bodies": [ { "name": "wheel", "mass": 20, "inertia": 1, "points": { "c": [0, 0] }, "position": [0, 0.29019], "velocity": [5, 0] } ],
    "joints": [],
    "forces": [ { "name": "tyre", "type": "tyre", "at": "wheel.c", "radius": 0.3, "stiffness": 20000, "damping": 200,
      "road": { "type": "table", "points": [[10, 0], [10.01, 0.02], [10.02, 0]] } } ],
    "outputs": [ { "name": "y", "type": "point", "point": "wheel.c", "component": "y" } ] })json",
                  "wheel.json"));
  RunSetup run = figures_only(2.1);
  run.rtol = 1e-11;
  const double exact = simulate(model.system(), model.start(), run).final_quantities[0];
  for (const auto* record : adaptive_ones())
    for (const double rtol : {1e-2, 1e-4, 1e-6, 1e-8}) {
      if (rtol < 1e-6 && record->order <= 2) continue;
      const auto* formulation = formulation_records().front();
      for (const auto* other : formulation_records())
        if (fits(*other, *record)) {
          formulation = other;
          break;
        }
      run.integrator = record->method.name;
      run.formulation = formulation->method.name;
      run.rtol = rtol;
      const Results results = simulate(model.system(), model.start(), run);
      ASSERT_TRUE(results.good()) << record->method.name << results.message;
      const double allowed = record->order <= 2 ? 3 * std::pow(rtol, 0.6) : 100 * rtol;
      EXPECT_NEAR(results.final_quantities[0], exact, allowed) << record->method.name << " at " << rtol;
    }
}

TEST(Switching, WhatDoesNotSwitchIsLeftAlone) {
  const auto model = assembled(model_file("four-bar"));
  EXPECT_EQ(switching_of(model.system()), nullptr);
  EXPECT_EQ(simulate(model.system(), model.start(), figures_only(0.1)).trajectory.modes.columns(), 0U);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
