#include "driftless/io/model/schema/body_schema.hpp"

#include <string_view>

#include <fmt/format.h>

#include "driftless/io/model/schema/flexible_schema.hpp"

namespace driftless {
namespace {

using namespace schema;

// Definitions for models of one space; their names begin with it.
struct SpaceNames {
  bool planar;
  Object& definitions;

  std::string name(const std::string& what) const { return (planar ? "planar-" : "spatial-") + what; }
  Object own(const std::string& what, const std::string& help = "") const { return refer(name(what), help); }
  void add(const std::string& what, Object schema) const {
    definitions.push_back({name(what), std::move(schema)});
  }
};

Object inertia_schema() {
  Object rows = tuple(tuple(numeric(), 3, ""), 3, "three rows");
  return {{"description", "The inertia tensor about the centre of mass, in body axes [kg m²]."},
          {"anyOf", Array{tuple(positive(""), 3, "[Ixx, Iyy, Izz]"),
                          tuple(numeric(), 6, "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz], with the signs of the matrix"),
                          std::move(rows)}}};
}

Object orientation_schema(const Object& direction) {
  const auto form = [](const char* key, Object schema) {
    return record("", {key}, {{key, std::move(schema)}});
  };
  Object axis_and_angle = record("", {"axis", "angle"}, {{"axis", direction}, {"angle", numeric("[rad]")}});
  return {{"description", "How the body's frame is turned at the start, roughly."},
          {"anyOf", Array{form("quaternion", tuple(numeric(), 4, "[w, x, y, z]")), std::move(axis_and_angle),
                          form("xyz", tuple(numeric(), 3, "angles of R = Rx(a) Ry(b) Rz(c) [rad]")),
                          form("zxz", tuple(numeric(), 3, "angles of R = Rz(a) Rx(b) Rz(c) [rad]")),
                          form("matrix", tuple(tuple(numeric(), 3, ""), 3, "the rotation matrix by rows"))}}};
}

// The forms of shape_json.hpp.
void define_shapes(const SpaceNames& space) {
  const Object corner = {{"anyOf", Array{refer("name"), tuple(numeric(), 2, "[x, y]")}}};
  Array places = {refer("name"), tuple(numeric(), 3, "[x, y, z]")};
  if (space.planar) places.push_back(tuple(numeric(), 2, "[x, y]"));
  space.add("place",
            with_help({{"anyOf", std::move(places)}}, "The name of a point of the body, or a place [m]."));
  const auto at_least = [](Object items, int count) {
    Object out = list(std::move(items), "");
    out.push_back({"minItems", count});
    return out;
  };
  const Object not_negative = numeric("", "minimum");
  const JsonMember position = {"position", space.own("place")}, radius = {"radius", positive("[m]")};
  const JsonMember turn = space.planar ? JsonMember{"angle", numeric("[rad]")}
                                       : JsonMember{"orientation", space.own("orientation")};
  std::vector<std::string> types;
  const auto shape = [&](const char* kind, std::vector<std::string> required, Object properties) {
    types.emplace_back(kind);
    required.insert(required.begin(), "type");
    properties.insert(properties.begin(), {"type", Object{{"const", kind}}});
    properties.push_back({"color", matching("^#[0-9a-fA-F]{6}$", "\"#rrggbb\"")});
    if (std::string_view(kind) != "line")
      properties.push_back(
          {"density", positive("[kg/m³]: mass, centre and inertia of the body are those of its shapes")});
    space.add(fmt::format("shape-{}", kind), record("", required, std::move(properties)));
  };
  shape("box", {"size"}, {{"size", tuple(positive(""), 3, "[x, y, z] [m]")}, position, turn});
  for (const char* kind : {"cylinder", "capsule"})
    shape(kind, {"from", "to", "radius"}, {{"from", space.own("place")}, {"to", space.own("place")}, radius});
  shape("sphere", {"radius"}, {radius, position});
  shape("line", {"points"}, {{"points", at_least(space.own("place"), 2)}, {"radius", not_negative}});
  shape("polygon", {"points"},
        {{"points", at_least(corner, 3)}, {"thickness", not_negative}, {"z", numeric("[m]")}});
  shape("mesh", {"file"},
        {{"file", text("*.stl or *.obj, beside the model file")}, position, turn, {"scale", positive("")}});
  Object any = {{"type", "object"}, {"required", Array{"type"}}};
  any.push_back({"properties", Object{{"type", choice(types, "the kind of shape")}}});
  any.push_back({"allOf", by_type(types, space.name("shape"))});
  space.add("shapes",
            list(std::move(any), "What it looks like; without them shapes are made up from points."));
}

Object body_schema(const SpaceNames& space) {
  Object own_name = refer("name", "its name");
  own_name.push_back({"not", Object{{"const", "ground"}}});
  Object properties = {
      {"name", std::move(own_name)},
      {"mass", positive("the mass [kg]")},
      {"inertia", space.planar ? positive("the moment of inertia about the centre of mass [kg m²]")
                               : space.own("inertia")},
      {"center_of_mass", space.own("vector", "in the body's frame [m]")},
      {"points", space.own("body-points")},
      {"position", space.own("vector", "where the body's frame starts, roughly [m]")},
      {"velocity", space.own("vector", "of the body's frame at the start [m/s]")},
      {"shapes", space.own("shapes")}};
  if (space.planar) {
    properties.push_back({"angle", numeric("how the body's frame is turned at the start, roughly [rad]")});
    properties.push_back({"angular_velocity", numeric("at the start [rad/s]")});
  } else {
    properties.push_back({"axes", space.own("axes")});
    properties.push_back({"orientation", space.own("orientation")});
    properties.push_back({"angular_velocity", space.own("vector", "at the start, in world axes [rad/s]")});
    properties.push_back(
        {"angular_velocity_body", space.own("vector", "the same in body axes [rad/s]; give one of them")});
  }
  properties.push_back({"point", type("boolean", "a point mass: neither inertia nor attitude")});
  properties.push_back({"flexible", flexible_schema(space.planar, space.own("vector"))});
  Object out =
      record("A body: rigid (mass and inertia, or shapes with a density), a point mass, or flexible.",
             {"name"}, std::move(properties));
  const auto requires_ = [](std::initializer_list<const char*> keys) {
    Array list;
    for (const char* key : keys) list.emplace_back(key);
    return Object{{"required", std::move(list)}};
  };
  Object point = requires_({"mass", "point"});
  point.push_back({"properties", Object{{"point", Object{{"const", true}}}}});
  out.push_back({"anyOf", Array{requires_({"mass", "inertia"}), std::move(point), requires_({"flexible"}),
                                requires_({"shapes"})}});
  if (!space.planar)
    out.push_back({"not", Object{{"required", Array{"angular_velocity", "angular_velocity_body"}}}});
  return out;
}

}  // namespace

void define_bodies(bool planar, Object& definitions) {
  const SpaceNames space{planar, definitions};
  if (!planar) {
    space.add("inertia", inertia_schema());
    space.add("orientation", orientation_schema(space.own("direction")));
  }
  define_shapes(space);
  space.add("body", body_schema(space));
}

}  // namespace driftless
