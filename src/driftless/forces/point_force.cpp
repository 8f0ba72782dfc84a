// Force at a point: (3) of planar_forces.hpp and spatial_forces.hpp. In body axes it follows the body, in world axes it
// keeps its direction.
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
                 frame_field()}},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          const auto& f = force.get<std::vector<TimeFunction>>("force");
          sink.add(PointForce{sink.point(force.get<PointRef>("at")), f[0], f[1], in_body_axes(force)});
        },
    .compile_spatial =
        [](const Element& force, SpatialExpansion& model, SpatialForces& forces) {
          const auto& f = force.get<std::vector<TimeFunction>>("force");
          std::get<std::vector<SpatialPointForce>>(forces).push_back(
              {model.point(force.get<PointRef>("at")), {f[0], f[1], f[2]}, in_body_axes(force)});
        },
};

}  // namespace driftless
