// What is wrong with a spatial model is said with its place, what was expected, and what to try; nothing crashes.
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/core/json/json_value.hpp"
#include "driftless/io/model_json.hpp"

#include "model_texts.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using test::all_text;
using test::body_with;
using test::complaint_at;
using test::complaint_of;
using test::complaints_of;
using test::model_with;
using test::parse;
using test::sound_model;
using test::sound_spatial_model;
using test::spatial_body_with;
using test::spatial_model_with;
using ::testing::HasSubstr;

TEST(SpatialJsonBadInput, VectorsHaveThreeComponents) {
  const auto complaint = complaint_of(spatial_model_with(R"(, "gravity": [0, -9.81])"));
  EXPECT_EQ(to_string(complaint),
            "gravity: expected 3 numbers [x, y, z] in a spatial model, found a list of 2 values");
  EXPECT_EQ(complaint_of(spatial_body_with(R"(, "position": [1, 2, 3, 4])")).where, "bodies[0].position");
  EXPECT_EQ(complaint_of(spatial_body_with(R"(, "position": [1, 2, "3"])")).where, "bodies[0].position[2]");
  EXPECT_EQ(complaint_of(spatial_body_with(R"(, "points": { "A": [1, 2] })")).where, "bodies[0].points.A");
  EXPECT_EQ(complaint_of(spatial_body_with(R"(, "axes": { "u": [1, 2] })")).where, "bodies[0].axes.u");
  EXPECT_EQ(complaint_of(spatial_body_with(R"(, "axes": [[1, 2, 3]])")).where, "bodies[0].axes");
  EXPECT_EQ(complaint_of(spatial_body_with(R"(, "angular_velocity": 3)")).where,
            "bodies[0].angular_velocity");
  EXPECT_EQ(complaint_of(model_with(R"(, "gravity": [0, 0, -9.81])")).expected,
            "2 numbers [x, y] in a planar model");
}

TEST(SpatialJsonBadInput, KeysOfTheOtherSpace) {
  EXPECT_THAT(complaint_of(spatial_body_with(R"(, "angle": 1)")).hint, HasSubstr("\"orientation\""));
  const auto axes = complaint_of(body_with(R"(, "axes": { "u": [1, 0] })"));
  EXPECT_EQ(axes.where, "bodies[0].axes");
  EXPECT_THAT(axes.hint, HasSubstr(R"("space": "spatial")"));
  EXPECT_THAT(complaint_of(body_with(R"(, "orientation": { "xyz": [0, 0, 1] })")).hint, HasSubstr("spatial"));
  EXPECT_EQ(complaint_of(R"({ "driftless": 1, "ground": { "axes": { "u": [1, 0] } },
                              "bodies": [{ "name": "bar", "mass": 1, "inertia": 1 }] })")
                .where,
            "ground.axes");
  const auto field = complaint_of(spatial_model_with(
      R"(, "joints": [{ "name": "s", "type": "translational", "a": "ground.O", "axis": [1, 0, 0], "b": "arm.A", "angle": 0 }])"));
  EXPECT_EQ(field.where, "joints[0].angle");
  EXPECT_EQ(field.hint, "it is for planar models");
  const auto type =
      complaint_of(spatial_model_with(R"(, "joints": [{ "name": "g", "type": "gear", "a": "arm" }])"));
  EXPECT_EQ(type.where, "joints[0].type");
  EXPECT_EQ(type.hint, "'gear' is for planar models");
}

TEST(SpatialJsonBadInput, WrongInertia) {
  const auto with = [](const std::string& inertia) {
    return complaint_of(
        R"({ "driftless": 1, "space": "spatial", "bodies": [{ "name": "arm", "mass": 1, "inertia": )" +
        inertia + "}] }");
  };
  EXPECT_THAT(with("0.1").hint, HasSubstr("planar"));
  EXPECT_THAT(with("[1, 1]").expected, HasSubstr("[Ixx, Iyy, Izz]"));
  EXPECT_EQ(with("[1, 1, \"1\"]").where, "bodies[0].inertia[2]");
  EXPECT_EQ(with("[1, 1, [1]]").where, "bodies[0].inertia[2]");
  EXPECT_EQ(with("[[1, 0, 0], [0, 1], [0, 0, 1]]").where, "bodies[0].inertia[1]");
  EXPECT_EQ(with("[[1, 0, 0], 5, [0, 0, 1]]").where, "bodies[0].inertia[1]");
  EXPECT_EQ(with("[[1, 0, 0], [0, 1, \"0\"], [0, 0, 1]]").where, "bodies[0].inertia[1][2]");
  EXPECT_EQ(with("[[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]").expected, "a symmetric matrix");
  EXPECT_EQ(with("[[1, 1e308, 0], [-1e308, 1, 0], [0, 0, 1]]").expected, "a symmetric matrix");
  EXPECT_EQ(with("[[], [], [], [], [], []]").where, "bodies[0].inertia");
  EXPECT_THAT(with("[0, 1, 1]").hint, HasSubstr("thin"));
  EXPECT_THAT(with("[1, 1, 1, 5, 0, 0]").expected, HasSubstr("positive definite"));
  EXPECT_THAT(with("[1, 1, 3]").hint, HasSubstr("no body has these"));
  EXPECT_EQ(
      complaint_of(R"({ "driftless": 1, "space": "spatial", "bodies": [{ "name": "arm", "mass": 1 }] })")
          .where,
      "bodies[0].inertia");
  EXPECT_THAT(
      complaint_of(R"({ "driftless": 1, "bodies": [{ "name": "bar", "mass": 1, "inertia": [1, 1, 1] }] })")
          .hint,
      HasSubstr("spatial"));
}

TEST(SpatialJsonBadInput, WrongOrientation) {
  const auto with = [](const std::string& orientation) {
    const auto complaint = complaint_of(spatial_body_with(R"(, "orientation": )" + orientation));
    EXPECT_THAT(complaint.where, HasSubstr("bodies[0].orientation"));
    return complaint;
  };
  EXPECT_THAT(with("[1, 0, 0, 0]").expected, HasSubstr("\"quaternion\""));
  EXPECT_EQ(with("{}").found, "none of them");
  EXPECT_EQ(with(R"({ "comment": "none" })").found, "none of them");
  EXPECT_EQ(with(R"({ "xyz": [0, 0, 0], "zxz": [0, 0, 0] })").found, "more than one of them");
  EXPECT_EQ(with(R"({ "quaternion": [0, 0, 0, 0] })").found, "zero");
  EXPECT_THAT(with(R"({ "quaternion": [1, 0, 0] })").expected, HasSubstr("[w, x, y, z]"));
  EXPECT_EQ(with(R"({ "axis": [0, 0, 1] })").where, "bodies[0].orientation.angle");
  EXPECT_EQ(with(R"({ "angle": 1 })").where, "bodies[0].orientation.axis");
  EXPECT_EQ(with(R"({ "axis": [0, 0, 0], "angle": 1 })").found, "zero");
  EXPECT_EQ(with(R"({ "axis": [0, 0, 1], "angle": "1" })").where, "bodies[0].orientation.angle");
  EXPECT_EQ(with(R"({ "xyz": [0, 0] })").where, "bodies[0].orientation.xyz");
  EXPECT_EQ(with(R"({ "zxz": 1 })").where, "bodies[0].orientation.zxz");
  EXPECT_EQ(with(R"({ "matrix": [[1, 0, 0], [0, 1, 0]] })").where, "bodies[0].orientation.matrix");
  EXPECT_EQ(with(R"({ "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1.001]] })").where,
            "bodies[0].orientation.matrix");
  EXPECT_EQ(with(R"({ "matrix": [[1e308, 1e308, 0], [0, -1e308, 0], [0, 0, 1]] })").where,
            "bodies[0].orientation.matrix");
  EXPECT_THAT(with(R"({ "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, -1]] })").hint, HasSubstr("right-handed"));
  const auto unknown = complaints_of(spatial_body_with(R"(, "orientation": { "quaternoin": [1, 0, 0, 0] })"));
  EXPECT_EQ(complaint_at(unknown, "bodies[0].orientation.quaternoin").hint, "did you mean 'quaternion'?");
}

TEST(SpatialJsonBadInput, AngularVelocityIsGivenOnce) {
  const auto complaint = complaint_of(
      spatial_body_with(R"(, "angular_velocity": [0, 0, 1], "angular_velocity_body": [0, 0, 1])"));
  EXPECT_EQ(complaint.where, "bodies[0].angular_velocity_body");
  EXPECT_EQ(complaint.found, "both");
}

TEST(SpatialJsonBadInput, WrongDirections) {
  const auto with = [](const std::string& axis) {
    return complaint_of(spatial_model_with(
        R"(, "joints": [{ "name": "s", "type": "translational", "a": "ground.O", "b": "arm.A", "axis": )" +
        axis + "}]"));
  };
  EXPECT_EQ(with("[0, 0, 0]").where, "joints[0].axis");
  EXPECT_EQ(with("[0, 1]").expected, "3 numbers [x, y, z] in a spatial model");
  EXPECT_THAT(with("\"arm\"").hint, HasSubstr("'arm.AXIS'"));
  EXPECT_EQ(with("\"ground.upp\"").hint, "did you mean 'ground.up'? 'ground' has 'up'");
  EXPECT_THAT(with("\"arm.u\"").hint, HasSubstr("has no axes"));
  EXPECT_EQ(with("\"amr.u\"").hint, "did you mean 'arm'?");
  EXPECT_EQ(with("5").where, "joints[0].axis");
  EXPECT_EQ(with(R"({ "along": [0, 0, 1] })").where, "joints[0].axis.body");
  EXPECT_EQ(with(R"({ "body": "arm" })").where, "joints[0].axis.along");
  EXPECT_EQ(with(R"({ "body": 5, "world": [0, 0, 1] })").where, "joints[0].axis.body");
  EXPECT_EQ(with(R"({ "world": [0, 0, 0] })").where, "joints[0].axis");
  EXPECT_EQ(with(R"({ "body": "arm", "along": [0, 0, 1], "world": [0, 0, 1] })").found, "both");
  EXPECT_EQ(with(R"({ "body": "arm", "at": [0, 0, 1], "along": [0, 0, 1] })").where, "joints[0].axis.at");
}

TEST(SpatialJsonBadInput, WrongPoints) {
  const auto with = [](const std::string& point) {
    return complaint_of(spatial_model_with(
        R"(, "joints": [{ "name": "s", "type": "spherical", "a": "ground.O", "b": )" + point + "}]"));
  };
  EXPECT_EQ(with(R"({ "body": "arm", "world": [0, 0] })").where, "joints[0].b.world");
  EXPECT_EQ(with(R"({ "body": "arm", "world": [0, 0, 1], "at": [0, 0, 1] })").found, "both");
  EXPECT_EQ(with(R"({ "world": [0, 0, 1] })").where, "joints[0].b.body");
  EXPECT_EQ(with(R"({ "body": "amr", "world": [0, 0, 1] })").where, "joints[0].b");
}

TEST(SpatialJsonBadInput, WrongCurves) {
  const auto with = [](const std::string& rail) {
    return complaint_of(spatial_model_with(
        R"(, "forces": [{ "name": "f", "type": "guide", "at": "arm.A", "rail": )" + rail + "}]"));
  };
  EXPECT_EQ(with("[[0, 0, 0], [1, 0, 0], [2, 0, 0]]").where, "forces[0].rail");
  EXPECT_EQ(with("{}").where, "forces[0].rail.points");
  EXPECT_EQ(with(R"({ "points": 5 })").where, "forces[0].rail.points");
  EXPECT_EQ(with(R"({ "points": [] })").where, "forces[0].rail");
  EXPECT_EQ(with(R"({ "points": [[0, 0, 0], [1, 0], [2, 0, 0]] })").where, "forces[0].rail.points[1]");
  EXPECT_EQ(with(R"({ "points": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "closed": 1 })").where,
            "forces[0].rail.closed");
  EXPECT_THAT(with(R"({ "points": [[0, 0, 0], [0, 0, 0], [2, 0, 0]] })").found, HasSubstr("same place"));
}

TEST(SpatialJsonBadInput, WrongStarts) {
  const auto with = [](const std::string& start) {
    return complaint_of(spatial_model_with(
        R"(, "joints": [{ "name": "s", "type": "spherical", "a": "ground.O", "b": "arm.A" }],
                                              "initial": { "joints": { "s": )" +
        start + "} }"));
  };
  EXPECT_EQ(with("{}").where, "initial.joints.s");
  EXPECT_EQ(with(R"({ "valeu": 1, "rate": 1 })").hint, "did you mean 'value'?");
  EXPECT_EQ(with(R"({ "value": {} })").where, "initial.joints.s.value");
  EXPECT_EQ(with(R"({ "angle": {} })").where, "initial.joints.s.angle");
  EXPECT_EQ(with(R"({ "angle": { "value": 1, "speed": 2 } })").where, "initial.joints.s.angle.speed");
  EXPECT_EQ(with(R"({ "angle": { "value": "1", "rate": 2 } })").where, "initial.joints.s.angle.value");
  EXPECT_EQ(with(R"({ "angle": { "value": 1 }, "displacement": 2 })").where, "initial.joints.s.displacement");
  EXPECT_THAT(with(R"({ "angle": { "value": 1 }, "value": 2 })").hint, HasSubstr("either"));
  EXPECT_EQ(with(R"({ "a.b": { "value": 1 } })").where, "initial.joints.s[\"a.b\"]");
  EXPECT_EQ(with(R"({ "": { "value": 1 } })").where, "initial.joints.s[\"\"]");
}

TEST(SpatialJsonBadInput, EverythingAtOnce) {
  const auto complaints = complaints_of(R"({ "driftless": 1, "space": "spatial", "gravity": [0, -9.81],
    "ground": { "points": { "O": [0, 0, 0] }, "axes": { "up": [0, 0, 0] } },
    "bodies": [{ "name": "arm", "mass": -1, "inertia": [1, 1, 3], "orientation": { "xyz": [0] }, "angle": 0 },
               { "name": "arm", "mass": 1, "inertia": [1, 1, 1], "axes": { "u": [0, 1] } }],
    "joints": [{ "name": "s", "type": "spherical", "a": "ground.P", "b": "arn.A" }] })");
  for (const std::string where :
       {"gravity", "ground.axes.up", "bodies[0].mass", "bodies[0].inertia", "bodies[0].orientation.xyz",
        "bodies[0].angle", "bodies[1].name", "bodies[1].axes.u", "joints[0].a", "joints[0].b"})
    EXPECT_EQ(complaint_at(complaints, where).where, where);
  EXPECT_EQ(complaints.size(), 10U) << all_text(complaints);
}

// A value somewhere in the tree, counted through.
JsonValue* nth(JsonValue& value, std::size_t& n) {
  if (n-- == 0) return &value;
  if (auto* array = std::get_if<JsonValue::Array>(&value.data))
    for (auto& entry : *array)
      if (JsonValue* found = nth(entry, n)) return found;
  if (auto* object = std::get_if<JsonValue::Object>(&value.data))
    for (auto& member : *object)
      if (JsonValue* found = nth(member.value, n)) return found;
  return nullptr;
}

// Every value of a sound model, in turn, becomes something else (a third of the others each): read or refused, and
// nothing else happens.
TEST(SpatialJsonBadInput, DamagedTreesEndInAMessage) {
  using Array = JsonValue::Array;
  using Object = JsonValue::Object;
  const std::vector<JsonValue> others = {JsonValue(),
                                         true,
                                         0,
                                         -1e308,
                                         5e-324,
                                         "",
                                         "arm.A",
                                         "ground",
                                         "spatial",
                                         "planar",
                                         Array{},
                                         Array{0, 0, 0},
                                         Array{1e308, 1e308, 1e308},
                                         Array{1, 2},
                                         Array{1, 2, 3, 4, 5, 6},
                                         Array{Array{1e308, 0, 0}, Array{0, 1, 0}, Array{0, 0, 1}},
                                         Object{},
                                         Object{{"body", "arm"}, {"world", Array{1, 2, 3}}},
                                         Object{{"value", 1}, {"angle", Object{}}}};
  int accepted = 0, refused = 0;
  for (const Model& model : {sound_spatial_model(), sound_model()}) {
    const JsonValue whole = parse_json(model_to_json(model), "test.json");
    for (std::size_t place = 0;; ++place) {
      JsonValue tree = whole;
      std::size_t n = place;
      JsonValue* damaged = nth(tree, n);
      if (damaged == nullptr) break;
      for (std::size_t i = place % 3; i < others.size(); i += 3) {
        *damaged = others[i];
        try {
          const Model read = parse(to_text(tree));
          parse(model_to_json(read));
          ++accepted;
        } catch (const InputError&) {
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
