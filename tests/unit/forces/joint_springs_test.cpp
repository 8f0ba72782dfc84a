// Springs on the displacement of a joint, and couplers in the plane.
#include <cmath>

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Results run_model(const std::string& text,
                  const std::string& coordinates,
                  const std::string& integrator = "dopri5") {
  const auto mechanism = assembled(parse_model(text, "test"), coordinates);
  RunSetup setup;
  setup.t_end = 0.5;
  setup.rtol = 1e-10;
  setup.integrator = integrator;
  return simulate(mechanism.system(), mechanism.start(), setup);
}

// A block in the slot of an arm that turns: a spring on the slider does what one along the slot, between points on its line, does.
std::string arm(const std::string& spring) {
  return R"({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0] } },
  "bodies": [ { "name": "arm", "mass": 3, "inertia": 0.5, "points": { "A": [0, 0], "foot": [-1, 0.2], "S": [0, 0.2] } },
              { "name": "block", "mass": 1, "inertia": 0.02, "points": { "B": [0, 0] }, "position": [0.6, 0.2] } ],
  "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.A" },
              { "name": "slot", "type": "translational", "a": "arm.S", "b": "block.B", "axis": [1, 0] } ],
  "forces": [ )" +
         spring + " ] }";
}

TEST(JointSprings, OnADisplacement) {
  // From the foot, one metre behind: longer by one.
  const std::string between =
      R"({ "name": "k", "type": "tsda", "a": "arm.foot", "b": "block.B", "stiffness": 80, "damping": 2, "free_length": 1.5 })";
  const std::string on_joint =
      R"({ "name": "k", "type": "tsda", "joint": "slot", "stiffness": 80, "damping": 2, "free_length": 0.5 })";
  for (const char* coordinates : {"reference-point", "natural", "relative"})
    for (const char* integrator : {"dopri5", "radau-iia5"}) {
      const Results a = run_model(arm(between), coordinates, integrator),
                    b = run_model(arm(on_joint), coordinates, integrator);
      ASSERT_TRUE(a.good() && b.good()) << a.message << b.message;
      EXPECT_LT((a.final.v - b.final.v).cwiseAbs().maxCoeff(), 1e-7) << coordinates << " " << integrator;
      EXPECT_LT(b.energy->max_relative_error, 1e-6);
    }
  EXPECT_THROW(run_model(arm(R"({ "name": "k", "type": "tsda", "joint": "pin", "stiffness": 80 })"),
                         "reference-point"),
               InputError);
}

std::string coupled(const std::string& coupler) {
  return R"({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0], "P": [2, 0], "Q": [0, 1] } },
  "bodies": [ { "name": "one", "mass": 2, "inertia": 0.3, "points": { "A": [-0.5, 0] }, "position": [0.5, 0] },
              { "name": "two", "mass": 1, "inertia": 0.2, "points": { "A": [-0.4, 0] }, "position": [2.4, 0] },
              { "name": "sled", "mass": 1.5, "inertia": 0.1, "points": { "B": [0, 0] }, "position": [0.3, 1] },
              { "name": "car", "mass": 0.5, "inertia": 0.1, "points": { "B": [0, 0] }, "position": [0.1, 1] } ],
  "joints": [ { "name": "pin_1", "type": "revolute", "a": "ground.O", "b": "one.A" },
              { "name": "pin_2", "type": "revolute", "a": "ground.P", "b": "two.A" },
              { "name": "rail_1", "type": "translational", "a": "ground.Q", "b": "sled.B", "axis": [1, 0] },
              { "name": "rail_2", "type": "translational", "a": "ground.Q", "b": "car.B", "axis": [0.6, -0.8], "angle": 0 },
              )" +
         coupler + R"( ],
  "outputs": [ { "name": "a", "type": "joint", "joint": "pin_1", "value": "angle" },
               { "name": "b", "type": "joint", "joint": "pin_2", "value": "angle" },
               { "name": "c", "type": "joint", "joint": "rail_1", "value": "displacement" },
               { "name": "d", "type": "joint", "joint": "rail_2", "value": "displacement" } ] })";
}

TEST(PlanarCoupler, KeepsItsRatio) {
  struct Case {
    const char *leads, *follows;
    int a, b;
  };
  for (const Case& c : {Case{"pin_1", "pin_2", 0, 1}, Case{"pin_1", "rail_1", 0, 2},
                        Case{"rail_2", "pin_2", 3, 1}, Case{"rail_2", "rail_1", 3, 2}})
    for (const char* coordinates : {"reference-point", "natural", "relative"}) {
      const std::string coupler = std::string(R"({ "name": "link", "type": "coupler", "joint_a": ")") +
                                  c.leads + R"(", "joint_b": ")" + c.follows + R"(", "ratio": -1.7 })";
      const auto mechanism = assembled(parse_model(coupled(coupler), "test"), coordinates);
      RunSetup setup;
      setup.t_end = 0.8;
      setup.rtol = 1e-9;
      setup.integrator = "radau-iia5";
      const Results run = simulate(mechanism.system(), mechanism.start(), setup);
      ASSERT_TRUE(run.good()) << run.message;
      Vec first(4);
      const State& s = mechanism.start();
      mechanism.system().quantities(s.t, s.q, s.v, initial_reaction(mechanism.system(), s), first);
      const Vec& last = run.final_quantities;
      EXPECT_NEAR(last[c.b] - first[c.b], -1.7 * (last[c.a] - first[c.a]), 1e-7)
          << coordinates << " " << c.leads;
      EXPECT_GT(std::abs(last[c.b] - first[c.b]), 0.1);
      EXPECT_LT(run.energy->max_relative_error, 1e-6);
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
