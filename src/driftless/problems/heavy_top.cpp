// Heavy top: an asymmetric body on a ball joint. Reference: index-1 form by DOP853 at rtol 1e-13.
#include <Eigen/Geometry>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace heavy_top {
namespace {

Model make_heavy_top(const Options&) {
  Model model;
  model.name = "heavy-top";
  model.description = "asymmetric heavy top on a ball joint";
  model.space = Space::spatial;
  model.gravity = {0, 0, -9.81};
  model.ground_points = {{"O", Vec3::Zero()}};
  Body top;
  top.name = "top";
  top.mass = 1;
  top.inertia_tensor = Vec3(0.2, 0.25, 0.1).asDiagonal();
  top.center_of_mass = {0, 0, 0.7};
  top.points = {{"O", Vec3::Zero()}, {"C", Vec3(0, 0, 0.7)}};
  top.orientation = Eigen::Vector4d(1, 0.3, 0.1, 0).normalized();
  const Eigen::Quaterniond turn(top.orientation[0], top.orientation[1], top.orientation[2],
                                top.orientation[3]);
  top.spin = turn * Vec3(0.3, -0.2, 8);
  model.bodies = {top};
  model.joints = {element("ball", "spherical", {{"a", point("ground", "O")}, {"b", point("top", "O")}})};
  add_point_outputs(model, "C", point("top", "C"));
  model.simulate.t_end = 1.5;
  return model;
}

}  // namespace
}  // namespace heavy_top

extern const ProblemRecord heavy_top_problem;
const ProblemRecord heavy_top_problem = {
    .name = "heavy-top",
    .summary = "asymmetric heavy top on a ball joint",
    .reference = "index-1 form, DOP853 at rtol 1e-13",
    .t_end = 1.5,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = {{1.5, "C_x", -0.076985719, 1e-9},
               {1.5, "C_y", 0.419951151, 1e-9},
               {1.5, "C_z", 0.554719956, 1e-9}},
    .mechanism = heavy_top::make_heavy_top,
    .difficulty = "fast rotation in space: what a set of angles or quaternions costs shows here",
    .methods = {"relative/lagrange/dop853", "lagrange/dop853/pstab",
                "euler-parameters/lagrange/dopri5/pstab"},
};

}  // namespace driftless
