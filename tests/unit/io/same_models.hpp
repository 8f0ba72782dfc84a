// Equality of models, bit for bit, and whether what is written reads back the same.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "driftless/io/model_json.hpp"

#include "model_texts.hpp"

namespace driftless::test {

inline bool same(const PointRef& a, const PointRef& b) {
  return a.body == b.body && a.point == b.point && a.at == b.at && a.world == b.world;
}
inline bool same(const DirectionRef& a, const DirectionRef& b) {
  return a.body == b.body && a.axis == b.axis && a.along == b.along && a.world == b.world;
}
inline bool same(const CurvePoints& a, const CurvePoints& b) {
  return a.points == b.points && a.closed == b.closed;
}
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

inline bool same_value(const FieldValue& a, const FieldValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& value) { return same(value, std::get<std::decay_t<decltype(value)>>(b)); }, a);
}

inline void expect_same(const std::vector<Element>& a, const std::vector<Element>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].type, b[i].type);
    ASSERT_EQ(a[i].fields.size(), b[i].fields.size());
    for (const auto& [name, value] : a[i].fields) {
      ASSERT_TRUE(b[i].has(name)) << name;
      EXPECT_TRUE(same_value(value, b[i].fields.find(name)->second)) << a[i].name << "." << name;
    }
  }
}

inline void expect_same(const std::vector<NamedPoint>& a, const std::vector<NamedPoint>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].at, b[i].at);
  }
}

inline void expect_same(const Body& a, const Body& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.inertia, b.inertia);
  EXPECT_EQ(a.center_of_mass, b.center_of_mass);
  expect_same(a.points, b.points);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.angle, b.angle);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.angular_velocity, b.angular_velocity);
  expect_same(a.axes, b.axes);
  EXPECT_EQ(a.inertia_tensor, b.inertia_tensor);
  EXPECT_EQ(a.orientation, b.orientation);
  EXPECT_EQ(a.spin, b.spin);
}

inline void expect_same(const RunSettings& a, const RunSettings& b) {
  EXPECT_EQ(a.t_end, b.t_end);
  EXPECT_EQ(a.rtol, b.rtol);
  EXPECT_EQ(a.atol, b.atol);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.initial_step, b.initial_step);
  EXPECT_EQ(a.max_step, b.max_step);
  EXPECT_EQ(a.output_step, b.output_step);
  EXPECT_EQ(a.drift_limit, b.drift_limit);
  EXPECT_EQ(a.max_steps, b.max_steps);
  EXPECT_EQ(a.coordinates, b.coordinates);
  EXPECT_EQ(a.formulation, b.formulation);
  EXPECT_EQ(a.integrator, b.integrator);
  EXPECT_EQ(a.stabilization, b.stabilization);
  EXPECT_EQ(a.options, b.options);
}

inline void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.space, b.space);
  EXPECT_EQ(a.gravity, b.gravity);
  expect_same(a.ground_points, b.ground_points);
  expect_same(a.ground_axes, b.ground_axes);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) expect_same(a.bodies[i], b.bodies[i]);
  expect_same(a.joints, b.joints);
  expect_same(a.drivers, b.drivers);
  expect_same(a.forces, b.forces);
  expect_same(a.outputs, b.outputs);
  ASSERT_EQ(a.initial.joints.size(), b.initial.joints.size());
  for (std::size_t i = 0; i < a.initial.joints.size(); ++i) {
    EXPECT_EQ(a.initial.joints[i].joint, b.initial.joints[i].joint);
    EXPECT_EQ(a.initial.joints[i].coordinate, b.initial.joints[i].coordinate);
    EXPECT_EQ(a.initial.joints[i].value, b.initial.joints[i].value);
    EXPECT_EQ(a.initial.joints[i].rate, b.initial.joints[i].rate);
  }
  EXPECT_EQ(a.initial.hold, b.initial.hold);
  expect_same(a.simulate, b.simulate);
  ASSERT_EQ(a.stop_when.size(), b.stop_when.size());
  for (std::size_t i = 0; i < a.stop_when.size(); ++i) {
    EXPECT_EQ(a.stop_when[i].output, b.stop_when[i].output);
    EXPECT_EQ(a.stop_when[i].crosses, b.stop_when[i].crosses);
    EXPECT_EQ(a.stop_when[i].direction, b.stop_when[i].direction);
  }
}

inline void expect_round_trip(const Model& model) {
  const std::string text = model_to_json(model);
  const Model again = parse(text);
  expect_same(model, again);
  EXPECT_EQ(model_to_json(again), text);
}

}  // namespace driftless::test
