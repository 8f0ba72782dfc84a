// Point on a plane: a point of the second body stays on a plane of the first, free to slide and to turn.   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord point_on_plane_joint;
const JointRecord point_on_plane_joint = {
    .element = {"point-on-plane",
                "a point of the second body stays on a plane of the first",
                {point_field("a", "point of the plane, on the first body"),
                 spatial_axis_field("normal of the plane, in the frame of the first body"),
                 point_field("b", "point on the second body that stays on the plane")},
                Spaces::spatial},
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_along(frames.first, 2, frames.second.origin, TimeFunction(), "normal");
                    },
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::slide, Vec3::UnitX(), "x"},
                           {ElementaryMotion::Kind::slide, Vec3::UnitY(), "y"},
                           {ElementaryMotion::Kind::ball, Vec3::Zero(), "rotation"}}};
                }},
};

}  // namespace driftless
