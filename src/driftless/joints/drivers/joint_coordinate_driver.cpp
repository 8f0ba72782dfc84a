// Joint-coordinate driver: the angle or the displacement of a joint is f(t).   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto coordinate_row = [](const Element& driver, const auto& frames, auto& model) {
  const auto& [F, M] = frames;
  const auto& f = driver.get<TimeFunction>("function");
  if (chosen_coordinate(driver, "joint", "coordinate", model.model()) == "angle")
    return model.add_angle(F, M, f, "angle");
  model.add_along(F, F.kSlide, M.origin, f, "displacement");
};

// It sits where its joint does.
template <int D>
JointFramesOf<D> driven_frames(const Element& driver, const Expansion<D>& model) {
  return frames_of(driver.get<std::string>("joint"), model);
}

}  // namespace

extern const JointRecord joint_coordinate_driver_joint;
const JointRecord joint_coordinate_driver_joint = {
    .element = {"joint-coordinate",
                "prescribed angle or displacement of a joint",
                {{"joint", FieldKind::joint, true, {}, "", "the driven joint", {}},
                 coordinate_field("coordinate"),
                 {"function", FieldKind::function, true, {}, "rad or m", "coordinate over time", {}}}},
    .planar = {.frames = &driven_frames, .expand = coordinate_row},
    .spatial = {.frames = &driven_frames, .expand = coordinate_row},
    .check = [](const Element& driver, const Model& model) -> std::vector<Complaint> {
      return check_coordinate(driver, "joint", "coordinate", model);
    },
};

}  // namespace driftless
