// Overconstrained linkages of spatial revolutes (Sarrus, Bennett, Bricard, planar ones built in space), and what must not
// matter to them: a rigid motion of everything, and the units of length and mass.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "driftless/math/rotation.hpp"
#include "driftless/model/model.hpp"

namespace driftless::testing {

struct Hinge {
  std::string a, b;  // bodies
  Vec3 at, axis;     // in the world, as drawn
};

// Bodies are thick rods between their hinges, with the frame in the middle of them, turned somehow.
inline Model hinged(const std::string& name, const std::vector<Hinge>& hinges) {
  Model model;
  model.name = name;
  model.space = Space::spatial;
  model.gravity = Vec3(1.3, -2.1, -9.2);
  std::map<std::string, std::vector<Vec3>> points;
  std::vector<std::string> order;
  for (const Hinge& hinge : hinges)
    for (const std::string& body : {hinge.a, hinge.b}) {
      if (body != "ground" && points[body].empty()) order.push_back(body);
      points[body].push_back(hinge.at);
    }
  for (const std::string& body_name : order) {
    const auto& at = points[body_name];
    Body body;
    body.name = body_name;
    for (const Vec3& point : at) body.position += point / double(at.size());
    body.inertia_tensor = 0.01 * Mat3::Identity();
    for (const Vec3& point : at) {
      const Vec3 r = point - body.position;
      body.mass += 0.3 + r.norm();
      body.inertia_tensor += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    }
    body.center_of_mass = Vec3(0.02, -0.01, 0.03);
    body.orientation = quaternion_of_turn(Vec3(0.3, -0.5, 0.9) * double(1 + model.bodies.size()));
    const Mat3 R = rotation_matrix<double>(body.orientation);
    body.inertia_tensor = R.transpose() * body.inertia_tensor * R;
    body.inertia_tensor = 0.5 * (body.inertia_tensor + body.inertia_tensor.transpose()).eval();
    model.bodies.push_back(body);
  }
  for (size_t i = 0; i < hinges.size(); ++i) {
    const auto at = [&](const std::string& body_name) {
      const Body* body = model.find_body(body_name);
      if (body == nullptr) return PointRef{body_name, "", hinges[i].at, false};
      const Mat3 R = rotation_matrix<double>(body->orientation);
      return PointRef{body_name, "", R.transpose() * (hinges[i].at - body->position), false};
    };
    model.joints.push_back({"hinge_" + std::to_string(i + 1),
                            "revolute",
                            {{"a", at(hinges[i].a)},
                             {"b", at(hinges[i].b)},
                             {"axis", DirectionRef{"", "", hinges[i].axis, true}}}});
  }
  return model;
}

// Two folding pairs of plates at right angles lift a platform straight up.
inline Model sarrus() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY();
  return hinged("sarrus", {{"ground", "lower_1", Vec3(1, 0, 0), y},
                           {"lower_1", "upper_1", Vec3(1.5, 0, 0.7), y},
                           {"upper_1", "platform", Vec3(1, 0, 1.4), y},
                           {"ground", "lower_2", Vec3(0, 1, 0), x},
                           {"lower_2", "upper_2", Vec3(0, 1.4, 0.7), x},
                           {"upper_2", "platform", Vec3(0, 1, 1.4), x}});
}

// Opposite links alike, lengths as the sines of their twists: a/sin α = b/sin β.
inline Model bennett(double theta = 1.1) {
  const double a = 1, alpha = 1.0, b = 0.6, beta = std::asin(b / a * std::sin(alpha));
  const double other =
      2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(theta / 2));
  const double angles[] = {theta, other, -theta, -other};
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  std::vector<Hinge> hinges;
  const char* const bodies[] = {"ground", "link_1", "link_2", "link_3", "ground"};
  for (int i = 0; i < 4; ++i) {
    hinges.push_back({bodies[i], bodies[i + 1], frame.translation(), frame.linear().col(2)});
    frame = frame * Eigen::AngleAxisd(angles[i], Vec3::UnitZ()) *
            Eigen::Translation3d(i % 2 == 0 ? a : b, 0, 0) *
            Eigen::AngleAxisd(i % 2 == 0 ? alpha : beta, Vec3::UnitX());
  }
  return hinged("bennett", hinges);
}

// Six edges of a cube.
inline Model cube_bricard() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  return hinged("bricard", {{"ground", "rod_1", Vec3(0, 0, 0), y},
                            {"rod_1", "rod_2", Vec3(1, 0, 0), z},
                            {"rod_2", "rod_3", Vec3(1, -1, 0), x},
                            {"rod_3", "rod_4", Vec3(1, -1, 1), y},
                            {"rod_4", "rod_5", Vec3(0, -1, 1), z},
                            {"ground", "rod_5", Vec3(0, 0, 1), x}});
}

// Watt's six-bar in a plane, with spatial hinges: three rows too many in each of its two loops.
inline Model six_bar() {
  const Vec3 y = Vec3::UnitY();
  return hinged("six-bar", {{"ground", "crank", Vec3(0, 0, 0), y},
                            {"crank", "coupler", Vec3(0.3, 0, 0.4), y},
                            {"coupler", "rocker", Vec3(1.2, 0, 0.9), y},
                            {"rocker", "ground", Vec3(1, 0, 0), y},
                            {"rocker", "rod", Vec3(1.6, 0, 0.7), y},
                            {"rod", "lever", Vec3(2.3, 0, 1.1), y},
                            {"lever", "ground", Vec3(2.2, 0, 0.1), y}});
}

// Peaucellier's straight line, with spatial hinges.
inline Model peaucellier() {
  const Vec3 y = Vec3::UnitY();
  const double phi = 0.5, r = 0.5, arm = 1.5, side = 0.7;  // P on a circle through O
  const Vec3 O(0, 0, 0), C(r, 0, 0), P(r + r * std::cos(phi), 0, r * std::sin(phi));
  const double op = P.norm(), half = (arm * arm - side * side + op * op) / (2 * op);
  const Vec3 u = P / op, n(-u.z(), 0, u.x());
  const double height = std::sqrt(arm * arm - half * half);
  const Vec3 A = half * u + height * n, B = half * u - height * n, Q = (2 * half - op) * u;
  return hinged("peaucellier", {{"ground", "crank", C, y},
                                {"ground", "arm_A", O, y},
                                {"ground", "arm_B", O, y},
                                {"crank", "side_AP", P, y},
                                {"crank", "side_BP", P, y},
                                {"arm_A", "side_AP", A, y},
                                {"arm_B", "side_BP", B, y},
                                {"arm_A", "side_AQ", A, y},
                                {"arm_B", "side_BQ", B, y},
                                {"side_AQ", "side_BQ", Q, y}});
}

inline std::vector<Model> hinged_linkages() {
  return {sarrus(), bennett(), cube_bricard(), six_bar(), peaucellier()};
}

// Everything turned about the origin, then shifted.
inline Model moved_linkage(Model model, const Eigen::Quaterniond& turn, const Vec3& shift) {
  model.gravity = turn * model.gravity;
  for (Body& body : model.bodies) {
    body.position = turn * body.position + shift;
    const Eigen::Quaterniond before(body.orientation[0], body.orientation[1], body.orientation[2],
                                    body.orientation[3]);
    const Eigen::Quaterniond after = (turn * before).normalized();
    body.orientation << after.w(), after.x(), after.y(), after.z();
    body.velocity = turn * body.velocity;
    body.spin = turn * body.spin;
  }
  for (auto* elements : {&model.joints, &model.drivers, &model.forces})
    for (Element& element : *elements)
      for (auto& [name, field] : element.fields) {
        if (auto* point = std::get_if<PointRef>(&field); point && point->body == "ground")
          point->at = turn * point->at + shift;
        if (auto* axis = std::get_if<DirectionRef>(&field); axis && axis->world)
          axis->along = turn * axis->along;
      }
  return model;
}

inline Eigen::Quaterniond random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Quaterniond(w, x, y, z).normalized();
}

// Lengths and masses written in other units.
inline Model in_units(Model model, double length, double mass) {
  model.gravity *= length;
  for (Body& body : model.bodies) {
    body.mass *= mass;
    body.inertia_tensor *= mass * length * length;
    body.center_of_mass *= length;
    body.position *= length;
    body.velocity *= length;
    for (auto& point : body.points) point.at *= length;
  }
  for (Element& joint : model.joints)
    for (auto& [name, field] : joint.fields)
      if (auto* point = std::get_if<PointRef>(&field)) point->at *= length;
  return model;
}

}  // namespace driftless::testing
