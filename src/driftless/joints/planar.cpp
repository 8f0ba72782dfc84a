// Planar joint: a plane of the second body stays on a plane of the first.   2 + 1 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord planar_joint;
const JointRecord planar_joint = {
    .element = {"planar",
                "plane on plane: the second body slides on a plane of the first and turns about its normal",
                {point_field("a", "point of the plane, on the first body"),
                 spatial_axis_field("normal of the plane, in the frame of the first body"),
                 point_field("b", "point on the second body that stays in the plane"),
                 spatial_axis_b_field()},
                Spaces::spatial},
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_along(frames.first, 2, frames.second.origin, TimeFunction(), "normal");
                      model.add_parallel(frames.first, frames.second);
                    },
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::slide, Vec3::UnitX(), "x"},
                           {ElementaryMotion::Kind::slide, Vec3::UnitY(), "y"},
                           {ElementaryMotion::Kind::turn, Vec3::UnitZ(), "angle"}}};
                },
                .coordinates = {"angle"}},
};

}  // namespace driftless
