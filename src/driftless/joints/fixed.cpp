// Fixed joint: two bodies are welded together.   blocks (1) and (4), 3 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord fixed_joint;
const JointRecord fixed_joint = {
    .element = {"fixed",
                "weld: two points coincide and the angle between the bodies is kept",
                {point_field("a", "point on the first body"), point_field("b", "point on the second body"),
                 relative_angle_field()}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          const PointOn a = sink.point(joint.get<PointRef>("a")), b = sink.point(joint.get<PointRef>("b"));
          sink.add(Coincident{a, b}, {"x", "y"});
          sink.add_relative_angle(a.body, b.body, joint.number("angle", 0), "angle");
        },
    .mobility_planar = [](const Element& joint,
                          const PlanarConstraintSink& sink) -> std::optional<PlanarMobility> {
      return PlanarMobility{.a = sink.point(joint.get<PointRef>("a")),
                            .b = sink.point(joint.get<PointRef>("b")),
                            .angle = joint.number("angle", 0)};
    },
};

}  // namespace driftless
