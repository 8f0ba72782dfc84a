// Truss bar between two points: truss.hpp.
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

template <int D>
void compile_truss(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  const PointOf<D> a = model.point(force.get<PointRef>("a")), b = model.point(force.get<PointRef>("b"));
  const double drawn = (model.place(b) - model.place(a)).norm();
  add_force(
      Truss<D>{a, b, force.get<double>("stiffness"), force.number("free_length", drawn > 0 ? drawn : 1)},
      forces);
}

}  // namespace

extern const ForceRecord truss_force;
const ForceRecord truss_force = {
    .element =
        {"truss",
         "elastic bar between two points, Green's strain",
         {{"a", FieldKind::point, true, {}, "", "one end", {}},
          {"b", FieldKind::point, true, {}, "", "other end", {}},
          {"stiffness", FieldKind::positive, true, {}, "N", "EA", {}},
          {"free_length", FieldKind::positive, false, {}, "m", "without strain; default: as drawn", {}}}},
    .compile_planar = &compile_truss,
    .compile_spatial = &compile_truss,
    .readings = "length, strain, or the force that pulls the ends together",
    .planar_readings = reading_names<Truss<2>>(),
    .spatial_readings = reading_names<Truss<3>>(),
};

}  // namespace driftless
