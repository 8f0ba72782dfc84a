// Mechanisms described in code with the words of mechanism.hpp.
#include "driftless/problems/mechanism.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/run/named_results.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

// A bar on a pin, its torque by a law.
Model bar_with(const std::string& torque) {
  Model m{.name = "bar"};
  m.ground_points = {{"O"}};
  m.bodies = {{.name = "bar", .mass = 1, .inertia = 0.25, .points = {{"O"}}, .angular_velocity = 1}};
  m.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("bar", "O")}})};
  m.forces = {element("motor", "torque", {{"body", "bar"}, {"torque", formula(torque)}})};
  m.simulate = {.t_end = 1, .rtol = 1e-10};
  return m;
}

TEST(Mechanism, LawsReadOutputsAndInputsByTheirNames) {
  Model m = bar_with("-k*pin.angle + 0*t");
  m.inputs = {{.name = "k", .value = 4.0}};
  const NamedResults results = run_model(m);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(results["pin.angle"].back(), std::sin(4.0) / 4, 1e-8);  // ω² = 4/0.25, from 0 with rate 1
}

TEST(Mechanism, NamesNobodyHasAreInputErrors) {
  try {
    run_model(bar_with("-4*pin.angel"));
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("found 'pin.angel'; there are 'pin.angle'"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("forces[0].torque"), std::string::npos) << error.what();
  }
  Model driven = bar_with("0");
  driven.drivers = {
      element("motor_angle", "angle", {{"a", "ground"}, {"b", "bar"}, {"function", formula("2*speed")}})};
  EXPECT_THROW(run_model(driven), InputError);  // functions of drivers are of time alone
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
