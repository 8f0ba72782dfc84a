// A mass on a spring and a damper, without constraints: the smallest system, for stability and phase of integrators.
//   q̈ + 2 ζ ω q̇ + ω² q + κ q³ = 0,   q(0) = 1, q̇(0) = 0                                                              (1)
// With the defaults ω = 1, ζ = κ = 0 the motion is q = cos t. κ makes it Duffing's, whose energy ½ q̇² + ½ ω² q² + ¼ κ q⁴ no
// linear formula conserves (forces=conserving does).
#include <cmath>
#include <string>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace oscillator {
namespace {

struct Oscillator {
  static constexpr int nq = 1;
  double omega = 1, zeta = 0, kappa = 0;

  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {  // (1)
    f[0] = -2 * zeta * omega * v[0] - omega * omega * q[0] - kappa * q[0] * q[0] * q[0];
  }
  double potential(double, ConstVec q) const {
    return q[0] * q[0] * (omega * omega / 2 + kappa / 4 * q[0] * q[0]);
  }
  double applied_power(double, ConstVec, ConstVec v) const { return -2 * zeta * omega * v[0] * v[0]; }

  static Layout description() {
    Layout layout;
    layout.q_names = {"q"};
    layout.v_names = {"q_dot"};
    layout.q_units = {"m"};
    layout.v_units = {"m/s"};
    layout.mass_is_constant = true;
    return layout;
  }

  std::vector<std::string> body_names() const { return {"mass"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    out.assign(1, Pose{});
    out[0].position.x() = q[0];
  }
};

std::shared_ptr<const Drawing> oscillator_drawing() {
  Drawing out = start_drawing(1);
  out.ground.points = {{"O", {-2.5, 0, 0}}};
  HeldBody block;
  block.slides_along = Vec3::UnitX();
  out.bodies.push_back({"mass", Vec3::Zero(), {}, derived_shapes(block, true, 1)});
  add_coil(out, "spring", end_at(out, -1, "O"), {0});
  return std::make_shared<const Drawing>(std::move(out));
}

ProblemInstance make_oscillator(const Options& options) {
  ProblemInstance instance;
  instance.drawing = oscillator_drawing();
  instance.system =
      make_system(Oscillator{options.number("omega"), options.number("zeta"), options.number("kappa")});
  instance.start = {0, Vec::Ones(1), Vec::Zero(1)};
  return instance;
}

std::vector<ReferenceValue> reference_values() {
  std::vector<ReferenceValue> values;
  for (const double t : {1.0, 10.0}) {
    values.push_back({t, "q", std::cos(t), 2e-16});
    values.push_back({t, "q_dot", -std::sin(t), 2e-16});
  }
  return values;
}

}  // namespace
}  // namespace oscillator

extern const ProblemRecord oscillator_problem;
const ProblemRecord oscillator_problem = {
    .name = "oscillator",
    .summary = "a mass on a spring and a damper, linear or Duffing's; exact solution q = cos t",
    .reference = "linear oscillator, by hand; Hoitink 2011, ch. 2 judges the schemes on it",
    .t_end = 10,
    .integrator = {},
    .stabilization = {},
    .options = {{.name = "omega", .default_value = "1", .unit = "1/s", .min = 0, .help = "frequency"},
                {.name = "zeta", .default_value = "0", .min = 0, .help = "damping ratio"},
                {.name = "kappa", .default_value = "0", .unit = "1/(m^2 s^2)", .help = "cubic stiffness"}},
    .values = oscillator::reference_values(),
    .make = oscillator::make_oscillator,
    .difficulty = "none: an exact solution against which schemes are judged",
    .methods = {"lagrange/dop853"},
};

}  // namespace driftless
