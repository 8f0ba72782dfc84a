// Relative angle, planar: the second body keeps its angle against the first, θ_b − θ_a = angle; it may move otherwise.   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord relative_angle_joint;
const JointRecord relative_angle_joint = {
    .element = {"relative-angle",
                "keeps the angle between two bodies, which are free to move otherwise",
                {body_field("a", "first body"), body_field("b", "second body"), relative_angle_field()},
                Spaces::planar},
    .planar = {.frames = &body_frames,
               .expand =
                   [](const Element& joint, const JointFramesOf<2>& frames, Expansion<2>& model) {
                     model.add_angle(frames.first, frames.second, joint.number("angle", 0), "angle");
                   }},
};

}  // namespace driftless
