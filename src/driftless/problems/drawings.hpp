// Small words for drawing problems that are given by their equations. Bodies stand in the order of the system's names.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/model/drawing/derived_shapes.hpp"
#include "driftless/model/drawing/drawing.hpp"

namespace driftless {

inline Drawing start_drawing(double length, const Vec3& gravity = Vec3::Zero()) {
  Drawing out;
  out.length = length;
  out.gravity = gravity;
  return out;
}

// A body with the shape its points suggest.
inline void add_body(Drawing& out, std::string name, std::vector<NamedPoint> points) {
  HeldBody held;
  for (const NamedPoint& point : points) held.places.push_back(point.at);
  out.bodies.push_back(
      {std::move(name), Vec3::Zero(), std::move(points), derived_shapes(held, out.planar, out.length)});
}

// A ball in the frame of a body: a point mass.
inline void add_ball(Drawing& out, size_t body, const Vec3& at, double radius) {
  Shape ball;
  ball.kind = ShapeKind::sphere;
  ball.points = {{{}, at}};
  ball.radius = radius;
  out.bodies[body].shapes.push_back(std::move(ball));
}

inline void add_ground_line(Drawing& out, const std::vector<Vec3>& points) {
  Shape line;
  line.kind = ShapeKind::line;
  for (const Vec3& point : points) line.points.push_back({{}, point});
  out.ground.shapes.push_back(std::move(line));
}

// A named point of a body, −1 for ground.
inline DrawnEnd end_at(const Drawing& drawing, int body, std::string_view point) {
  const auto& points = body < 0 ? drawing.ground.points : drawing.bodies[size_t(body)].points;
  const auto found =
      std::find_if(points.begin(), points.end(), [&](const NamedPoint& p) { return p.name == point; });
  return {body, found == points.end() ? Vec3(Vec3::Zero()) : found->at};
}

inline void add_pin(Drawing& out, std::string name, const DrawnEnd& a, const DrawnEnd& b) {
  out.joints.push_back({std::move(name), "revolute", "pin", a, b, Vec3(Vec3::UnitZ())});
}

inline void add_coil(Drawing& out, std::string name, const DrawnEnd& a, const DrawnEnd& b) {
  out.springs.push_back({std::move(name), "tsda", "coil", a, b});
}

// Two links in a plane, poses at their middles, x along them: "upper" turns about the origin, "lower" about its end.
inline std::shared_ptr<const Drawing> double_pendulum_drawing(const std::string& upper,
                                                              const std::string& lower,
                                                              double upper_length,
                                                              double lower_length,
                                                              double gravity,
                                                              double ball = 0) {
  Drawing out = start_drawing(std::max(upper_length, lower_length), {0, -gravity, 0});
  out.ground.points = {{"O", Vec3::Zero()}};
  add_body(out, upper, {{"O", {-upper_length / 2, 0, 0}}, {"A", {upper_length / 2, 0, 0}}});
  add_body(out, lower, {{"A", {-lower_length / 2, 0, 0}}, {"B", {lower_length / 2, 0, 0}}});
  if (ball > 0) {
    add_ball(out, 0, {upper_length / 2, 0, 0}, ball);
    add_ball(out, 1, {lower_length / 2, 0, 0}, ball);
  }
  add_pin(out, "pin_O", end_at(out, -1, "O"), end_at(out, 0, "O"));
  add_pin(out, "pin_A", end_at(out, 0, "A"), end_at(out, 1, "A"));
  return std::make_shared<const Drawing>(std::move(out));
}

}  // namespace driftless
