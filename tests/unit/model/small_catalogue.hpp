// A catalogue with a field of every kind, in both spaces, independent of the built-in elements, and a sound model that uses it all.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless::test {

inline FieldSpec field(std::string name, FieldKind kind, bool required = true) {
  FieldSpec out;
  out.name = std::move(name);
  out.kind = kind;
  out.required = required;
  out.help = "help on " + out.name;
  return out;
}

inline FieldSpec choice_field(std::string name, std::vector<std::string> choices, bool required = true) {
  FieldSpec out = field(std::move(name), FieldKind::choice, required);
  out.choices = std::move(choices);
  return out;
}

inline FieldSpec with_default(FieldSpec spec, FieldValue value) {
  spec.default_value = std::move(value);
  return spec;
}

inline FieldSpec only_in(Spaces spaces, FieldSpec spec) {
  spec.spaces = spaces;
  return spec;
}

inline const Catalogue& small_catalogue() {
  using enum FieldKind;
  static const ElementRecord revolute = {"revolute", "a pin", {field("a", point), field("b", point)}};
  static const ElementRecord translational = {
      "translational",
      "a slide",
      {field("a", point), only_in(Spaces::planar, field("axis", direction)),
       only_in(Spaces::spatial, field("axis", axis)), field("b", point),
       only_in(Spaces::planar, field("angle", number, false)),
       only_in(Spaces::spatial, field("normal", axis, false))}};
  static const ElementRecord spherical = {
      "spherical", "a ball", {field("a", point), field("b", point)}, Spaces::spatial};
  static const ElementRecord gear = {
      "gear",
      "wheels",
      {field("a", body), field("b", body), with_default(field("carrier", body, false), std::string("ground")),
       field("radius_a", positive), field("radius_b", positive),
       with_default(field("internal", boolean, false), false)},
      Spaces::planar};
  static const ElementRecord angle = {
      "angle", "a motor", {field("a", body), field("b", body), field("function", function)}};
  static const ElementRecord path = {
      "path", "a path", {field("a", point), field("b", point), field("function", vector_function)}};
  static const ElementRecord tsda = {
      "tsda",
      "a spring",
      {field("a", point), field("b", point), field("stiffness", number, false),
       field("damping", non_negative, false), field("spring", characteristic, false)}};
  static const ElementRecord wind = {
      "wind",
      "a wind",
      {field("at", point), field("velocity", vector), choice_field("frame", {"world", "body"}, false)}};
  static const ElementRecord guide = {"guide", "a soft rail", {field("at", point), field("rail", curve)}};
  static const ElementRecord point_output = {
      "point", "a point", {field("point", point), choice_field("component", {"x", "y", "vx", "vy"})}};
  static const ElementRecord joint_output = {"joint", "a joint", {field("joint", joint)}};
  static const ElementRecord force_output = {"force", "a force", {field("force", force)}};
  static const Catalogue catalogue = {{&revolute, &translational, &gear, &spherical},
                                      {&angle, &path},
                                      {&tsda, &wind, &guide},
                                      {&point_output, &joint_output, &force_output}};
  return catalogue;
}

inline Element element(std::string name,
                       std::string type,
                       std::map<std::string, FieldValue, std::less<>> fields) {
  return {std::move(name), std::move(type), std::move(fields)};
}

// A crank and a rod with one element of every type.
inline Model sound_model() {
  Model model;
  model.name = "crank and rod";
  model.gravity = Vec3(0, -9.81, 0);
  model.ground_points = {{"O", Vec3(0, 0, 0)}, {"S", Vec3(3, 0, 0)}};
  Body crank;
  crank.name = "crank";
  crank.mass = 1;
  crank.inertia = 1.0 / 12;
  crank.points = {{"A", Vec3(-0.5, 0, 0)}, {"B", Vec3(0.5, 0, 0)}};
  Body rod = crank;
  rod.name = "rod";
  rod.position = Vec3(1, 0.1, 0);
  rod.angle = -0.3;
  rod.velocity = Vec3(0.25, 1.0 / 3, 0);
  rod.angular_velocity = 1e-3;
  rod.center_of_mass = Vec3(0.01, 0, 0);
  model.bodies = {crank, rod};
  const PointRef O{"ground", "O", Vec3::Zero()}, S{"ground", "S", Vec3::Zero()},
      A{"crank", "A", Vec3::Zero()}, B{"crank", "B", Vec3::Zero()}, rod_at{"rod", "", Vec3(0.2, -0.1, 0)};
  model.joints = {
      element("pin", "revolute", {{"a", O}, {"b", A}}),
      element("slide", "translational", {{"a", S}, {"axis", Vec3(1, 1, 0)}, {"b", rod_at}, {"angle", 0.1}}),
      element("mesh", "gear",
              {{"a", std::string("crank")},
               {"b", std::string("rod")},
               {"radius_a", 0.1},
               {"radius_b", 0.3},
               {"internal", true}})};
  using namespace time_function;
  model.drivers = {element("motor", "angle",
                           {{"a", std::string("ground")},
                            {"b", std::string("crank")},
                            {"function", TimeFunction(ExpressionText{"2*pi*t"})}}),
                   element("track", "path",
                           {{"a", O},
                            {"b", rod_at},
                            {"function", std::vector<TimeFunction>{TimeFunction(0.5),
                                                                   TimeFunction(Harmonic{0.2, 3, 0, 1})}}})};
  model.forces = {
      element("spring", "tsda",
              {{"a", S},
               {"b", B},
               {"stiffness", 100.0},
               {"damping", 0.0},
               {"spring", Characteristic{{-1, -2}, {0, 0}, {1, 3}}}}),
      element("wind", "wind", {{"at", B}, {"velocity", Vec3(3, 0, 0)}, {"frame", std::string("body")}}),
      element("rail", "guide",
              {{"at", PointRef{"rod", "", Vec3(0.3, 0.1, 0), true}},
               {"rail", CurvePoints{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)}, true}}})};
  model.outputs = {element("tip_x", "point", {{"point", B}, {"component", std::string("x")}}),
                   element("turn", "joint", {{"joint", std::string("pin")}}),
                   element("pull", "force", {{"force", std::string("spring")}})};
  model.initial.joints = {{"pin", 0.4, std::nullopt}, {"slide", std::nullopt, 3.0}};
  model.initial.hold = {"crank.theta", "rod.x"};
  model.simulate.t_end = 2;
  model.simulate.rtol = 1e-7;
  model.simulate.max_steps = 100000;
  model.simulate.formulation = "baumgarte";
  model.simulate.options = {{"formulation.alpha", "5"}, {"scale", "step"}};
  model.stop_when = {{"tip_x", 1.5, "up"}, {"turn", 0, "any"}};
  return model;
}

// Two bodies in space with everything only spatial models have.
inline Model sound_spatial_model() {
  Model model;
  model.name = "swinging arm";
  model.space = Space::spatial;
  model.gravity = Vec3(0, 0, -9.81);
  model.ground_points = {{"O", Vec3(0, 0, 1)}};
  model.ground_axes = {{"hinge", Vec3(0, 0, 2)}, {"tilted", Vec3(1, 0, 1)}};
  Body arm;
  arm.name = "arm";
  arm.mass = 2;
  arm.inertia_tensor = Vec3(0.01, 0.2, 0.2).asDiagonal();
  arm.points = {{"A", Vec3(-0.5, 0, 0)}, {"B", Vec3(0.5, 0, 0.1)}};
  arm.axes = {{"hinge", Vec3(0, 0, 1)}, {"A", Vec3(1, 0, 0)}};  // a point may have the same name
  Body bob = arm;
  bob.name = "bob";
  bob.inertia_tensor << 0.3, -0.01, 0.02, -0.01, 0.4, 0.03, 0.02, 0.03, 0.5;
  bob.position = Vec3(1, 2, 3);
  bob.orientation = Eigen::Vector4d(1, 2, -3, 4).normalized();
  bob.velocity = Vec3(0.1, 1.0 / 3, -2);
  bob.spin = Vec3(1, -1, 0.7);
  bob.axes.clear();
  model.bodies = {arm, bob};
  const PointRef O{"ground", "O", Vec3::Zero()}, A{"arm", "A", Vec3::Zero()}, B{"arm", "B", Vec3::Zero()},
      on_bob{"bob", "", Vec3(0.2, -0.1, 0.4)}, at_bob{"bob", "", Vec3(1, 2, 3.5), true};
  const auto slide = [&](std::string name, PointRef b, DirectionRef along) {
    return element(std::move(name), "translational",
                   {{"a", O}, {"axis", std::move(along)}, {"b", std::move(b)}});
  };
  model.joints = {element("ball", "spherical", {{"a", O}, {"b", A}}),
                  slide("components", B, DirectionRef{"", "", Vec3(0, 1, 2)}),
                  slide("named", A, DirectionRef{"arm", "hinge", Vec3::Zero()}),
                  slide("of_ground", A, DirectionRef{"ground", "tilted", Vec3::Zero()}),
                  slide("of_body", on_bob, DirectionRef{"bob", "", Vec3(0, 0, -1)}),
                  slide("in_world", at_bob, DirectionRef{"", "", Vec3(0, 0, 3), true}),
                  slide("of_body_in_world", at_bob, DirectionRef{"bob", "", Vec3(1, 1, 0), true})};
  model.joints[1].fields["normal"] = DirectionRef{"arm", "A", Vec3::Zero()};
  model.drivers = {element(
      "track", "path",
      {{"a", O},
       {"b", on_bob},
       {"function", std::vector<TimeFunction>{TimeFunction(0.5), TimeFunction(1), TimeFunction(2)}}})};
  model.forces = {
      element("wind", "wind", {{"at", B}, {"velocity", Vec3(3, 0, 1)}}),
      element("rail", "guide",
              {{"at", at_bob}, {"rail", CurvePoints{{Vec3(0, 0, 0), Vec3(1, 0, 1), Vec3(1, 1, 2)}, false}}})};
  model.initial.joints = {{"components", 0.4, std::nullopt},
                          {"named", 0.1, 2.0, "angle"},
                          {"named", std::nullopt, 3.0, "displacement"},
                          {"in_world", std::nullopt, 1.0}};
  model.initial.hold = {"arm.z", "bob.orientation"};
  return model;
}

// The complaint under a path, or one that says there is none.
inline Complaint complaint_at(const std::vector<Complaint>& complaints, const std::string& where) {
  const auto found = std::find_if(complaints.begin(), complaints.end(),
                                  [&](const Complaint& c) { return c.where == where; });
  return found != complaints.end() ? *found : Complaint{"none", "none", "none", "none"};
}

inline std::string all_text(const std::vector<Complaint>& complaints) {
  std::string out;
  for (const auto& complaint : complaints) out += to_string(complaint) + "\n";
  return out;
}

}  // namespace driftless::test
