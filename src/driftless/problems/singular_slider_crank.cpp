// Slider-crank with links of equal length (Chin 1995, section 4.5): point masses of 1 kg at the crank pin and at the
// slider, links of 1 m, which passes a singular position, links one upon the other, twice a swing.
//   M = [2 cos d; cos d 1],  d = θ₂ − θ₁,   f = (sin d θ̇₂² − 2 g₀ sin θ₁, −sin d θ̇₁² − g₀ sin θ₂),  g₀ = 9.8        (1)
//   g = −cos θ₁ − cos θ₂,    J = (sin θ₁, sin θ₂)                                                                 (2)
// Angles from the downward vertical. J is zero at θ₁ = 0, θ₂ = π, where the motion θ₂ = π − θ₁ crosses another,
// θ₂ = π + θ₁ with the slider at the pivot. On the first one
//   (1 + 4 cos² θ) θ̈ − 4 sin θ cos θ θ̇² + g₀ sin θ = 0,   θ = θ₁                                                 (3)
// The regular reformulation of the same motion (Chin (4.28)) keeps to the first branch by
//   g = θ₁ + θ₂ − π,   J = (1, 1)                                                                                    (4)
// which has full rank everywhere: problem regular-slider-crank.
// Start at rest; Chin does not print where: from π/4 the singular position is passed at t = 1.0313, 3.0938, 5.156, …
// Reference: quadruple precision in two formulations.
#include <cmath>
#include <numbers>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace singular_slider_crank {
namespace {

template <bool kRegular>
struct SliderCrank {
  static constexpr int nq = 2, rows = 1;
  static constexpr bool time_dependent = false;
  static constexpr double gravity = 9.8;

  template <class S>
  void constraint(const S&, const S* q, S* g) const {  // (2)
    using std::cos;
    if constexpr (kRegular)
      g[0] = q[0] + q[1] - std::numbers::pi;  // (4)
    else
      g[0] = -cos(q[0]) - cos(q[1]);
  }
  template <class S>
  void mass(const S&, const S* q, S* M) const {  // (1)
    using std::cos;
    M[0] = 2.0;
    M[1] = M[2] = cos(q[1] - q[0]);
    M[3] = 1.0;
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {
    const double s = std::sin(q[1] - q[0]);
    f[0] = s * v[1] * v[1] - 2 * gravity * std::sin(q[0]);
    f[1] = -s * v[0] * v[0] - gravity * std::sin(q[1]);
  }
  double potential(double, ConstVec q) const {
    return -2 * gravity * std::cos(q[0]) - gravity * std::cos(q[1]);
  }

  Layout description() const {
    Layout layout;
    layout.q_names = {"theta1", "theta2"};
    layout.v_names = {"theta1_dot", "theta2_dot"};
    layout.row_names = {"slider"};
    layout.q_units = {"rad", "rad"};
    layout.v_units = {"rad/s", "rad/s"};
    layout.row_units = {kRegular ? "rad" : "m"};
    layout.length = 1;
    layout.mass = 2;
    return layout;
  }

  std::vector<std::string> body_names() const { return {"pin", "slider"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    out.assign(2, Pose{});
    out[0].position = {std::sin(q[0]), -std::cos(q[0]), 0};
    out[1].position = out[0].position + Vec3(std::sin(q[1]), -std::cos(q[1]), 0);
  }

  // The angle of (3), the slider, and how far the other motion is away: 0 on the right one.
  std::vector<std::string> quantity_names() const { return {"theta", "slider_x", "branch"}; }
  std::vector<std::string> quantity_units() const { return {"rad", "m", "rad"}; }
  void quantities(double, ConstVec q, ConstVec, const Reaction&, VecRef out) const {
    out[0] = q[0];
    out[1] = std::sin(q[0]) + std::sin(q[1]);
    out[2] = q[0] + q[1] - std::numbers::pi;
  }
};

std::shared_ptr<const Drawing> singular_slider_crank_drawing() {
  Drawing out = start_drawing(1, {0, -SliderCrank<false>::gravity, 0});
  out.ground.points = {{"O", Vec3::Zero()}};
  add_ground_line(out, {{-2.2, 0, 0}, {2.2, 0, 0}});
  add_body(out, "pin", {});
  add_body(out, "slider", {});
  out.deforming.push_back({"links", {{-1}, {0}, {1}}, {{0, 1, 2}}, 0.02});
  return std::make_shared<const Drawing>(std::move(out));
}

template <bool kRegular>
ProblemInstance make_slider_crank(const Options& options) {
  ProblemInstance instance;
  instance.system = make_system(SliderCrank<kRegular>{});
  instance.drawing = singular_slider_crank_drawing();
  const double theta = options.number("theta1");
  instance.start.t = 0;
  instance.start.q = Vec2(theta, std::numbers::pi - theta);
  instance.start.v = Vec2::Zero();
  return instance;
}

std::vector<ReferenceValue> reference_values() {
  struct Row {
    double t, theta1, theta2, theta1_dot, slider_x;
  };
  const Row table[] = {
      {0.5, 0.5365914859601291, 2.605001167629664, -0.8689480281774012, 1.0224189972531856},
      {1.0, 0.0334965157829261, 3.108096137806867, -1.070967610540143, 0.06698050438674727},
      {1.5, -0.4805506301617559, 3.6221432837515493, -0.9216104936614778, -0.924535023340743},
      {2.0, -0.7808943926191082, 3.9224870462089014, -0.14365068910632325, -1.4078299472937168}};
  std::vector<ReferenceValue> values;
  const double rounding = 1e-15;
  for (const Row& row : table) {
    values.push_back({row.t, "theta1", row.theta1, rounding});
    values.push_back({row.t, "theta2", row.theta2, rounding});
    values.push_back({row.t, "theta1_dot", row.theta1_dot, rounding});
    values.push_back({row.t, "theta2_dot", -row.theta1_dot, rounding});
    values.push_back({row.t, "theta", row.theta1, rounding});
    values.push_back({row.t, "slider_x", row.slider_x, rounding});
  }
  return values;
}

std::vector<OptionSpec> slider_crank_options() {
  return {{.name = "theta1",
           .default_value = "0.7853981633974483",
           .unit = "rad",
           .min = -3,
           .max = 3,
           .help = "crank angle at the start, at rest, from the downward vertical; 0 is singular"}};
}

}  // namespace
}  // namespace singular_slider_crank

extern const ProblemRecord singular_slider_crank_problem;
const ProblemRecord singular_slider_crank_problem = {
    .name = "singular-slider-crank",
    .summary = "slider-crank with equal links, passing a position where its constraint loses rank",
    .reference = "Chin 1995, section 4.5",
    .t_end = 10,
    .formulation = "augmented-lagrangian",
    .integrator = {},
    .stabilization = {},
    .options = singular_slider_crank::slider_crank_options(),
    .values = singular_slider_crank::reference_values(),
    .make = singular_slider_crank::make_slider_crank<false>,
    .difficulty =
        "the constraint loses rank twice a swing, where another motion branches off: schemes that invert J "
        "M^-1 J^T there "
        "fail or take the wrong branch unless their steps happen to pass by",
    .methods = {"augmented-lagrangian/dopri5", "augmented-lagrangian/dop853"},
};

extern const ProblemRecord regular_slider_crank_problem;
const ProblemRecord regular_slider_crank_problem = {
    .name = "regular-slider-crank",
    .summary = "the same motion bound by theta1 + theta2 = pi, which never loses rank",
    .reference = "Chin 1995, section 4.5, (4.28)",
    .t_end = 10,
    .integrator = {},
    .stabilization = {},
    .options = singular_slider_crank::slider_crank_options(),
    .values = singular_slider_crank::reference_values(),
    .make = singular_slider_crank::make_slider_crank<true>,
    .difficulty =
        "none: it shows that the trouble of singular-slider-crank lies in how the constraint is written",
};

}  // namespace driftless
