// Bodies as forces, outputs and markers see them: a frame at the centre of mass, in the plane (D = 2) or in space (D = 3). With
// a the world vector from the centre of mass to a point, and ω × a = ω a⊥, a⊥ = (−a_y, a_x), in the plane:
//   p = r + a,  ṗ = ṙ + ω × a,  p̈ = r̈ + ω̇ × a + ω × (ω × a),      u = R û,  u̇ = ω × u                               (1)
// All vectors in world axes unless they are called _body. Templated on the scalar, so that jets run through forces and blocks.
#pragma once

#include <type_traits>

#include "driftless/constraints/marker.hpp"
#include "driftless/math/rotation.hpp"
#include "driftless/math/turning_products.hpp"
#include "driftless/system/switching/mode.hpp"

namespace driftless {

// Angular velocities and moments: a number in the plane, a vector in space.
template <class S, int D>
using SpinOf = std::conditional_t<D == 2, S, VecOf<S, 3>>;

template <int D>
SpinOf<double, D> no_spin() {
  if constexpr (D == 2)
    return 0.0;
  else
    return Vec3::Zero();
}

// ω × a
template <class S>
VecOf<S, 2> swing(const S& omega, const VecOf<S, 2>& a) {
  return {-(omega * a[1]), omega * a[0]};
}
template <class S>
VecOf<S, 3> swing(const VecOf<S, 3>& omega, const VecOf<S, 3>& a) {
  return omega.cross(a);
}
// out = a, out = a + b, out = ω × a, one component after the other: pairs of numbers that are stored one by one and loaded as
// one cost a stall, and these are the innermost loops of planar systems.
template <class V>
void put(const V& a, V& out) {
  for (int i = 0; i < V::RowsAtCompileTime; ++i) out[i] = a[i];
}
template <class V>
void put_sum(const V& a, const V& b, V& out) {
  for (int i = 0; i < V::RowsAtCompileTime; ++i) out[i] = a[i] + b[i];
}
inline void put_swing(double omega, const Vec2& a, Vec2& out) {
  const double x = -(omega * a[1]), y = omega * a[0];
  out[0] = x;
  out[1] = y;
}
inline void put_swing(const Vec3& omega, const Vec3& a, Vec3& out) { out = omega.cross(a); }

// a × F
template <class S>
S moment_of(const VecOf<S, 2>& a, const VecOf<S, 2>& force) {
  return a[0] * force[1] - a[1] * force[0];
}
template <class S>
VecOf<S, 3> moment_of(const VecOf<S, 3>& a, const VecOf<S, 3>& force) {
  return a.cross(force);
}
// Scalar product of two spins: power of a moment.
template <class S>
S spin_dot(const S& a, const S& b) {
  return a * b;
}
template <class S>
S spin_dot(const VecOf<S, 3>& a, const VecOf<S, 3>& b) {
  return a.dot(b);
}

template <class S, int D>
struct FrameOf;

template <class S>
struct FrameOf<S, 3> {
  VecOf<S, 3> r = VecOf<S, 3>::Zero();                            // centre of mass
  Eigen::Matrix<S, 3, 3> R = Eigen::Matrix<S, 3, 3>::Identity();  // body axes as columns

  VecOf<S, 3> turn(const Vec3& a) const { return times(R, a); }
  void turn_to(const Vec3& a, VecOf<S, 3>& out) const { out = times(R, a); }
  VecOf<S, 3> turn_by(const VecOf<S, 3>& a) const { return times(R, a); }  // a not constant
  VecOf<S, 3> turn_back(const VecOf<S, 3>& a) const { return transposed_times(R, a); }
  VecOf<S, 3> point(const Vec3& at) const { return r + turn(at); }
};

template <class S>
struct FrameOf<S, 2> {
  VecOf<S, 2> r = VecOf<S, 2>::Zero();  // centre of mass
  S theta = S(0.0);                     // attitude; counts turns where its coordinates do
  S c = S(1.0), s = S(0.0);             // cos θ, sin θ

  FrameOf() = default;
  FrameOf(const VecOf<S, 2>& r_, const S& theta_, const S& c_, const S& s_)
      : r(r_), theta(theta_), c(c_), s(s_) {}
  VecOf<S, 2> turn(const Vec2& a) const { return {c * a[0] - s * a[1], s * a[0] + c * a[1]}; }
  void turn_to(const Vec2& a, VecOf<S, 2>& out) const {
    const S x = c * a[0] - s * a[1], y = s * a[0] + c * a[1];
    out[0] = x;
    out[1] = y;
  }
  VecOf<S, 2> turn_by(const VecOf<S, 2>& a) const { return {c * a[0] - s * a[1], s * a[0] + c * a[1]}; }
  VecOf<S, 2> turn_back(const VecOf<S, 2>& a) const { return {c * a[0] + s * a[1], c * a[1] - s * a[0]}; }
  VecOf<S, 2> point(const Vec2& at) const { return r + turn(at); }
};

template <class S, int D>
struct TwistOf {
  VecOf<S, D> r = VecOf<S, D>::Zero();              // velocity of the centre of mass
  SpinOf<S, D> omega = SpinOf<S, D>(no_spin<D>());  // angular velocity
};

template <class S, int D>
struct WrenchOf {
  VecOf<S, D> force = VecOf<S, D>::Zero();
  SpinOf<S, D> moment = SpinOf<S, D>(no_spin<D>());  // about the centre of mass
};

// A point and a direction of a body.
template <int D>
struct PointOf {
  int body = 0;                                    // ground is the one past the last
  VecOf<double, D> at = VecOf<double, D>::Zero();  // from the centre of mass, body axes
};
template <int D>
struct DirectionOf {
  int body = 0;
  VecOf<double, D> u = VecOf<double, D>::Unit(D - 1);  // unit, body axes
};

// A frame of a joint on a body. What slides does so along its axis kSlide: z in space, where joints turn about it, too; x in
// the plane.
template <int D>
struct JointFrameOf {
  static constexpr int kSlide = D == 3 ? 2 : 0;
  PointOf<D> origin;
  Eigen::Matrix<double, D, D> axes = Eigen::Matrix<double, D, D>::Identity();  // columns, in body axes
};
template <int D>
bool same_frame(const JointFrameOf<D>& a, const JointFrameOf<D>& b) {
  return a.origin.body == b.origin.body && a.origin.at == b.origin.at && a.axes == b.axes;
}

// What forces and outputs may look at.
template <class S, int D>
struct ViewOf {
  const FrameOf<S, D>* frames;
  const TwistOf<S, D>* twists;
  const S* s;  // scalars (angles of joints …) and their rates
  const S* sdot;
  S t;
  const Mode* mode = nullptr;  // null: branches are taken as they come

  // Where the mode's values of an element begin, or those of its held numbers.
  const int* modes(int first) const {
    return mode == nullptr || first < 0 ? nullptr : mode->values.data() + first;
  }
  const double* held(int first) const {
    return mode == nullptr || first < 0 ? nullptr : mode->held.data() + first;
  }
  // Called, they would hand pairs of numbers back through memory, stored one by one and loaded as one: a stall each.
  [[gnu::always_inline]] VecOf<S, D> arm(const PointOf<D>& p) const { return frames[p.body].turn(p.at); }
  [[gnu::always_inline]] VecOf<S, D> place(const PointOf<D>& p) const { return frames[p.body].r + arm(p); }
  [[gnu::always_inline]] VecOf<S, D> velocity(const PointOf<D>& p) const {
    return twists[p.body].r + swing(twists[p.body].omega, arm(p));
  }
  VecOf<S, D> axis(const JointFrameOf<D>& f, int k) const {
    return frames[f.origin.body].turn(VecOf<double, D>(f.axes.col(k)));
  }
  Eigen::Matrix<S, D, D> axes(const JointFrameOf<D>& f) const {
    Eigen::Matrix<S, D, D> A;
    for (int k = 0; k < D; ++k) A.col(k) = axis(f, k);
    return A;
  }
};

template <class S>
using SpatialFrame = FrameOf<S, 3>;
using Twist = TwistOf<double, 3>;
using Wrench = WrenchOf<double, 3>;
using SpatialPoint = PointOf<3>;
using SpatialDirection = DirectionOf<3>;
using JointFrame = JointFrameOf<3>;

}  // namespace driftless
