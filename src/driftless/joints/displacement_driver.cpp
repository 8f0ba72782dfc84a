// Displacement driver: u·(p_b − p_a) = f(t), u a direction of the first body.   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord displacement_driver_joint;
const JointRecord displacement_driver_joint = {
    .element = {"displacement",
                "prescribed distance of a point along an axis of another body",
                {point_field("a", "origin, on the reference body"),
                 axis_field(),
                 spatial_axis_field("direction, in the frame of the reference body"),
                 point_field("b", "driven point"),
                 {"function", FieldKind::function, true, {}, "m", "displacement over time", {}}}},
    .expand_planar =
        [](const Element& driver, PlanarConstraintSink& sink) {
          add_axis_displacement(driver, driver.get<TimeFunction>("function"), sink);
        },
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element& driver, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_along(frames.first, 2, frames.second.origin,
                                      driver.get<TimeFunction>("function"), "displacement");
                    }},
};

}  // namespace driftless
