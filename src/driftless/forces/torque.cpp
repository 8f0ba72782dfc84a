// Torque on a body, with its reaction on another: (5) of planar_forces.hpp and spatial_forces.hpp.
#include "driftless/forces/force_record.hpp"

namespace driftless {

void Torque::apply(const PlanarView& view, Resultant* on) const {
  const double value = torque(view.t);
  on[body][2] += value;
  on[reaction][2] -= value;
}

namespace {

std::string reaction_body(const Element& force) {
  return force.has("reaction_on") ? force.get<std::string>("reaction_on") : "ground";
}

FieldSpec in_space(FieldSpec field, Spaces spaces) {
  field.spaces = spaces;
  return field;
}

}  // namespace

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
                 {"torque", FieldKind::function, true, {}, "N m", "torque over time", {}, Spaces::planar},
                 {"torque",
                  FieldKind::vector_function,
                  true,
                  {},
                  "N m",
                  "components over time",
                  {},
                  Spaces::spatial},
                 in_space(frame_field(), Spaces::spatial)}},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          sink.add(Torque{sink.body(force.get<std::string>("body")), sink.body(reaction_body(force)),
                          force.get<TimeFunction>("torque")});
        },
    .compile_spatial =
        [](const Element& force, SpatialExpansion& model, SpatialForces& forces) {
          const auto& f = force.get<std::vector<TimeFunction>>("torque");
          std::get<std::vector<SpatialTorque>>(forces).push_back({model.body(force.get<std::string>("body")),
                                                                  model.body(reaction_body(force)),
                                                                  {f[0], f[1], f[2]},
                                                                  in_body_axes(force)});
        },
};

}  // namespace driftless
