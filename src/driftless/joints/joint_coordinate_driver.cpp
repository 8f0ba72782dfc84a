// Joint-coordinate driver: the angle or the displacement of a joint is f(t).   1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord joint_coordinate_driver_joint;
const JointRecord joint_coordinate_driver_joint = {
    .element = {"joint-coordinate",
                "prescribed angle or displacement of a joint",
                {{"joint", FieldKind::joint, true, {}, "", "the driven joint", {}},
                 coordinate_field("coordinate"),
                 {"function", FieldKind::function, true, {}, "rad or m", "coordinate over time", {}}}},
    .expand_planar =
        [](const Element& driver, PlanarConstraintSink& sink) {
          const Element& joint = joint_called(driver.get<std::string>("joint"), sink.model());
          record_of_joint(joint).coordinate_planar(joint, driver.get<TimeFunction>("function"), sink);
        },
    .spatial = {.frames = [](const Element& driver, const SpatialExpansion& model) -> JointFrames {
                  return frames_of(driver.get<std::string>("joint"), model);
                },
                .expand =
                    [](const Element& driver, const JointFrames& frames, SpatialExpansion& model) {
                      const auto& [F, M] = frames;
                      const auto& f = driver.get<TimeFunction>("function");
                      if (chosen_coordinate(driver, "joint", "coordinate", model.model()) == "angle")
                        return model.add_angle(F, M, f, "angle");
                      model.add_along(F, 2, M.origin, f, "displacement");
                    }},
    .check = [](const Element& driver, const Model& model) -> std::vector<Complaint> {
      return check_coordinate(driver, "joint", "coordinate", model);
    },
};

}  // namespace driftless
