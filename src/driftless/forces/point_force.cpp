// Force at a point (4) of planar_forces.hpp. In body axes it follows the body, in world axes it keeps its direction.
#include "driftless/forces/force_record.hpp"

namespace driftless {

Planar<double> PointForce::force(const PlanarView& view) const {
  const Vec2 given(x(view.t), y(view.t));
  return body_axes ? view.frames[at.body].turn(given) : Planar<double>{given.x(), given.y()};
}

extern const ForceRecord point_force_force;
const ForceRecord point_force_force = {
    .element = {"point-force",
                "force at a point of a body",
                {{"at", FieldKind::point, true, {}, "", "where it acts", {}},
                 {"force", FieldKind::vector_function, true, {}, "N", "components over time", {}},
                 {"frame",
                  FieldKind::choice,
                  false,
                  FieldValue(std::string("world")),
                  "",
                  "axes of the components: world keeps its direction, body turns with the body",
                  {"world", "body"}}}},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          const auto& f = force.get<std::vector<TimeFunction>>("force");
          const bool body_axes = force.has("frame") && force.get<std::string>("frame") == "body";
          sink.add(PointForce{sink.point(force.get<PointRef>("at")), f[0], f[1], body_axes});
        },
};

}  // namespace driftless
