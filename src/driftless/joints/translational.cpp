// Translational joint: the second body slides along an axis of the first without turning against it.
//   planar   u⊥·(p_b − p_a) = 0,  θ_b − θ_a = angle                     2 rows
//   spatial  the point on the axis, the bodies parallel as drawn         2 + 2 + 1 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto slider_rows = [](const Element& joint, const auto& frames, auto& model) {
  model.add_on_axis(frames.first, frames.second.origin);
  keep_attitude(joint, frames, model);
};

}  // namespace

extern const JointRecord translational_joint;
const JointRecord translational_joint = {
    .element = {"translational",
                "slider: the second body moves along an axis of the first and does not turn against it",
                with_switched({point_field("a", "point of the axis, on the first body"), axis_field(),
                               spatial_axis_field("direction of travel, in the frame of the first body"),
                               point_field("b", "point on the second body that stays on the axis"),
                               relative_angle_field(), spatial_axis_b_field()},
                              stop_fields("m"),
                              friction_fields(false, true, true)),
                Spaces::both,
                {.symbol = "slider"}},
    .planar = {.frames = &axis_frames,
               .expand = slider_rows,
               .mobility = [](const Element& joint) -> PlaneFreedoms {
                 return {.slides = true, .angle = joint.number("angle", 0)};
               },
               .coordinates = {"displacement"},
               .axes_on_first = true},
    .spatial = {.frames = &axis_frames,
                .expand = slider_rows,
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::slide, Vec3::UnitZ(), "displacement"}}};
                },
                .coordinates = {"displacement"}},
    .check = &check_switched_joint,
};

}  // namespace driftless
