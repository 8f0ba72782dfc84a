// Translational spring–damper–actuator: the law (1) of spring_law.hpp along the line between two points.
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {
std::vector<FieldSpec> tsda_fields() {
  std::vector<FieldSpec> all = {{"a", FieldKind::point, true, {}, "", "one end", {}},
                                {"b", FieldKind::point, true, {}, "", "other end", {}}};
  for (auto& field : spring_law_fields("free_length", "m", "N")) all.push_back(field);
  return all;
}
template <int D>
void compile_tsda(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  add_force(Tsda<D>{model.point(force.get<PointRef>("a")), model.point(force.get<PointRef>("b")),
                    spring_law(force, "free_length")},
            forces);
}
}  // namespace

extern const ForceRecord tsda_force;
const ForceRecord tsda_force = {
    .element = {"tsda", "translational spring, damper and actuator between two points", tsda_fields()},
    .compile_planar = &compile_tsda,
    .compile_spatial = &compile_tsda,
    .readings = "length (or angle), its rate, or the effort that pulls the ends together",
    .planar_readings = reading_names<Tsda<2>>(),
    .spatial_readings = reading_names<Tsda<3>>(),
};

}  // namespace driftless
