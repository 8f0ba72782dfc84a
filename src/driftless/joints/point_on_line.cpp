// Point on a line (pin in a slot): a point of the second body stays on a straight line of the first, free to slide and
// to turn.   planar 1 row: u⊥·(p_b − p_a) = 0, spatial 2 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto slot_rows = [](const Element&, const auto& frames, auto& model) {
  model.add_on_axis(frames.first, frames.second.origin);
};

}  // namespace

extern const JointRecord point_on_line_joint;
const JointRecord point_on_line_joint = {
    .element = {"point-on-line",
                "pin in a slot: a point of the second body stays on a line of the first",
                with_switched({point_field("a", "point of the line, on the first body"), axis_field(),
                               spatial_axis_field("direction of the line, in the frame of the first body"),
                               point_field("b", "point on the second body that stays on the line")},
                              stop_fields("m")),
                Spaces::both,
                {.symbol = "slider"}},
    .planar = {.frames = &axis_frames,
               .expand = slot_rows,
               .mobility = [](const Element&) -> PlaneFreedoms { return {.slides = true, .turns = true}; },
               .coordinates = {"displacement"},
               .axes_on_first = true},
    .spatial = {.frames = &axis_frames,
                .expand = slot_rows,
                .mobility = [](const Element&) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::slide, Vec3::UnitZ(), "displacement"},
                           {ElementaryMotion::Kind::ball, Vec3::Zero(), "rotation"}}};
                },
                .coordinates = {"displacement"}},
    .check = &check_switched_joint,
};

}  // namespace driftless
