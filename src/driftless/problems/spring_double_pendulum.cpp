// Double pendulum of two tip masses held straight by rotational springs, no gravity, in two sets of coordinates.
//                                            García de Jalón & Bayo 1994, Example 7.2, table 7.4; problems 7/3, 7/4, 7/5
// φ1 is the angle of the first link, φ2 that of the second relative to it; masses and lengths are 1:
//   M = [3 + 2c  1 + c; 1 + c  1],   c = cos φ2,  s = sin φ2                                                          (1)
//   f = (−k1 φ1 − c1 φ̇1 + s (2 φ̇1 φ̇2 + φ̇2²),  −k2 φ2 − c2 φ̇2 − s φ̇1²)                                              (2)
//   V = ½ (k1 φ1² + k2 φ2²),   power of the dash pots −c1 φ̇1² − c2 φ̇2²                                               (3)
// spring-double-pendulum-points has the ends of the links and the angles for coordinates, M = diag(1, 1, 1, 1, 0, 0):
//   x1 = cos φ1,  y1 = sin φ1,  x2 − x1 = cos(φ1 + φ2),  y2 − y1 = sin(φ1 + φ2)                                        (4)
// Two coordinates and no constraint: what is left is the integrator. The book starts it straight with 100 rad/s in both
// angles and sets the springs between 0 and 1e8 N m/rad, from soft to very stiff. Reference values: extended precision,
// k1 = k2 = 100. The mild set of the tests of order is k = (4, 6), rates 1 (docs/theory/adams.md).
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace spring_double_pendulum {
namespace {

struct Springs {
  double k1 = 100, k2 = 100, c1 = 0, c2 = 0;
};

// Damped: whether any work is done besides that of the springs.
template <bool damped>
struct SpringDoublePendulum {
  static constexpr int nq = 2, rows = 0;
  static constexpr bool time_dependent = false;
  Springs springs;

  template <class S>
  void constraint(const S&, const S*, S*) const {}
  void mass(double, ConstVec q, Mat& M) const {  // (1)
    const double c = std::cos(q[1]);
    M(0, 0) = 3 + 2 * c;
    M(0, 1) = M(1, 0) = 1 + c;
    M(1, 1) = 1;
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {  // (2)
    const auto& [k1, k2, c1, c2] = springs;
    const double s = std::sin(q[1]);
    f[0] = -k1 * q[0] - c1 * v[0] + s * (2 * v[0] * v[1] + v[1] * v[1]);
    f[1] = -k2 * q[1] - c2 * v[1] - s * v[0] * v[0];
  }
  double potential(double, ConstVec q) const {  // (3)
    return (springs.k1 * q[0] * q[0] + springs.k2 * q[1] * q[1]) / 2;
  }
  double applied_power(double, ConstVec, ConstVec v) const
    requires damped
  {
    return -springs.c1 * v[0] * v[0] - springs.c2 * v[1] * v[1];
  }

  static Layout description() {
    Layout layout;
    layout.q_names = {"phi1", "phi2"};
    layout.v_names = {"phi1_dot", "phi2_dot"};
    layout.q_units = {"rad", "rad"};
    layout.v_units = {"rad/s", "rad/s"};
    layout.length = 1;
    layout.mass = 2;
    return layout;
  }

  std::vector<std::string> body_names() const { return {"link1", "link2"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const { link_poses(q[0], q[1], out); }

  static void link_poses(double phi1, double phi2, std::vector<Pose>& out) {
    out.assign(2, Pose{});
    const double a1 = phi1, a2 = phi1 + phi2;
    const double x1 = std::cos(a1), y1 = std::sin(a1);
    out[0].position = {x1 / 2, y1 / 2, 0};
    out[0].quaternion = {std::cos(a1 / 2), 0, 0, std::sin(a1 / 2)};
    out[1].position = {x1 + std::cos(a2) / 2, y1 + std::sin(a2) / 2, 0};
    out[1].quaternion = {std::cos(a2 / 2), 0, 0, std::sin(a2 / 2)};
  }
};

// (4)
template <bool damped>
struct PointsDoublePendulum {
  static constexpr int nq = 6, rows = 4;
  static constexpr bool time_dependent = false;
  Springs springs;

  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    using std::sin, std::cos;
    g[0] = q[0] - cos(q[4]);
    g[1] = q[1] - sin(q[4]);
    g[2] = q[2] - q[0] - cos(q[4] + q[5]);
    g[3] = q[3] - q[1] - sin(q[4] + q[5]);
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal().head(4).setOnes(); }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {
    f[4] = -springs.k1 * q[4] - springs.c1 * v[4];
    f[5] = -springs.k2 * q[5] - springs.c2 * v[5];
  }
  double potential(double, ConstVec q) const {
    return (springs.k1 * q[4] * q[4] + springs.k2 * q[5] * q[5]) / 2;
  }
  double applied_power(double, ConstVec, ConstVec v) const
    requires damped
  {
    return -springs.c1 * v[4] * v[4] - springs.c2 * v[5] * v[5];
  }

  static Layout description() {
    Layout layout;
    layout.q_names = {"x1", "y1", "x2", "y2", "phi1", "phi2"};
    layout.v_names = {"x1_dot", "y1_dot", "x2_dot", "y2_dot", "phi1_dot", "phi2_dot"};
    layout.row_names = {"link1.x", "link1.y", "link2.x", "link2.y"};
    layout.q_units = {"m", "m", "m", "m", "rad", "rad"};
    layout.v_units = {"m/s", "m/s", "m/s", "m/s", "rad/s", "rad/s"};
    layout.row_units = {"m", "m", "m", "m"};
    layout.length = 1;
    layout.mass = 2;
    layout.mass_is_constant = true;
    return layout;
  }

  std::vector<std::string> body_names() const { return {"link1", "link2"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    SpringDoublePendulum<damped>::link_poses(q[4], q[5], out);
  }
};

Springs springs_of(const Options& options) {
  return {options.number("k1"), options.number("k2"), options.number("c1"), options.number("c2")};
}

ProblemInstance make_spring_double_pendulum(const Options& options) {
  const Springs springs = springs_of(options);
  ProblemInstance instance;
  instance.system = springs.c1 > 0 || springs.c2 > 0 ? make_system(SpringDoublePendulum<true>{springs})
                                                     : make_system(SpringDoublePendulum<false>{springs});
  instance.drawing = double_pendulum_drawing("link1", "link2", 1, 1, 0, 0.06);
  instance.start = {0, Vec::Zero(2), Vec(2)};
  instance.start.v << options.number("omega1"), options.number("omega2");
  return instance;
}

ProblemInstance make_points_double_pendulum(const Options& options) {
  const Springs springs = springs_of(options);
  ProblemInstance instance;
  instance.system = springs.c1 > 0 || springs.c2 > 0 ? make_system(PointsDoublePendulum<true>{springs})
                                                     : make_system(PointsDoublePendulum<false>{springs});
  const double w1 = options.number("omega1"), w2 = options.number("omega2");
  instance.start = {0, Vec(6), Vec(6)};
  instance.start.q << 1, 0, 2, 0, 0, 0;
  instance.start.v << 0, w1, 0, 2 * w1 + w2, w1, w2;
  return instance;
}

std::vector<OptionSpec> spring_options() {
  return {
      {.name = "k1", .default_value = "100", .unit = "N m/rad", .min = 0, .help = "spring at the ground"},
      {.name = "k2", .default_value = "100", .unit = "N m/rad", .min = 0, .help = "spring at the elbow"},
      {.name = "c1", .default_value = "0", .unit = "N m s/rad", .min = 0, .help = "dash pot at the ground"},
      {.name = "c2", .default_value = "0", .unit = "N m s/rad", .min = 0, .help = "dash pot at the elbow"},
      {.name = "omega1", .default_value = "100", .unit = "rad/s", .help = "rate of phi1 at the start"},
      {.name = "omega2", .default_value = "100", .unit = "rad/s", .help = "rate of phi2 at the start"}};
}

// At t = 0.1 with the defaults.
constexpr double phi1 = 13.796201923478673, phi2 = -0.29714747781252315, phi1_dot = 131.91703291954565,
                 phi2_dot = -8.92701466276007;

std::vector<ReferenceValue> reference_values() {
  return {{0.1, "phi1", phi1, 1e-11},
          {0.1, "phi2", phi2, 1e-11},
          {0.1, "phi1_dot", phi1_dot, 1e-10},
          {0.1, "phi2_dot", phi2_dot, 1e-10}};
}

std::vector<ReferenceValue> points_reference_values() {  // (4)
  std::vector<ReferenceValue> values = reference_values();
  const double both = phi1 + phi2, rate = phi1_dot + phi2_dot;
  const double x1 = std::cos(phi1), y1 = std::sin(phi1), x = std::cos(both), y = std::sin(both);
  const auto add = [&](const char* name, double value, double reliable) {
    values.push_back({0.1, name, value, reliable});
  };
  add("x1", x1, 1e-11);
  add("y1", y1, 1e-11);
  add("x2", x1 + x, 1e-11);
  add("y2", y1 + y, 1e-11);
  add("x1_dot", -y1 * phi1_dot, 1e-9);
  add("y1_dot", x1 * phi1_dot, 1e-9);
  add("x2_dot", -y1 * phi1_dot - y * rate, 1e-9);
  add("y2_dot", x1 * phi1_dot + x * rate, 1e-9);
  return values;
}

}  // namespace
}  // namespace spring_double_pendulum

extern const ProblemRecord spring_double_pendulum_problem, spring_double_pendulum_points_problem;
const ProblemRecord spring_double_pendulum_problem = {
    .name = "spring-double-pendulum",
    .summary =
        "double pendulum with rotational springs from soft to very stiff, two coordinates, no constraint",
    .reference = "Garcia de Jalon & Bayo 1994, Example 7.2, table 7.4; problem 7/3",
    .t_end = 0.1,
    .integrator = {},
    .stabilization = {},
    .options = spring_double_pendulum::spring_options(),
    .values = spring_double_pendulum::reference_values(),
    .make = spring_double_pendulum::make_spring_double_pendulum,
    .difficulty =
        "oscillation that grows with the springs, undamped: an L-stable scheme damps it, an explicit one "
        "must follow it",
    .methods = {"lagrange/dop853"},
    .inferred = "phi(0) = 0",
};
const ProblemRecord spring_double_pendulum_points_problem = {
    .name = "spring-double-pendulum-points",
    .summary = "the same in the ends of its links and its angles: four constraints, mass matrix singular",
    .reference = "Garcia de Jalon & Bayo 1994, problems 7/4 and 7/5",
    .t_end = 0.1,
    .integrator = {},
    .stabilization = {},
    .options = spring_double_pendulum::spring_options(),
    .values = spring_double_pendulum::points_reference_values(),
    .make = spring_double_pendulum::make_points_double_pendulum,
    .difficulty = "the same with a singular mass matrix and four constraints",
    .methods = {"lagrange/dop853/pstab"},
    .inferred = "phi(0) = 0",
};

}  // namespace driftless
