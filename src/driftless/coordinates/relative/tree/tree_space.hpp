// What plane and space differ in where trees are swept: Sweep<D> names the types, and a few functions say how vectors are
// multiplied. In the plane angular velocities, moments and moments of inertia are numbers, attitudes are angles:
//   ω × a = ω a⊥,   a × F = a⊥·F,   a⊥ = (−a_y, a_x)                                                                   (1)
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

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
  PointOf<2> origin;
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
  using Frame = FrameOf<double, 2>;
  using Twist = TwistOf<double, 2>;
  using Wrench = WrenchOf<double, 2>;
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

template <int D>
const VecOf<double, D>& center(const FrameOf<double, D>& frame) {
  return frame.r;
}
// out = r + R a, of a frame.
inline void put_point(const FrameOf<double, 2>& frame, const Vec2& a, Vec2& out) {
  const double x = frame.r[0] + frame.c * a[0] - frame.s * a[1];
  const double y = frame.r[1] + frame.s * a[0] + frame.c * a[1];
  out[0] = x;
  out[1] = y;
}
inline void put_point(const FrameOf<double, 3>& frame, const Vec3& a, Vec3& out) {
  out = frame.r + times(frame.R, a);
}
// The centre of a frame whose axes are set: p + R a.
inline void set_center_from(const Vec2& p, const Vec2& a, FrameOf<double, 2>& frame) {
  frame.r[0] = p[0] + frame.c * a[0] - frame.s * a[1];
  frame.r[1] = p[1] + frame.s * a[0] + frame.c * a[1];
}
inline void set_center_from(const Vec3& p, const Vec3& a, FrameOf<double, 3>& frame) {
  frame.r = p + times(frame.R, a);
}
inline Vec2 turned(const FrameOf<double, 2>& frame, const Vec2& a) { return frame.turn(a); }
inline Vec3 turned(const FrameOf<double, 3>& frame, const Vec3& a) { return times(frame.R, a); }
inline void turn_on(const FrameOf<double, 2>& from, const PlaneTurn& by, FrameOf<double, 2>& out) {
  out.theta = from.theta + by.angle;
  const double c = from.c * by.c - from.s * by.s;
  out.s = from.s * by.c + from.c * by.s;
  out.c = c;
}
inline void turn_on(const FrameOf<double, 3>& from, const Mat3& by, FrameOf<double, 3>& out) {
  out.R.noalias() = from.R * by;
}

template <int D>
const VecOf<double, D>& velocity(const TwistOf<double, D>& twist) {
  return twist.r;
}
inline TwistOf<double, 2> make_twist(const Vec2& v, double omega) { return {v, omega}; }
inline TwistOf<double, 3> make_twist(const Vec3& v, const Vec3& omega) { return {v, omega}; }

template <int D>
const VecOf<double, D>& force(const WrenchOf<double, D>& wrench) {
  return wrench.force;
}
template <int D>
const SpinOf<double, D>& moment(const WrenchOf<double, D>& wrench) {
  return wrench.moment;
}
inline WrenchOf<double, 2> make_wrench(const Vec2& F, double T) { return {F, T}; }
inline WrenchOf<double, 3> make_wrench(const Vec3& F, const Vec3& T) { return {F, T}; }
template <int D>
void add_to(WrenchOf<double, D>& wrench, const VecOf<double, D>& F, const SpinOf<double, D>& T) {
  wrench.force += F;
  wrench.moment += T;
}

}  // namespace sweeps
}  // namespace driftless
