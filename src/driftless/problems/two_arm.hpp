// The two-link manipulator of Chin 1995, section 4.4.3: what both of its problems share. Uniform links of mass m and
// length 1 in a vertical plane, θ1 from the x axis, θ2 from the first link:
//   M = m [ 5/3 + c2    1/3 + c2/2 ]      f = m [ −g (3/2 c1 + c12/2) + s2/2 (2 θ̇1 θ̇2 + θ̇2²) ]
//         [ 1/3 + c2/2  1/3        ],           [ −g c12/2 − s2/2 θ̇1²                       ]                           (1)
//   tip (c1 + c12, s1 + s12),   c12 = cos(θ1 + θ2) and so on                                                            (2)
// What the tip is bound to comes from `Path`, made from the options of the problem:
// template <class S> S residual(const S& t, const S& x, const S& y) const.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {

constexpr double kArmMass = 30, kArmGravity = 9.81;  // of each link, kg; m/s²

template <class Path>
struct TwoArm {
  static constexpr int nq = 2, rows = 1;
  static constexpr bool time_dependent = Path::time_dependent;
  Path path;

  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::cos, std::sin;
    const S both = q[0] + q[1];
    g[0] = path.residual(t, S(cos(q[0]) + cos(both)), S(sin(q[0]) + sin(both)));  // (2)
  }
  void mass(double, ConstVec q, Mat& M) const {  // (1)
    const double c2 = std::cos(q[1]);
    M(0, 0) = kArmMass * (5.0 / 3 + c2);
    M(0, 1) = M(1, 0) = kArmMass * (1.0 / 3 + c2 / 2);
    M(1, 1) = kArmMass / 3;
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {  // (1)
    const double c1 = std::cos(q[0]), c12 = std::cos(q[0] + q[1]), s2 = std::sin(q[1]);
    f[0] = kArmMass * (-kArmGravity * (1.5 * c1 + 0.5 * c12) + 0.5 * s2 * (2 * v[0] * v[1] + v[1] * v[1]));
    f[1] = kArmMass * (-kArmGravity * 0.5 * c12 - 0.5 * s2 * v[0] * v[0]);
  }
  double potential(double, ConstVec q) const {
    return kArmMass * kArmGravity * (1.5 * std::sin(q[0]) + 0.5 * std::sin(q[0] + q[1]));
  }

  Layout description() const {
    Layout layout;
    layout.q_names = {"theta1", "theta2"};
    layout.v_names = {"theta1_dot", "theta2_dot"};
    layout.row_names = {"path"};
    layout.q_units = {"rad", "rad"};
    layout.v_units = {"rad/s", "rad/s"};
    layout.row_units = {"m"};
    layout.mass = 2 * kArmMass;
    return layout;
  }

  // The links, by their middles; their x axis points outward.
  std::vector<std::string> body_names() const { return {"link1", "link2"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    out.assign(2, Pose{});
    const auto place = [](Pose& pose, double x, double y, double angle) {
      pose.position = {x, y, 0};
      pose.quaternion = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    };
    const double c1 = std::cos(q[0]), s1 = std::sin(q[0]), both = q[0] + q[1];
    place(out[0], c1 / 2, s1 / 2, q[0]);
    place(out[1], c1 + std::cos(both) / 2, s1 + std::sin(both) / 2, both);
  }
  std::vector<std::string> quantity_names() const { return {"tip_x", "tip_y"}; }
  std::vector<std::string> quantity_units() const { return {"m", "m"}; }
  void quantities(double, ConstVec q, ConstVec, const Reaction&, VecRef out) const {
    out[0] = std::cos(q[0]) + std::cos(q[0] + q[1]);
    out[1] = std::sin(q[0]) + std::sin(q[0] + q[1]);
  }
};

// At rest with θ = (70°, −140°): the tip on the x axis.
template <class Path>
ProblemInstance make_two_arm(const Options& options) {
  ProblemInstance instance;
  instance.system = make_system(TwoArm<Path>{Path(options)});
  instance.drawing = double_pendulum_drawing("link1", "link2", 1, 1, kArmGravity);
  instance.start = {0, Vec2(70, -140) * (std::numbers::pi / 180), Vec2::Zero()};
  return instance;
}

}  // namespace driftless
