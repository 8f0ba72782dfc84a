// What plane and space differ in where trees are swept: Sweep<D> names the types, and a few functions say how vectors are
// multiplied. In the plane angular velocities, moments and moments of inertia are numbers, attitudes are angles:
//   ω × a = ω a⊥,   a × F = a⊥·F,   a⊥ = (−a_y, a_x)                                                                   (1)
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "driftless/constraints/planar_frame.hpp"
#include "driftless/forces/force_element.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/math/body_inertia.hpp"

namespace driftless {

// A constant turn of the plane.
struct PlaneTurn {
  double angle = 0, c = 1, s = 0;

  static PlaneTurn by(double angle) { return {angle, std::cos(angle), std::sin(angle)}; }
  static PlaneTurn Identity() { return {}; }
  PlaneTurn transpose() const { return {-angle, c, -s}; }
  PlaneTurn operator*(const PlaneTurn& b) const {
    return {angle + b.angle, c * b.c - s * b.s, s * b.c + c * b.s};
  }
  Vec2 operator*(const Vec2& a) const { return {c * a[0] - s * a[1], s * a[0] + c * a[1]}; }
};

// Joints of the plane in the words of joint_record.hpp: a slide along an axis, a turn about the common point.
struct PlaneFrame {
  PointOn origin;
  PlaneTurn axes = {};
};
struct PlaneMotion {
  enum class Kind { turn, slide };
  Kind kind = Kind::turn;
  Vec2 axis = Vec2::Zero();  // of a slide
  std::string name = "angle";
  double sign = 1;  // of a turn
};
struct PlaneMobility {
  std::vector<PlaneMotion> motions;
  PlaneTurn zero = {};
};

template <int D>
struct Sweep;

template <>
struct Sweep<2> {
  using Vector = Vec2;
  using Angular = double;
  using Inertia = double;  // about the centre of mass
  using Turn = PlaneTurn;
  using Frame = PlanarFrame<double>;
  using Twist = PlanarVelocity;
  using Wrench = Resultant;
  using JointFrame = PlaneFrame;
  using Motion = PlaneMotion;
  using Mobility = PlaneMobility;
  static Angular none() { return 0; }
};

template <>
struct Sweep<3> {
  using Vector = Vec3;
  using Angular = Vec3;
  using Inertia = Sym3;
  using Turn = Mat3;
  using Frame = SpatialFrame<double>;
  using Twist = driftless::Twist;
  using Wrench = driftless::Wrench;
  using JointFrame = driftless::JointFrame;
  using Motion = ElementaryMotion;
  using Mobility = SpatialMobility;
  static Angular none() { return Vec3::Zero(); }
};

namespace sweeps {

// ---- products: ω × a, a × F, u·T ------------------------------------------------------------------------------------

inline Vec2 cross(double omega, const Vec2& a) { return {-omega * a[1], omega * a[0]}; }
inline double cross(const Vec2& a, const Vec2& F) { return a[0] * F[1] - a[1] * F[0]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) { return a.cross(b); }
inline double dot(double a, double b) { return a * b; }
inline double dot(const Vec3& a, const Vec3& b) { return a.dot(b); }

// ---- frames, twists, wrenches ---------------------------------------------------------------------------------------

inline Vec2 center(const PlanarFrame<double>& frame) { return {frame.r.x, frame.r.y}; }
inline const Vec3& center(const SpatialFrame<double>& frame) { return frame.r; }
inline void set_center(PlanarFrame<double>& frame, const Vec2& r) { frame.r = {r[0], r[1]}; }
inline void set_center(SpatialFrame<double>& frame, const Vec3& r) { frame.r = r; }
inline Vec2 turned(const PlanarFrame<double>& frame, const Vec2& a) {
  return {frame.c * a[0] - frame.s * a[1], frame.s * a[0] + frame.c * a[1]};
}
inline Vec3 turned(const SpatialFrame<double>& frame, const Vec3& a) { return frame.R * a; }
inline void turn_on(const PlanarFrame<double>& from, const PlaneTurn& by, PlanarFrame<double>& out) {
  out.theta = from.theta + by.angle;
  const double c = from.c * by.c - from.s * by.s;
  out.s = from.s * by.c + from.c * by.s;
  out.c = c;
}
inline void turn_on(const SpatialFrame<double>& from, const Mat3& by, SpatialFrame<double>& out) {
  out.R.noalias() = from.R * by;
}

inline Vec2 velocity(const PlanarVelocity& twist) { return {twist.r.x, twist.r.y}; }
inline const Vec3& velocity(const Twist& twist) { return twist.r; }
inline PlanarVelocity make_twist(const Vec2& v, double omega) { return {{v[0], v[1]}, omega}; }
inline Twist make_twist(const Vec3& v, const Vec3& omega) { return {v, omega}; }

inline Vec2 force(const Resultant& wrench) { return {wrench[0], wrench[1]}; }
inline const Vec3& force(const Wrench& wrench) { return wrench.force; }
inline double moment(const Resultant& wrench) { return wrench[2]; }
inline const Vec3& moment(const Wrench& wrench) { return wrench.moment; }
inline Resultant make_wrench(const Vec2& F, double T) { return {F[0], F[1], T}; }
inline Wrench make_wrench(const Vec3& F, const Vec3& T) { return {F, T}; }
inline void add_to(Resultant& wrench, const Vec2& F, double T) {
  wrench[0] += F[0];
  wrench[1] += F[1];
  wrench[2] += T;
}
inline void add_to(Wrench& wrench, const Vec3& F, const Vec3& T) {
  wrench.force += F;
  wrench.moment += T;
}

}  // namespace sweeps
}  // namespace driftless
