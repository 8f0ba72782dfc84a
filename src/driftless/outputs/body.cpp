// What a body does, at its centre of mass, in the axes of the world; in space also its attitude, as yaw ψ, pitch θ, roll φ with
//   R = R_z(ψ) R_y(θ) R_x(φ):   ψ = atan2(R21, R11),   θ = −asin(R31),   φ = atan2(R32, R33)                          (1)
//   ψ̇ = (ω_x cos ψ + ω_y sin ψ) tan θ + ω_z,   φ̇ = (ω_x cos ψ + ω_y sin ψ)/cos θ   (ω in world axes)                  (2)
// ψ and φ are known modulo 2π: their turns are counted. At θ = ±π/2 they are not defined.
#include <algorithm>
#include <cmath>

#include "driftless/outputs/motion.hpp"

namespace driftless {
namespace {

OutputChannel<2> planar_body_output(const Element& output, const OutputContext<2>& context, std::string&) {
  const int body = context.expansion.body(output.get<std::string>("body"));
  const std::string& component = output.get<std::string>("component");
  if (component == "angle" || component == "wz" || component == "alphaz")
    context.expansion.needs_attitude(body);
  const auto omega = [body](const MotionOf<2>& motion) { return motion.twists[body].omega; };
  OutputChannel<2> channel;
  if (component == "wz") {
    channel.unit = "rad/s";
    channel.measure = omega;
  } else if (component == "alphaz") {
    channel.unit = "rad/s^2";
    channel.measure = [body](const MotionOf<2>& motion) { return motion.accelerations[body].omega; };
    channel.needs_accelerations = true;
  } else if (component == "angle") {
    channel.unit = "rad";
    channel.measure = [body](const MotionOf<2>& motion) { return motion.frames[body].theta; };
    channel.rate = omega;
  } else {
    channel = point_channel<2>(component, {body});
  }
  return in_angle_unit<2>(std::move(channel), output);
}

double roll_rate(const Mat3& R, const Vec3& omega) {  // (2)
  const double c2 = R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0);
  return (omega[0] * R(0, 0) + omega[1] * R(1, 0)) / c2;
}

OutputChannel<3> spatial_body_output(const Element& output, const OutputContext<3>& context, std::string&) {
  const int body = context.expansion.body(output.get<std::string>("body"));
  const std::string& component = output.get<std::string>("component");
  if (vector_of(component) == 'w' || component.size() > 2) context.expansion.needs_attitude(body);
  OutputChannel<3> channel;
  channel.unit = "rad";
  if (component == "yaw") {  // (1)
    channel.measure = [body](const MotionOf<3>& motion) {
      const Mat3& R = motion.frames[body].R;
      return std::atan2(R(1, 0), R(0, 0));
    };
    channel.rate = [body](const MotionOf<3>& motion) {
      const Mat3& R = motion.frames[body].R;
      const Vec3& omega = motion.twists[body].omega;
      return omega[2] - R(2, 0) * roll_rate(R, omega);
    };
  } else if (component == "pitch") {
    channel.measure = [body](const MotionOf<3>& motion) {
      return -std::asin(std::clamp(motion.frames[body].R(2, 0), -1.0, 1.0));
    };
  } else if (component == "roll") {
    channel.measure = [body](const MotionOf<3>& motion) {
      const Mat3& R = motion.frames[body].R;
      return std::atan2(R(2, 1), R(2, 2));
    };
    channel.rate = [body](const MotionOf<3>& motion) {
      return roll_rate(motion.frames[body].R, motion.twists[body].omega);
    };
  } else if (component.starts_with("alpha")) {
    const int k = entry_of(component);
    channel.unit = "rad/s^2 (world axes)";
    channel.measure = [body, k](const MotionOf<3>& motion) { return motion.accelerations[body].omega[k]; };
    channel.needs_accelerations = true;
  } else if (vector_of(component) == 'w') {
    const int k = entry_of(component);
    channel.unit = "rad/s (world axes)";
    channel.measure = [body, k](const MotionOf<3>& motion) { return motion.twists[body].omega[k]; };
  } else {
    channel = point_channel<3>(component, {body});
  }
  return in_angle_unit<3>(std::move(channel), output);
}

}  // namespace

const OutputRecord& body_output() {
  static const OutputRecord record = {
      {"body",
       "place, attitude, velocity or acceleration of a body, at its centre of mass, in the axes of the world",
       {{"body", FieldKind::body, true, {}, "", "the body", {}},
        choice_field("component",
                     "coordinate (m), angle (rad), velocity (m/s), angular velocity (rad/s), acceleration "
                     "(m/s^2) or angular acceleration (rad/s^2)",
                     {"x", "y", "angle", "vx", "vy", "wz", "ax", "ay", "alphaz"}, Spaces::planar),
        choice_field(
            "component",
            "coordinate (m), velocity (m/s), angular velocity (rad/s), acceleration (m/s^2), angular "
            "acceleration (rad/s^2), all along the axes of the world; yaw, pitch, roll (rad): turns about z, "
            "then y, then x of the body",
            {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "ax", "ay", "az", "alphax", "alphay",
             "alphaz", "yaw", "pitch", "roll"},
            Spaces::spatial),
        angle_unit_field()}},
      planar_body_output,
      spatial_body_output};
  return record;
}

}  // namespace driftless
