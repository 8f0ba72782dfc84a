// Path driver: a point of the second body follows (x(t), y(t)) in the frame of the first.   block (6), 2 rows
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord path_driver_joint;
const JointRecord path_driver_joint = {
    .element = {"path",
                "prescribed path of a point",
                {point_field("a", "origin of the path, on the reference body"),
                 point_field("b", "driven point"),
                 {"function",
                  FieldKind::vector_function,
                  true,
                  {},
                  "m",
                  "x and y over time, in the axes of the reference body",
                  {}}}},
    .expand_planar =
        [](const Element& driver, PlanarConstraintSink& sink) {
          const auto& f = driver.get<std::vector<TimeFunction>>("function");
          sink.add(
              Path{sink.point(driver.get<PointRef>("a")), sink.point(driver.get<PointRef>("b")), f[0], f[1]},
              {"x", "y"});
        },
};

}  // namespace driftless
