// Fields of model elements (joints, drivers, forces, outputs). An element type declares its fields once, in its record;
// the JSON reader and writer, validation, the schema and the documents all work from that declaration, so a new joint
// is one file and one line.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/core/time_function.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

// A point of a body: by name ("crank.A") or by body-frame coordinates ({"body": "crank", "at": [0.1, 0]}).
struct PointRef {
  std::string body;   // "ground" is the world
  std::string point;  // empty when given by coordinates
  Vec3 at = Vec3::Zero();
};

// Pairs (x, y), x strictly increasing: a characteristic such as force over length.
using Characteristic = std::vector<std::pair<double, double>>;

using FieldValue = std::variant<double,
                                bool,
                                std::string,
                                Vec3,
                                PointRef,
                                TimeFunction,
                                std::vector<TimeFunction>,
                                Characteristic>;

enum class FieldKind {
  number,           // double
  positive,         // double > 0
  non_negative,     // double ≥ 0
  boolean,          // bool
  choice,           // std::string, one of `choices`
  body,             // std::string: name of a body or "ground"
  joint,            // std::string: name of a joint
  force,            // std::string: name of a force
  point,            // PointRef
  vector,           // Vec3; planar models give two components
  direction,        // Vec3, not zero
  function,         // TimeFunction
  vector_function,  // std::vector<TimeFunction>, one per dimension of space
  characteristic,   // Characteristic
};

struct FieldSpec {
  std::string name;
  FieldKind kind = FieldKind::number;
  bool required = true;
  std::optional<FieldValue> default_value;  // what an optional field is taken as; none: absent
  std::string unit;
  std::string help;
  std::vector<std::string> choices;
};

// What every kind of joint, driver, force or output says of itself.
struct ElementRecord {
  std::string type;     // as in the file: "revolute"
  std::string summary;  // one line
  std::vector<FieldSpec> fields;
};

// A joint, driver, force or output of a model: a plain value. Optional fields left out are absent here.
struct Element {
  std::string name;
  std::string type;
  std::map<std::string, FieldValue, std::less<>> fields;

  bool has(std::string_view field) const { return fields.find(field) != fields.end(); }
  // The value of a field that validation has found present and of the right kind.
  template <class T>
  const T& get(std::string_view field) const {
    return std::get<T>(fields.find(field)->second);
  }
  double number(std::string_view field, double fallback) const {
    return has(field) ? get<double>(field) : fallback;
  }
};

}  // namespace driftless
