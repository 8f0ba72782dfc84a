// Translational joint: the second body slides along an axis of the first without turning against it.
//   planar   u⊥·(p_b − p_a) = 0,  θ_b − θ_a = angle                     2 rows
//   spatial  the point on the axis, the bodies parallel as drawn         2 + 2 + 1 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord translational_joint;
const JointRecord translational_joint = {
    .element = {"translational",
                "slider: the second body moves along an axis of the first and does not turn against it",
                {point_field("a", "point of the axis, on the first body"), axis_field(),
                 spatial_axis_field("direction of travel, in the frame of the first body"),
                 point_field("b", "point on the second body that stays on the axis"), relative_angle_field(),
                 spatial_axis_b_field()}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          const PointOn a = sink.point(joint.get<PointRef>("a")), b = sink.point(joint.get<PointRef>("b"));
          const Vec2 u = joint.get<Vec3>("axis").head<2>().normalized();
          sink.add(Along{a, b, Vec2(-u.y(), u.x()), TimeFunction()}, {"normal"});
          sink.add_relative_angle(a.body, b.body, joint.number("angle", 0), "angle");
        },
    .coordinate_planar = &add_axis_displacement,
    .coordinate = "displacement",
    .mobility_planar = [](const Element& joint,
                          const PlanarConstraintSink& sink) -> std::optional<PlanarMobility> {
      PlanarMobility mobility = axis_mobility(joint, sink);
      mobility.angle = joint.number("angle", 0);
      return mobility;
    },
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_on_axis(frames.first, frames.second.origin);
                      model.add_parallel(frames.first, frames.second);
                      model.add_no_turn(frames.first, frames.second);
                    },
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::slide, Vec3::UnitZ(), "displacement"}}};
                },
                .coordinates = {"displacement"}},
};

}  // namespace driftless
