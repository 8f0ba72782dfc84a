// Angle driver: prescribed angle of one body against another.   1 row
//   planar   θ_b − θ_a = f(t)
//   spatial  the angle about an axis of a, from a direction of a to one of b, both seen along the axis; unless the
//            directions are given it counts from the initial position
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto angle_row = [](const Element& driver, const auto& frames, auto& model) {
  model.add_angle(frames.first, frames.second, driver.get<TimeFunction>("function"), "angle");
};

}  // namespace

extern const JointRecord angle_driver_joint;
const JointRecord angle_driver_joint = {
    .element = {"angle",
                "prescribed angle of one body against another",
                {body_field("a", "reference body"),
                 body_field("b", "driven body"),
                 spatial_axis_field("axis of the angle, in the frame of the reference body"),
                 spatial_axis_field(
                     "direction the angle counts from, in the frame of the reference body; default: "
                     "that of reference_b in the initial position",
                     "reference_a",
                     false),
                 spatial_axis_field(
                     "direction the angle counts to, in the frame of the driven body", "reference_b", false),
                 {"function", FieldKind::function, true, {}, "rad", "angle over time", {}}}},
    .planar = {.frames = &body_frames, .expand = angle_row},
    .spatial = {.frames = [](const Element& driver, const Expansion<3>& model) -> JointFrames {
                  const PointOf<3> a{model.turning_body(driver.get<std::string>("a"))};
                  const PointOf<3> b{model.turning_body(driver.get<std::string>("b"))};
                  const DirectionOf<3> axis = model.direction(driver.get<DirectionRef>("axis"), a.body);
                  const auto towards = [&](const char* field, int body) {
                    return model.world(model.direction(driver.get<DirectionRef>(field), body));
                  };
                  if (!driver.has("reference_a")) {
                    const JointFrame F = model.frame(a, axis);
                    return {F, model.aligned(b, F)};
                  }
                  return {model.frame(a, axis, towards("reference_a", a.body)),
                          model.frame(b, axis, towards("reference_b", b.body))};
                },
                .expand = angle_row},
    .check = [](const Element& driver, const Model&) -> std::vector<Complaint> {
      if (driver.has("reference_a") == driver.has("reference_b")) return {};
      return {{driver.has("reference_a") ? "reference_b" : "reference_a",
               "both directions, reference_a and reference_b, or neither", "one of them", ""}};
    },
};

}  // namespace driftless
