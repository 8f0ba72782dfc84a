// A mechanism described in C++: a crank-rocker whose coupler length is a number of the program. It prints how far the rocker swings
// for three lengths.
#include <algorithm>
#include <cstdio>

#include "driftless/driftless.hpp"

using namespace driftless;

// A uniform bar with points A and B at its ends.
Body bar(const char* name, double length, Vec3 position, double angle) {
  return {.name = name,
          .mass = length,
          .inertia = length * length * length / 12,
          .center_of_mass = {length / 2, 0, 0},
          .points = {{"A", {0, 0, 0}}, {"B", {length, 0, 0}}},
          .position = position,
          .angle = angle};
}

Model four_bar(double coupler) {
  Model m{.name = "four-bar"};
  m.ground_points = {{"O", {0, 0, 0}}, {"C", {1, 0, 0}}};
  m.bodies = {bar("crank", 0.3, {0, 0, 0}, 1.2), bar("coupler", coupler, {0.1, 0.3, 0}, 0.3),
              bar("rocker", 0.7, {1, 0, 0}, 2)};  // roughly: assembly closes the loop
  m.joints = {element("pin_O", "revolute", {{"a", point("ground", "O")}, {"b", point("crank", "A")}}),
              element("pin_A", "revolute", {{"a", point("crank", "B")}, {"b", point("coupler", "A")}}),
              element("pin_B", "revolute", {{"a", point("coupler", "B")}, {"b", point("rocker", "B")}}),
              element("pin_C", "revolute", {{"a", point("ground", "C")}, {"b", point("rocker", "A")}})};
  m.drivers = {
      element("motor", "angle", {{"a", "ground"}, {"b", "crank"}, {"function", formula("1.2 + 2*pi*t")}})};
  m.simulate = {.t_end = 1, .rtol = 1e-8, .output_step = 0.002};
  return m;
}

int main() {
  for (const double length : {0.8, 0.9, 1.0}) {
    const NamedResults results = run_model(four_bar(length));
    const auto [low, high] = std::ranges::minmax(results["pin_C.angle"]);
    const auto torque = results["motor.torque"];
    std::printf("coupler %.1f m: the rocker swings by %.4f rad, the motor needs at most %.3f N m\n", length,
                high - low, std::ranges::max(torque));
  }
}
