// Three small mechanisms as equations for JetSystem, each with J, ν, γ, L = ∂(J v − ν)/∂q T by pencil and
// paper: a holonomic row that may depend on time, a nonholonomic row, and a body with T ≠ I that has both
// kinds.
#pragma once

#include <cmath>

#include <Eigen/Geometry>

#include "driftless/math/types.hpp"
#include "driftless/system/state.hpp"

namespace driftless::pencil_and_paper {

struct ClosedForm {
  Mat J, L;
  Vec nu, gamma;
};

// Pendulum (x, y) of length l on a support that moves by a sin ωt along x.
struct Pendulum {
  static constexpr int nq = 2, rows = 1;
  double l = 1.3, a = 0, omega = 0;
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::sin;
    const S x = q[0] - a * sin(omega * t);
    g[0] = (x * x + q[1] * q[1] - l * l) / (2 * l);
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal().setConstant(2.0); }
  void force(double, ConstVec, ConstVec, VecRef f) const { f[1] = -2.0 * 9.81; }
  double potential(double, ConstVec q) const { return 2.0 * 9.81 * q[1]; }

  ClosedForm closed_form(const State& s) const {
    const double phase = omega * s.t, w = a * omega * std::cos(phase);
    const double x = s.q[0] - a * std::sin(phase), xdot = s.v[0] - w,
                 xddot = a * omega * omega * std::sin(phase);
    ClosedForm c{Mat(1, 2), Mat(1, 2), Vec(1), Vec(1)};
    c.J << x / l, s.q[1] / l;
    c.nu << x * w / l;
    c.gamma << -(xdot * xdot + s.v[1] * s.v[1] + x * xddot) / l;
    c.L << xdot / l, s.v[1] / l;
    return c;
  }
};

// Knife edge (x, y, θ): no motion across the blade, but for a forced drift.
struct KnifeEdge {
  static constexpr int nq = 3, nonholonomic_rows = 1;
  template <class S>
  void nonholonomic(const S& t, const S* q, S* A, S* b) const {
    using std::cos, std::sin;
    A[0] = -sin(q[2]);
    A[1] = cos(q[2]);
    b[0] = 0.3 * sin(2 * t) + 0.1 * q[0];
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal() << 1.5, 1.5, 0.2; }
  void force(double, ConstVec, ConstVec v, VecRef f) const { f = -0.1 * v; }
  double applied_power(double, ConstVec, ConstVec v) const { return -0.1 * v.squaredNorm(); }

  ClosedForm closed_form(const State& s) const {
    const double sine = std::sin(s.q[2]), cosine = std::cos(s.q[2]), along = cosine * s.v[0] + sine * s.v[1];
    ClosedForm c{Mat(1, 3), Mat(1, 3), Vec(1), Vec(1)};
    c.J << -sine, cosine, 0;
    c.nu << -(0.3 * std::sin(2 * s.t) + 0.1 * s.q[0]);
    c.gamma << along * s.v[2] - 0.6 * std::cos(2 * s.t) - 0.1 * s.v[0];
    c.L << 0.1, 0, -along;
    return c;
  }
};

// A spatial body (r, unit quaternion | ṙ, ω in the body) with a point held at the origin and a blade: T ≠ I,
// both kinds of rows.
struct Top {
  static constexpr int nq = 7, nv = 6, rows = 3, nonholonomic_rows = 1;
  static constexpr bool time_dependent = false;
  Vec3 p_body{0.3, -0.2, 0.5};

  template <class S>
  static Eigen::Matrix<S, 3, 1> rotated(const S* e, const Eigen::Matrix<S, 3, 1>& p) {  // |e| = 1
    const Eigen::Matrix<S, 3, 1> u(e[1], e[2], e[3]);
    const Eigen::Matrix<S, 3, 1> c = u.cross(p) * S(2.0);
    return p + c * e[0] + u.cross(c);
  }
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    const Eigen::Matrix<S, 3, 1> p = rotated<S>(q + 3, p_body.cast<S>());
    for (int i = 0; i < 3; ++i) g[i] = q[i] + p[i];
  }
  template <class S>
  void nonholonomic(const S&,
                    const S* q,
                    S* A,
                    S*) const {  // (R ω)_z q_x = 0, for the sake of A's derivative
    Eigen::Matrix<S, 3, 1> unit(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) {
      unit[k] = 1.0;
      A[3 + k] = rotated<S>(q + 3, unit)[2] * q[0];
      unit[k] = 0.0;
    }
  }
  template <class S>
  void kinematics(const S&, const S* q, const S* v, S* qdot) const {
    for (int i = 0; i < 3; ++i) qdot[i] = v[i];
    const S *e = q + 3, *w = v + 3;
    S* edot = qdot + 3;
    edot[0] = -0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]);
    edot[1] = 0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]);
    edot[2] = 0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]);
    edot[3] = 0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]);
  }
  void retract(VecRef q, ConstVec delta) const {
    const Vec3 turn = delta.tail<3>();
    const double angle = turn.norm();
    const Eigen::AngleAxisd rotation(angle, angle > 0 ? Vec3(turn / angle) : Vec3::UnitX());
    const Eigen::Quaterniond e = Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * rotation;
    q.head<3>() += delta.head<3>();
    q.tail<4>() << e.w(), e.x(), e.y(), e.z();
  }
  template <class S>
  void mass(const S&, const S*, S* M) const {
    for (int i = 0; i < 6; ++i) M[7 * i] = S(i < 3 ? 2.0 : 0.3);
  }
  template <class S>
  void force(const S&, const S*, const S*, S* f) const {
    f[2] = S(-9.81 * 2.0);
  }

  ClosedForm closed_form(const State& s) const {
    const Eigen::Matrix3d R = Eigen::Quaterniond(s.q[3], s.q[4], s.q[5], s.q[6]).toRotationMatrix();
    const Vec3 w = s.v.tail<3>();
    Eigen::Matrix3d p_cross, w_cross;
    p_cross << 0, -p_body[2], p_body[1], p_body[2], 0, -p_body[0], -p_body[1], p_body[0], 0;
    w_cross << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
    ClosedForm c{Mat::Zero(4, 6), Mat::Zero(4, 6), Vec::Zero(4), Vec::Zero(4)};
    c.J.topLeftCorner<3, 3>().setIdentity();
    c.J.topRightCorner<3, 3>() = -R * p_cross;
    c.J.row(3).tail<3>() = R.row(2) * s.q[0];
    c.gamma.head<3>() = -R * w.cross(w.cross(p_body));
    c.gamma[3] = -R.row(2).dot(w) * s.v[0];  // R ω has no rate from Ṙ ω = R ω×ω = 0
    // δ(R ω×p) = R δφ×(ω×p) = −R (ω×p)× δφ;  δ(R ω)·q_x = −R ω× δφ q_x + (R ω) δq_x
    const Vec3 wp = w.cross(p_body);
    Eigen::Matrix3d wp_cross;
    wp_cross << 0, -wp[2], wp[1], wp[2], 0, -wp[0], -wp[1], wp[0], 0;
    c.L.topRightCorner<3, 3>() = -R * wp_cross;
    c.L.row(3).tail<3>() = -R.row(2) * w_cross * s.q[0];
    c.L(3, 0) = R.row(2).dot(w);
    return c;
  }
};

}  // namespace driftless::pencil_and_paper
