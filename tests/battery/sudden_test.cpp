// Smooth but sudden motion with every integrator that chooses its steps: a pulse of force in a long rest, bumps of a driver
// and of a road. Their effect must be there at every tolerance.
#include <numbers>

#include <fmt/format.h>

#include "driftless/integrator/choices.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

class Sudden : public ::testing::TestWithParam<const IntegratorRecord*> {
 protected:
  // The formulations an integrator is tried with: the first that fits, of each kind.
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

// A block of 2 kg at rest on a guide for 10 s, pushed by F = 10 exp(−(t − 6.3)²/2w²), w = 0.02 s: 0.2 s from end to end.
Model pushed_block(const std::string& base) {
  const std::string before = R"json({ "driftless": 1, "name": "block", "space": "planar", "gravity": [0, 0],
    "ground": { "points": { "O": [0, 0] } },
    "bodies": [ { "name": "block", "mass": 2, "inertia": 1, "points": { "c": [0, 0] }, "position": [0, 0] } ],
    "joints": [ { "name": "guide", "type": "translational", "a": "ground.O", "axis": [1, 0], "b": "block.c" } ],
    "forces": [ { "name": "push", "type": "point-force", "at": "block.c", "force": [ { "type": "expression", "text": ")json";
  const std::string behind = R"json( + 10*exp(-(t-6.3)^2/(2*0.02^2))" }, 0 ] } ] })json";
  return parse_model(before + base + behind, "block.json");
}
const double kImpulse = 10 * 0.02 * std::sqrt(2 * std::numbers::pi);

TEST_P(Sudden, APulseOfForceIsFelt) {
  const auto block = assembled(pushed_block("0"));
  for (const auto& formulation : formulations())
    for (const double rtol : {1e-2, 1e-5, 1e-8}) {
      if (rtol < 1e-6 && GetParam()->order <= 2) continue;  // they would take long
      const Results results = simulate(block.system(), block.start(), setup(10, formulation, rtol));
      EXPECT_TRUE(results.good()) << results.message;
      const double speed = results.final.v[0], way = results.final.q[0];
      const double allowed = 100 * std::pow(rtol, 2.0 / 3) * kImpulse / 2;
      EXPECT_NEAR(speed, kImpulse / 2, allowed) << formulation << " at " << rtol;
      EXPECT_NEAR(way, 3.7 * kImpulse / 2, 3.7 * allowed) << formulation << " at " << rtol;
    }
}

TEST_P(Sudden, APulseOnARampIsFelt) {
  const auto block = assembled(pushed_block("0.5*t"));
  const std::string formulation = formulations().front();
  const Results results = simulate(block.system(), block.start(), setup(10, formulation, 1e-5));
  EXPECT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(results.final.v[0], (kImpulse + 25) / 2, 2e-2);
}

INSTANTIATE_TEST_SUITE_P(Adaptive, Sudden, ::testing::ValuesIn(adaptive_ones()), [](const auto& parameter) {
  return plain(parameter.param->method.name);
});

// The posts of car-on-bump rise within 0.05 s, at whose ends the accelerations vanish. −9544 N in records of 0.005 s: dop853
// at 1e-11. Schemes on index 3 lose their velocities at wide tolerances, and say so.
TEST_P(Sudden, TheTyreForceOfTheCarOnItsBump) {
  const auto car = assembled(model_file("car-on-bump"));
  for (const double rtol : {1e-2, 1e-4, 1e-6}) {
    if (rtol < 1e-5 && GetParam()->order <= 2) continue;
    RunSetup run = setup(0.7, formulations().front(), rtol);
    run.record = true;
    run.output_step = 0.005;
    const Results results = simulate(car.system(), car.start(), run);
    if (results.status == Status::drift_exceeded && rtol > 1e-5) continue;
    ASSERT_TRUE(results.good()) << results.message;
    double largest = 0;
    for (size_t i = 0; i < results.trajectory.size(); ++i)
      largest = std::max(largest, std::abs(results.trajectory.quantities.at(i, 3)));
    EXPECT_NEAR(largest, 9544, rtol > 1e-3 ? 900 : GetParam()->order <= 2 ? 200 : 30) << rtol;
  }
}

// The road of five-link-suspension is an expression without a knot; R(0.3) = 0.02574.
TEST(SuddenRoad, FiveLinkSuspensionGoesOverItsBump) {
  for (const char* coordinates : {"relative", "reference-point", "natural"}) {
    const auto mechanism = assembled(model_file("five-link-suspension"), coordinates);
    RunSetup run = figures_only(0.3);
    run.integrator = "bdf";
    run.rtol = 1e-3;
    run.record = true;
    const Results results = simulate(mechanism.system(), mechanism.start(), run);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.trajectory.quantities.at(results.trajectory.size() - 1, 0), 0.02574, 5e-4)
        << coordinates;
  }
}

// The same with every integrator that chooses its steps: S4 of switching.md.
TEST_P(Sudden, FiveLinkSuspensionGoesOverItsBump_full) {
  const bool needs_rates =
      GetParam()->method.name == "gssss";  // velocities that are the derivatives of coordinates
  const auto mechanism = assembled(model_file("five-link-suspension"), needs_rates ? "natural" : "relative");
  const double most = GetParam()->order <= 2 ? 2e-3 : 1e-3;  // at loose tolerances: 4 to 8 % of the bump
  for (const double rtol : {1e-2, 1e-4, 1e-6, 1e-8}) {
    if (rtol < 1e-6 && GetParam()->order <= 2) continue;
    RunSetup run = setup(0.3, formulations().front(), rtol);
    run.record = true;
    const Results results = simulate(mechanism.system(), mechanism.start(), run);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.trajectory.quantities.at(results.trajectory.size() - 1, 0), 0.0257364827,
                std::min(10 * rtol, most))
        << rtol;  // dop853 at 1e-11
  }
}

TEST(SuddenGiven, AStepThatPassesOverThePulseIsWarnedOf) {
  const auto block = assembled(pushed_block("0"));
  Results results = simulate(block.system(), block.start(), fixed(10, "rk4", 0.25));
  ASSERT_FALSE(results.warnings.empty());  // the energy balance is off, too
  EXPECT_NE(results.warnings.back().find("10*exp"), std::string::npos) << results.warnings.back();
  results = simulate(block.system(), block.start(), fixed(10, "rk4", 0.005));
  EXPECT_TRUE(results.warnings.empty());
}

// Behind a switch steps are so short that slopes of places are round-off: bdf was cut again and again and stood still at 0.0236 s.
TEST(SuddenGiven, RoundOffOfSlopesIsNotSudden) {
  const auto chain = assembled(
      parse_model(R"json({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0] } },
    "bodies": [
      {"name": "b0", "mass": 0.780124, "inertia": 0.00675279, "center_of_mass": [0, -0.161146], 
        "points": {"O": [0, 0], "E": [0, -0.322293]}, "position": [0.0, 0.0], "angle": 0.455699, "angular_velocity": -0.118476},
      {"name": "b1", "mass": 1.42934, "inertia": 0.112825, "center_of_mass": [0, -0.486627], 
        "points": {"O": [0, 0], "E": [0, -0.973254]}, "position": [0.141838, -0.289404], "angle": 0.4599, "angular_velocity": 0},
      {"name": "b2", "mass": 0.892262, "inertia": 0.0113013, "center_of_mass": [0, -0.19493], 
        "points": {"O": [0, 0], "E": [0, -0.389861]}, "position": [0.573824, -1.16153], "angle": -0.347447, "angular_velocity": 0} ],
    "joints": [
      {"name": "j0", "type": "revolute", "a": "ground.O", "b": "b0.O", "stops": {"max": 0.613, "restitution": 0.0}},
      {"name": "j1", "type": "revolute", "a": "b0.E", "b": "b1.O", "stops": {"max": 0.3526, "restitution": 0.0}},
      {"name": "j2", "type": "revolute", "a": "b1.E", "b": "b2.O"} ],
    "forces": [
      {"name": "law0", "type": "rsda", "joint": "j0", "damping": 0.120949, "law": "2.0109*x + 0.1509*max(v - 0.5617, 0)"},
      {"name": "law1", "type": "rsda", "joint": "j1", "damping": 0.104077, "law": "47.9242*x + 15.2452*max(v - 0.2422, 0)"},
      {"name": "law2", "type": "rsda", "joint": "j2", "damping": 0.168204, "law": "1.1350*x + 0.1334*abs(v)*v + 0.4448*(x > -0.2404)"} ] })json",
                  "chain.json"));
  RunSetup run = figures_only(0.05);
  run.integrator = "bdf";
  run.rtol = 1e-8;
  run.atol = 1e-9;
  run.max_steps = 1000;
  const Results results = simulate(chain.system(), chain.start(), run);
  EXPECT_TRUE(results.good()) << results.message;
  EXPECT_TRUE(results.warnings.empty());
}

// A first step of dop853 whose stages leave the reach of the mechanism was reported as a singular position.
TEST(FirstStep, ATrialPointThatIsSingularShortensTheStep) {
  const auto governor = assembled(model_file("flyball-governor"));
  RunSetup run = figures_only(0.2);
  run.integrator = "dop853";
  const Results results = simulate(governor.system(), governor.start(), run);
  EXPECT_TRUE(results.good()) << results.message;
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
