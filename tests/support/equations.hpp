// Small systems with known motions, as equations for JetSystem.
#pragma once

#include <cmath>
#include <numbers>

#include "driftless/math/types.hpp"
#include "driftless/system/state.hpp"

namespace driftless::testing {

// A knife edge on an inclined plane: nonholonomic, with a motion in closed form.
struct KnifeEdge {
  static constexpr int nq = 3, nonholonomic_rows = 1;
  static constexpr bool time_dependent = false;
  static constexpr double slope = 4, spin = 2, inertia = 0.3;

  template <class S>
  void nonholonomic(const S&, const S* q, S* A, S*) const {
    using std::cos, std::sin;
    A[0] = sin(q[2]);
    A[1] = -cos(q[2]);
  }
  void mass(double, ConstVec, Mat& M) const {
    M(0, 0) = M(1, 1) = 1;
    M(2, 2) = inertia;
  }
  void force(double, ConstVec, ConstVec, VecRef f) const { f[0] = slope; }
  double potential(double, ConstVec q) const { return -slope * q[0]; }

  static State start() { return {0, Vec::Zero(3), Vec3(0, 0, spin)}; }
  static Vec3 exact(double t) {
    const double s = std::sin(spin * t), size = slope / (2 * spin * spin);
    return {size * s * s, size * (spin * t - std::sin(2 * spin * t) / 2), spin * t};
  }
};

// Chin's manipulator of two links whose tip follows a moving height: M(q), and a row that depends on time.
// Angles of the first link from the x axis and of the second from the first; uniform links of 1 m and 1 kg.
struct TwoArm {
  static constexpr int nq = 2, rows = 1;
  static constexpr double omega = 0.5, gravity = 9.81;

  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::sin;
    const S lift = sin(omega * t);
    g[0] = sin(q[0]) + sin(q[0] + q[1]) - lift * lift;
  }
  template <class S>
  void mass(const S&, const S* q, S* M) const {
    using std::cos;
    const S c = cos(q[1]);
    M[0] = 5.0 / 3 + c;
    M[1] = M[2] = 1.0 / 3 + 0.5 * c;
    M[3] = 1.0 / 3;
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {
    const double c1 = std::cos(q[0]), c12 = std::cos(q[0] + q[1]), s2 = std::sin(q[1]);
    f[0] = -gravity * (1.5 * c1 + 0.5 * c12) + s2 / 2 * (2 * v[0] * v[1] + v[1] * v[1]);
    f[1] = -gravity * c12 / 2 - s2 * v[0] * v[0] / 2;
  }
  double potential(double, ConstVec q) const {
    return gravity * (1.5 * std::sin(q[0]) + 0.5 * std::sin(q[0] + q[1]));
  }

  static State start() {
    const double degree = std::numbers::pi / 180;
    return {0, Vec2(70 * degree, -140 * degree), Vec2(0, 0)};
  }
  static Vec2 at_two_seconds() { return {3.057630214, -0.590156975}; }
};

}  // namespace driftless::testing
