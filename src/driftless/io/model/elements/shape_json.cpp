#include "driftless/io/model/elements/shape_json.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/io/model/elements/body_json.hpp"
#include "driftless/io/model/elements/mesh_file.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

std::vector<std::string> keys_of(ShapeKind kind, bool planar) {
  const std::string turn = planar ? "angle" : "orientation";
  std::vector<std::string> keys = {"type", "color"};
  if (kind != ShapeKind::line) keys.emplace_back("density");
  const auto add = [&](std::initializer_list<std::string> more) { keys.insert(keys.end(), more); };
  switch (kind) {
    case ShapeKind::box:
      add({"size", "position", turn});
      break;
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
      add({"from", "to", "radius"});
      break;
    case ShapeKind::sphere:
      add({"radius", "position"});
      break;
    case ShapeKind::line:
      add({"points", "radius"});
      break;
    case ShapeKind::polygon:
      add({"points", "thickness", "z"});
      break;
    case ShapeKind::mesh:
      add({"file", "position", turn, "scale"});
      break;
  }
  return keys;
}

class ShapeReader {
 public:
  ShapeReader(const JsonReader& entry, Space space) : entry_(entry), planar_(space == Space::planar) {}

  // False if it is not known what shape it is.
  bool read(Shape& out);

 private:
  bool read_kind(Shape& out);
  void place(const JsonReader& value, Shape& out, bool corner = false) const;
  void place(const char* key, Shape& out, bool required) const;
  void places(Shape& out) const;
  void number(const char* key, double& out, const char* required) const;
  void turn(Shape& out) const;
  void mesh(Shape& out) const;

  const JsonReader& entry_;
  bool planar_;
};

bool ShapeReader::read_kind(Shape& out) {
  std::vector<std::string> names;
  for (const ShapeKind kind : kShapeKinds) names.emplace_back(shape_name(kind));
  const auto type = entry_.required("type", "the type of shape");
  const auto word = type ? type->text("the type of shape") : std::nullopt;
  if (!word) return false;
  const auto found = std::find(names.begin(), names.end(), *word);
  if (found == names.end()) {
    entry_.complaints().add(type->path(), quoted_list(names), driftless::quoted(*word),
                            did_you_mean(*word, names));
    return false;
  }
  out.kind = kShapeKinds[found - names.begin()];
  return true;
}

void ShapeReader::place(const JsonReader& value, Shape& out, bool corner) const {
  if (const std::string* name = value.value().string()) {
    out.points.push_back({*name, Vec3::Zero()});
    return;
  }
  const auto* list = value.value().array();
  const size_t size = list == nullptr ? 0 : list->size();
  const bool fits = corner ? size == 2 : size == 3 || (planar_ && size == 2);
  const std::string expected =
      fmt::format("the name of a point of the body or {}", corner    ? "[x, y]"
                                                           : planar_ ? "[x, y] or [x, y, z]"
                                                                     : "[x, y, z]");
  if (!fits) return value.complain(expected);
  const auto numbers = value.numbers(size, expected);
  if (numbers) out.points.push_back({{}, Vec3((*numbers)[0], (*numbers)[1], size == 3 ? (*numbers)[2] : 0)});
}

void ShapeReader::place(const char* key, Shape& out, bool required) const {
  const auto value = required ? entry_.required(key, "a point") : entry_.member(key);
  if (value) place(*value, out);
}

void ShapeReader::places(Shape& out) const {
  const auto list = entry_.required("points", "a list of points");
  if (!list) return;
  for (const JsonReader& value : list->elements("a list of points"))
    place(value, out, out.kind == ShapeKind::polygon);
}

void ShapeReader::number(const char* key, double& out, const char* required) const {
  if (required != nullptr) entry_.required(key, required);
  entry_.read(key, out);
}

void ShapeReader::turn(Shape& out) const {
  if (planar_) {
    double angle = 0;
    entry_.read("angle", angle);
    if (std::isfinite(angle) && angle != 0)
      out.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  } else if (const auto value = entry_.member("orientation")) {
    out.orientation = read_orientation(*value).value_or(out.orientation);
  }
}

void ShapeReader::mesh(Shape& out) const {
  number("scale", out.scale, nullptr);
  const auto file = entry_.required("file", "a mesh, *.stl or *.obj");
  const auto name = file ? file->text("the name of a file") : std::nullopt;
  if (!name) return;
  out.file = *name;
  const std::filesystem::path path = std::filesystem::path(entry_.context().folder) / *name;
  try {
    out.mesh = read_mesh(path.string());
  } catch (const std::runtime_error& failure) {
    entry_.complaints().add(file->path(), "a mesh, *.stl or *.obj", failure.what(),
                            fmt::format("looked for {}", printable(path.string(), 300)));
  }
}

bool ShapeReader::read(Shape& out) {
  if (!entry_.is_object("an object: a shape") || !read_kind(out)) return false;
  entry_.only(keys_of(out.kind, planar_), fmt::format("shape '{}'", shape_name(out.kind)),
              keys_of(out.kind, !planar_), other_space_hint(planar_ ? Space::planar : Space::spatial));
  entry_.read("color", out.color);
  if (const auto density = entry_.member("density"))
    if (const auto value = density->number("a density > 0, kg/m³")) {
      if (*value > 0 && std::isfinite(*value))
        out.density = *value;
      else
        density->complain("a density > 0, kg/m³");
    }
  switch (out.kind) {
    case ShapeKind::box:
      if (const auto size = entry_.required("size", "its size [x, y, z]"))
        if (const auto numbers = size->numbers(3, "3 numbers [x, y, z]"))
          out.size = Eigen::Map<const Vec3>(numbers->data());
      place("position", out, false);
      turn(out);
      break;
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
      place("from", out, true);
      place("to", out, true);
      number("radius", out.radius, "its radius");
      break;
    case ShapeKind::sphere:
      number("radius", out.radius, "its radius");
      place("position", out, false);
      break;
    case ShapeKind::line:
      places(out);
      number("radius", out.radius, nullptr);
      break;
    case ShapeKind::polygon:
      places(out);
      number("thickness", out.thickness, nullptr);
      number("z", out.z, nullptr);
      break;
    case ShapeKind::mesh:
      place("position", out, false);
      turn(out);
      mesh(out);
      break;
  }
  return true;
}

// ---- writing --------------------------------------------------------------------------------------------------------

JsonValue write_place(const ShapePoint& point, bool planar, bool corner) {
  if (!point.name.empty()) return point.name;
  Array out = {point.at.x(), point.at.y()};
  if (!corner && (!planar || point.at.z() != 0)) out.emplace_back(point.at.z());
  return out;
}

JsonValue write_turn(const Shape& shape, bool planar) {
  const auto& e = shape.orientation;
  if (planar) return 2 * std::atan2(e[3], e[0]);
  return Object{{"quaternion", Array{e[0], e[1], e[2], e[3]}}};
}

Object write_shape(const Shape& shape, bool planar) {
  Object out = {{"type", shape_name(shape.kind)}};
  const auto add_number = [&](const char* key, double value, double fallback) {
    if (value != fallback) out.push_back({key, value});
  };
  switch (shape.kind) {
    case ShapeKind::box:
      out.push_back({"size", Array{shape.size.x(), shape.size.y(), shape.size.z()}});
      break;
    case ShapeKind::mesh:
      out.push_back({"file", shape.file});
      add_number("scale", shape.scale, 1);
      break;
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
      out.push_back({"from", write_place(shape.points[0], planar, false)});
      out.push_back({"to", write_place(shape.points[1], planar, false)});
      break;
    case ShapeKind::line:
    case ShapeKind::polygon: {
      Array points;
      for (const ShapePoint& point : shape.points)
        points.push_back(write_place(point, planar, shape.kind == ShapeKind::polygon));
      out.push_back({"points", std::move(points)});
      break;
    }
    case ShapeKind::sphere:
      break;
  }
  add_number("radius", shape.radius, 0);
  add_number("thickness", shape.thickness, 0);
  add_number("z", shape.z, 0);
  const bool has_place =
      shape.kind == ShapeKind::box || shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::mesh;
  if (has_place && !shape.points.empty())
    out.push_back({"position", write_place(shape.points[0], planar, false)});
  if (shape.orientation != Shape().orientation)
    out.push_back({planar ? "angle" : "orientation", write_turn(shape, planar)});
  if (!shape.color.empty()) out.push_back({"color", shape.color});
  add_number("density", shape.density, 0);
  return out;
}

}  // namespace

std::vector<Shape> read_shapes(const JsonReader& list, Space space) {
  std::vector<Shape> out;
  for (const JsonReader& entry : list.elements("a list of shapes")) {
    Shape shape;
    if (!ShapeReader(entry, space).read(shape)) {  // that has been said; validation finds nothing in this one
      shape = Shape();
      shape.kind = ShapeKind::sphere;
      shape.radius = 1;
    }
    out.push_back(std::move(shape));
  }
  return out;
}

JsonValue::Array write_shapes(const std::vector<Shape>& shapes, Space space) {
  JsonValue::Array out;
  for (const Shape& shape : shapes) out.push_back(write_shape(shape, space == Space::planar));
  return out;
}

}  // namespace driftless
