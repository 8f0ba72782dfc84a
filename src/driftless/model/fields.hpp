// Fields of model elements (joints, drivers, forces, outputs). An element type declares its fields once, in its record;
// the JSON reader and writer, validation, the schema and the documents all work from that declaration, so a new joint
// is one file and one line.
#pragma once

#include <algorithm>
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

enum class Space { planar, spatial };

// The kinds of model a field or an element type is for.
enum class Spaces { both, planar, spatial };

constexpr bool exists_in(Spaces spaces, Space space) {
  return spaces == Spaces::both || (spaces == Spaces::planar) == (space == Space::planar);
}

// A point of a body: by name ("crank.A"), by body-frame coordinates ({"body": "crank", "at": [0.1, 0]}), or by the
// place it has in the initial position the file gives ({"body": "crank", "world": [0.3, 0.2]}); of a flexible body also a
// node of its mesh ({"body": "rod", "node": 3}) or a fraction of its length ({"body": "rod", "along": 0.5}). model/geometry.hpp
// resolves it.
struct PointRef {
  std::string body;        // "ground" is the world
  std::string point;       // empty when given by coordinates
  Vec3 at = Vec3::Zero();  // coordinates, body frame or
  bool world = false;      // world frame, initial position
  int node = -1;           // of a flexible body; −1: none
  double along = -1;       // of its length; −1: none
};

// A direction of a body, of any length but zero: a named axis ("rod.hinge"), body-frame components ({"body": "rod",
// "along": [0, 0, 1]}, or [0, 0, 1] alone: in the frame of the body the element says, usually that of its field `a`), or
// world components in the initial position the file gives ({"world": [0, 0, 1]}, with or without "body").
// model/geometry.hpp resolves it.
struct DirectionRef {
  std::string body;           // empty: the body the element says
  std::string axis;           // empty when given by components
  Vec3 along = Vec3::Zero();  // components, body frame or
  bool world = false;         // world frame, initial position
};

// Points on a curve, in order; who uses the field draws a spline through them. Closed: the curve goes on from the last
// point to the first, which is not repeated.
struct CurvePoints {
  std::vector<Vec3> points;
  bool closed = false;
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
                                Characteristic,
                                DirectionRef,
                                CurvePoints>;

enum class FieldKind {
  number,           // double
  positive,         // double > 0
  non_negative,     // double ≥ 0
  boolean,          // bool
  choice,           // std::string, one of `choices`
  body,             // std::string: name of a body or "ground"
  joint,            // std::string: name of a joint
  constraint,       // std::string: name of a joint, a driver or a contact
  force,            // std::string: name of a force
  output,           // std::string: name of an output channel
  point,            // PointRef
  vector,           // Vec3; planar models give two components
  direction,        // Vec3, not zero
  axis,             // DirectionRef, not zero
  function,         // TimeFunction
  profile,          // TimeFunction of a place: in expressions it is x
  expression,       // std::string: an expression in the variables `choices`; none: in names of outputs
  text,             // std::string
  vector_function,  // std::vector<TimeFunction>, one per dimension of space
  characteristic,   // Characteristic
  curve,            // CurvePoints: at least three, neighbours distinct
};

// A field may be declared twice under one name, once for each kind of model, with different kinds. A name with a dot stands for
// a field of an object: "friction.coefficient" is "friction": { "coefficient": … } in a file.
struct FieldSpec {
  std::string name;
  FieldKind kind = FieldKind::number;
  bool required = true;
  std::optional<FieldValue> default_value;  // what an optional field is taken as; none: absent
  std::string unit;
  std::string help;
  std::vector<std::string> choices;
  Spaces spaces = Spaces::both;  // an unknown key elsewhere
  bool reads_signals = false;    // functions and expressions: outputs and inputs may be named in them
};

// A wheel that an element is drawn with. All but `spaces` are names of fields.
struct DrawnWheel {
  std::string center;             // a point; or a body, whose wheel sits where it turns
  std::string radius = "radius";  //
  std::string axis;               // in the frame of the body of `frame`; in the plane: across it
  std::string frame;              // empty: the world
  std::string axis_or;            // where `axis` is left out
  Spaces spaces = Spaces::both;
};

// What others need to know of a type, so that nobody has to list types by name: model/drawing/, model/placement.
struct ElementTraits {
  std::string symbol;  // it is drawn with (drawing.hpp); empty: that of any joint, driver, force
  std::vector<DrawnWheel> wheels;
  std::string axes_of;     // field with the body in whose frame all directions are; empty: as their names say
  bool has_angle = false;  // its coordinate is the angle of its second body against the first
  bool is_of_world = false;      // its vectors are places and directions of the world
  bool keeps_attitudes = false;  // it holds its bodies in the attitudes in which they are drawn
};

// What every kind of joint, driver, force or output says of itself.
struct ElementRecord {
  std::string type;     // as in the file: "revolute"
  std::string summary;  // one line
  std::vector<FieldSpec> fields;
  Spaces spaces = Spaces::both;
  ElementTraits traits = {};

  // The fields it has in models of this kind.
  std::vector<const FieldSpec*> fields_in(Space space) const;
};

// Whether it has a field of this name.
inline bool has_field(const ElementRecord& record, std::string_view name) {
  return std::any_of(record.fields.begin(), record.fields.end(),
                     [&](const FieldSpec& field) { return field.name == name; });
}

// The record of a type among those of a catalogue; null: models of this space have none.
inline const ElementRecord* find_record(const std::vector<const ElementRecord*>& records,
                                        std::string_view type,
                                        Space space) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const ElementRecord* record) {
    return record->type == type && exists_in(record->spaces, space);
  });
  return found == records.end() ? nullptr : *found;
}

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
  // Any field of the object of this name: has_group("friction").
  bool has_group(std::string_view group) const {
    const auto first = fields.lower_bound(std::string(group) + ".");
    return first != fields.end() && first->first.starts_with(group) && first->first[group.size()] == '.';
  }
  double number(std::string_view field, double fallback) const {
    return has(field) ? get<double>(field) : fallback;
  }
};

// The record of an element's type, among records of joints, drivers or forces; the model is valid.
template <class Record>
const Record& record_for(std::span<const Record* const> records, const Element& element) {
  return **std::find_if(records.begin(), records.end(),
                        [&](const Record* record) { return record->element.type == element.type; });
}

}  // namespace driftless
