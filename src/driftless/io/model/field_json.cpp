#include "driftless/io/model/field_json.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "driftless/io/csv_table.hpp"
#include "driftless/io/model/function_json.hpp"
#include "driftless/model/validate/validate_elements.hpp"

namespace driftless {
namespace {

std::size_t dimension(Space space) { return space == Space::planar ? 2 : 3; }

template <class T>
std::optional<FieldValue> as_field(std::optional<T> value) {
  if (!value) return {};
  return FieldValue(std::move(*value));
}

// "crank.A" in its two parts; what stands behind the dot is `word`, "a point", and as a placeholder `slot`, "POINT".
std::optional<std::pair<std::string, std::string>> read_dotted(const JsonReader& reader,
                                                               const std::string& text,
                                                               const std::string& expected,
                                                               const char* word,
                                                               const char* slot) {
  const auto dot = text.find('.');
  if (dot != std::string::npos && dot > 0 && dot + 1 < text.size() &&
      text.find('.', dot + 1) == std::string::npos)
    return std::pair(text.substr(0, dot), text.substr(dot + 1));
  const bool body_only = dot == std::string::npos && !text.empty();
  reader.complain(expected,
                  body_only ? fmt::format("the name of {} is missing: '{}.{}'", word, text, slot) : "");
  return {};
}

// Components under `key`, in the body's frame, or under "world".
struct Components {
  Vec3 value;
  bool world;
};

std::optional<Components> read_components(const JsonReader& reader,
                                          const char* key,
                                          const std::string& expected,
                                          Space space) {
  const auto world = reader.member("world");
  if (world && reader.member(key)) {
    reader.complaints().add(reader.path(), fmt::format("\"{}\" (the body's frame) or \"world\"", key),
                            "both");
    return {};
  }
  const auto given = world ? world : reader.required(key, expected);
  const auto value = given ? given->vector(space) : std::nullopt;
  if (!value) return {};
  return Components{*value, world.has_value()};
}

// "crank.A", {"body": "crank", "at": [0.1, 0]}, {"body": "crank", "world": [0.3, 0.2]}, {"body": "rod", "node": 3} or
// {"body": "rod", "along": 0.5}
std::optional<PointRef> read_point(const JsonReader& reader, const std::string& expected, Space space) {
  if (const std::string* text = reader.value().string()) {
    const auto parts = read_dotted(reader, *text, expected, "a point", "POINT");
    if (!parts) return {};
    return PointRef{parts->first, parts->second, Vec3::Zero()};
  }
  if (!reader.is_object(expected)) return {};
  reader.only(std::array<std::string, 5>{"body", "at", "world", "node", "along"}, "a point");
  const auto body = reader.required("body", "the name of a body or 'ground'");
  const auto name = body ? body->text("the name of a body or 'ground'") : std::nullopt;
  if (const auto mesh = read_mesh_place(reader)) {
    if (!name || !mesh->valid) return {};
    return PointRef{*name, "", Vec3::Zero(), false, mesh->node, mesh->along};
  }
  const auto place = read_components(reader, "at", "coordinates in the body's frame", space);
  if (!name || !place) return {};
  return PointRef{*name, "", place->value, place->world};
}

// "rod.hinge", [0, 0, 1], {"body": "rod", "along": [0, 0, 1]} or {"world": [0, 0, 1]}
std::optional<DirectionRef> read_direction(const JsonReader& reader,
                                           const std::string& expected,
                                           Space space) {
  if (const std::string* text = reader.value().string()) {
    const auto parts = read_dotted(reader, *text, expected, "an axis", "AXIS");
    if (!parts) return {};
    return DirectionRef{parts->first, parts->second, Vec3::Zero()};
  }
  if (reader.value().array() != nullptr) {
    const auto along = reader.vector(space);
    if (!along) return {};
    return DirectionRef{"", "", *along};
  }
  if (!reader.is_object(expected)) return {};
  reader.only(std::array<std::string, 3>{"body", "along", "world"}, "a direction");
  const auto body = reader.member("world") ? reader.member("body")
                                           : reader.required("body", "the name of a body or 'ground'");
  const auto name = body ? body->text("the name of a body or 'ground'") : std::nullopt;
  const auto along = read_components(reader, "along", "components in the body's frame", space);
  if ((body && !name) || (!body && !reader.member("world")) || !along) return {};
  return DirectionRef{name.value_or(""), "", along->value, along->world};
}

// {"points": [[0, 0], …], "closed": true}
std::optional<CurvePoints> read_curve(const JsonReader& reader, const std::string& expected, Space space) {
  if (!reader.is_object(expected)) return {};
  reader.only(std::array<std::string, 2>{"points", "closed"}, "a curve");
  const auto list = reader.required("points", "a list of points");
  const auto closed = reader.member("closed");
  const auto flag = closed ? closed->boolean() : false;
  if (!list) return {};
  CurvePoints out;
  if (is_csv_table(list->value())) {
    const auto rows = read_csv_table(*list, dimension(space));
    if (!flag || !rows) return {};
    for (const auto& row : *rows)
      out.points.emplace_back(row[0], row[1], space == Space::planar ? 0 : row[2]);
    out.closed = *flag;
    return out;
  }
  if (list->value().array() == nullptr) {
    list->complain("a list of points");
    return {};
  }
  for (const auto& entry : list->elements("a list of points"))
    if (const auto point = entry.vector(space)) out.points.push_back(*point);
  if (!flag || out.points.size() != list->value().array()->size()) return {};
  out.closed = *flag;
  return out;
}

Signals signals_of(const FieldSpec& field) {
  return field.reads_signals ? Signals::allowed : Signals::refused;
}

std::optional<std::vector<TimeFunction>> read_functions(const JsonReader& reader,
                                                        const std::string& expected,
                                                        Space space,
                                                        Signals signals) {
  const auto* list = reader.value().array();
  if (list == nullptr || list->size() != dimension(space)) {
    reader.complain(expected);
    return {};
  }
  std::vector<TimeFunction> out;
  for (const auto& entry : reader.elements(expected))
    if (const auto function = read_function(entry, "t", signals)) out.push_back(*function);
  if (out.size() != list->size()) return {};
  return out;
}

}  // namespace

std::optional<MeshPlace> read_mesh_place(const JsonReader& reader) {
  const auto node = reader.member("node"), along = reader.member("along");
  if (!node && !along) return {};
  MeshPlace out;
  for (const char* key : {"at", "world"})
    if (reader.member(key) || (node && along)) {
      reader.complaints().add(reader.path(), "a node, a fraction of the length or coordinates", "several");
      return out;
    }
  const char* expected = node ? "the number of a node, from 0 on" : "a fraction of the length, 0 to 1";
  const auto value = (node ? node : along)->number(expected);
  if (!value) return out;
  if (!(*value >= 0) || *value > 1e6 || (node && *value != std::floor(*value))) {
    (node ? node : along)->complain(expected);
    return out;
  }
  if (node)
    out.node = static_cast<int>(*value);
  else
    out.along = *value;
  out.valid = true;
  return out;
}

std::optional<FieldValue> read_field(const JsonReader& reader, const FieldSpec& field, Space space) {
  const std::string expected = expected_text(field, space);
  switch (field.kind) {
    case FieldKind::number:
    case FieldKind::positive:
    case FieldKind::non_negative:
      return as_field(reader.number(expected));
    case FieldKind::boolean:
      return as_field(reader.boolean());
    case FieldKind::choice:
    case FieldKind::body:
    case FieldKind::joint:
    case FieldKind::constraint:
    case FieldKind::force:
    case FieldKind::text:
    case FieldKind::output:
      return as_field(reader.text(expected));
    case FieldKind::expression:
      return as_field(reader.law(field.choices, expected));
    case FieldKind::point:
      return as_field(read_point(reader, expected, space));
    case FieldKind::vector:
    case FieldKind::direction:
      return as_field(reader.vector(space));
    case FieldKind::function:
      return as_field(read_function(reader, "t", signals_of(field)));
    case FieldKind::profile:
      return as_field(read_function(reader, "x"));
    case FieldKind::vector_function:
      return as_field(read_functions(reader, expected, space, signals_of(field)));
    case FieldKind::characteristic:
      return as_field(reader.pairs(expected));
    case FieldKind::axis:
      return as_field(read_direction(reader, expected, space));
    case FieldKind::curve:
      return as_field(read_curve(reader, expected, space));
  }
  return {};
}

JsonValue write_vector(const Vec3& v, Space space) {
  if (space == Space::planar) return JsonValue::Array{v.x(), v.y()};
  return JsonValue::Array{v.x(), v.y(), v.z()};
}

JsonValue write_field(const FieldValue& value, Space space) {
  struct Writer {
    Space space;
    JsonValue operator()(double number) const { return number; }
    JsonValue operator()(bool flag) const { return flag; }
    JsonValue operator()(const std::string& text) const { return text; }
    JsonValue operator()(const Vec3& vector) const { return write_vector(vector, space); }
    JsonValue operator()(const TimeFunction& function) const { return write_function(function); }
    JsonValue operator()(const PointRef& ref) const {
      if (!ref.point.empty()) return ref.body + "." + ref.point;
      if (ref.node >= 0) return JsonValue::Object{{"body", ref.body}, {"node", double(ref.node)}};
      if (ref.along >= 0) return JsonValue::Object{{"body", ref.body}, {"along", ref.along}};
      return JsonValue::Object{{"body", ref.body}, {ref.world ? "world" : "at", write_vector(ref.at, space)}};
    }
    JsonValue operator()(const DirectionRef& ref) const {
      if (!ref.axis.empty()) return ref.body + "." + ref.axis;
      if (ref.body.empty() && !ref.world) return write_vector(ref.along, space);
      JsonValue::Object out;
      if (!ref.body.empty()) out.push_back({"body", ref.body});
      out.push_back({ref.world ? "world" : "along", write_vector(ref.along, space)});
      return out;
    }
    JsonValue operator()(const CurvePoints& curve) const {
      JsonValue::Array points;
      for (const auto& point : curve.points) points.push_back(write_vector(point, space));
      JsonValue::Object out = {{"points", std::move(points)}};
      if (curve.closed) out.push_back({"closed", true});
      return out;
    }
    JsonValue operator()(const std::vector<TimeFunction>& functions) const {
      JsonValue::Array out;
      for (const auto& function : functions) out.push_back(write_function(function));
      return out;
    }
    JsonValue operator()(const Characteristic& pairs) const {
      JsonValue::Array out;
      for (const auto& [x, y] : pairs) out.push_back(JsonValue::Array{x, y});
      return out;
    }
  };
  return std::visit(Writer{space}, value);
}

}  // namespace driftless
