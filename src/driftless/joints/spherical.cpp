// Spherical joint: two points coincide, the bodies turn freely.   3 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord spherical_joint;
const JointRecord spherical_joint = {
    .element = {"spherical",
                "ball and socket: a point of one body stays on a point of the other",
                {point_field("a", "point on the first body"), point_field("b", "point on the second body")},
                Spaces::spatial,
                {.symbol = "ball"}},
    .spatial = {.frames = &point_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_coincident(frames.first.origin, frames.second.origin);
                    },
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::ball, Vec3::Zero(), "rotation"}}};
                }},
};

}  // namespace driftless
