// Stiff double pendulum of Negrut, Haug & German: two uniform bars of lengths 2L₁, 2L₂ with torsion springs and dampers at
// both pins, the one at the elbow ten thousand times stiffer than the motion needs. Angles from the x axis, gravity −y.
//   n₁ = k₁ (θ₁ − 3π/2) + c₁ ω₁,   n₂ = k₂ (θ₂ − θ₁) + c₂ (ω₂ − ω₁)                                                     (1)
//   [ I₁ + m₁L₁² + 4m₂L₁²   2m₂L₁L₂ cos d ] [ω̇₁]   [  2m₂L₁L₂ sin d ω₂² − (m₁ + 2m₂) L₁ g cos θ₁ − n₁ + n₂ ]
//   [ 2m₂L₁L₂ cos d         I₂ + m₂L₂²    ] [ω̇₂] = [ −2m₂L₁L₂ sin d ω₁² − m₂ L₂ g cos θ₂ − n₂               ],  d = θ₂ − θ₁   (2)
// Eigenvalues at the start −1e5, −7.2, −1.35 ± 6.9i. The damper equalises the rates within 1e-5 s, then θ₂ − θ₁ decays like
// e^(−6t). Inertias and gravity are not printed in the source: uniform bars and 9.81 m/s² reproduce its table of steps.
// Two records: `stiff-double-pendulum`, a mechanism for any coordinates, and `stiff-double-pendulum-angles`, equation (2)
// itself without constraints. Reference: Radau schemes of order 13 and 9 in quadruple and 80-bit arithmetic.
#include <array>
#include <cmath>
#include <numbers>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace stiff_double_pendulum {
namespace {

constexpr double m1 = 3, m2 = 0.3, L1 = 1, L2 = 1.5;            // kg, m
constexpr double k1 = 400, k2 = 3e5, c1 = 15, c2 = 5e4;         // N m/rad, N m s/rad
constexpr double I1 = m1 * L1 * L1 / 3, I2 = m2 * L2 * L2 / 3;  // about the centre
constexpr double gravity = 9.81, free1 = 1.5 * std::numbers::pi;
constexpr double start1 = 2 * std::numbers::pi, start2 = 23 * std::numbers::pi / 12, rate2 = 10;

struct Angles {
  static constexpr int nq = 2;
  static constexpr bool time_dependent = false;

  void mass(double, ConstVec q, Mat& M) const {  // (2)
    M(0, 0) = I1 + (m1 + 4 * m2) * L1 * L1;
    M(0, 1) = M(1, 0) = 2 * m2 * L1 * L2 * std::cos(q[1] - q[0]);
    M(1, 1) = I2 + m2 * L2 * L2;
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {
    const double n1 = k1 * (q[0] - free1) + c1 * v[0];
    const double n2 = k2 * (q[1] - q[0]) + c2 * (v[1] - v[0]);  // (1)
    const double s = 2 * m2 * L1 * L2 * std::sin(q[1] - q[0]);
    f[0] = s * v[1] * v[1] - (m1 + 2 * m2) * L1 * gravity * std::cos(q[0]) - n1 + n2;
    f[1] = -s * v[0] * v[0] - m2 * L2 * gravity * std::cos(q[1]) - n2;
  }
  double potential(double, ConstVec q) const {
    const double a = q[0] - free1, b = q[1] - q[0];
    return (k1 * a * a + k2 * b * b) / 2 +
           gravity * ((m1 + 2 * m2) * L1 * std::sin(q[0]) + m2 * L2 * std::sin(q[1]));
  }
  double applied_power(double, ConstVec, ConstVec v) const {
    const double b = v[1] - v[0];
    return -c1 * v[0] * v[0] - c2 * b * b;
  }

  Layout description() const {
    Layout layout;
    layout.q_names = {"bar1.theta", "bar2.theta"};
    layout.v_names = {"bar1.omega", "bar2.omega"};
    layout.q_units = {"rad", "rad"};
    layout.v_units = {"rad/s", "rad/s"};
    layout.length = 1;
    return layout;
  }

  std::vector<std::string> body_names() const { return {"bar1", "bar2"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    out.assign(2, Pose{});
    const Vec3 along1(std::cos(q[0]), std::sin(q[0]), 0), along2(std::cos(q[1]), std::sin(q[1]), 0);
    out[0].position = L1 * along1;
    out[1].position = 2 * L1 * along1 + L2 * along2;
    for (size_t i = 0; i < 2; ++i) {
      const double half = q[Eigen::Index(i)] / 2;
      out[i].quaternion = {std::cos(half), 0, 0, std::sin(half)};
    }
  }
};

ProblemInstance make_angles(const Options&) {
  ProblemInstance instance;
  instance.system = make_system(Angles{});
  instance.drawing = double_pendulum_drawing("bar1", "bar2", 2 * L1, 2 * L2, gravity);
  instance.start.t = 0;
  instance.start.q = Vec2(start1, start2);
  instance.start.v = Vec2(0, rate2);
  return instance;
}

// A bar about its middle, from A to B.
Body bar(
    const std::string& name, double mass, double inertia, double half, const Vec3& middle, double angle) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = inertia;
  body.points = {{"A", Vec3(-half, 0, 0)}, {"B", Vec3(half, 0, 0)}};
  body.position = middle;
  body.angle = angle;
  return body;
}

Model make_bars(const Options&) {
  Model model;
  model.name = "stiff-double-pendulum";
  model.description = "two bars with torsion springs and dampers, the elbow very stiff";
  model.gravity = {0, -gravity, 0};
  model.ground_points = {{"O", Vec3::Zero()}};
  const Vec3 along2(std::cos(start2), std::sin(start2), 0);
  model.bodies = {bar("bar1", m1, I1, L1, Vec3(L1, 0, 0), start1),
                  bar("bar2", m2, I2, L2, Vec3(2 * L1, 0, 0) + L2 * along2, start2)};
  model.bodies[1].velocity = rate2 * L2 * Vec3(-along2.y(), along2.x(), 0);
  model.bodies[1].angular_velocity = rate2;
  model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("bar1", "A")}}),
                  element("elbow", "revolute", {{"a", point("bar1", "B")}, {"b", point("bar2", "A")}})};
  const auto spring = [](const char* name, const char* a, const char* b, double k, double c, double at) {
    return element(
        name, "rsda",
        {{"a", std::string(a)}, {"b", std::string(b)}, {"stiffness", k}, {"damping", c}, {"free_angle", at}});
  };
  model.forces = {spring("spring1", "ground", "bar1", k1, c1, free1),
                  spring("spring2", "bar1", "bar2", k2, c2, 0)};
  model.simulate.t_end = 2;
  return model;
}

std::vector<ReferenceValue> reference_values() {
  struct Row {
    double t, theta1, theta2, omega1, omega2;
  };
  const Row table[] = {{0.25, 4.7787037319209995, 4.720470822839046, -9.442267131040609, -9.093271297207293},
                       {0.5, 3.7363754783893874, 3.72315477561312, 2.525775552871166, 2.6034230911986103},
                       {0.75, 5.084951408305986, 5.08200898411556, 4.778901045775395, 4.797597543500898},
                       {1.0, 5.1614397993302825, 5.160924184973401, -3.606803134748023, -3.603096748615597}};
  std::vector<ReferenceValue> values;
  for (const Row& row : table) {
    values.push_back({row.t, "bar1.theta", row.theta1, 1e-14});
    values.push_back({row.t, "bar2.theta", row.theta2, 1e-14});
    values.push_back({row.t, "bar1.omega", row.omega1, 1e-14});
    values.push_back({row.t, "bar2.omega", row.omega2, 1e-14});
  }
  return values;
}

}  // namespace
}  // namespace stiff_double_pendulum

extern const ProblemRecord stiff_double_pendulum_problem, stiff_double_pendulum_angles_problem;

const ProblemRecord stiff_double_pendulum_problem = {
    .name = "stiff-double-pendulum",
    .summary = "two bars with springs and dampers at the pins; eigenvalues from -1e5 to -1.4",
    .reference = "Negrut, Haug & German 2003, section 5.1",
    .t_end = 2,
    .formulation = "partitioned",
    .integrator = "sdirk4",
    .stabilization = {},
    .options = {},
    .values = stiff_double_pendulum::reference_values(),
    .mechanism = stiff_double_pendulum::make_bars,
    .difficulty =
        "eigenvalues from -1e5 to -1.4: explicit schemes take a quarter of a million steps at any tolerance",
    .methods = {"lagrange/radau-iia5/pstab"},
    .inferred = "inertias, gravity and the angle of the first bar; taken: slender bars, 9.81 m/s^2, 2 pi",
};

const ProblemRecord stiff_double_pendulum_angles_problem = {
    .name = "stiff-double-pendulum-angles",
    .summary = "the same in its two angles: an ordinary differential equation without constraints",
    .reference = "Negrut, Haug & German 2003, section 5.1",
    .t_end = 2,
    .integrator = "sdirk4",
    .stabilization = "none",
    .options = {},
    .values = stiff_double_pendulum::reference_values(),
    .make = stiff_double_pendulum::make_angles,
    .difficulty = "the same without constraints: what an implicit scheme costs by itself",
    .methods = {"lagrange/radau-iia5"},
    .inferred = "as of stiff-double-pendulum",
};

}  // namespace driftless
