// Double pendulum of two tip masses held straight by rotational springs, no gravity.
//                                                                       García de Jalón & Bayo 1994, Example 7.2, table 7.4
// φ1 is the angle of the first link, φ2 that of the second relative to it; masses and lengths are 1:
//   M = [3 + 2c  1 + c; 1 + c  1],   c = cos φ2,  s = sin φ2                                                          (1)
//   f = (−k1 φ1 + s (2 φ̇1 φ̇2 + φ̇2²),  −k2 φ2 − s φ̇1²)                                                              (2)
//   V = ½ (k1 φ1² + k2 φ2²)                                                                                          (3)
// Two coordinates and no constraint: what is left is the integrator. The book starts it straight with 100 rad/s in both
// angles and sets the springs between 0 and 1e8 N m/rad, from soft to very stiff. Reference values: extended precision,
// k1 = k2 = 100. The mild set of the tests of order is k = (4, 6), rates 1 (docs/theory/adams.md).
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/jet_system.hpp"

namespace driftless {
namespace {

struct SpringDoublePendulum {
  static constexpr int nq = 2, rows = 0;
  static constexpr bool time_dependent = false;
  double k1 = 100, k2 = 100;

  template <class S>
  void constraint(const S&, const S*, S*) const {}
  void mass(double, ConstVec q, Mat& M) const {  // (1)
    const double c = std::cos(q[1]);
    M(0, 0) = 3 + 2 * c;
    M(0, 1) = M(1, 0) = 1 + c;
    M(1, 1) = 1;
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {  // (2)
    const double s = std::sin(q[1]);
    f[0] = -k1 * q[0] + s * (2 * v[0] * v[1] + v[1] * v[1]);
    f[1] = -k2 * q[1] - s * v[0] * v[0];
  }
  double potential(double, ConstVec q) const { return (k1 * q[0] * q[0] + k2 * q[1] * q[1]) / 2; }  // (3)

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
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    out.assign(2, Pose{});
    const double a1 = q[0], a2 = q[0] + q[1];
    const double x1 = std::cos(a1), y1 = std::sin(a1);
    out[0].position = {x1 / 2, y1 / 2, 0};
    out[0].quaternion = {std::cos(a1 / 2), 0, 0, std::sin(a1 / 2)};
    out[1].position = {x1 + std::cos(a2) / 2, y1 + std::sin(a2) / 2, 0};
    out[1].quaternion = {std::cos(a2 / 2), 0, 0, std::sin(a2 / 2)};
  }
};

ProblemInstance make_spring_double_pendulum(const Options& options) {
  SpringDoublePendulum equations;
  equations.k1 = options.number("k1");
  equations.k2 = options.number("k2");
  ProblemInstance instance;
  instance.system = make_system(equations);
  instance.drawing = double_pendulum_drawing("link1", "link2", 1, 1, 0, 0.06);
  instance.start = {0, Vec::Zero(2), Vec(2)};
  instance.start.v << options.number("omega1"), options.number("omega2");
  return instance;
}

std::vector<ReferenceValue> reference_values() {
  return {{0.1, "phi1", 13.796201923478673, 1e-11},
          {0.1, "phi2", -0.29714747781252315, 1e-11},
          {0.1, "phi1_dot", 131.91703291954565, 1e-10},
          {0.1, "phi2_dot", -8.92701466276007, 1e-10}};
}

}  // namespace

extern const ProblemRecord spring_double_pendulum_problem;
const ProblemRecord spring_double_pendulum_problem = {
    .name = "spring-double-pendulum",
    .summary =
        "double pendulum with rotational springs from soft to very stiff, two coordinates, no constraint",
    .reference = "Garcia de Jalon & Bayo 1994, Example 7.2, table 7.4",
    .t_end = 0.1,
    .integrator = {},
    .stabilization = {},
    .options =
        {{.name = "k1", .default_value = "100", .unit = "N m/rad", .min = 0, .help = "spring at the ground"},
         {.name = "k2", .default_value = "100", .unit = "N m/rad", .min = 0, .help = "spring at the elbow"},
         {.name = "omega1", .default_value = "100", .unit = "rad/s", .help = "rate of phi1 at the start"},
         {.name = "omega2", .default_value = "100", .unit = "rad/s", .help = "rate of phi2 at the start"}},
    .values = reference_values(),
    .make = make_spring_double_pendulum,
};

}  // namespace driftless
