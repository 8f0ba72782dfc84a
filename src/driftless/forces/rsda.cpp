// Rotational spring–damper–actuator: the law (1) of spring_law.hpp on the angle between two bodies, or of a joint.
//   planar    s = θ_b − θ_a
//   spatial   s = angle of x_b from x_a about z_a, where z_a is the axis and x_b = x_a in the initial position; for a joint
//             its own angle. It counts whole turns.
#include "driftless/forces/force_record.hpp"

namespace driftless {

void Rsda::apply(const PlanarView& view, Resultant* on) const {
  const double effort = law.force(angle(view), rate(view), view.t);
  on[a][2] += effort;
  on[b][2] -= effort;
}

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
  const int a = model.body(force.get<std::string>("a")), b = model.body(force.get<std::string>("b"));
  const JointFrame first =
      model.frame({a, Vec3::Zero()}, model.direction(force.get<DirectionRef>("axis"), a));
  return {first, model.aligned({b, Vec3::Zero()}, first)};
}

}  // namespace

extern const ForceRecord rsda_force;
const ForceRecord rsda_force = {
    .element = {"rsda", "rotational spring, damper and actuator between two bodies or on a joint",
                rsda_fields()},
    .compile_planar =
        [](const Element& force, PlanarForceSink& sink) {
          const auto [a, b] = force.has("joint") ? sink.joint_bodies(force.get<std::string>("joint"))
                                                 : std::pair(sink.body(force.get<std::string>("a")),
                                                             sink.body(force.get<std::string>("b")));
          sink.add(Rsda{a, b, spring_law(force, "free_angle")});
        },
    .compile_spatial =
        [](const Element& force, SpatialExpansion& model, SpatialForces& forces) {
          const auto [a, b] = frames(force, model);
          const int scalar = model.angle(a, b, "angle");
          std::get<std::vector<ScalarSpring>>(forces).push_back({scalar, spring_law(force, "free_angle")});
        },
    .check = &check_rsda,
};

}  // namespace driftless
