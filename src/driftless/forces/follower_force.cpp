// Follower force: along a direction fixed in the body, of a magnitude that depends on time; follower_force.hpp.
#include "driftless/forces/force_readings.hpp"
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

template <int D>
void compile_follower_force(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  const PointOf<D> at = model.point(force.get<PointRef>("at"));
  FollowerForce<D> out;
  out.at = at;
  out.direction = direction_on(at.body, force, "direction", model);
  out.magnitude = force.get<TimeFunction>("magnitude");
  out.laws = laws_of<D>({&out.magnitude, 1}, model);
  add_force(out, forces);
}

}  // namespace

extern const ForceRecord follower_force_force;
const ForceRecord follower_force_force = {
    .element =
        {"follower-force",
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
          {"magnitude", FieldKind::function, true, {}, "N", "magnitude over time", {}, Spaces::both, true}}},
    .compile_planar = &compile_follower_force,
    .compile_spatial = &compile_follower_force,
    .readings = "its components in world axes",
    .planar_readings = force_readings<2>(),
    .spatial_readings = force_readings<3>(),
};

}  // namespace driftless
