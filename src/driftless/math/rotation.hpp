// Rotations by unit quaternions p = (w, e): the attitude of spatial bodies.
//   R(p) = (2w² − 1) I + 2 e eᵀ + 2 w ẽ      of p/|p|                                                              (1)
//   ṗ = ½ p ∘ (0, ω_body) = ½ Lᵀ ω_body,   ω_body = 2 L ṗ / |p|²,   L = [−e, w I − ẽ]  (3 × 4),  L p = 0            (2)
//   p ⊕ δ = p ∘ exp(δ/2): the turn δ about body axes                                                               (3)
//   p₀ ⊖: δ with p₀ ⊕ δ = p₁, |δ| ≤ π                                                                              (4)
// Haug, Computer Aided Kinematics and Dynamics, (9.3.1)–(9.3.29)
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "driftless/math/jet.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Vector4d;  // (w, x, y, z)

// (1): homogeneous of degree zero in p, so that a quaternion off its unit length turns like the unit one.
template <class S>
Eigen::Matrix<S, 3, 3> rotation_matrix(const Eigen::Matrix<S, 4, 1>& p) {
  const S k = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  const S wx = k * p[0] * p[1], wy = k * p[0] * p[2], wz = k * p[0] * p[3];
  const S xx = k * p[1] * p[1], xy = k * p[1] * p[2], xz = k * p[1] * p[3];
  const S yy = k * p[2] * p[2], yz = k * p[2] * p[3], zz = k * p[3] * p[3];
  Eigen::Matrix<S, 3, 3> R;
  R(0, 0) = 1.0 - (yy + zz);
  R(0, 1) = xy - wz;
  R(0, 2) = xz + wy;
  R(1, 0) = xy + wz;
  R(1, 1) = 1.0 - (xx + zz);
  R(1, 2) = yz - wx;
  R(2, 0) = xz - wy;
  R(2, 1) = yz + wx;
  R(2, 2) = 1.0 - (xx + yy);
  return R;
}

// L of (2).
inline Eigen::Matrix<double, 3, 4> body_rate_matrix(const Quat& p) {
  Eigen::Matrix<double, 3, 4> L;
  L << -p[1], p[0], p[3], -p[2],  //
      -p[2], -p[3], p[0], p[1],   //
      -p[3], p[2], -p[1], p[0];
  return L;
}

inline Quat quaternion_product(const Quat& a, const Quat& b) {
  Quat c;
  c[0] = a[0] * b[0] - a.tail<3>().dot(b.tail<3>());
  c.tail<3>() = a[0] * b.tail<3>() + b[0] * a.tail<3>() + a.tail<3>().cross(b.tail<3>());
  return c;
}

// exp(δ/2): the unit quaternion of the turn δ.
inline Quat quaternion_of_turn(const Vec3& delta) {
  const double angle = delta.norm();
  const double s = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return Quat(std::cos(angle / 2), s * delta[0], s * delta[1], s * delta[2]);
}

// Rotation vector of a unit quaternion, at most half a revolution.
inline Vec3 rotation_vector(const Quat& p) {
  const double s = p.tail<3>().norm(), w = std::abs(p[0]);
  const double factor = s > 1e-12 ? 2 * std::atan2(s, w) / s : 2 / w;
  return (p[0] < 0 ? -factor : factor) * p.tail<3>();
}

// The turn about body axes from p0 to p1, at most half a revolution: (4).
inline Vec3 turn_between(const Quat& p0, const Quat& p1) {
  return rotation_vector(quaternion_product(Quat(p0[0], -p0[1], -p0[2], -p0[3]), p1));
}

inline Quat quaternion_of_matrix(const Mat3& R) {
  const Eigen::Quaterniond q(R);
  return Quat(q.w(), q.x(), q.y(), q.z()).normalized();
}

template <class S>
Eigen::Matrix<S, 3, 3> skew_of(const Eigen::Matrix<S, 3, 1>& a) {
  Eigen::Matrix<S, 3, 3> m;
  m << S(0.0), -a[2], a[1], a[2], S(0.0), -a[0], -a[1], a[0], S(0.0);
  return m;
}
inline Mat3 skew(const Vec3& a) { return skew_of<double>(a); }

// Rotation vector of a rotation matrix, at most half a revolution, on any scalar that carries first derivatives.
inline Vec3 rotation_vector(const Mat3& R) { return rotation_vector(quaternion_of_matrix(R)); }
template <Jet S>
Eigen::Matrix<S, 3, 1> rotation_vector(const Eigen::Matrix<S, 3, 3>& R) {
  // p Rᵀ-odd and even parts: 4 w e = vee(R − Rᵀ), 4 w² = 1 + tr R; the largest entry of p first.
  Mat3 value;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) value(i, j) = value_of(R(i, j));
  const Quat p = quaternion_of_matrix(value);
  int most = 0;
  p.cwiseAbs().maxCoeff(&most);
  const Eigen::Matrix<S, 3, 1> odd(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  S w;
  Eigen::Matrix<S, 3, 1> e;
  if (most == 0) {
    w = 0.5 * sqrt(1.0 + R(0, 0) + R(1, 1) + R(2, 2));
    e = odd * (0.25 / w);
  } else {
    const int i = most - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    e[i] = 0.5 * sqrt(1.0 + R(i, i) - R(j, j) - R(k, k));
    const S scale = 0.25 / e[i];
    e[j] = (R(j, i) + R(i, j)) * scale;
    e[k] = (R(k, i) + R(i, k)) * scale;
    w = odd[i] * scale;
  }
  if (value_of(w) < 0) {
    w = -w;
    e = -e;
  }
  const S square = e.dot(e);
  if (value_of(square) < 1e-24) return e * (2.0 / w);
  const S s = sqrt(square);
  return e * (2.0 * atan2(s, w) / s);
}

// G(φ) with φ̇ = G ω for R = exp(φ̃), Ṙ = ω̃ R: I − ½ φ̃ + (1 − θ/2 cot θ/2)/θ² φ̃², θ = |φ| < 2π.
template <class S>
Eigen::Matrix<S, 3, 3> rotation_vector_rates(const Eigen::Matrix<S, 3, 1>& phi) {
  const S t2 = phi.dot(phi);
  // The closed form cancels for small angles; the first term left out of the series is θ⁸/47900160.
  const auto closed = [&]() -> S {
    const S half = 0.5 * sqrt(t2);
    return (1.0 - half / tan(half)) / t2;
  };
  const S c = value_of(t2) > 0.01
                  ? closed()
                  : S(1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 * (1.0 / 1209600))));
  const Eigen::Matrix<S, 3, 3> tilde = skew_of<S>(phi);
  return Eigen::Matrix<S, 3, 3>::Identity() - tilde * S(0.5) + tilde * tilde * c;
}

// Some unit vector across u: from the axis u leans on least.
inline Vec3 across(const Vec3& u) {
  int least = 0;
  u.cwiseAbs().minCoeff(&least);
  return u.cross(Vec3::Unit(least)).normalized();
}

// Axes (x, y, z) as columns, z along `axis`, x as near to `towards` as it can be (any, if that is no help).
inline Mat3 axes_about(const Vec3& axis, const Vec3& towards = Vec3::Zero()) {
  Mat3 axes;
  axes.col(2) = axis.normalized();
  const Vec3 x = towards - towards.dot(axes.col(2)) * axes.col(2);
  axes.col(0) = x.norm() > 1e-6 * towards.norm() && x.norm() > 0 ? Vec3(x.normalized()) : across(axes.col(2));
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

}  // namespace driftless
