// Torque on a body, with its reaction on another: (5) of planar_forces.hpp.
#include "driftless/forces/force_record.hpp"

namespace driftless {

void Torque::apply(const PlanarView& view, Resultant* on) const {
  const double value = torque(view.t);
  on[body][2] += value;
  on[reaction][2] -= value;
}

extern const ForceRecord torque_force;
const ForceRecord torque_force = {
    .element = {"torque",
                "torque on a body",
                {{"body", FieldKind::body, true, {}, "", "the body it turns", {}},
                 {"reaction_on",
                  FieldKind::body,
                  false,
                  FieldValue(std::string("ground")),
                  "",
                  "the body that takes the reaction",
                  {}},
                 {"torque", FieldKind::function, true, {}, "N m", "torque over time", {}}}},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          const int reaction =
              sink.body(force.has("reaction_on") ? force.get<std::string>("reaction_on") : "ground");
          sink.add(
              Torque{sink.body(force.get<std::string>("body")), reaction, force.get<TimeFunction>("torque")});
        },
};

}  // namespace driftless
