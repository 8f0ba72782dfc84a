// Rotational spring–damper–actuator: the law (1) of planar_forces.hpp on the angle between two bodies (3).
#include "driftless/forces/force_record.hpp"

namespace driftless {

void Rsda::apply(const PlanarView& view, Resultant* on) const {
  const double effort = law.force(angle(view), rate(view), view.t);
  on[a][2] += effort;
  on[b][2] -= effort;
}

namespace {
std::vector<FieldSpec> fields() {
  std::vector<FieldSpec> all = {{"a", FieldKind::body, true, {}, "", "one body", {}},
                                {"b", FieldKind::body, true, {}, "", "other body", {}}};
  for (auto& field : spring_law_fields("free_angle", "rad", "N m")) all.push_back(field);
  return all;
}
}  // namespace

extern const ForceRecord rsda_force;
const ForceRecord rsda_force = {
    .element = {"rsda", "rotational spring, damper and actuator between two bodies", fields()},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          sink.add(Rsda{sink.body(force.get<std::string>("a")), sink.body(force.get<std::string>("b")),
                        spring_law(force, "free_angle")});
        },
};

}  // namespace driftless
