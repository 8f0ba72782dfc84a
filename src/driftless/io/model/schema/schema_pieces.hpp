// The small pieces schemas are put together from. For src/driftless/io only.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/json/json_value.hpp"

namespace driftless::schema {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

inline Object with_help(Object schema, const std::string& help) {
  if (!help.empty()) schema.push_back({"description", help});
  return schema;
}

inline Object type(const char* name, const std::string& help = "") {
  return with_help({{"type", name}}, help);
}
// A number, or an expression in parameters (a number in quotes is neither): bounds of a schema say nothing of strings.
inline Object numeric(const std::string& help = "") {
  return with_help(
      {{"type", Array{"number", "string"}}, {"pattern", R"(^(?![-+]?[0-9.]*([eE][-+]?[0-9]+)?$))"}}, help);
}
inline Object numeric(const std::string& help, const char* bound) {
  Object out = numeric(help);
  out.push_back({bound, 0});
  return out;
}
inline Object positive(const std::string& help) { return numeric(help, "exclusiveMinimum"); }
inline Object refer(const std::string& definition, const std::string& help = "") {
  return with_help({{"$ref", "#/$defs/" + definition}}, help);
}
inline Object text(const std::string& help) {
  return with_help({{"type", "string"}, {"minLength", 1}}, help);
}
inline Object matching(const char* pattern, const std::string& help) {
  return with_help({{"type", "string"}, {"pattern", pattern}}, help);
}
inline Object choice(const std::vector<std::string>& words, const std::string& help) {
  return with_help({{"enum", Array(words.begin(), words.end())}}, help);
}
inline Object list(Object items, const std::string& help) {
  return with_help({{"type", "array"}, {"items", std::move(items)}}, help);
}
inline Object tuple(Object item, int size, const std::string& help) {
  return with_help({{"type", "array"}, {"items", std::move(item)}, {"minItems", size}, {"maxItems", size}},
                   help);
}

// An object with these keys, "comment", and no others.
inline Object record(const std::string& help, const std::vector<std::string>& required, Object properties) {
  Object out = type("object", help);
  if (!required.empty()) out.push_back({"required", Array(required.begin(), required.end())});
  properties.push_back({"comment", type("string")});
  out.push_back({"properties", std::move(properties)});
  out.push_back({"additionalProperties", false});
  return out;
}

// An object from free names to `item`.
inline Object dictionary(const std::string& help, const Object& item) {
  Object out = type("object", help);
  Object comment = {{"anyOf", Array{type("string"), item}}};
  out.push_back({"properties", Object{{"comment", std::move(comment)}}});
  out.push_back({"additionalProperties", item});
  return out;
}

// The same with names that others refer to.
inline Object named(const std::string& help, const Object& item) {
  Object out = dictionary(help, item);
  out.push_back({"propertyNames", refer("name")});
  return out;
}

// Rules "if `type` is this, then that definition": editors complete by them, and messages stay short.
inline Array by_type(const std::vector<std::string>& types, const std::string& prefix) {
  Array out;
  for (const auto& name : types) {
    Object condition = {{"properties", Object{{"type", Object{{"const", name}}}}},
                        {"required", Array{"type"}}};
    out.push_back(Object{{"if", std::move(condition)}, {"then", refer(prefix + "-" + name)}});
  }
  return out;
}

}  // namespace driftless::schema
