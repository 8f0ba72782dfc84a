// Cylindrical joint: the second body slides along an axis of the first and turns about it.   2 + 2 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord cylindrical_joint;
const JointRecord cylindrical_joint = {
    .element = {"cylindrical",
                "shaft in a sleeve: the second body slides along an axis of the first and turns about it",
                with_switched({point_field("a", "point of the axis, on the first body"),
                               spatial_axis_field("the axis, in the frame of the first body"),
                               point_field("b", "point on the second body that stays on the axis"),
                               spatial_axis_b_field()},
                              stop_fields("m"),
                              friction_fields(true, true, false)),
                Spaces::spatial,
                {.symbol = "cylinder"}},
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_on_axis(frames.first, frames.second.origin);
                      model.add_parallel(frames.first, frames.second);
                    },
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::slide, Vec3::UnitZ(), "displacement"},
                           {ElementaryMotion::Kind::turn, Vec3::UnitZ(), "angle"}}};
                },
                .coordinates = {"displacement", "angle"}},
    .check = &check_switched_joint,
};

}  // namespace driftless
