// Force at a point: point_force.hpp. In body axes it follows the body, in world axes it
// keeps its direction.
#include "driftless/forces/force_readings.hpp"
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

template <int D>
void compile_point_force(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  const PointOf<D> at = model.point(force.get<PointRef>("at"));
  if (in_body_axes(force)) model.needs_attitude(at.body);
  PointForce<D> out;
  out.at = at;
  out.components = functions_of<D>(force, "force");
  out.body_axes = in_body_axes(force);
  out.laws = laws_of<D>(out.components, model);
  add_force(out, forces);
}

}  // namespace

extern const ForceRecord point_force_force;
const ForceRecord point_force_force = {
    .element = {"point-force",
                "force at a point of a body",
                {{"at", FieldKind::point, true, {}, "", "where it acts", {}},
                 {"force",
                  FieldKind::vector_function,
                  true,
                  {},
                  "N",
                  "components over time",
                  {},
                  Spaces::both,
                  true},
                 frame_field()}},
    .compile_planar = &compile_point_force,
    .compile_spatial = &compile_point_force,
    .readings = "its components in world axes",
    .planar_readings = force_readings<2>(),
    .spatial_readings = force_readings<3>(),
};

}  // namespace driftless
