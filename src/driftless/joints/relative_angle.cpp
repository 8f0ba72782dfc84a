// Relative angle, planar: the second body keeps its angle against the first, θ_b − θ_a = angle; it may move otherwise.   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord relative_angle_joint;
const JointRecord relative_angle_joint = {
    .element = {"relative-angle",
                "keeps the angle between two bodies, which are free to move otherwise",
                {body_field("a", "first body"), body_field("b", "second body"), relative_angle_field()},
                Spaces::planar},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          sink.add_relative_angle(sink.body(joint.get<std::string>("a")),
                                  sink.body(joint.get<std::string>("b")), joint.number("angle", 0), "angle");
        },
};

}  // namespace driftless
