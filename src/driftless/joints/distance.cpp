// Distance joint: a massless rod between two points.   1 row
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
    .spatial = {.frames = &point_frames,
                .expand =
                    [](const Element& joint, const JointFrames& frames, SpatialExpansion& model) {
                      markers::Distance<3> rod;
                      rod.x = {model.mark(frames.first.origin), model.mark(frames.second.origin)};
                      rod.length = joint.get<double>("length");
                      model.add(rod, {"length"});
                    }},
};

}  // namespace driftless
