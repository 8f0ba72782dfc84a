// A point of a motion: time, positions, velocities; and what the dynamics say there.
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

struct State {
  double t = 0;
  Vec q;  // positions    nq
  Vec v;  // velocities   nv
};

// Accelerations and multipliers at a state, M v̇ + Jᵀλ = f, J v̇ = γ.
struct Reaction {
  Vec vdot;    // nv
  Vec lambda;  // m
};

// Position and attitude of a body in the world, for drawing and for files. Planar bodies turn about z.
struct Pose {
  Vec3 position = Vec3::Zero();
  Eigen::Vector4d quaternion = Eigen::Vector4d(1, 0, 0, 0);  // (w, x, y, z), unit
};

// What a joint exerts on its second body, at the joint's point there: world axes and axes of the joint.
struct JointReaction {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  Vec3 force_joint = Vec3::Zero(), torque_joint = Vec3::Zero();
};

}  // namespace driftless
