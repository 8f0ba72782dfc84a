// Translational spring–damper–actuator: the law (1) of spring_law.hpp along the line between two points, or on a joint's displacement.
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {
std::vector<FieldSpec> tsda_fields() {
  std::vector<FieldSpec> all = {
      {"a", FieldKind::point, false, {}, "", "one end", {}},
      {"b", FieldKind::point, false, {}, "", "other end", {}},
      {"joint", FieldKind::joint, false, {}, "", "instead: a joint whose displacement it acts on", {}}};
  for (auto& field : spring_law_fields("free_length", "m", "N")) all.push_back(field);
  return all;
}
template <int D>
void compile_tsda(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  Tsda<D> out{{spring_effort<D>(force, "free_length", model)}};
  if (force.has("joint")) {
    const auto& [F, M] = model.joint_frames(force.get<std::string>("joint"));
    model.needs_attitude(F.origin.body);
    out.a = F.origin;
    out.b = M.origin;
    out.on_joint = true;
    out.axis = F.axes.col(F.kSlide);
  } else {
    out.a = model.point(force.get<PointRef>("a"));
    out.b = model.point(force.get<PointRef>("b"));
  }
  add_force(out, forces);
}

std::vector<Complaint> check_tsda(const Element& force, const Model&) {
  std::vector<Complaint> complaints;
  for (const char* name : {"a", "b"}) {
    if (force.has("joint") && force.has(name))
      complaints.push_back({name, "nothing beside \"joint\"", "a value", "the joint says what slides"});
    if (!force.has("joint") && !force.has(name))
      complaints.push_back({name, "two points \"a\" and \"b\", or a \"joint\"", "nothing", ""});
  }
  return complaints;
}
}  // namespace

extern const ForceRecord tsda_force;
const ForceRecord tsda_force = {
    .element = {"tsda",
                "translational spring, damper and actuator between two points or on a joint",
                tsda_fields(),
                Spaces::both,
                {.symbol = "coil"}},
    .compile_planar = &compile_tsda,
    .compile_spatial = &compile_tsda,
    .readings = "length (or angle), its rate, or the effort that pulls the ends together",
    .planar_readings = reading_names<Tsda<2>>(),
    .spatial_readings = reading_names<Tsda<3>>(),
    .check = &check_tsda,
    .joint_coordinate = "displacement",
};

}  // namespace driftless
