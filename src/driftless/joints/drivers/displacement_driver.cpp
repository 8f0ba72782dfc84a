// Displacement driver: u·(p_b − p_a) = f(t), u a direction of the first body.   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto displacement_row = [](const Element& driver, const auto& frames, auto& model) {
  const auto& [F, M] = frames;
  model.add_along(F, F.kSlide, M.origin, driver.get<TimeFunction>("function"), "displacement");
};

}  // namespace

extern const JointRecord displacement_driver_joint;
const JointRecord displacement_driver_joint = {
    .element = {"displacement",
                "prescribed distance of a point along an axis of another body",
                {point_field("a", "origin, on the reference body"),
                 axis_field(),
                 spatial_axis_field("direction, in the frame of the reference body"),
                 point_field("b", "driven point"),
                 {"function", FieldKind::function, true, {}, "m", "displacement over time", {}}}},
    .planar = {.frames = &axis_frames, .expand = displacement_row, .axes_on_first = true},
    .spatial = {.frames = &axis_frames, .expand = displacement_row},
};

}  // namespace driftless
