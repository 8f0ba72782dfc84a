// Linear spring between two points: tsda.hpp without anything else. V = ½k(l − l0)² has a discrete gradient of its own,
// (1) of coordinates/flexible/conserving_system.hpp, by which conserving schemes keep the energy.   Hoitink 2011, (2.5), (4.44)
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

template <int D>
void compile_axial_spring(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  Tsda<D> spring;
  spring.a = model.point(force.get<PointRef>("a"));
  spring.b = model.point(force.get<PointRef>("b"));
  spring.effort.law.stiffness = force.get<double>("stiffness");
  spring.effort.law.free =
      force.number("free_length", (model.place(spring.b) - model.place(spring.a)).norm());
  add_force(spring, forces);
}

}  // namespace

extern const ForceRecord axial_spring_force;
const ForceRecord axial_spring_force = {
    .element =
        {"axial-spring",
         "linear spring between two points, for chains of point masses",
         {{"a", FieldKind::point, true, {}, "", "one end", {}},
          {"b", FieldKind::point, true, {}, "", "other end", {}},
          {"stiffness", FieldKind::positive, true, {}, "N/m", "spring rate; of a bar EA/l", {}},
          {"free_length", FieldKind::non_negative, false, {}, "m", "without force; default: as drawn", {}}}},
    .compile_planar = &compile_axial_spring,
    .compile_spatial = &compile_axial_spring,
    .readings = "length, its rate, or the force that pulls the ends together",
    .planar_readings = reading_names<Tsda<2>>(),
    .spatial_readings = reading_names<Tsda<3>>(),
};

}  // namespace driftless
