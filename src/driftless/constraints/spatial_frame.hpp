// Spatial bodies as forces, outputs and markers see them: a frame at the centre of mass. With a the world vector from the
// centre of mass to a point:
//   p = r + a,  ṗ = ṙ + ω × a,  p̈ = r̈ + ω̇ × a + ω × (ω × a),      u = R û,  u̇ = ω × u                               (1)
// All vectors in world axes unless they are called _body.
#pragma once

#include "driftless/constraints/marker.hpp"
#include "driftless/math/rotation.hpp"

namespace driftless {

template <class S>
struct SpatialFrame {
  VecOf<S, 3> r = VecOf<S, 3>::Zero();                            // centre of mass
  Eigen::Matrix<S, 3, 3> R = Eigen::Matrix<S, 3, 3>::Identity();  // body axes as columns

  VecOf<S, 3> turn(const Vec3& a) const { return R * a.template cast<S>(); }
  VecOf<S, 3> point(const Vec3& at) const { return r + turn(at); }
};

struct Twist {
  Vec3 r = Vec3::Zero();      // velocity of the centre of mass
  Vec3 omega = Vec3::Zero();  // angular velocity
};

struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();  // about the centre of mass
};

// A point of a body; a frame of a joint on a body: z is its axis.
struct SpatialPoint {
  int body = 0;            // ground is the one past the last
  Vec3 at = Vec3::Zero();  // from the centre of mass, body axes
};
struct JointFrame {
  SpatialPoint origin;
  Mat3 axes = Mat3::Identity();  // columns x, y, z in body axes
};

// What forces and outputs may look at.
struct SpatialView {
  const SpatialFrame<double>* frames;
  const Twist* twists;
  const double* s;  // scalars (angles of joints …) and their rates
  const double* sdot;
  double t;

  Vec3 arm(const SpatialPoint& p) const { return frames[p.body].R * p.at; }
  Vec3 place(const SpatialPoint& p) const { return frames[p.body].r + arm(p); }
  Vec3 velocity(const SpatialPoint& p) const { return twists[p.body].r + twists[p.body].omega.cross(arm(p)); }
  Mat3 axes(const JointFrame& f) const { return frames[f.origin.body].R * f.axes; }
};

}  // namespace driftless
