// Slider-crank with a spring, a damper and a motor.                                                  Chin 1995, section 4.4.4
//
//            3 m  A
//               o  .  rod 5 m                     k, c, free length 10 m
//        crank /      .
//      --- O -o- - - - - [slider]--- 2 m ---/\/\/\/--- (12, 0)
//
// The crank's centre of mass is 1 m from O, the rod's in its middle; a torque of 100 N m drives the crank; the spring lies on the x axis and
// always pushes, being shorter than its free length. Masses, inertias, gravity and start are not printed and were chosen: 1 kg each;
// 0.75, 25/12 and 1 kg m²; 9.81 m/s²; crank at π/4, at rest. Reference: crank angle in quadruple precision against nine coordinates with
// eight constraints in 80 bits, 15 digits and more.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace slider_crank_tsda {
namespace {

Model make_slider_crank_tsda(const Options& options) {
  constexpr double kStart = std::numbers::pi / 4;
  const double rod_angle = -std::asin(0.6 * std::sin(kStart));
  const Vec3 A(3 * std::cos(kStart), 3 * std::sin(kStart), 0);
  const Vec3 B(A.x() + 5 * std::cos(rod_angle), 0, 0);
  Model model;
  model.name = "slider-crank-tsda";
  model.description = "slider-crank with a motor on the crank and a spring with damper on the slider";
  model.gravity = {0, -9.81, 0};
  model.ground_points = {{"O", Vec3::Zero()}, {"wall", Vec3(12, 0, 0)}};
  const auto add = [&](const char* name, double inertia, const Vec3& at, double angle, const Vec3& centre,
                       std::vector<NamedPoint> points) {
    Body body;
    body.name = name;
    body.mass = 1;
    body.inertia = inertia;
    body.center_of_mass = centre;
    body.points = std::move(points);
    body.position = at;
    body.angle = angle;
    model.bodies.push_back(std::move(body));
  };
  add("crank", 0.75, Vec3::Zero(), kStart, Vec3(1, 0, 0), {{"O", Vec3::Zero()}, {"A", Vec3(3, 0, 0)}});
  add("rod", 25.0 / 12, A, rod_angle, Vec3(2.5, 0, 0), {{"A", Vec3::Zero()}, {"B", Vec3(5, 0, 0)}});
  add("slider", 1, B, 0, Vec3::Zero(), {{"B", Vec3::Zero()}, {"S", Vec3(2, 0, 0)}});
  const auto pin = [&](const char* name, PointRef a, PointRef b) {
    model.joints.push_back(element(name, "revolute", {{"a", std::move(a)}, {"b", std::move(b)}}));
  };
  pin("pin_O", point("ground", "O"), point("crank", "O"));
  pin("pin_A", point("crank", "A"), point("rod", "A"));
  pin("pin_B", point("rod", "B"), point("slider", "B"));
  model.joints.push_back(
      element("guide", "translational",
              {{"a", point("ground", "O")}, {"axis", Vec3(Vec3::UnitX())}, {"b", point("slider", "B")}}));
  model.forces.push_back(element("spring", "tsda",
                                 {{"a", point("ground", "wall")},
                                  {"b", point("slider", "S")},
                                  {"stiffness", options.number("k")},
                                  {"damping", 10.0},
                                  {"free_length", 10.0}}));
  model.forces.push_back(
      element("motor", "torque", {{"body", std::string("crank")}, {"torque", TimeFunction(100)}}));
  const auto watch = [&](const char* name, const char* joint, const char* value) {
    model.outputs.push_back(
        element(name, "joint", {{"joint", std::string(joint)}, {"value", std::string(value)}}));
  };
  watch("theta2", "pin_O", "angle");
  watch("theta2_dot", "pin_O", "rate");
  watch("x4", "guide", "displacement");
  watch("x4_dot", "guide", "rate");
  model.simulate.t_end = 0.5;
  return model;
}

std::vector<OptionSpec> tsda_options(const char* stiffness) {
  return {{.name = "k",
           .default_value = stiffness,
           .unit = "N/m",
           .min = 0,
           .help = fmt::format("stiffness of the spring; the reference values are of {}", stiffness)}};
}

constexpr const char* kInferred =
    "masses, inertias, gravity, start and the sense of the torque; taken: 1 kg each, 0.75, 25/12 and 1 kg "
    "m^2, 9.81 m/s^2, crank at "
    "pi/4 at rest, torque +100 N m";

}  // namespace
}  // namespace slider_crank_tsda

extern const ProblemRecord slider_crank_tsda_problem;
const ProblemRecord slider_crank_tsda_problem = {
    .name = "slider-crank-tsda",
    .summary = "slider-crank with a motor, a spring and a damper on the slider, k = 1000",
    .reference = "Chin 1995, section 4.4.4; after Yen 1990",
    .t_end = 0.5,
    .integrator = {},
    .stabilization = {},
    .options = slider_crank_tsda::tsda_options("1000"),
    .values = {{0.1, "theta2", 4.7929359904031665, 1e-14},
               {0.1, "theta2_dot", 27.01602176433601, 1e-13},
               {0.1, "x4", 4.248656236892034, 1e-14},
               {0.1, "x4_dot", 85.65142787722336, 1e-13},
               {0.25, "theta2", 1.3721403151028142, 1e-14},
               {0.25, "theta2_dot", -8.64806628503484, 1e-13},
               {0.25, "x4", 4.635634739249105, 1e-14},
               {0.25, "x4_dot", 29.157953830765443, 1e-13}},
    .mechanism = slider_crank_tsda::make_slider_crank_tsda,
    .difficulty =
        "the spring swings the mechanism to and fro several times within half a second; explicit schemes "
        "follow it with ease",
    .methods = {"relative/lagrange/dopri5", "lagrange/dop853/pstab"},
    .inferred = slider_crank_tsda::kInferred,
};

extern const ProblemRecord slider_crank_tsda_stiff_problem;
const ProblemRecord slider_crank_tsda_stiff_problem = {
    .name = "slider-crank-tsda-stiff",
    .summary = "the same with a spring of k = 10000",
    .reference = "Chin 1995, section 4.4.4; after Yen 1990",
    .t_end = 0.5,
    .integrator = {},
    .stabilization = {},
    .options = slider_crank_tsda::tsda_options("10000"),
    .values = {{0.1, "theta2", 2.29721881570962, 1e-14},
               {0.1, "theta2_dot", 188.52957102970097, 1e-12},
               {0.1, "x4", 2.4762323012236247, 1e-14},
               {0.1, "x4_dot", -234.28342630593292, 1e-12},
               {0.25, "theta2", 1.320803543695763, 1e-14},
               {0.25, "theta2_dot", 19.51126862248181, 1e-13},
               {0.25, "x4", 4.81046416185162, 1e-14},
               {0.25, "x4_dot", -67.06083458442527, 1e-13}},
    .mechanism = slider_crank_tsda::make_slider_crank_tsda,
    .difficulty =
        "ten times the stiffness: more severe oscillation, still followed and not damped by its solution",
    .methods = {"relative/lagrange/dopri5", "lagrange/dop853/pstab"},
    .inferred = slider_crank_tsda::kInferred,
};

}  // namespace driftless
