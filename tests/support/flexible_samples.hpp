// Samples with flexible bodies for tests that go through all of something: meshes, joints and drivers with one or both bodies flexible,
// forces on sections.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "driftless/core/errors.hpp"

#include "support/flexible_models.hpp"
#include "support/spatial_samples.hpp"

namespace driftless::testing {

inline BeamSection sample_section() {
  BeamSection section;
  section.EA = 40;
  section.EIy = 2;
  section.EIz = 3;
  section.GJ = 1.5;
  section.rhoA = 0.7;
  section.rhoIy = 0.004;
  section.rhoIz = 0.006;
  return section;
}

// Straight, or branched and bent with a mass on a node.
inline FlexibleSpec sample_mesh(bool spatial, bool branched) {
  FlexibleSpec spec = straight_mesh(1, 3, sample_section());
  spec.rotary_inertia = spatial;
  if (!branched) return spec;
  spec.nodes = {Vec3(0, 0, 0), Vec3(0.5, 0.1, 0), Vec3(0.9, 0.6, spatial ? 0.2 : 0),
                Vec3(0.7, -0.3, spatial ? -0.1 : 0)};
  spec.elements = {{0, 1}, {1, 2}, {1, 3}};
  spec.masses = {{2, 0.3}};
  return spec;
}

inline Body sample_body(const std::string& name, const FlexibleSpec& spec, bool spatial, unsigned seed) {
  Random random(seed);
  Body body = flexible_body(name, spec);
  body.position = random.vector(0.5);
  body.velocity = random.vector(0.5);
  if (spatial) {
    body.orientation = random.quaternion();
    body.spin = random.vector(1);
  } else {
    body.position.z() = body.velocity.z() = 0;
    body.angle = random.number(-3, 3);
    body.angular_velocity = random.number(-1, 1);
  }
  return body;
}

inline Model one_flexible(const FlexibleSpec& spec, bool spatial) {
  Model model;
  model.space = spatial ? Space::spatial : Space::planar;
  model.gravity = Vec3(0.7, -9.81, spatial ? 1.3 : 0);
  model.bodies = {sample_body("beam", spec, spatial, 5)};
  return model;
}

// The start of a model bent and moving, by `scale` in every increment.
inline State bent_state(const DescriptorSystem& system, State state, unsigned seed, double scale) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Vec delta(system.layout().nv);
  for (auto& x : delta) x = scale * normal(random);
  for (auto& x : state.v) x = normal(random);
  system.retract(state.q, delta);
  return state;
}

struct FlexibleSample {
  Model model, rigid;  // the joint "sample" between flexible bodies, and between rigid ones
};

// Whether a set takes it: what turns a body as one refuses flexible ones.
inline bool compiles(const Model& model) {
  try {
    compile(model, "reference-point", model.name);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

inline FieldValue planar_field(const FieldSpec& field, Random& random) {
  const TimeFunction wave =
      time_function::Harmonic{.amplitude = 0.3, .frequency = 1.7, .phase = 0.4, .offset = 0.2};
  const std::string body = field.name == "b" || field.name == "rack" ? "two"
                           : field.name == "carrier"                 ? "three"
                                                                     : "one";
  switch (field.kind) {
    case FieldKind::positive:
    case FieldKind::non_negative:
      return random.number(0.5, 2);
    case FieldKind::boolean:
      return true;
    case FieldKind::choice:
      return field.choices.back();
    case FieldKind::body:
      return body;
    case FieldKind::joint:
      return std::string("pin");
    case FieldKind::point:
      return PointRef{body, "", Vec3(random.number(0, 1), random.number(-0.3, 0.3), 0)};
    case FieldKind::vector:
    case FieldKind::direction:
      return Vec3(random.number(0.2, 1), random.number(-1, 1), 0);
    case FieldKind::function:
      return field.unit == "m" && field.help.find("> 0") != std::string::npos
                 ? TimeFunction(time_function::Harmonic{
                       .amplitude = 0.1, .frequency = 1.7, .phase = 0.4, .offset = 1.3})
                 : wave;
    case FieldKind::vector_function:
      return std::vector<TimeFunction>{wave, TimeFunction(time_function::Polynomial{{0.1, 0.5, -0.3}})};
    case FieldKind::curve:
      return CurvePoints{{Vec3(3, 0, 0), Vec3(0.5, 2, 0), Vec3(-2, 0.4, 0), Vec3(0, -3, 0)}, true};
    default:
      return random.number(-1, 1);
  }
}

inline Model planar_sample(const JointRecord& record, Random& random) {
  Model model;
  model.gravity = Vec3(0.7, -9.81, 0);
  for (const char* name : {"one", "two", "three"}) {
    Body body;
    body.name = name;
    body.mass = random.number(0.5, 2);
    body.inertia = random.number(0.1, 1);
    body.position = Vec3(random.number(-0.5, 0.5), random.number(-0.5, 0.5), 0);
    body.angle = random.number(-3, 3);
    model.bodies.push_back(body);
  }
  Element element{"sample", record.element.type, {}};
  for (const FieldSpec* field : record.element.fields_in(Space::planar))
    if (!field->name.starts_with("coordinate") && field->name.find('.') == std::string::npos)
      element.fields[field->name] = planar_field(*field, random);
  if (element.has("joint"))
    model.joints.push_back(
        {"pin",
         "revolute",
         {{"a", PointRef{"one", "", Vec3(0.3, 0, 0)}}, {"b", PointRef{"two", "", Vec3(0.6, 0, 0)}}}});
  (is_driver(&record) ? model.drivers : model.joints).push_back(element);
  return model;
}

// Every joint and driver that flexible bodies may have. `both`: of both bodies, else of the first.
inline std::vector<FlexibleSample> flexible_joints(bool spatial, bool both) {
  std::vector<FlexibleSample> out;
  for (const auto& records : {joint_records(), driver_records()})
    for (const JointRecord* record : records) {
      if ((spatial ? record->spatial.expand == nullptr : record->planar.expand == nullptr)) continue;
      Random random(11);
      FlexibleSample sample;
      sample.rigid = spatial ? spatial_sample(record->element.type, is_driver(record), random).model
                             : planar_sample(*record, random);
      sample.rigid.name = record->element.type;
      if (!spatial && sample.rigid.joints.size() + sample.rigid.drivers.size() > 1 && !is_driver(record))
        continue;
      sample.model = sample.rigid;
      sample.model.name += std::string(spatial ? ", space" : ", plane") + (both ? ", both" : ", one");
      for (size_t k = 0; k < (both ? 2U : 1U); ++k) {
        const Body& old = sample.rigid.bodies[k];
        Body body = sample_body(old.name, sample_mesh(spatial, k == 0), spatial, 7 + unsigned(k));
        body.position = old.position;
        body.orientation = old.orientation;
        body.angle = old.angle;
        sample.model.bodies[k] = body;
      }
      if (compiles(sample.model)) out.push_back(std::move(sample));
    }
  return out;
}

// Forces on sections of two bodies, a spring to the ground, loads.
inline std::vector<Model> flexible_forces(bool spatial) {
  const double z = spatial ? 0.1 : 0;
  const auto a = PointRef{"one", "", Vec3(0.4, 0.1, z)}, b = PointRef{"two", "", Vec3(0.8, -0.1, z)};
  const auto law = TimeFunction(time_function::Harmonic{.amplitude = 0.3, .frequency = 1.7, .offset = 0.2});
  const Vec3 three(2, 3, spatial ? 4 : 0), less(0.2, 0.3, spatial ? 0.4 : 0);
  std::vector<Element> elements = {
      {"sample",
       "tsda",
       {{"a", a},
        {"b", b},
        {"stiffness", FieldValue(30.0)},
        {"free_length", FieldValue(0.4)},
        {"damping", FieldValue(0.7)}}},
      {"sample",
       "truss",
       {{"a", a}, {"b", b}, {"stiffness", FieldValue(30.0)}, {"free_length", FieldValue(0.4)}}},
      {"sample",
       "bending",
       {{"a", a},
        {"b", b},
        {"center", PointRef{"ground", "", Vec3(0.3, 1.2, z)}},
        {"stiffness", FieldValue(2.0)}}},
      {"sample", "bushing", {{"a", a}, {"b", b}, {"stiffness", three}, {"damping", less}}}};
  Element load{"sample", "point-force", {{"at", a}}},
      follower{"sample", "follower-force", {{"at", a}, {"magnitude", law}}},
      twist{"sample", "torque", {{"at", a}, {"body", std::string("one")}}};
  std::vector<TimeFunction> components = {law, TimeFunction(0.7)};
  if (spatial) components.emplace_back(-0.4);
  load.fields["force"] = components;
  if (spatial)
    follower.fields["direction"] = along("one", Vec3(0.2, 1, 0.3));
  else
    follower.fields["direction"] = Vec3(0.2, 1, 0);
  if (spatial) {
    twist.fields["torque"] = components;
    elements[3].fields["angular_stiffness"] = three;
    elements[3].fields["angular_damping"] = less;
  } else {
    twist.fields["torque"] = law;
    elements[3].fields["angular_stiffness"] = FieldValue(2.0);
    elements[3].fields["angular_damping"] = FieldValue(0.2);
  }
  for (const Element& more : {load, follower, twist}) elements.push_back(more);
  std::vector<Model> out;
  for (const Element& element : elements) {
    Model model = one_flexible(sample_mesh(spatial, true), spatial);
    model.bodies[0].name = "one";
    model.bodies.push_back(sample_body("two", sample_mesh(spatial, false), spatial, 8));
    model.name = element.type + (spatial ? " in space" : " in the plane");
    model.forces = {element};
    out.push_back(model);
  }
  return out;
}

}  // namespace driftless::testing
