// N-four-bar mechanism, IFToMM multibody benchmark A02: a ladder of N parallelogram loops, 2N + 1 uniform rods of 1 m and 1 kg,
// that passes through singular positions (all links level) twice a turn, where N other branches open. Reference: elliptic
// functions on the parallelogram branch, I θ̈ = G g sin θ with I = (N+1)/3 + N, G = (N+1)/2 + N, exact to 17 digits.

#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace n_four_bar {
namespace {

// A rod from A, its own origin, along `axis` to B.
Body rod(const std::string& name, const Vec3& at, const Vec3& axis) {
  Body body;
  body.name = name;
  body.mass = 1;
  body.inertia = 1.0 / 12;
  body.center_of_mass = 0.5 * axis;
  body.points = {{"A", Vec3::Zero()}, {"B", axis}};
  body.position = at;
  return body;
}

Model make_n_four_bar(const Options& options) {
  const int loops = options.integer("N");
  Model model;
  model.name = "n-four-bar";
  model.description = "ladder of parallelogram four-bar loops, started upright";
  model.gravity = {0, -9.81, 0};
  for (int i = 0; i <= loops; ++i) {
    model.ground_points.push_back({fmt::format("A{}", i), Vec3(i, 0, 0)});
    Body crank = rod(fmt::format("crank_{}", i), Vec3(i, 0, 0), Vec3::UnitY());
    crank.angular_velocity = -1;
    model.bodies.push_back(crank);
    model.joints.push_back(
        element(fmt::format("foot_{}", i), "revolute",
                {{"a", point(crank.name, "A")}, {"b", point("ground", fmt::format("A{}", i))}}));
  }
  for (int i = 0; i < loops; ++i) {
    Body coupler = rod(fmt::format("coupler_{}", i), Vec3(i, 1, 0), Vec3::UnitX());
    coupler.velocity = {1, 0, 0};
    model.bodies.push_back(coupler);
    model.joints.push_back(
        element(fmt::format("left_{}", i), "revolute",
                {{"a", point(fmt::format("crank_{}", i), "B")}, {"b", point(coupler.name, "A")}}));
    model.joints.push_back(
        element(fmt::format("right_{}", i), "revolute",
                {{"a", point(coupler.name, "B")}, {"b", point(fmt::format("crank_{}", i + 1), "B")}}));
  }
  add_point_outputs(model, "B0", point("crank_0", "B"));
  // From the upward vertical towards +x, as the benchmark has it: clockwise, so of the ground against the crank.
  model.outputs.push_back(
      element("theta", "joint", {{"joint", std::string("foot_0")}, {"value", std::string("angle")}}));
  model.outputs.push_back(
      element("theta_dot", "joint", {{"joint", std::string("foot_0")}, {"value", std::string("rate")}}));
  model.simulate.t_end = 10;
  return model;
}

}  // namespace
}  // namespace n_four_bar

extern const ProblemRecord n_four_bar_problem;
const ProblemRecord n_four_bar_problem = {
    .name = "n-four-bar",
    .summary = "ladder of N parallelogram four-bars, passing singular positions",
    .reference = "IFToMM multibody benchmark library, A02",
    .t_end = 10,
    .formulation = "augmented-lagrangian",
    .integrator = {},
    .stabilization = {},
    .options = {{.name = "N",
                 .kind = OptionKind::integer,
                 .default_value = "2",
                 .min = 1,
                 .max = 10000,
                 .help = "number of loops"}},
    .values = {{0.5, "B0_x", 0.6952866331644005, 1e-15},
               {0.5, "B0_y", 0.7187325634357417, 1e-15},
               {0.5, "theta", 0.768818627555206, 1e-15},
               {0.5, "theta_dot", 2.727308494277073, 1e-15},
               {1.0, "B0_x", -0.1950203019494351, 1e-15},
               {1.0, "B0_y", -0.9807992056621738, 1e-15},
               {1.0, "theta", 3.3378708031050977, 1e-15},
               {1.0, "theta_dot", 6.807385240869445, 1e-15},
               {2.0, "B0_x", 0.05781579576801143, 1e-15},
               {2.0, "B0_y", 0.9983272678634555, 1e-15},
               {2.0, "theta", 6.3410333613123315, 1e-15},
               {2.0, "theta_dot", 1.0189645914385368, 1e-15},
               {5.0, "B0_x", -0.8113104610051074, 1e-15},
               {5.0, "B0_y", -0.5846155453489755, 1e-15},
               {5.0, "theta", 16.654353486653484, 1e-14},
               {5.0, "theta_dot", 6.105067553519621, 1e-15}},
    .mechanism = n_four_bar::make_n_four_bar,
    .difficulty =
        "passes positions where all links are level and other motions branch off; rows lose rank there",
    .methods = {"augmented-lagrangian/dopri5", "augmented-lagrangian/dop853[penalty=1e8]"},
};

}  // namespace driftless
