// Torque on a body, with its reaction on another: torque.hpp.
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

std::string reaction_body(const Element& force) {
  return force.has("reaction_on") ? force.get<std::string>("reaction_on") : "ground";
}

FieldSpec in_space(FieldSpec field, Spaces spaces) {
  field.spaces = spaces;
  return field;
}

template <int D>
void compile_torque(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  int body = 0;
  if (force.has("at")) {
    body = model.point(force.get<PointRef>("at")).body;
    model.needs_attitude(body);
  } else {
    body = model.turning_body(force.get<std::string>("body"));
  }
  Torque<D> torque;
  torque.body = body;
  torque.reaction = model.turning_body(reaction_body(force));
  if constexpr (D == 2) {
    torque.components[0] = force.get<TimeFunction>("torque");
  } else {
    torque.components = functions_of<3>(force, "torque");
    torque.body_axes = in_body_axes(force);
  }
  torque.laws = laws_of<D>(torque.components, model);
  add_force(torque, forces);
}

}  // namespace

extern const ForceRecord torque_force;
const ForceRecord torque_force = {
    .element =
        {"torque",
         "torque on a body",
         {{"body", FieldKind::body, true, {}, "", "the body it turns", {}},
          {"at",
           FieldKind::point,
           false,
           {},
           "",
           "where it acts: a point of a flexible body, whose section there it turns",
           {}},
          {"reaction_on",
           FieldKind::body,
           false,
           FieldValue(std::string("ground")),
           "",
           "the body that takes the reaction",
           {}},
          {"torque", FieldKind::function, true, {}, "N m", "torque over time", {}, Spaces::planar, true},
          {"torque",
           FieldKind::vector_function,
           true,
           {},
           "N m",
           "components over time",
           {},
           Spaces::spatial,
           true},
          in_space(frame_field(), Spaces::spatial)}},
    .compile_planar = &compile_torque,
    .compile_spatial = &compile_torque,
    .check = [](const Element& force, const Model&) -> std::vector<Complaint> {
      if (!force.has("at") || force.get<PointRef>("at").body == force.get<std::string>("body")) return {};
      return {{"at", "a point of \"body\"", "a point of another", ""}};
    },
};

}  // namespace driftless
