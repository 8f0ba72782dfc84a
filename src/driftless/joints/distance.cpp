// Distance joint: a massless rod between two points.   block (3), 1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord distance_joint;
const JointRecord distance_joint = {
    .element = {"distance",
                "massless rod: two points keep their distance",
                {point_field("a", "point on the first body"),
                 point_field("b", "point on the second body"),
                 {"length", FieldKind::positive, true, {}, "m", "length of the rod", {}}}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          sink.add(Distance{sink.point(joint.get<PointRef>("a")), sink.point(joint.get<PointRef>("b")),
                            joint.get<double>("length")},
                   {"length"});
        },
};

}  // namespace driftless
