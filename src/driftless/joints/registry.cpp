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

PlanarMobility axis_mobility(const Element& joint, const PlanarConstraintSink& sink) {
  return {.a = sink.point(joint.get<PointRef>("a")),
          .b = sink.point(joint.get<PointRef>("b")),
          .axis = joint.get<Vec3>("axis").head<2>().normalized(),
          .slides = true};
}

}  // namespace driftless
