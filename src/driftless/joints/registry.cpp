#include "driftless/joints/joint_record.hpp"

namespace driftless {

#define JOINT(name) extern const JointRecord name##_joint;
#include "driftless/joints/drivers.def"
#include "driftless/joints/joints.def"
#undef JOINT

std::span<const JointRecord* const> joint_records() {
  static const JointRecord* const records[] = {
#define JOINT(name) &name##_joint,
#include "driftless/joints/joints.def"
#undef JOINT
  };
  return records;
}

std::span<const JointRecord* const> driver_records() {
  static const JointRecord* const records[] = {
#define JOINT(name) &name##_joint,
#include "driftless/joints/drivers.def"
#undef JOINT
  };
  return records;
}

void add_axis_displacement(const Element& joint, const TimeFunction& f, PlanarConstraintSink& sink) {
  const Vec2 axis = joint.get<Vec3>("axis").head<2>().normalized();
  sink.add(Along{sink.point(joint.get<PointRef>("a")), sink.point(joint.get<PointRef>("b")), axis, f},
           {"displacement"});
}

PlanarMobility axis_mobility(const Element& joint, const PlanarConstraintSink& sink) {
  return {.a = sink.point(joint.get<PointRef>("a")),
          .b = sink.point(joint.get<PointRef>("b")),
          .axis = joint.get<Vec3>("axis").head<2>().normalized(),
          .slides = true};
}

FieldSpec point_field(const char* name, const char* help) {
  return {name, FieldKind::point, true, {}, "", help, {}};
}

FieldSpec body_field(const char* name, const char* help) {
  return {name, FieldKind::body, true, {}, "", help, {}};
}

FieldSpec axis_field() {
  return {"axis", FieldKind::direction,
          true,   {},
          "",     "direction in the frame of the first body; its length does not matter",
          {}};
}

FieldSpec relative_angle_field() {
  return {
      "angle", FieldKind::number, false, FieldValue(0.0), "rad", "angle of the second body against the first",
      {}};
}

FieldSpec spatial_axis_field(const char* help) {
  return {"axis", FieldKind::axis, true, {}, "", help, {}, Spaces::spatial};
}

FieldSpec spatial_axis_b_field() {
  return {
      "axis_b", FieldKind::axis,
      false,    {},
      "",       "the same axis on the second body, in its frame; default: parallel in the initial position",
      {},       Spaces::spatial};
}

JointFrames axis_frames(const Element& joint, const SpatialExpansion& model) {
  const SpatialPoint a = model.point(joint.get<PointRef>("a")), b = model.point(joint.get<PointRef>("b"));
  const SpatialDirection axis = model.direction(joint.get<DirectionRef>("axis"), a.body);
  const JointFrame F = model.frame(a, axis);
  if (!joint.has("axis_b")) return {F, model.aligned(b, F)};
  const SpatialDirection axis_b = model.direction(joint.get<DirectionRef>("axis_b"), b.body);
  return {F, model.frame(b, axis_b, model.start(a.body).turn(F.axes.col(0)))};
}

JointFrames point_frames(const Element& joint, const SpatialExpansion& model) {
  const JointFrame F{model.point(joint.get<PointRef>("a")), Mat3::Identity()};
  return {F, model.aligned(model.point(joint.get<PointRef>("b")), F)};
}

}  // namespace driftless
