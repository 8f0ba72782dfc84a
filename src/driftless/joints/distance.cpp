// Distance joint: a massless rod between two points.   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto rod_row = [](const Element& joint, const auto& frames, auto& model) {
  markers::Distance<dimension_of<decltype(model)>> rod;
  rod.x = {model.mark(frames.first.origin), model.mark(frames.second.origin)};
  rod.length = joint.get<double>("length");
  model.add(rod, {"length"});
};

}  // namespace

extern const JointRecord distance_joint;
const JointRecord distance_joint = {
    .element = {"distance",
                "massless rod: two points keep their distance",
                {point_field("a", "point on the first body"),
                 point_field("b", "point on the second body"),
                 {"length", FieldKind::positive, true, {}, "m", "length of the rod", {}}},
                Spaces::both,
                {.symbol = "distance"}},
    .planar = {.frames = &point_frames, .expand = rod_row},
    .spatial = {.frames = &point_frames, .expand = rod_row},
};

}  // namespace driftless
