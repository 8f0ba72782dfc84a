#include "driftless/io/model/elements/body_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/io/model/elements/flexible_json.hpp"
#include "driftless/io/model/elements/shape_json.hpp"
#include "driftless/io/model/field_json.hpp"
#include "driftless/model/geometry.hpp"
#include "driftless/model/mass_properties.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;
using Eigen::Matrix3d;
using Eigen::Quaterniond;

// ---- reading -------------------------------------------------------------------------------------------------------

// A node or a fraction of the length of a flexible body, as a place of it; nothing if the value is neither.
std::optional<Vec3> read_place_of(const JsonReader& reader, const FlexibleSpec* flexible) {
  if (flexible == nullptr || reader.value().object() == nullptr) return {};
  reader.only(std::array<std::string, 2>{"node", "along"}, "a point of a flexible body");
  const auto place = read_mesh_place(reader);
  if (!place) reader.complain("coordinates, a node or a fraction of the length {\"along\": 0.5}");
  if (!place || !place->valid) return Vec3(Vec3::UnitX());
  const auto nodes = static_cast<int>(flexible->nodes.size());
  if (place->node >= nodes || place->along > 1) {
    reader.complain(fmt::format("a node from 0 to {} or a fraction of the length, 0 to 1", nodes - 1));
    return Vec3(Vec3::UnitX());
  }
  return place->node >= 0 ? flexible->nodes[size_t(place->node)] : place_along(*flexible, place->along);
}

// An object of vectors by name.
bool read_named(const JsonReader& owner,
                const char* key,
                Space space,
                std::vector<NamedPoint>& out,
                const FlexibleSpec* flexible = nullptr) {
  const auto list = owner.member(key);
  if (!list) return true;
  if (!list->is_object(fmt::format("an object of {} {{ \"A\": {}, … }}", key,
                                   space == Space::planar ? "[x, y]" : "[x, y, z]")))
    return false;
  for (const auto& [name, value] : *list->value().object()) {
    if (is_comment(name, value)) continue;
    const JsonReader own = list->at(value, path_below(list->path(), name));
    const auto meshed = read_place_of(own, flexible);
    const auto vector = meshed ? meshed : own.vector(space);
    // Something else than zero for what could not be read: that has been said, and zero is an error of axes.
    out.push_back({name, vector.value_or(Vec3::UnitX())});
  }
  return true;
}

// Three rows of three numbers.
std::optional<Matrix3d> read_matrix(const JsonReader& reader, const std::string& expected) {
  const auto* list = reader.value().array();
  if (list == nullptr || list->size() != 3) {
    reader.complain(expected);
    return {};
  }
  Matrix3d out;
  bool good = true;
  Eigen::Index row = 0;
  for (const auto& entry : reader.elements(expected)) {
    const auto numbers = entry.numbers(3, "a row of 3 numbers");
    good = good && numbers;
    if (numbers) out.row(row) = Eigen::Map<const Eigen::RowVector3d>(numbers->data());
    ++row;
  }
  if (!good) return {};
  return out;
}

std::optional<Matrix3d> read_symmetric_rows(const JsonReader& reader, const std::string& expected) {
  auto rows = read_matrix(reader, expected);
  if (!rows) return {};
  const double tolerance = 1e-9 * rows->cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      double& below = (*rows)(i, j);
      double& above = (*rows)(j, i);
      if (!(std::abs(above - below) <= tolerance)) {
        reader.complaints().add(reader.path(), "a symmetric matrix",
                                fmt::format("{} in row {} and {} in row {}", above, j, below, i));
        return {};
      }
      above = below = above + 0.5 * (below - above);
    }
  return rows;
}

std::optional<Matrix3d> read_inertia(const JsonReader& reader) {
  static const std::string expected =
      "the inertia tensor about the centre of mass: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three "
      "rows";
  const auto* list = reader.value().array();
  const std::size_t size = list == nullptr ? 0 : list->size();
  if (size != 3 && size != 6) {
    reader.complain(expected,
                    reader.value().number() != nullptr ? "one number is enough for planar bodies only" : "");
    return {};
  }
  if ((*list)[0].array() != nullptr) return read_symmetric_rows(reader, expected);
  const auto n = reader.numbers(size, expected);
  if (!n) return {};
  Matrix3d out = Vec3((*n)[0], (*n)[1], (*n)[2]).asDiagonal();
  if (size == 6) {
    out(0, 1) = out(1, 0) = (*n)[3];
    out(0, 2) = out(2, 0) = (*n)[4];
    out(1, 2) = out(2, 1) = (*n)[5];
  }
  return out;
}

Eigen::Vector4d components(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

// A unit quaternion stays as it is, so that what was written reads back bit for bit.
std::optional<Eigen::Vector4d> read_quaternion(const JsonReader& reader) {
  const auto numbers = reader.numbers(4, "4 numbers [w, x, y, z]");
  if (!numbers) return {};
  const Eigen::Vector4d q = Eigen::Map<const Eigen::Vector4d>(numbers->data());
  if (std::abs(q.squaredNorm() - 1) <= 8 * std::numeric_limits<double>::epsilon()) return q;
  if (q.isZero(0)) {
    reader.complaints().add(reader.path(), "a quaternion [w, x, y, z], not zero", "zero",
                            "[1, 0, 0, 0] turns nothing");
    return {};
  }
  return q.stableNormalized();
}

std::optional<Eigen::Vector4d> read_axis_angle(const JsonReader& orientation) {
  const auto axis = orientation.required("axis", "the axis of the turn [x, y, z]");
  const auto angle = orientation.required("angle", "the angle of the turn, rad");
  const auto u = axis ? axis->vector(Space::spatial) : std::nullopt;
  const auto a = angle ? angle->number() : std::nullopt;
  if (!u || !a) return {};
  if (u->isZero(0)) {
    orientation.complaints().add(axis->path(), "a direction [x, y, z], not zero", "zero");
    return {};
  }
  return components(Quaterniond(Eigen::AngleAxisd(*a, u->stableNormalized())));
}

// Three turns, each about an axis of the frame the former ones have left: (1), (2)
std::optional<Eigen::Vector4d> read_turns(const JsonReader& reader, const std::array<Vec3, 3>& axes) {
  const auto angles = reader.numbers(3, "3 angles, rad");
  if (!angles) return {};
  Quaterniond q = Quaterniond::Identity();
  for (std::size_t i = 0; i < 3; ++i) q = q * Eigen::AngleAxisd((*angles)[i], axes[i]);
  return components(q.normalized());
}

std::optional<Eigen::Vector4d> read_rotation(const JsonReader& reader) {
  auto R = read_matrix(reader, "three rows of a rotation matrix");
  if (!R) return {};
  const double error = (R->transpose() * *R - Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= 1e-6) || R->determinant() < 0) {
    const bool mirrored = error <= 1e-6;
    reader.complaints().add(
        reader.path(), "a rotation matrix: orthonormal to 1e-6, determinant 1",
        mirrored ? "a reflection" : fmt::format("a matrix with RᵀR off by {:.2g}", error),
        mirrored ? "the axes must be right-handed: turn the sign of one of them"
                 : "give more digits, or \"quaternion\", \"axis\" and \"angle\", \"xyz\" or \"zxz\"");
    return {};
  }
  // Newton's iteration for the nearest rotation squares the error: 1e-6, 1e-12, none.
  for (int i = 0; i < 2; ++i)
    *R = (0.5 * *R * (3 * Matrix3d::Identity() - R->transpose() * *R)).eval();  // (3)
  return components(Quaterniond(*R).normalized());
}

// Shapes with a density say what the body weighs.
bool is_weighed(const Body& body) {
  return std::any_of(body.shapes.begin(), body.shapes.end(), [](const Shape& s) { return s.density > 0; });
}

// What is missing, or could not be read, has been said: a file, an end, a corner.
bool is_whole(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::mesh:
      return !shape.mesh.triangles.empty();
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
      return shape.points.size() == 2;
    case ShapeKind::polygon:
      return shape.points.size() >= 3;
    default:
      return true;
  }
}

void weigh(const JsonReader& entry, Space space, Body& body) {
  std::vector<MassProperties> parts;
  for (std::size_t i = 0; i < body.shapes.size(); ++i) {
    const Shape& shape = body.shapes[i];
    if (shape.density == 0 || !is_whole(shape)) continue;
    try {
      const MassProperties part = mass_properties(shape, body.points);
      // A radius, a size or a scale that is not > 0 is complained of by its own name.
      if (part.mass > 0 && std::isfinite(part.mass)) parts.push_back(part);
    } catch (const std::invalid_argument& trouble) {
      entry.complaints().add(path_below(path_below(entry.path(), "shapes"), i),
                             "a shape that encloses a volume", trouble.what());
    }
  }
  const MassProperties all =
      parts.empty() ? MassProperties{1, Vec3::Zero(), Matrix3d::Identity()} : combined(parts);
  body.mass = all.mass;
  body.center_of_mass = all.center;
  if (space == Space::planar)
    body.inertia = all.inertia(2, 2);
  else
    body.inertia_tensor = all.inertia;
  if (space == Space::planar) body.center_of_mass.z() = 0;
}

void read_planar(const JsonReader& entry, Body& body) {
  const auto inertia =
      body.flexible || is_weighed(body)
          ? std::nullopt
          : entry.required("inertia", "the moment of inertia about the centre of mass, kg m²");
  if (inertia && inertia->value().array() != nullptr)
    inertia->complain("a number", "a list is for spatial models: say \"space\": \"spatial\" at the top");
  else if (inertia)
    entry.read("inertia", body.inertia);
  entry.read("angle", body.angle);
  entry.read("angular_velocity", body.angular_velocity);
}

void read_spatial(const JsonReader& entry, Body& body) {
  if (const auto inertia =
          body.flexible || is_weighed(body)
              ? std::nullopt
              : entry.required("inertia", "the inertia tensor about the centre of mass, kg m²"))
    body.inertia_tensor = read_inertia(*inertia).value_or(body.inertia_tensor);
  if (const auto orientation = entry.member("orientation"))
    body.orientation = read_orientation(*orientation).value_or(body.orientation);
  entry.read("angular_velocity", Space::spatial, body.spin);
  const auto in_body = entry.member("angular_velocity_body");
  if (!in_body) return;
  if (entry.member("angular_velocity"))
    entry.complaints().add(in_body->path(), "\"angular_velocity\" (world axes) or \"angular_velocity_body\"",
                           "both");
  else if (const auto spin = in_body->vector(Space::spatial))
    body.spin = start_pose(body, Space::spatial).rotation * *spin;
}

// ---- writing -------------------------------------------------------------------------------------------------------

// What has its default is left out.
void add_vector(Object& out, const char* key, const Vec3& value, Space space) {
  if (!value.isZero(0)) out.push_back({key, write_vector(value, space)});
}

void add_number(Object& out, const char* key, double value) {
  if (value != 0) out.push_back({key, value});
}

void add_named(Object& out, const char* key, const std::vector<NamedPoint>& list, Space space) {
  Object entries;
  for (const auto& [name, at] : list) entries.push_back({name, write_vector(at, space)});
  if (!entries.empty()) out.push_back({key, std::move(entries)});
}

Array write_inertia(const Matrix3d& I) {
  Array out = {I(0, 0), I(1, 1), I(2, 2)};
  const Vec3 products(I(0, 1), I(0, 2), I(1, 2));
  if (!products.isZero(0))
    for (const double product : products) out.emplace_back(product);
  return out;
}

}  // namespace

std::optional<Eigen::Vector4d> read_orientation(const JsonReader& reader) {
  static const std::vector<std::string> known = {"quaternion", "axis", "angle", "xyz", "zxz", "matrix"};
  static const std::string expected =
      R"({"quaternion": [w, x, y, z]}, {"axis": [x, y, z], "angle": a}, {"xyz": [a, b, c]}, )"
      R"({"zxz": [a, b, c]} or {"matrix": [[…], […], […]]})";
  if (!reader.is_object(expected)) return {};
  reader.only(known, "an orientation");
  const auto has = [&](const char* key) { return reader.member(key).has_value(); };
  const bool by_axis = has("axis") || has("angle");
  const int forms = has("quaternion") + has("xyz") + has("zxz") + has("matrix") + by_axis;
  if (forms != 1) {
    reader.complaints().add(reader.path(), expected, forms == 0 ? "none of them" : "more than one of them");
    return {};
  }
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  if (by_axis) return read_axis_angle(reader);
  if (const auto form = reader.member("quaternion")) return read_quaternion(*form);
  if (const auto form = reader.member("xyz")) return read_turns(*form, {x, y, z});
  if (const auto form = reader.member("zxz")) return read_turns(*form, {z, x, z});
  return read_rotation(*reader.member("matrix"));
}

bool read_body_fields(const JsonReader& entry, Space space, Body& out) {
  static const std::vector<std::string> planar_keys = {
      "name",  "mass",     "inertia",          "center_of_mass", "points", "position",
      "angle", "velocity", "angular_velocity", "shapes",         "point",  "flexible"};
  static const std::vector<std::string> spatial_keys = {
      "name",        "mass",     "inertia",          "center_of_mass",        "points", "axes",  "position",
      "orientation", "velocity", "angular_velocity", "angular_velocity_body", "shapes", "point", "flexible"};
  const bool planar = space == Space::planar;
  const auto& known = planar ? planar_keys : spatial_keys;
  entry.only(known, planar ? "a body" : "a spatial body", planar ? spatial_keys : planar_keys,
             planar ? other_space_hint(space) : "a spatial body has an \"orientation\"");
  if (const auto shapes = entry.member("shapes")) out.shapes = read_shapes(*shapes, space);
  const bool weighed = is_weighed(out) && !entry.member("flexible") && !entry.member("point");
  for (const char* key : {"mass", "inertia", "center_of_mass"})
    if (const auto given = entry.member(key); given && weighed)
      entry.complaints().add(given->path(), "mass, centre and inertia, or shapes with a density", "both");
  if (const auto point = entry.member("point")) out.point = point->boolean().value_or(false);
  const auto flexible = entry.member("flexible");
  if (flexible) {
    for (const char* key : {"mass", "inertia", "center_of_mass", "point"})
      if (const auto other = entry.member(key))
        other->complaints().add(
            other->path(), "nothing beside \"flexible\"", "a value",
            "the mesh and its sections say it; \"masses\" of \"flexible\" adds masses on nodes");
    out.flexible = read_flexible(*flexible, space);
  } else if (!weighed) {
    entry.required("mass", "the mass, kg");
  }
  entry.read("mass", out.mass);
  entry.read("center_of_mass", space, out.center_of_mass);
  entry.read("position", space, out.position);
  entry.read("velocity", space, out.velocity);
  if (out.point) {
    for (const char* key : {"inertia", "center_of_mass", "angle", "orientation", "angular_velocity",
                            "angular_velocity_body", "axes"})
      if (const auto other = entry.member(key))
        other->complaints().add(other->path(), "nothing: a point mass has neither inertia nor attitude",
                                "a value");
  } else if (planar) {
    read_planar(entry, out);
  } else {
    read_spatial(entry, out);
  }
  const bool has_points =
      read_named(entry, "points", space, out.points, out.flexible ? &*out.flexible : nullptr);
  if (flexible && out.flexible) read_boundary(*flexible, out.points, *out.flexible);
  if (weighed) weigh(entry, space, out);
  return (planar || read_named(entry, "axes", space, out.axes)) && has_points;
}

bool read_ground(const JsonReader& ground, Model& model) {
  static const std::vector<std::string> known = {"points", "shapes", "axes"};
  const bool planar = model.space == Space::planar;
  if (!ground.is_object(planar ? "an object with \"points\"" : "an object with \"points\" and \"axes\""))
    return true;
  ground.only(std::span(known).first(planar ? 2 : 3), "ground", known, other_space_hint(model.space));
  if (const auto shapes = ground.member("shapes")) model.ground_shapes = read_shapes(*shapes, model.space);
  const bool has_points = read_named(ground, "points", model.space, model.ground_points);
  return (planar || read_named(ground, "axes", model.space, model.ground_axes)) && has_points;
}

Object write_body(const Body& body, Space space) {
  const bool planar = space == Space::planar;
  Object out = {{"name", body.name}};
  if (body.flexible)
    out.push_back({"flexible", write_flexible(*body.flexible, space)});
  else if (!is_weighed(body) || body.point)
    out.push_back({"mass", body.mass});
  if (body.point) out.push_back({"point", true});
  if (body.is_rigid() && !is_weighed(body))
    out.push_back(
        {"inertia", planar ? JsonValue(body.inertia) : JsonValue(write_inertia(body.inertia_tensor))});
  if (!is_weighed(body) || !body.is_rigid()) add_vector(out, "center_of_mass", body.center_of_mass, space);
  add_named(out, "points", body.points, space);
  add_named(out, "axes", body.axes, space);
  add_vector(out, "position", body.position, space);
  add_number(out, "angle", body.angle);
  if (body.orientation != Body().orientation) {
    const auto& e = body.orientation;
    out.push_back({"orientation", Object{{"quaternion", Array{e[0], e[1], e[2], e[3]}}}});
  }
  add_vector(out, "velocity", body.velocity, space);
  add_number(out, "angular_velocity", body.angular_velocity);
  add_vector(out, "angular_velocity", body.spin, space);
  if (!body.shapes.empty()) out.push_back({"shapes", write_shapes(body.shapes, space)});
  return out;
}

Object write_ground(const Model& model) {
  Object out;
  add_named(out, "points", model.ground_points, model.space);
  add_named(out, "axes", model.ground_axes, model.space);
  if (!model.ground_shapes.empty()) out.push_back({"shapes", write_shapes(model.ground_shapes, model.space)});
  return out;
}

}  // namespace driftless
