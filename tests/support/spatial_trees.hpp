// Spatial mechanisms for relative coordinates: a free base, branches, joints of every kind in both directions, welds,
// loops. Poses are random: states are drawn at random too, and loops need not close.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/relative/relative_system.hpp"
#include "driftless/math/rotation.hpp"

namespace driftless::testing {

class SpatialTreeModel {
 public:
  explicit SpatialTreeModel(const std::string& name, unsigned seed) : engine_(seed) {
    model.name = name;
    model.space = Space::spatial;
    model.gravity = Vec3(0.4, -0.3, -9.81);
  }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 vector(double size) { return Vec3(uniform(-size, size), uniform(-size, size), uniform(-size, size)); }
  Quat quaternion() {
    return Quat(uniform(0.2, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized();
  }

  SpatialTreeModel& bodies(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      Body body;
      body.name = name;
      body.mass = uniform(0.5, 2);
      for (int k = 0; k < 6; ++k) {  // point masses: an inertia a body can have
        const Vec3 at = vector(0.6);
        body.inertia_tensor += body.mass / 6 * (at.squaredNorm() * Mat3::Identity() - at * at.transpose());
      }
      body.center_of_mass = vector(0.3);
      body.position = vector(1);
      body.orientation = quaternion();
      model.bodies.push_back(body);
    }
    return *this;
  }
  // Any joint between points of a and b; those with an axis get one.
  SpatialTreeModel& joint(const std::string& type, const std::string& a, const std::string& b) {
    Element element{type + "_" + a + "_" + b, type, {{"a", on(a)}, {"b", on(b)}}};
    if (type != "spherical" && type != "fixed")
      element.fields["axis"] = DirectionRef{a, "", vector(1), false};
    if (type == "universal") element.fields["axis_b"] = DirectionRef{b, "", vector(1), false};
    if (type == "screw") element.fields["pitch"] = uniform(0.3, 0.9);
    return add(element);
  }
  SpatialTreeModel& add(const Element& element) {
    model.joints.push_back(element);
    return *this;
  }
  PointRef on(const std::string& body) { return {body, "", vector(0.8), false}; }

  Model model;

 private:
  std::mt19937 engine_;
};

// base + rev + pris + cyl + uni + sph + rev and more, branched; about half of the joints are passed in reverse.
inline SpatialTreeModel branched_tree() {
  SpatialTreeModel tree("branched", 7);
  tree.bodies({"base", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"})
      .joint("revolute", "base", "a")
      .joint("translational", "b", "a")
      .joint("cylindrical", "b", "c")
      .joint("universal", "d", "c")
      .joint("spherical", "b", "e")
      .joint("revolute", "f", "e")
      .joint("spherical", "g", "base")
      .joint("screw", "h", "g")
      .joint("fixed", "g", "i")
      .joint("universal", "i", "j")
      .joint("planar", "base", "k");
  return tree;
}

// The same with a second tree that hangs on the ground, and cuts: loops within one tree and between the two, with and
// without common ancestors that move, closed by rows of several kinds; scalars that are coordinates of the tree.
inline SpatialTreeModel looped_trees() {
  SpatialTreeModel tree = branched_tree();
  tree.model.name = "looped";
  tree.bodies({"u", "v", "w"})
      .joint("revolute", "ground", "u")
      .joint("spherical", "u", "v")
      .joint("point-on-line", "w", "v")
      .joint("constant-velocity", "d", "f")
      .joint("point-on-plane", "c", "j")
      .add({"rod_ah", "distance", {{"a", tree.on("a")}, {"b", tree.on("h")}, {"length", 1.1}}})
      .add({"rod_wk", "distance", {{"a", tree.on("w")}, {"b", tree.on("k")}, {"length", 0.9}}})
      .add({"coupler",
            "coupler",
            {{"joint_a", std::string("revolute_f_e")},
             {"joint_b", std::string("screw_h_g")},
             {"coordinate_b", std::string("displacement")},
             {"ratio", 0.4}}});
  return tree;
}

// Turns about axes no joint of the tree has: scalars that stay coordinates of their own, without mass.
inline SpatialTreeModel geared_tree() {
  SpatialTreeModel tree("geared", 11);
  tree.bodies({"carrier", "one", "two"})
      .joint("spherical", "carrier", "one")
      .joint("universal", "two", "carrier")
      .add({"gear",
            "gear",
            {{"a", std::string("one")},
             {"b", std::string("two")},
             {"carrier", std::string("carrier")},
             {"radius_a", 0.4},
             {"radius_b", 0.7},
             {"axis_a", DirectionRef{"carrier", "", tree.vector(1), false}}}});
  return tree;
}

inline const RelativeSystem<3>& relative_system(const CompiledModel& compiled) {
  return static_cast<const RelativeSystem<3>&>(*compiled.system);
}

// Any state of a system whose quaternions are those of its balls.
inline State random_state(const RelativeSystem<3>& system, SpatialTreeModel& random) {
  const Layout& layout = system.layout();
  State state{0.3, Vec(layout.nq), Vec(layout.nv)};
  for (auto& x : state.q) x = random.uniform(-1.5, 1.5);
  for (auto& x : state.v) x = random.uniform(-2, 2);
  system.normalize(state.q);
  return state;
}

}  // namespace driftless::testing
