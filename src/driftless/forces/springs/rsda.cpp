// Rotational spring–damper–actuator: the law (1) of spring_law.hpp on the angle between two bodies, or of a joint.
//   planar    s = θ_b − θ_a
//   spatial   s = angle of x_b from x_a about z_a, where z_a is the axis and x_b = x_a in the initial position; for a joint
//             its own angle. It counts whole turns.
#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

std::vector<FieldSpec> rsda_fields() {
  std::vector<FieldSpec> all = {
      {"a", FieldKind::body, false, {}, "", "one body", {}},
      {"b", FieldKind::body, false, {}, "", "other body", {}},
      {"axis", FieldKind::axis, false, {}, "", "axis of the angle, fixed in a", {}, Spaces::spatial},
      {"joint", FieldKind::joint, false, {}, "", "instead: a joint whose angle it acts on", {}}};
  for (auto& field : spring_law_fields("free_angle", "rad", "N m")) all.push_back(field);
  return all;
}

std::vector<Complaint> check_rsda(const Element& force, const Model& model) {
  const bool planar = model.space == Space::planar;
  std::vector<Complaint> complaints;
  const bool on_joint = force.has("joint");
  for (const char* name : {"a", "b", "axis"}) {
    if (name == std::string("axis") && planar) continue;
    if (on_joint && force.has(name))
      complaints.push_back({name, "nothing beside \"joint\"", "a value", "the joint says what turns"});
    if (!on_joint && !force.has(name))
      complaints.push_back({name,
                            planar ? "two bodies \"a\" and \"b\", or a \"joint\""
                                   : "two bodies \"a\" and \"b\" and an \"axis\", or a \"joint\"",
                            "nothing", ""});
  }
  return complaints;
}

std::pair<JointFrame, JointFrame> frames(const Element& force, const SpatialExpansion& model) {
  if (force.has("joint")) return model.joint_frames(force.get<std::string>("joint"));
  const int a = model.turning_body(force.get<std::string>("a")),
            b = model.turning_body(force.get<std::string>("b"));
  const JointFrame first =
      model.frame({a, Vec3::Zero()}, model.direction(force.get<DirectionRef>("axis"), a));
  return {first, model.aligned({b, Vec3::Zero()}, first)};
}

void compile_rsda(const Element& force, Expansion<2>& model, Forces<2>& forces) {
  CountedAngle<2> angle;
  if (force.has("joint")) {
    const auto& [F, M] = model.joint_frames(force.get<std::string>("joint"));
    angle = {F.origin.body, M.origin.body};
  } else {
    angle = {model.turning_body(force.get<std::string>("a")),
             model.turning_body(force.get<std::string>("b"))};
  }
  count_turns(angle.a, angle.b, model);
  add_force(Rsda<2>{{spring_effort<2>(force, "free_angle", model)}, angle}, forces);
}

void compile_rsda(const Element& force, Expansion<3>& model, Forces<3>& forces) {
  const auto [a, b] = frames(force, model);
  const CountedAngle<3> angle = {model.angle(a, b, "angle")};
  add_force(Rsda<3>{{spring_effort<3>(force, "free_angle", model)}, angle}, forces);
}

}  // namespace

extern const ForceRecord rsda_force;
const ForceRecord rsda_force = {
    .element = {"rsda",
                "rotational spring, damper and actuator between two bodies or on a joint",
                rsda_fields(),
                Spaces::both,
                {.symbol = "torsion"}},
    .compile_planar = &compile_rsda,
    .compile_spatial = &compile_rsda,
    .readings = "length (or angle), its rate, or the effort that pulls the ends together",
    .planar_readings = reading_names<Rsda<2>>(),
    .spatial_readings = reading_names<Rsda<3>>(),
    .check = &check_rsda,
};

}  // namespace driftless
