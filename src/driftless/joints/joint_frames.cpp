// Frames of spatial joints, and rows several joints share.
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

JointFrames axis_frames(const Element& joint, const SpatialExpansion& model) {
  return frames_between(model.point(joint.get<PointRef>("a")), model.point(joint.get<PointRef>("b")), joint,
                        model);
}

JointFrames point_frames(const Element& joint, const SpatialExpansion& model) {
  const JointFrame F{model.point(joint.get<PointRef>("a")), Mat3::Identity()};
  return {F, model.aligned(model.point(joint.get<PointRef>("b")), F)};
}

JointFrames body_frames(const Element& joint, const SpatialExpansion& model) {
  return frames_between({model.body(joint.get<std::string>("a")), Vec3::Zero()},
                        {model.body(joint.get<std::string>("b")), Vec3::Zero()}, joint, model);
}

JointFrames frames_of(const std::string& joint, const SpatialExpansion& model) {
  const Element& element = joint_called(joint, model.model());
  return record_of_joint(element).spatial.frames(element, model);
}

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

void add_axis_displacement(const Element& joint, const TimeFunction& f, PlanarConstraintSink& sink) {
  const Vec2 axis = joint.get<Vec3>("axis").head<2>().normalized();
  sink.add(Along{sink.point(joint.get<PointRef>("a")), sink.point(joint.get<PointRef>("b")), axis, f},
           {"displacement"});
}

}  // namespace driftless
