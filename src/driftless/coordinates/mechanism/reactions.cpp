// What joints exert, from the multipliers of their rows: (1), (2) of parts.hpp.
#include "driftless/coordinates/mechanism/parts.hpp"

namespace driftless {
namespace {

// What a unit load on a scalar does to body b of its frames, moment about `point`; body a takes the opposite.     (2)
WrenchOf<double, 2> unit_load(const ScalarOf<2>&, const WorkOf<2>&, const Vec2&) {
  return {Vec2::Zero(), 1.0};
}
WrenchOf<double, 3> unit_load(const ScalarOf<3>& scalar, const WorkOf<3>& work, const Vec3& point) {
  const SpatialFrame<double>&a = work.frames[size_t(scalar.a.origin.body)],
        &b = work.frames[size_t(scalar.b.origin.body)];
  const Mat3 axes = a.R * scalar.a.axes;
  if (scalar.kind == Scalar::Kind::displacement)
    return {axes.col(2), (b.point(scalar.b.origin.at) - point).cross(axes.col(2))};
  const Vec3 u = b.turn(scalar.b.axes.col(0));
  const double along = axes.col(0).dot(u), beside = axes.col(1).dot(u);
  return {Vec3::Zero(),
          u.cross(along * axes.col(1) - beside * axes.col(0)) / (along * along + beside * beside)};
}

// As vectors of space: in the plane forces lie in x and y, moments along z.
Vec3 in_space(const Vec2& force) { return {force.x(), force.y(), 0}; }
Vec3 in_space(const Vec3& force) { return force; }
Vec3 in_space(double moment) { return {0, 0, moment}; }

}  // namespace

template <int D>
void joint_reactions(const Parts<D>& parts,
                     const WorkOf<D>& work,
                     ConstVec lambda,
                     std::vector<JointReaction>& out) {
  using V = VecOf<double, D>;
  out.assign(parts.joints.size(), {});
  const auto& pairs = parts.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<D>& marker = parts.markers[size_t(pairs[k].of)];
    const int joint = parts.joint_of_row[size_t(pairs[k].row)];
    if (joint < 0 || parts.joints[size_t(joint)].frames.second.origin.body != marker.body) continue;
    const PointOf<D>& on = parts.joints[size_t(joint)].frames.second.origin;
    const V push = -lambda[pairs[k].row] * work.dx[k];
    const V& x = work.x[size_t(pairs[k].of)];
    JointReaction& reaction = out[size_t(joint)];
    if (marker.kind == MarkerKind::direction) {
      reaction.torque += in_space(moment_of(x, push));
      continue;
    }
    reaction.force += in_space(push);
    const V arm = x - work.frames[size_t(marker.body)].point(on.at);
    reaction.torque += in_space(moment_of(arm, push));
  }
  const auto& scalar_pairs = parts.rows.scalar_pairs();
  for (size_t k = 0; k < scalar_pairs.size(); ++k) {
    const ScalarOf<D>& scalar = parts.scalars[size_t(scalar_pairs[k].of)];
    const int joint = parts.joint_of_row[size_t(scalar_pairs[k].row)];
    if (joint < 0 || scalar.kind == ScalarOf<D>::Kind::parameter) continue;
    const PointOf<D>& on = parts.joints[size_t(joint)].frames.second.origin;
    if (on.body != scalar.a.origin.body && on.body != scalar.b.origin.body) continue;
    const double load =
        -lambda[scalar_pairs[k].row] * work.ds[k] * (on.body == scalar.b.origin.body ? 1 : -1);
    const WrenchOf<double, D> unit = unit_load(scalar, work, work.frames[size_t(on.body)].point(on.at));
    out[size_t(joint)].force += in_space(V(load * unit.force));
    out[size_t(joint)].torque += load * in_space(unit.moment);
  }
  for (size_t j = 0; j < out.size(); ++j) turn_to_joint_axes(parts.joints[j], work, out[j]);
}

template <int D>
void turn_to_joint_axes(const JointPlaceOf<D>& joint, const WorkOf<D>& work, JointReaction& reaction) {
  Mat3 axes = Mat3::Identity();
  axes.topLeftCorner<D, D>() = work.view(0).axes(joint.axes);
  reaction.force_joint = axes.transpose() * reaction.force;
  reaction.torque_joint = axes.transpose() * reaction.torque;
}

template void joint_reactions<2>(const Parts<2>&, const WorkOf<2>&, ConstVec, std::vector<JointReaction>&);
template void joint_reactions<3>(const Parts<3>&, const WorkOf<3>&, ConstVec, std::vector<JointReaction>&);
template void turn_to_joint_axes<2>(const JointPlaceOf<2>&, const WorkOf<2>&, JointReaction&);
template void turn_to_joint_axes<3>(const JointPlaceOf<3>&, const WorkOf<3>&, JointReaction&);

}  // namespace driftless
