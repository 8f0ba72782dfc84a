#include <cmath>

#include "driftless/coordinates/planar_parts.hpp"

namespace driftless {

void joint_reactions(const PlanarParts& parts,
                     const PlanarView& view,
                     ConstVec lambda,
                     std::vector<JointReaction>& out) {
  out.assign(parts.joints.size(), {});
  for_each_element(parts.blocks, [&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    Gradient gradient[Block::rows][Block::bodies];
    placed.block.gradient(view, gradient);
    for (int r = 0; r < Block::rows; ++r) {
      const int joint = parts.joint_of_row[size_t(placed.row + r)];
      if (joint < 0) continue;
      JointReaction& own = out[size_t(joint)];
      for (size_t k = 0; k < Block::bodies; ++k) {
        if (placed.block.body()[k] != parts.joints[size_t(joint)].at.body) continue;
        const Gradient& of_body = gradient[r][k];
        own.force -= lambda[placed.row + r] * Vec3(of_body[0], of_body[1], 0);
        own.torque.z() -= lambda[placed.row + r] * of_body[2];
      }
    }
  });
  for (size_t j = 0; j < out.size(); ++j) {
    const PlanarJoint& joint = parts.joints[j];
    const auto arm = view.arm(joint.at);
    out[j].torque.z() -= arm.x * out[j].force.y() - arm.y * out[j].force.x();
    turn_to_joint_axes(joint, view, out[j]);
  }
}

void turn_to_joint_axes(const PlanarJoint& joint, const PlanarView& view, JointReaction& reaction) {
  const double angle = view.frames[joint.axes_body].theta + joint.axes_angle;
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3& F = reaction.force;
  reaction.force_joint = Vec3(c * F.x() + s * F.y(), -s * F.x() + c * F.y(), 0);
  reaction.torque_joint = reaction.torque;
}

}  // namespace driftless
