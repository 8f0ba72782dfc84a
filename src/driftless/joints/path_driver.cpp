// Path driver: a point of the second body follows a path in the frame of the first.   planar 2 rows, spatial 3
//   p_b − p_a = Σ e_k f_k(t)
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
                  "coordinates over time, one function each, in the axes of the reference body",
                  {}}}},
    .expand_planar =
        [](const Element& driver, PlanarConstraintSink& sink) {
          const auto& f = driver.get<std::vector<TimeFunction>>("function");
          sink.add(
              Path{sink.point(driver.get<PointRef>("a")), sink.point(driver.get<PointRef>("b")), f[0], f[1]},
              {"x", "y"});
        },
    .spatial = {.frames = &point_frames,
                .expand =
                    [](const Element& driver, const JointFrames& frames, SpatialExpansion& model) {
                      const auto& [F, M] = frames;
                      const auto& f = driver.get<std::vector<TimeFunction>>("function");
                      markers::Follow<3, 0> path;
                      path.x = {model.mark(F.origin), model.mark(M.origin), model.axis(F, 0),
                                model.axis(F, 1), model.axis(F, 2)};
                      path.curve = {f[0], f[1], f[2]};
                      model.add(path, {"x", "y", "z"});
                    }},
};

}  // namespace driftless
