// Revolute joint: two points coincide, the bodies turn freely about them (spatial: about a common axis).
//   planar 2 rows, spatial 3 + 2 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord revolute_joint;
const JointRecord revolute_joint = {
    .element = {"revolute",
                "pin: a point of one body stays on a point of the other",
                {point_field("a", "point on the first body"), point_field("b", "point on the second body"),
                 spatial_axis_field("axis of the pin, in the frame of the first body"),
                 spatial_axis_b_field()}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          sink.add(Coincident{sink.point(joint.get<PointRef>("a")), sink.point(joint.get<PointRef>("b"))},
                   {"x", "y"});
        },
    .coordinate_planar =
        [](const Element& joint, const TimeFunction& f, PlanarConstraintSink& sink) {
          sink.add_relative_angle(sink.body(joint.get<PointRef>("a").body),
                                  sink.body(joint.get<PointRef>("b").body), f, "angle");
        },
    .coordinate = "angle",
    .mobility_planar = [](const Element& joint,
                          const PlanarConstraintSink& sink) -> std::optional<PlanarMobility> {
      return PlanarMobility{.a = sink.point(joint.get<PointRef>("a")),
                            .b = sink.point(joint.get<PointRef>("b")),
                            .turns = true};
    },
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      model.add_coincident(frames.first.origin, frames.second.origin);
                      model.add_parallel(frames.first, frames.second);
                    },
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::turn, Vec3::UnitZ(), "angle"}}};
                },
                .coordinates = {"angle"}},
};

}  // namespace driftless
