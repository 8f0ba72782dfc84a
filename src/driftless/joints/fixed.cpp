// Fixed joint: two bodies are welded together.   planar 3 rows, spatial 3 + 2 + 1 rows
// Spatial: the bodies keep the attitude to each other they have in the initial position; where two directions are given
// that shall be parallel, the nearest one that makes them so.
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto weld_rows = [](const Element& joint, const auto& frames, auto& model) {
  model.add_coincident(frames.first.origin, frames.second.origin);
  keep_attitude(joint, frames, model);
};

}  // namespace

extern const JointRecord fixed_joint;
const JointRecord fixed_joint = {
    .element = {"fixed",
                "weld: two points coincide and the bodies keep their attitude to each other",
                {point_field("a", "point on the first body"), point_field("b", "point on the second body"),
                 relative_angle_field(),
                 spatial_axis_field(
                     "direction of the first body, in its frame, that is parallel to axis_b", "axis", false),
                 spatial_axis_field("direction of the second body, in its frame, that is parallel to axis",
                                    "axis_b",
                                    false)},
                Spaces::both,
                {.symbol = "fixed"}},
    .planar = {.frames = &point_frames,
               .expand = weld_rows,
               .mobility = [](const Element& joint) -> PlaneFreedoms {
                 return {.angle = joint.number("angle", 0)};
               }},
    .spatial = {.frames =
                    [](const Element& joint, const Expansion<3>& model) {
                      return joint.has("axis") ? axis_frames(joint, model) : point_frames(joint, model);
                    },
                .expand = weld_rows,
                .mobility = [](const Element&) -> SpatialMobility { return {}; }},
    .check = [](const Element& joint, const Model&) -> std::vector<Complaint> {
      if (!joint.has("axis_b") || joint.has("axis")) return {};
      return {{"axis_b", "a field 'axis' besides", "'axis_b' alone", "give the direction it is parallel to"}};
    },
};

}  // namespace driftless
