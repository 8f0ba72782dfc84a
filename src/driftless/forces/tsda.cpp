// Translational spring–damper–actuator: the law (1) of spring_law.hpp along the line between two points.
#include <cmath>

#include "driftless/forces/force_record.hpp"

namespace driftless {

Tsda::Stretch Tsda::stretch(const PlanarView& view) const {
  const auto d = view.place(b) - view.place(a);
  const double length = std::sqrt(d.dot(d));
  // Where the ends meet the line has no direction and the element exerts no force.
  const auto unit = length > 0 ? d * (1 / length) : Planar<double>{0, 0};
  return {unit, length, unit.dot(view.velocity(b) - view.velocity(a))};
}

void Tsda::apply(const PlanarView& view, Resultant* on) const {
  const Stretch s = stretch(view);
  const auto pull = s.unit * law.force(s.length, s.rate, view.t);
  push(on[a.body], pull, view.arm(a));
  push(on[b.body], pull * -1.0, view.arm(b));
}

double Tsda::power(const PlanarView& view) const {
  const Stretch s = stretch(view);
  return law.power(s.length, s.rate, view.t);
}

namespace {
std::vector<FieldSpec> tsda_fields() {
  std::vector<FieldSpec> all = {{"a", FieldKind::point, true, {}, "", "one end", {}},
                                {"b", FieldKind::point, true, {}, "", "other end", {}}};
  for (auto& field : spring_law_fields("free_length", "m", "N")) all.push_back(field);
  return all;
}
}  // namespace

extern const ForceRecord tsda_force;
const ForceRecord tsda_force = {
    .element = {"tsda", "translational spring, damper and actuator between two points", tsda_fields()},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          sink.add(Tsda{sink.point(force.get<PointRef>("a")), sink.point(force.get<PointRef>("b")),
                        spring_law(force, "free_length")});
        },
    .compile_spatial =
        [](const Element& force, SpatialExpansion& model, SpatialForces& forces) {
          std::get<std::vector<SpatialTsda>>(forces).push_back({model.point(force.get<PointRef>("a")),
                                                                model.point(force.get<PointRef>("b")),
                                                                spring_law(force, "free_length")});
        },
};

}  // namespace driftless
