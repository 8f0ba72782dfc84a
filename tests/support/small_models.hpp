// Bodies, pendulums and their like, planar and spatial, for tests that need a mechanism of their own.
#pragma once

#include <string>

#include "driftless/math/rotation.hpp"
#include "driftless/model/model.hpp"

namespace driftless::testing {

inline PointRef point_on(const std::string& body, const Vec3& at = Vec3::Zero()) {
  return PointRef{body, "", at};
}
inline DirectionRef along(const Vec3& u) { return DirectionRef{"", "", u}; }

// Origin of the frame at the centre of mass, in the plane.
inline Body flat_body(
    const std::string& name, double mass, double inertia, const Vec3& position, double angle = 0) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = inertia;
  body.inertia_tensor = Vec3(0.7 * inertia, 0.8 * inertia, inertia).asDiagonal();
  body.position = position;
  body.angle = angle;
  body.orientation = Quat(std::cos(angle / 2), 0, 0, std::sin(angle / 2));
  body.points = {{"A", Vec3(-0.5, 0, 0)}, {"B", Vec3(0.5, 0, 0)}};
  return body;
}

// Bodies are described for both spaces; a model has them in one.
inline Model of_one_space(Model model) {
  for (Body& body : model.bodies) {
    if (model.space == Space::planar) {
      body.inertia_tensor.setZero();
      body.orientation = Quat(1, 0, 0, 0);
      body.spin.setZero();
    } else {
      body.inertia = body.angle = body.angular_velocity = 0;
    }
  }
  return model;
}

inline Model empty_model(Space space) {
  Model model;
  model.name = "sample";
  model.space = space;
  model.gravity = Vec3(0, -9.81, 0);
  return model;
}

// A pin between two points, about z in space.
inline Element pin(const std::string& name, const PointRef& a, const PointRef& b, Space space) {
  Element joint{name, "revolute", {{"a", a}, {"b", b}}};
  if (space == Space::spatial) joint.fields["axis"] = along(Vec3::UnitZ());
  return joint;
}

// A bar of length 1 on a pin at the origin, at an angle to x.
inline Model pendulum(Space space, double angle) {
  Model model = empty_model(space);
  model.bodies = {flat_body("bar", 2, 0.3, 0.5 * Vec3(std::cos(angle), std::sin(angle), 0), angle)};
  model.joints = {pin("pin", point_on("ground"), point_on("bar", Vec3(-0.5, 0, 0)), space)};
  return model;
}

inline Element element(const std::string& name,
                       const std::string& type,
                       std::map<std::string, FieldValue> fields) {
  Element element{name, type, {}};
  for (auto& [field, value] : fields) element.fields[field] = value;
  return element;
}

}  // namespace driftless::testing
