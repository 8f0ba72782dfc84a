// Parallel axes: a direction of one body stays parallel to a direction of the other; the bodies move freely otherwise.
//   2 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord parallel_axes_joint;
const JointRecord parallel_axes_joint = {
    .element = {"parallel-axes",
                "a direction of one body stays parallel to a direction of the other",
                {body_field("a", "first body"), body_field("b", "second body"),
                 spatial_axis_field("direction of the first body, in its frame"), spatial_axis_b_field()},
                Spaces::spatial},
    .spatial = {.frames = &body_frames,
                .expand = [](const Element&,
                             const JointFrames& frames,
                             SpatialExpansion& model) { model.add_parallel(frames.first, frames.second); },
                .coordinates = {"angle"}},
};

}  // namespace driftless
