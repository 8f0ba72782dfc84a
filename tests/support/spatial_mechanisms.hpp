// Small spatial mechanisms: tops, chains, loops.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "driftless/math/rotation.hpp"
#include "driftless/model/model.hpp"

namespace driftless::testing {

class SpatialMechanism {
 public:
  explicit SpatialMechanism(const std::string& name) {
    model.name = name;
    model.space = Space::spatial;
    model.gravity = Vec3(0, 0, -9.81);
  }
  // A bar from its origin A to B, with some thickness; it starts turned by `turn` (axis times angle).
  SpatialMechanism& bar(const std::string& name,
                        const Vec3& B,
                        const Vec3& position,
                        const Vec3& turn = Vec3::Zero()) {
    Body body;
    body.name = name;
    body.mass = 0.5 + B.norm();
    body.center_of_mass = B / 2 + Vec3(0.02, -0.03, 0.01);
    const double l2 = B.squaredNorm();
    body.inertia_tensor =
        body.mass * ((l2 / 12 + 0.01) * Mat3::Identity() - B * B.transpose() / 12 + 0.002 * Mat3::Ones());
    body.points = {{"A", Vec3::Zero()}, {"B", B}};
    body.position = position;
    body.orientation = quaternion_of_turn(turn);
    model.bodies.push_back(body);
    return *this;
  }
  SpatialMechanism& moving(const Vec3& velocity, const Vec3& spin) {
    model.bodies.back().velocity = velocity;
    model.bodies.back().spin = spin;
    return *this;
  }
  // Points by name ("crank.B") or, on the ground, by place; the axis in world components as drawn.
  SpatialMechanism& joint(const std::string& name,
                          const std::string& type,
                          const PointRef& a,
                          const PointRef& b,
                          const Vec3& axis = Vec3::Zero()) {
    Element e{name, type, {{"a", a}, {"b", b}}};
    if (!axis.isZero()) e.fields["axis"] = DirectionRef{"", "", axis, true};
    model.joints.push_back(e);
    return *this;
  }
  SpatialMechanism& universal(
      const std::string& name, const PointRef& a, const PointRef& b, const Vec3& u, const Vec3& w) {
    joint(name, "universal", a, b, u);
    model.joints.back().fields["axis_b"] = DirectionRef{b.body, "", w, true};
    return *this;
  }
  Model model;
};

inline PointRef at(const std::string& body, const std::string& point) {
  return {body, point, Vec3::Zero(), false};
}
inline PointRef on_ground(double x, double y, double z) { return {"ground", "", Vec3(x, y, z), false}; }

// The problem HT: a body on a fixed point.
inline Model heavy_top() {
  SpatialMechanism m("heavy top");
  Body body;
  body.name = "top";
  body.mass = 1;
  body.inertia_tensor = Vec3(0.2, 0.25, 0.1).asDiagonal();
  body.center_of_mass = Vec3(0, 0, 0.7);
  body.points = {{"tip", Vec3::Zero()}};
  body.orientation = Quat(1, 0.3, 0.1, 0).normalized();
  body.spin = rotation_matrix<double>(body.orientation) * Vec3(0.3, -0.2, 8);
  m.model.bodies = {body};
  return m.joint("ball", "spherical", on_ground(0, 0, 0), at("top", "tip")).model;
}

// Revolutes, all axes parallel: a planar motion in space.
inline Model parallel_chain(int links) {
  SpatialMechanism m("chain, parallel axes");
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i), before = "link" + std::to_string(i - 1);
    m.bar(name, Vec3(1, 0, 0), Vec3(i, 0, 0), Vec3(0, 0.3 * i, 0)).moving(Vec3::Zero(), Vec3(0, 0.5 * i, 0));
    m.model.bodies.back().position = i == 0 ? Vec3(Vec3::Zero()) : Vec3(i, 0, -0.1 * i);
    m.joint("pin" + std::to_string(i), "revolute", i == 0 ? on_ground(0, 0, 0) : at(before, "B"),
            at(name, "A"), Vec3(0, 1, 0));
  }
  return m.model;
}

inline Model skew_chain() {
  SpatialMechanism m("chain, skew axes");
  m.bar("one", Vec3(0.6, 0, 0.2), Vec3::Zero()).moving(Vec3::Zero(), Vec3(0, 0, 1.5));
  m.bar("two", Vec3(0.5, 0.1, 0), Vec3(0.6, 0, 0.2), Vec3(0, 0.4, 0))
      .moving(Vec3::Zero(), Vec3(0.3, 0.8, 1.5));
  m.bar("three", Vec3(0, 0.4, 0.3), Vec3(1, 0.1, 0), Vec3(0.2, 0, 0.5));
  m.joint("a", "revolute", on_ground(0, 0, 0), at("one", "A"), Vec3(0, 0, 1));
  m.joint("b", "revolute", at("one", "B"), at("two", "A"), Vec3(0, 1, 0.3));
  return m.joint("c", "revolute", at("two", "B"), at("three", "A"), Vec3(1, 0.2, 0)).model;
}

inline Model universal_chain() {
  SpatialMechanism m("chain of universal joints");
  m.bar("one", Vec3(0.1, 0, -0.6), Vec3::Zero()).moving(Vec3::Zero(), Vec3(0.4, 1, 0));
  m.bar("two", Vec3(0.4, 0.2, -0.3), Vec3(0.1, 0, -0.6)).moving(Vec3::Zero(), Vec3(0, 1, 0.5));
  m.universal("a", on_ground(0, 0, 0), at("one", "A"), Vec3(1, 0, 0), Vec3(0, 1, 0));
  return m.universal("b", at("one", "B"), at("two", "A"), Vec3(0, 1, 0), Vec3(1, 0, 0.2)).model;
}

// Four-bar linkage with four parallel revolutes: overconstrained, one degree of freedom.
inline Model spatial_four_bar() {
  SpatialMechanism m("spatial four-bar");
  m.bar("crank", Vec3(0.1, 0, 0), Vec3::Zero()).moving(Vec3::Zero(), Vec3(0, -3, 0));
  m.bar("coupler", Vec3(0.3, 0, 0), Vec3(0.1, 0, 0), Vec3(0, -0.9, 0));
  m.bar("rocker", Vec3(0.25, 0, 0), Vec3(0.4, 0, 0), Vec3(0, -2, 0));
  const Vec3 y = Vec3::UnitY();
  m.joint("o", "revolute", on_ground(0, 0, 0), at("crank", "A"), y);
  m.joint("a", "revolute", at("crank", "B"), at("coupler", "A"), y);
  m.joint("b", "revolute", at("coupler", "B"), at("rocker", "B"), y);
  return m.joint("c", "revolute", on_ground(0.4, 0, 0), at("rocker", "A"), y).model;
}

// Crank and rocker about skew axes, a coupler with two balls: one degree of freedom and the coupler's spin.
inline Model rssr() {
  SpatialMechanism m("RSSR");
  m.bar("crank", Vec3(0.2, 0, 0), Vec3::Zero()).moving(Vec3::Zero(), Vec3(0, 0, 4));
  m.bar("coupler", Vec3(0.5, 0.3, 0.4), Vec3(0.2, 0, 0)).moving(Vec3(0, 0.8, 0), Vec3(0.5, 0, 0));
  m.bar("rocker", Vec3(0, 0, 0.4), Vec3(0.7, 0.3, 0), Vec3(0.1, 0, 0));
  m.joint("o", "revolute", on_ground(0, 0, 0), at("crank", "A"), Vec3(0, 0, 1));
  m.joint("a", "spherical", at("crank", "B"), at("coupler", "A"));
  m.joint("b", "spherical", at("coupler", "B"), at("rocker", "B"));
  return m.joint("c", "revolute", on_ground(0.7, 0.3, 0), at("rocker", "A"), Vec3(1, 0.2, 0)).model;
}

// A crank drives a slide through a coupler with two balls.
inline Model rssp() {
  SpatialMechanism m("RSSP");
  m.bar("crank", Vec3(0, 0.15, 0.1), Vec3::Zero()).moving(Vec3::Zero(), Vec3(5, 0, 0));
  m.bar("coupler", Vec3(0.6, -0.15, -0.1), Vec3(0, 0.15, 0.1)).moving(Vec3(0, 0, 0.5), Vec3(0.5, 0, 0));
  m.bar("slide", Vec3(0.2, 0, 0), Vec3(0.6, 0, 0));
  m.joint("o", "revolute", on_ground(0, 0, 0), at("crank", "A"), Vec3(1, 0, 0));
  m.joint("a", "spherical", at("crank", "B"), at("coupler", "A"));
  m.joint("b", "spherical", at("coupler", "B"), at("slide", "A"));
  return m.joint("guide", "translational", on_ground(0, 0, 0), at("slide", "A"), Vec3(1, 0, 0)).model;
}

// A sleeve that slides and turns on a swinging rod, and a slide on that.
inline Model sleeve() {
  SpatialMechanism m("sleeve");
  m.bar("rod", Vec3(0.2, 0.1, -1), Vec3::Zero()).moving(Vec3::Zero(), Vec3(0.5, 1, 0));
  m.bar("sleeve", Vec3(0.3, 0, 0), Vec3(0.1, 0.05, -0.5)).moving(Vec3(0, 0, 0.2), Vec3(0, 1, 2));
  m.bar("slide", Vec3(0, 0.2, 0), Vec3(0.4, 0.05, -0.5)).moving(Vec3(0.1, 0, 0.2), Vec3(0, 1, 2));
  m.joint("ball", "spherical", on_ground(0, 0, 0), at("rod", "A"));
  m.joint("slip", "cylindrical", at("rod", "A"), at("sleeve", "A"), Vec3(0.2, 0.1, -1));
  return m.joint("rail", "translational", at("sleeve", "A"), at("slide", "A"), Vec3(1, 0, 0)).model;
}

// Bevel gears on a swinging carrier, one of them with a weight welded to it.
inline Model bevel() {
  SpatialMechanism m("bevel gears");
  m.bar("carrier", Vec3(0.3, 0, 0), Vec3::Zero()).moving(Vec3::Zero(), Vec3(0, 1, 0));
  m.bar("one", Vec3(0, 0, 0.2), Vec3::Zero(), Vec3(0, 0, 0.3)).moving(Vec3::Zero(), Vec3(0, 1, 3));
  m.bar("two", Vec3(0.1, 0.1, 0), Vec3(0.3, 0, 0)).moving(Vec3::Zero(), Vec3(2, 1, 0));
  m.bar("weight", Vec3(0.1, 0, 0.1), Vec3(0.4, 0.1, 0), Vec3(0.7, 0.2, 0));
  m.joint("swing", "revolute", on_ground(0, 0, 0), at("carrier", "A"), Vec3(0, 1, 0));
  m.joint("pin_1", "revolute", at("carrier", "A"), at("one", "A"), Vec3(0, 0, 1));
  m.joint("pin_2", "revolute", at("carrier", "B"), at("two", "A"), Vec3(1, 0, 0));
  m.joint("weld", "fixed", at("two", "B"), at("weight", "A"));
  m.model.joints.push_back({"mesh",
                            "gear",
                            {{"a", std::string("one")},
                             {"b", std::string("two")},
                             {"carrier", std::string("carrier")},
                             {"radius_a", 0.1},
                             {"radius_b", 0.2},
                             {"axis_a", DirectionRef{"carrier", "", Vec3(0, 0, 1), false}},
                             {"axis_b", DirectionRef{"carrier", "", Vec3(1, 0, 0), false}}}});
  return m.model;
}

inline std::vector<Model> spatial_mechanisms() {
  return {heavy_top(), parallel_chain(3), skew_chain(), universal_chain(), rssr(), rssp(), sleeve(), bevel()};
}

}  // namespace driftless::testing
