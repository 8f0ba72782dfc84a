// Angle between two directions u, w of two bodies. In space, from 0 to π:  φ = atan2(|u × w|, u·w)                       (1)
// in the plane, counter-clockwise from u to w, turns counted:  φ = θ_b − θ_a + (the angle between them when θ_a = θ_b)         (2)
#include <cmath>

#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

OutputChannel<2> planar_angle_output(const Element& output, const OutputContext<2>& context, std::string&) {
  const int a = context.expansion.turning_body(output.get<std::string>("a"));
  const int b = context.expansion.turning_body(output.get<std::string>("b"));
  const Vec3 &u = output.get<Vec3>("direction_a"), &w = output.get<Vec3>("direction_b");
  const double offset = std::atan2(u.x() * w.y() - u.y() * w.x(), u.x() * w.x() + u.y() * w.y());
  OutputChannel<2> channel;
  channel.unit = "rad";
  channel.measure = [a, b, offset](const MotionOf<2>& motion) {  // (2)
    return motion.frames[b].theta - motion.frames[a].theta + offset;
  };
  channel.rate = [a, b](const MotionOf<2>& motion) {
    return motion.twists[b].omega - motion.twists[a].omega;
  };
  return in_angle_unit<2>(std::move(channel), output);
}

OutputChannel<3> spatial_angle_output(const Element& output, const OutputContext<3>& context, std::string&) {
  const int a = context.expansion.turning_body(output.get<std::string>("a"));
  const int b = context.expansion.turning_body(output.get<std::string>("b"));
  const Vec3 u = output.get<Vec3>("direction_a").stableNormalized();
  const Vec3 w = output.get<Vec3>("direction_b").stableNormalized();
  OutputChannel<3> channel;
  channel.unit = "rad";
  channel.measure = [a, b, u, w](const MotionOf<3>& motion) {  // (1)
    const Vec3 x = motion.frames[a].turn(u), y = motion.frames[b].turn(w);
    return std::atan2(x.cross(y).norm(), x.dot(y));
  };
  return in_angle_unit<3>(std::move(channel), output);
}

}  // namespace

const OutputRecord& angle_output() {
  static const OutputRecord record = {
      {"angle",
       "angle between a direction of one body and a direction of another",
       {{"a", FieldKind::body, true, {}, "", "first body", {}},
        {"direction_a", FieldKind::direction, true, {}, "", "direction in its frame", {}},
        {"b", FieldKind::body, true, {}, "", "second body", {}},
        {"direction_b", FieldKind::direction, true, {}, "", "direction in its frame", {}},
        angle_unit_field()}},
      planar_angle_output,
      spatial_angle_output};
  return record;
}

}  // namespace driftless
