#include "driftless/io/field_json.hpp"

#include <array>

#include <fmt/format.h>

#include "driftless/io/function_json.hpp"
#include "driftless/model/validate_elements.hpp"

namespace driftless {
namespace {

std::size_t dimension(Space space) { return space == Space::planar ? 2 : 3; }

template <class T>
std::optional<FieldValue> as_field(std::optional<T> value) {
  if (!value) return {};
  return FieldValue(std::move(*value));
}

// "crank.A" or {"body": "crank", "at": [0.1, 0]}
std::optional<PointRef> read_point(const JsonReader& reader, const std::string& expected, Space space) {
  if (const std::string* text = reader.value().string()) {
    const auto dot = text->find('.');
    if (dot != std::string::npos && dot > 0 && dot + 1 < text->size() &&
        text->find('.', dot + 1) == std::string::npos)
      return PointRef{text->substr(0, dot), text->substr(dot + 1), Vec3::Zero()};
    const bool body_only = dot == std::string::npos && !text->empty();
    reader.complain(expected,
                    body_only ? fmt::format("the name of a point is missing: '{}.POINT'", *text) : "");
    return {};
  }
  if (!reader.is_object(expected)) return {};
  reader.only(std::array<std::string, 2>{"body", "at"}, "a point");
  const auto body = reader.required("body", "the name of a body or 'ground'");
  const auto at = reader.required("at", "coordinates in the body's frame");
  const auto name = body ? body->text("the name of a body or 'ground'") : std::nullopt;
  const auto place = at ? at->vector(dimension(space)) : std::nullopt;
  if (!name || !place) return {};
  return PointRef{*name, "", *place};
}

std::optional<std::vector<TimeFunction>> read_functions(const JsonReader& reader,
                                                        const std::string& expected,
                                                        Space space) {
  const auto* list = reader.value().array();
  if (list == nullptr || list->size() != dimension(space)) {
    reader.complain(expected);
    return {};
  }
  std::vector<TimeFunction> out;
  for (const auto& entry : reader.elements(expected))
    if (const auto function = read_function(entry)) out.push_back(*function);
  if (out.size() != list->size()) return {};
  return out;
}

}  // namespace

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
    case FieldKind::force:
      return as_field(reader.text(expected));
    case FieldKind::point:
      return as_field(read_point(reader, expected, space));
    case FieldKind::vector:
    case FieldKind::direction:
      return as_field(reader.vector(dimension(space)));
    case FieldKind::function:
      return as_field(read_function(reader));
    case FieldKind::vector_function:
      return as_field(read_functions(reader, expected, space));
    case FieldKind::characteristic:
      return as_field(reader.pairs(expected));
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
      return JsonValue::Object{{"body", ref.body}, {"at", write_vector(ref.at, space)}};
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
