// Point on a line (pin in a slot): a point of the second body stays on a straight line of the first, free to slide and
// to turn.   planar 1 row: u⊥·(p_b − p_a) = 0, spatial 2 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord point_on_line_joint;
const JointRecord point_on_line_joint = {
    .element = {"point-on-line",
                "pin in a slot: a point of the second body stays on a line of the first",
                {point_field("a", "point of the line, on the first body"), axis_field(),
                 spatial_axis_field("direction of the line, in the frame of the first body"),
                 point_field("b", "point on the second body that stays on the line")}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          const Vec2 u = joint.get<Vec3>("axis").head<2>().normalized();
          sink.add(Along{sink.point(joint.get<PointRef>("a")), sink.point(joint.get<PointRef>("b")),
                         Vec2(-u.y(), u.x()), TimeFunction()},
                   {"normal"});
        },
    .coordinate_planar = &add_axis_displacement,
    .coordinate = "displacement",
    .mobility_planar = [](const Element& joint,
                          const PlanarConstraintSink& sink) -> std::optional<PlanarMobility> {
      PlanarMobility mobility = axis_mobility(joint, sink);
      mobility.turns = true;
      return mobility;
    },
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_on_axis(frames.first, frames.second.origin);
                    },
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::slide, Vec3::UnitZ(), "displacement"},
                           {ElementaryMotion::Kind::ball, Vec3::Zero(), "rotation"}}};
                },
                .coordinates = {"displacement"}},
};

}  // namespace driftless
