#include "driftless/joints/joint_record.hpp"

namespace driftless {

#define JOINT(name) extern const JointRecord name##_joint;
#include "driftless/joints/drivers/drivers.def"
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
#include "driftless/joints/drivers/drivers.def"
#undef JOINT
  };
  return records;
}

}  // namespace driftless
