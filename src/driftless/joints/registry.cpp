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

}  // namespace driftless
