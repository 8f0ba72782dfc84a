// Distance driver: |p_b − p_a| = f(t) > 0, driven_distance.hpp (1).   1 row
#include <fmt/format.h>

#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

constexpr auto cylinder_row = [](const Element& driver, const auto& frames, auto& model) {
  markers::DrivenDistance<dimension_of<decltype(model)>> row;
  row.x = {model.mark(frames.first.origin), model.mark(frames.second.origin)};
  row.f = driver.get<TimeFunction>("function");
  model.add(row, {"distance"});
};

}  // namespace

extern const JointRecord distance_driver_joint;
const JointRecord distance_driver_joint = {
    .element = {"distance",
                "prescribed distance of two points: a hydraulic cylinder",
                {point_field("a", "point on the first body"),
                 point_field("b", "point on the second body"),
                 {"function", FieldKind::function, true, {}, "m", "distance over time, > 0", {}}}},
    .planar = {.frames = &point_frames, .expand = cylinder_row},
    .spatial = {.frames = &point_frames, .expand = cylinder_row},
    .check = [](const Element& driver, const Model&) -> std::vector<Complaint> {
      const double start = driver.get<TimeFunction>("function")(0);
      if (start > 0) return {};
      return {{"function", "a distance, > 0", fmt::format("{:g} at t = 0", start), ""}};
    },
};

}  // namespace driftless
