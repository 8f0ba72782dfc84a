// Small planar mechanisms for relative coordinates: floating, branched, with loops, slides and gears on moving bodies.
// Positions are random: states are drawn at random too, and the loops need not close.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless::testing {

class TreeModel {
 public:
  explicit TreeModel(const std::string& name, unsigned seed) : engine_(seed) {
    model.name = name;
    model.gravity = Vec3(0.4, -9.81, 0);
  }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  PointRef on(const std::string& body) { return {body, "", Vec3(uniform(-1, 1), uniform(-1, 1), 0)}; }

  TreeModel& bodies(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      Body body;
      body.name = name;
      body.mass = uniform(0.5, 2);
      body.inertia = uniform(0.1, 1);
      body.center_of_mass = Vec3(uniform(-0.3, 0.3), uniform(-0.3, 0.3), 0);
      body.position = Vec3(uniform(-1, 1), uniform(-1, 1), 0);
      body.angle = uniform(-3, 3);
      body.velocity = Vec3(uniform(-1, 1), uniform(-1, 1), 0);
      body.angular_velocity = uniform(-1, 1);
      model.bodies.push_back(body);
    }
    return *this;
  }
  TreeModel& pin(const std::string& name, const std::string& a, const std::string& b) {
    return joint({name, "revolute", {{"a", on(a)}, {"b", on(b)}}});
  }
  TreeModel& slider(const std::string& name, const std::string& a, const std::string& b) {
    return joint(
        {name, "translational", {{"a", on(a)}, {"b", on(b)}, {"axis", axis()}, {"angle", uniform(-2, 2)}}});
  }
  TreeModel& slot(const std::string& name, const std::string& a, const std::string& b) {
    return joint({name, "point-on-line", {{"a", on(a)}, {"b", on(b)}, {"axis", axis()}}});
  }
  TreeModel& weld(const std::string& name, const std::string& a, const std::string& b) {
    return joint({name, "fixed", {{"a", on(a)}, {"b", on(b)}, {"angle", uniform(-2, 2)}}});
  }
  TreeModel& rod(const std::string& name, const std::string& a, const std::string& b) {
    return joint({name, "distance", {{"a", on(a)}, {"b", on(b)}, {"length", uniform(0.5, 2)}}});
  }
  TreeModel& gear(const std::string& name,
                  const std::string& a,
                  const std::string& b,
                  const std::string& carrier) {
    return joint(
        {name, "gear", {{"a", a}, {"b", b}, {"carrier", carrier}, {"radius_a", 0.3}, {"radius_b", 0.7}}});
  }
  TreeModel& rack(const std::string& name,
                  const std::string& carrier,
                  const std::string& rack,
                  const std::string& pinion) {
    return joint({name,
                  "rack-and-pinion",
                  {{"carrier", on(carrier)},
                   {"axis", axis()},
                   {"rack", on(rack)},
                   {"pinion", pinion},
                   {"radius", 0.4}}});
  }
  TreeModel& joint(const Element& element) {
    model.joints.push_back(element);
    return *this;
  }
  // A driver of every kind and a force of every kind between two bodies.
  TreeModel& driven(const std::string& a, const std::string& b) {
    const TimeFunction wave = time_function::Harmonic{.amplitude = 0.3, .frequency = 1.7, .phase = 0.4};
    model.drivers.push_back({"turn", "angle", {{"a", a}, {"b", b}, {"function", wave}}});
    model.drivers.push_back(
        {"push", "displacement", {{"a", on(a)}, {"b", on(b)}, {"axis", axis()}, {"function", wave}}});
    model.drivers.push_back(
        {"lead", "path", {{"a", on(a)}, {"b", on(b)}, {"function", std::vector<TimeFunction>{wave, wave}}}});
    return *this;
  }
  TreeModel& loaded(const std::string& a, const std::string& b) {
    const TimeFunction wave = time_function::Harmonic{.amplitude = 2, .frequency = 0.7};
    const std::vector<TimeFunction> waves = {wave, wave};
    const auto add = [&](const char* type, const std::map<std::string, FieldValue, std::less<>>& fields) {
      model.forces.push_back({std::string(type) + "_" + a + "_" + b, type, fields});
    };
    add("tsda", {{"a", on(a)}, {"b", on(b)}, {"stiffness", 20.0}, {"damping", 1.0}});
    add("rsda", {{"a", a}, {"b", b}, {"stiffness", 3.0}, {"damping", 0.2}});
    add("torque", {{"body", b}, {"reaction_on", a}, {"torque", wave}});
    add("point-force", {{"at", on(b)}, {"force", waves}});
    return *this;
  }

  Model model;

 private:
  Vec3 axis() { return {uniform(0.2, 1), uniform(-1, 1), 0}; }
  std::mt19937 engine_;
};

// Joints that offer coordinates walk from `in` to `out`, or the other way round.
inline Model branched(bool reversed) {
  TreeModel m(reversed ? "branched, reversed" : "branched", 11);
  m.bodies({"A", "B", "C", "D", "E", "F"});
  const auto in = [&](const char* one, const char* two) { return reversed ? two : one; };
  const auto out = [&](const char* one, const char* two) { return reversed ? one : two; };
  m.pin("pin", in("ground", "A"), out("ground", "A")).slider("rail", in("A", "B"), out("A", "B"));
  m.slot("slot", in("B", "C"), out("B", "C")).weld("weld", in("C", "D"), out("C", "D"));
  m.slot("slot2", in("A", "E"), out("A", "E")).pin("pin2", in("E", "F"), out("E", "F"));
  return m.loaded("D", "F").loaded("ground", "B").model;
}

inline Model floating() {
  TreeModel m("floating", 12);
  m.bodies({"left", "trunk", "right", "far"});
  m.pin("hip", "trunk", "left").slider("rail", "trunk", "right").slot("slot", "far", "right");
  return m.loaded("left", "far").model;
}

// Loops that do not reach the ground: coordinates that move both ends.
inline Model loops_on_a_base() {
  TreeModel m("loops on a base", 13);
  m.bodies({"base", "A", "B", "C", "D", "E"});
  m.pin("boom", "ground", "base").slot("sledge", "base", "E");
  m.pin("a", "E", "A").pin("b", "A", "B").pin("c", "B", "C").pin("d", "C", "E");
  m.slider("rail", "A", "D").slider("shut", "D", "E").slot("also", "D", "C");
  return m.rod("rod", "A", "E").loaded("A", "C").model;
}

inline Model welds_on_a_base() {
  TreeModel m("welds on a base", 16);
  m.bodies({"base", "A", "B", "D"});
  m.slot("sledge", "ground", "base").pin("a", "base", "A").slot("b", "A", "B");
  return m.slider("rail", "A", "D").weld("weld", "D", "B").model;
}

inline Model wheels_on_a_carrier() {
  TreeModel m("wheels on a carrier", 14);
  m.bodies({"carrier", "one", "two", "rack", "arm"});
  m.slot("swing", "ground", "carrier").pin("p1", "carrier", "one").pin("p2", "carrier", "two");
  m.slider("guide", "carrier", "rack").pin("shoulder", "ground", "arm");
  m.gear("gears", "one", "two", "carrier").rack("teeth", "carrier", "rack", "one");
  m.gear("across", "one", "arm", "rack").rack("over", "arm", "rack", "two");
  return m.loaded("one", "rack").model;
}

inline Model driven() {
  TreeModel m("driven", 15);
  m.bodies({"base", "A", "B", "C"});
  m.slot("mast", "ground", "base").pin("p", "base", "A").slider("rail", "A", "B").pin("r", "B", "C");
  return m.driven("A", "C").model;
}

inline std::vector<Model> tree_models() {
  return {branched(false),   branched(true),        floating(), loops_on_a_base(),
          welds_on_a_base(), wheels_on_a_carrier(), driven()};
}

}  // namespace driftless::testing
