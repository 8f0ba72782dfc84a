// Revolute joint: two points coincide, the bodies turn freely about them (spatial: about a common axis).
//   planar 2 rows, spatial 3 + 2 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto pin_rows = [](const Element&, const auto& frames, auto& model) {
  model.add_coincident(frames.first.origin, frames.second.origin);
  model.add_parallel(frames.first, frames.second);
};

}  // namespace

extern const JointRecord revolute_joint;
const JointRecord revolute_joint = {
    .element = {"revolute",
                "pin: a point of one body stays on a point of the other",
                with_switched({point_field("a", "point on the first body"),
                               point_field("b", "point on the second body"),
                               spatial_axis_field("axis of the pin, in the frame of the first body"),
                               spatial_axis_b_field()},
                              stop_fields("rad"),
                              friction_fields(true, false, true)),
                Spaces::both,
                {.symbol = "pin", .has_angle = true}},
    .planar = {.frames = &point_frames,
               .expand = pin_rows,
               .mobility = [](const Element&) -> PlaneFreedoms { return {.turns = true}; },
               .coordinates = {"angle"}},
    .spatial = {.frames = &axis_frames,
                .expand = pin_rows,
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::turn, Vec3::UnitZ(), "angle"}}};
                },
                .coordinates = {"angle"}},
    .check = &check_switched_joint,
};

}  // namespace driftless
