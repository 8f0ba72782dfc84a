// Perpendicular axes: a direction of one body stays square to a direction of the other.   z_F·z_M = 0, 1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord perpendicular_axes_joint;
const JointRecord perpendicular_axes_joint = {
    .element = {"perpendicular-axes",
                "a direction of one body stays square to a direction of the other",
                {body_field("a", "first body"), body_field("b", "second body"),
                 spatial_axis_field("direction of the first body, in its frame"),
                 spatial_axis_field("direction of the second body, in its frame", "axis_b")},
                Spaces::spatial},
    .spatial =
        {.frames = &body_frames,
         .expand =
             [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
               const auto& [F, M] = frames;
               model.add_dot({F.origin.body, F.axes.col(2)}, {M.origin.body, M.axes.col(2)}, 0, "square");
             }},
};

}  // namespace driftless
