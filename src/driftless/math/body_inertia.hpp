// Inertias of bodies about a point, in plane and space, world axes. With the twist (ω, v) of the point the momentum about
// it is
//   [L]   [ I   H ] [ω]
//   [P] = [ Hᵀ  M ] [v]                                                                                              (1)
// A rigid body: M = m 1, H = m c̃, I = I_c + m (c·c 1 − c cᵀ), c from the point to the centre of mass; an articulated body
// has a general H and M. About a point that stands at −d from the first:
//   M' = M,   H' = H + d̃ M,   I' = I + d̃ Hᵀ − H' d̃                                                                  (2)
// In the plane ω, L and I are numbers, c̃ is the row c⊥ᵀ, c⊥ = (−c_y, c_x), and I_c + m c·c the moment of inertia.
// Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 2.13, 7.1
#pragma once

#include "driftless/math/rotation.hpp"

namespace driftless {

// A symmetric 3 × 3 matrix by its upper triangle.
struct Sym3 {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  static Sym3 of(const Mat3& A) { return {A(0, 0), A(0, 1), A(0, 2), A(1, 1), A(1, 2), A(2, 2)}; }
  Mat3 full() const {
    Mat3 A;
    A << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return A;
  }
  Vec3 operator*(const Vec3& a) const {
    return {xx * a[0] + xy * a[1] + xz * a[2], xy * a[0] + yy * a[1] + yz * a[2],
            xz * a[0] + yz * a[1] + zz * a[2]};
  }
  Sym3& operator+=(const Sym3& b) {
    xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
    return *this;
  }
  // this − k a aᵀ
  void subtract(const Vec3& a, double k) {
    const double x = k * a[0], y = k * a[1], z = k * a[2];
    xx -= x * a[0], xy -= x * a[1], xz -= x * a[2], yy -= y * a[1], yz -= y * a[2], zz -= z * a[2];
  }
  // this + m (c·c 1 − c cᵀ)
  void add_point_mass(double m, const Vec3& c) {
    const double x = m * c[0], y = m * c[1], z = m * c[2];
    const double X = x * c[0], Y = y * c[1], Z = z * c[2];
    xx += Y + Z, yy += X + Z, zz += X + Y;
    xy -= x * c[1], xz -= x * c[2], yz -= y * c[2];
  }
};

// R A Rᵀ
inline Sym3 turned(const Mat3& R, const Sym3& A) {
  Mat3 B;  // R A
  for (int i = 0; i < 3; ++i) {
    const double a = R(i, 0), b = R(i, 1), c = R(i, 2);
    B(i, 0) = a * A.xx + b * A.xy + c * A.xz;
    B(i, 1) = a * A.xy + b * A.yy + c * A.yz;
    B(i, 2) = a * A.xz + b * A.yz + c * A.zz;
  }
  const auto dot = [&](int i, int j) { return B(i, 0) * R(j, 0) + B(i, 1) * R(j, 1) + B(i, 2) * R(j, 2); };
  return {dot(0, 0), dot(0, 1), dot(0, 2), dot(1, 1), dot(1, 2), dot(2, 2)};
}

// A symmetric 2 × 2 matrix.
struct Sym2 {
  double xx = 0, xy = 0, yy = 0;

  Vec2 operator*(const Vec2& a) const { return {xx * a[0] + xy * a[1], xy * a[0] + yy * a[1]}; }
};

inline Vec2 perp(const Vec2& a) { return {-a[1], a[0]}; }

template <int D>
struct RigidInertia;
template <int D>
struct ArticulatedInertia;

// A rigid body or several moving as one: (1) with H = h̃, M = m 1.
template <>
struct RigidInertia<3> {
  Sym3 I;
  Vec3 h = Vec3::Zero();  // m c
  double m = 0;

  // A body with centre of mass at c and inertia I_c about it.
  static RigidInertia of_body(double m, const Vec3& c, const Sym3& I_c) {
    RigidInertia body{I_c, m * c, m};
    body.I.add_point_mass(m, c);
    return body;
  }

  // Adds b, whose point stands at d from this one's.
  void add(const RigidInertia& b, const Vec3& d) {
    // I_b + (2 h·d + m d·d) 1 − (h dᵀ + d hᵀ + m d dᵀ) = I_b + (k·d + h·d) 1 − (k dᵀ + d hᵀ),  k = h + m d
    const Vec3 k = b.h + b.m * d;
    const double X = k[0] * d[0] + d[0] * b.h[0], Y = k[1] * d[1] + d[1] * b.h[1],
                 Z = k[2] * d[2] + d[2] * b.h[2];
    I += b.I;
    I.xx += Y + Z, I.yy += X + Z, I.zz += X + Y;
    I.xy -= k[0] * d[1] + d[0] * b.h[1];
    I.xz -= k[0] * d[2] + d[0] * b.h[2];
    I.yz -= k[1] * d[2] + d[1] * b.h[2];
    h += k;
    m += b.m;
  }
};

template <>
struct RigidInertia<2> {
  double I = 0;
  Vec2 h = Vec2::Zero();
  double m = 0;

  static RigidInertia of_body(double m, const Vec2& c, double I_c) {
    const Vec2 h = m * c;
    return {I_c + h.dot(c), h, m};
  }
  void add(const RigidInertia& b, const Vec2& d) {
    const Vec2 k = b.h + b.m * d;
    I += b.I + d.dot(k + b.h);
    h += k;
    m += b.m;
  }
};

template <>
struct ArticulatedInertia<3> {
  Sym3 I, M;
  Mat3 H = Mat3::Zero();

  // Adds a rigid body with centre of mass at c and inertia I_c about it.
  void add_body(double m, const Vec3& c, const Sym3& I_c) {
    I += I_c;
    I.add_point_mass(m, c);
    const double x = m * c[0], y = m * c[1], z = m * c[2];
    H(0, 1) -= z, H(0, 2) += y, H(1, 0) += z, H(1, 2) -= x, H(2, 0) -= y, H(2, 1) += x;
    M.xx += m, M.yy += m, M.zz += m;
  }
  // this − (l, p)(l, p)ᵀ k: what is left of the inertia when a motion with the momentum (l, p) gives way.
  void give_way(const Vec3& l, const Vec3& p, double k) {
    I.subtract(l, k);
    M.subtract(p, k);
    const Vec3 scaled = k * p;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) H(i, j) -= l[i] * scaled[j];
  }
  // Adds b, whose point stands at d from this one's: (2).
  void add(const ArticulatedInertia& b, const Vec3& d) {
    const double x = d[0], y = d[1], z = d[2];
    const Sym3& N = b.M;
    Mat3 K = b.H;  // H'
    K(0, 0) += y * N.xz - z * N.xy, K(0, 1) += y * N.yz - z * N.yy, K(0, 2) += y * N.zz - z * N.yz;
    K(1, 0) += z * N.xx - x * N.xz, K(1, 1) += z * N.xy - x * N.yz, K(1, 2) += z * N.xz - x * N.zz;
    K(2, 0) += x * N.xy - y * N.xx, K(2, 1) += x * N.yy - y * N.xy, K(2, 2) += x * N.yz - y * N.xz;
    const Mat3& h = b.H;
    // (d̃ Hᵀ)_ij = (d × row j of H)_i,  (K d̃)_ij = (row i of K × d)_j
    I.xx += b.I.xx + (y * h(0, 2) - z * h(0, 1)) - (K(0, 1) * z - K(0, 2) * y);
    I.xy += b.I.xy + (y * h(1, 2) - z * h(1, 1)) - (K(0, 2) * x - K(0, 0) * z);
    I.xz += b.I.xz + (y * h(2, 2) - z * h(2, 1)) - (K(0, 0) * y - K(0, 1) * x);
    I.yy += b.I.yy + (z * h(1, 0) - x * h(1, 2)) - (K(1, 2) * x - K(1, 0) * z);
    I.yz += b.I.yz + (z * h(2, 0) - x * h(2, 2)) - (K(1, 0) * y - K(1, 1) * x);
    I.zz += b.I.zz + (x * h(2, 1) - y * h(2, 0)) - (K(2, 0) * y - K(2, 1) * x);
    H += K;
    M += N;
  }
};

template <>
struct ArticulatedInertia<2> {
  double I = 0;
  Vec2 H = Vec2::Zero();  // the row, as a vector
  Sym2 M;

  void add_body(double m, const Vec2& c, double I_c) {
    const Vec2 h = m * c;
    I += I_c + h.dot(c);
    H += perp(h);
    M.xx += m, M.yy += m;
  }
  void give_way(double l, const Vec2& p, double k) {
    const Vec2 scaled = k * p;
    I -= k * l * l;
    H -= l * scaled;
    M.xx -= scaled[0] * p[0], M.xy -= scaled[0] * p[1], M.yy -= scaled[1] * p[1];
  }
  void add(const ArticulatedInertia& b, const Vec2& d) {
    const Vec2 across = perp(d), K = b.H + b.M * across;  // H'
    I += b.I + across.dot(b.H + K);
    H += K;
    M.xx += b.M.xx, M.xy += b.M.xy, M.yy += b.M.yy;
  }
};

}  // namespace driftless
