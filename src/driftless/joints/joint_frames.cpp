// Frames of joints.
#include <algorithm>
#include <cmath>

#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

JointFrames frames_between(const SpatialPoint& a,
                           const SpatialPoint& b,
                           const Element& joint,
                           const SpatialExpansion& model) {
  const JointFrame F = model.frame(a, model.direction(joint.get<DirectionRef>("axis"), a.body));
  if (!joint.has("axis_b")) return {F, model.aligned(b, F)};
  return {F, model.bent(b, F, model.direction(joint.get<DirectionRef>("axis_b"), b.body))};
}

}  // namespace

JointFrameOf<2> frame_along(const PointOf<2>& p, const Element& joint) {
  const Vec2 u = joint.get<Vec3>("axis").head<2>().normalized();
  JointFrameOf<2> frame{p};
  frame.axes << u.x(), -u.y(), u.y(), u.x();
  return frame;
}

template <int D>
JointFramesOf<D> axis_frames(const Element& joint, const Expansion<D>& model) {
  const PointOf<D> a = model.point(joint.get<PointRef>("a")), b = model.point(joint.get<PointRef>("b"));
  if constexpr (D == 2)
    return {frame_along(a, joint), {b}};
  else
    return frames_between(a, b, joint, model);
}

template <int D>
JointFramesOf<D> point_frames(const Element& joint, const Expansion<D>& model) {
  const JointFrameOf<D> F{model.point(joint.get<PointRef>("a"))};
  const PointOf<D> b = model.point(joint.get<PointRef>("b"));
  if constexpr (D == 2)
    return {F, {b}};
  else
    return {F, model.aligned(b, F)};
}

template <int D>
JointFramesOf<D> body_frames(const Element& joint, const Expansion<D>& model) {
  const PointOf<D> a{model.turning_body(joint.get<std::string>("a"))},
      b{model.turning_body(joint.get<std::string>("b"))};
  if constexpr (D == 2)
    return {{a}, {b}};
  else
    return frames_between(a, b, joint, model);
}

template JointFramesOf<2> axis_frames<2>(const Element&, const Expansion<2>&);
template JointFramesOf<3> axis_frames<3>(const Element&, const Expansion<3>&);
template JointFramesOf<2> point_frames<2>(const Element&, const Expansion<2>&);
template JointFramesOf<3> point_frames<3>(const Element&, const Expansion<3>&);
template JointFramesOf<2> body_frames<2>(const Element&, const Expansion<2>&);
template JointFramesOf<3> body_frames<3>(const Element&, const Expansion<3>&);

Shaft find_shaft(int carrier, int wheel, const SpatialDirection& axis, const SpatialExpansion& model) {
  for (const Element& joint : model.model().joints) {
    const SpatialJoint& rules = record_of_joint(joint).spatial;
    if (std::find(rules.coordinates.begin(), rules.coordinates.end(), "angle") == rules.coordinates.end())
      continue;
    const JointFrames frames = rules.frames(joint, model);
    const int first = frames.first.origin.body, second = frames.second.origin.body;
    const bool forward = first == carrier && second == wheel;
    const bool backward = first == wheel && second == carrier;
    const double along = (model.start(first).R * frames.first.axes.col(2)).dot(model.world(axis));
    if ((forward || backward) && std::abs(along) > 1 - 1e-12)
      return {frames, forward == (along > 0) ? 1.0 : -1.0};
  }
  const JointFrame on_carrier = model.frame({carrier, Vec3::Zero()}, axis);
  return {{on_carrier, model.aligned({wheel, Vec3::Zero()}, on_carrier)}, 1.0};
}

}  // namespace driftless
