// Angle driver: θ_b − θ_a = f(t).   block (4), 1 row
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord angle_driver_joint;
const JointRecord angle_driver_joint = {
    .element = {"angle",
                "prescribed angle of one body against another",
                {body_field("a", "reference body"),
                 body_field("b", "driven body"),
                 {"function", FieldKind::function, true, {}, "rad", "angle over time", {}}}},
    .expand_planar =
        [](const Element& driver, PlanarConstraintSink& sink) {
          sink.add_relative_angle(sink.body(driver.get<std::string>("a")),
                                  sink.body(driver.get<std::string>("b")),
                                  driver.get<TimeFunction>("function"), "angle");
        },
};

}  // namespace driftless
