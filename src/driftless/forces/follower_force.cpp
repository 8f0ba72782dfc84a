// Follower force: along a direction fixed in the body, of a magnitude that depends on time; (4) of planar_forces.hpp and
// spatial_forces.hpp.
#include "driftless/forces/force_record.hpp"

namespace driftless {

extern const ForceRecord follower_force_force;
const ForceRecord follower_force_force = {
    .element = {"follower-force",
                "force along a direction of the body, such as a thrust",
                {{"at", FieldKind::point, true, {}, "", "where it acts", {}},
                 {"direction",
                  FieldKind::direction,
                  true,
                  {},
                  "",
                  "direction in the frame of the body it acts on",
                  {},
                  Spaces::planar},
                 {"direction",
                  FieldKind::axis,
                  true,
                  {},
                  "",
                  "direction, fixed in the body it acts on",
                  {},
                  Spaces::spatial},
                 {"magnitude", FieldKind::function, true, {}, "N", "magnitude over time", {}}}},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          sink.add(FollowerForce{sink.point(force.get<PointRef>("at")),
                                 force.get<Vec3>("direction").head<2>().stableNormalized(),
                                 force.get<TimeFunction>("magnitude")});
        },
    .compile_spatial =
        [](const Element& force, SpatialExpansion& model, SpatialForces& forces) {
          const SpatialPoint at = model.point(force.get<PointRef>("at"));
          const SpatialDirection along = model.direction(force.get<DirectionRef>("direction"), at.body);
          std::get<std::vector<SpatialFollowerForce>>(forces).push_back(
              {at, model.carried(along, at.body).u, force.get<TimeFunction>("magnitude")});
        },
};

}  // namespace driftless
