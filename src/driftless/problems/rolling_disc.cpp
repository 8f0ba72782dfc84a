// A disc rolling on the floor without slipping (Chin 1995, section 4.6): thin, homogeneous, m = r = 1, A = 1/4, C = 1/2.
// Chin's coordinates are the contact point (x, y), heading φ, tilt θ from the vertical and spin ψ; with
//   h = (cos φ, sin φ, 0), l = (−sin φ, cos φ, 0), e = sin θ l + cos θ k, n = cos θ l − sin θ k                       (1)
// the centre stands at e above the contact, the axis is n, and ω = φ̇ k − θ̇ h − ψ̇ n.                                  (2)
// Reference: reduced equations in quadruple precision, which an independent multiplier form meets to 13 digits.
#include <cmath>
#include <numbers>

#include "driftless/math/rotation.hpp"
#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace rolling_disc {
namespace {

Model make_rolling_disc(const Options& options) {
  const double phi = options.number("phi"), theta = options.number("theta");
  const Vec3 h(std::cos(phi), std::sin(phi), 0), l(-std::sin(phi), std::cos(phi), 0), k = Vec3::UnitZ();
  const Vec3 e = std::sin(theta) * l + std::cos(theta) * k,
             n = std::cos(theta) * l - std::sin(theta) * k;  // (1)
  Mat3 axes;
  axes << h, -e, n;
  Model model;
  model.name = "rolling-disc";
  model.description = "a thin disc rolling on the floor without slipping";
  model.space = Space::spatial;
  model.gravity = {0, 0, -9.81};
  model.ground_points = {{"O", Vec3::Zero()}};
  Body disc;
  disc.name = "disc";
  disc.mass = 1;
  disc.inertia_tensor = Vec3(0.25, 0.25, 0.5).asDiagonal();
  disc.points = {{"C", Vec3::Zero()}, {"rim", Vec3::UnitX()}};
  disc.position = e;
  disc.orientation = quaternion_of_matrix(axes);
  disc.spin = options.number("phi_rate") * k - options.number("theta_rate") * h -
              options.number("psi_rate") * n;  // (2)
  disc.velocity = disc.spin.cross(e);
  model.bodies = {disc};
  model.joints = {element("contact", "rolling-disc",
                          {{"a", point("ground", "O")},
                           {"axis", direction(Vec3::UnitZ())},
                           {"b", point("disc", "C")},
                           {"axis_b", direction(Vec3::UnitZ())},
                           {"radius", 1.0}})};
  add_point_outputs(model, "C", point("disc", "C"));
  add_point_outputs(model, "rim", point("disc", "rim"));
  model.simulate.t_end = 1;
  return model;
}

OptionSpec start(const char* name, const char* value, const char* unit, const char* help) {
  return {.name = name, .default_value = value, .unit = unit, .help = help};
}

}  // namespace
}  // namespace rolling_disc

extern const ProblemRecord rolling_disc_problem;
const ProblemRecord rolling_disc_problem = {
    .name = "rolling-disc",
    .summary = "a thin disc rolling on the floor without slipping: nonholonomic",
    .reference = "Chin 1995, section 4.6",
    .t_end = 1,
    .integrator = {},
    .stabilization = {},
    .options = {rolling_disc::start("phi", "1.5707963267948966", "rad", "heading at the start"),
                rolling_disc::start("theta", "0", "rad", "tilt from the vertical at the start"),
                rolling_disc::start("phi_rate", "0.1", "rad/s", "rate of the heading at the start"),
                rolling_disc::start("theta_rate", "-0.1", "rad/s", "rate of the tilt at the start"),
                rolling_disc::start("psi_rate", "-0.1", "rad/s", "rate of the spin at the start")},
    .values = {{0.5, "C_x", 0.06844350709749678, 1e-13},
               {0.5, "C_y", 0.05093616958032256, 1e-13},
               {0.5, "C_z", 0.9975715510166125, 1e-13},
               {1, "C_x", 0.29297846556020035, 1e-13},
               {1, "C_y", 0.11245002758470779, 1e-13},
               {1, "C_z", 0.9546361356363756, 1e-13}},
    .mechanism = rolling_disc::make_rolling_disc,
    .difficulty = "nonholonomic: rows bind velocities only, and the disc falls over within two seconds",
    .methods = {"lagrange/dop853/pstab", "lagrange/dopri5/velocity-only"},
    .inferred =
        "q(0), mass, gravity and moments of inertia; taken: heading pi/2, r = 1 m, m = 1 kg, 9.81 m/s^2, "
        "thin homogeneous disc",
};

}  // namespace driftless
