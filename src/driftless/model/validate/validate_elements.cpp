#include "driftless/model/validate/validate_elements.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/text.hpp"

namespace driftless {
namespace {

// One list of elements ("joints") with what may stand in it.
struct Section {
  std::string path;  // "joints"
  std::string noun;  // "joint"
  const std::vector<Element>& elements;
  const std::vector<const ElementRecord*>& records;
  bool connects_bodies;  // the bodies it names must differ
};

// Whether the variant holds what the kind of field asks for.
bool holds_kind(const FieldValue& value, FieldKind kind) {
  switch (kind) {
    case FieldKind::number:
    case FieldKind::positive:
    case FieldKind::non_negative:
      return std::holds_alternative<double>(value);
    case FieldKind::boolean:
      return std::holds_alternative<bool>(value);
    case FieldKind::choice:
    case FieldKind::body:
    case FieldKind::joint:
    case FieldKind::constraint:
    case FieldKind::force:
    case FieldKind::output:
    case FieldKind::expression:
    case FieldKind::text:
      return std::holds_alternative<std::string>(value);
    case FieldKind::point:
      return std::holds_alternative<PointRef>(value);
    case FieldKind::vector:
    case FieldKind::direction:
      return std::holds_alternative<Vec3>(value);
    case FieldKind::function:
    case FieldKind::profile:
      return std::holds_alternative<TimeFunction>(value);
    case FieldKind::vector_function:
      return std::holds_alternative<std::vector<TimeFunction>>(value);
    case FieldKind::characteristic:
      return std::holds_alternative<Characteristic>(value);
    case FieldKind::axis:
      return std::holds_alternative<DirectionRef>(value);
    case FieldKind::curve:
      return std::holds_alternative<CurvePoints>(value);
  }
  return false;
}

// Checks the fields of one element.
class ElementCheck {
 public:
  ElementCheck(const Model& model,
               const ModelNames& names,
               const Section& section,
               std::size_t index,
               Complaints& complaints)
      : model_(model),
        names_(names),
        section_(section),
        element_(section.elements[index]),
        path_(path_below(section.path, index)),
        complaints_(complaints) {}

  void run();

 private:
  const ElementRecord* find_record();
  void check_fields_are_known(const ElementRecord& record);
  void check_bodies_differ(const ElementRecord& record);
  void check(const FieldSpec& field, const FieldValue& value);
  void check_number(const FieldSpec& field, double value);
  void check_text(const FieldSpec& field, const std::string& text);
  void check_expression(const FieldSpec& field, const std::string& text);
  void check_function(const FieldSpec& field, const std::string& where, const TimeFunction& function);
  void check_body(const FieldSpec& field, const std::string& body);
  void check_point(const FieldSpec& field, const PointRef& ref);
  void check_mesh_point(const FieldSpec& field, const PointRef& ref);
  void check_axis(const FieldSpec& field, const DirectionRef& ref);
  void check_named(const FieldSpec& field,
                   const std::string& body,
                   const std::string& name,
                   const ModelNames::Set& known,
                   const std::string& plural);
  void check_vector(const FieldSpec& field, const Vec3& vector);
  void check_characteristic(const FieldSpec& field, const Characteristic& pairs);
  void check_curve(const FieldSpec& field, const CurvePoints& curve);
  bool fits(const Vec3& vector) const;
  void complain(const FieldSpec& field, const std::string& found, const std::string& hint = "");

  const Model& model_;
  const ModelNames& names_;
  const Section& section_;
  const Element& element_;
  std::string path_;
  Complaints& complaints_;
};

void ElementCheck::run() {
  validate_name(path_below(path_, "name"), element_.name, complaints_);
  const ElementRecord* record = find_record();
  if (record == nullptr) return;
  check_fields_are_known(*record);
  for (const FieldSpec* field : record->fields_in(model_.space)) {
    const auto value = element_.fields.find(field->name);
    if (value != element_.fields.end())
      check(*field, value->second);
    else if (field->required)
      complain(*field, "nothing", fmt::format("type {} needs it", quoted(element_.type)));
  }
  if (section_.connects_bodies) check_bodies_differ(*record);
}

// The record of the element's type; null, and a complaint, if models of this space have no such type.
const ElementRecord* ElementCheck::find_record() {
  bool is_elsewhere = false;
  std::vector<std::string> types;
  for (const auto* record : section_.records) {
    const bool is_it = record->type == element_.type, is_here = exists_in(record->spaces, model_.space);
    if (is_it && is_here) return record;
    if (is_here) types.push_back(record->type);
    is_elsewhere = is_elsewhere || is_it;
  }
  const bool planar = model_.space == Space::planar;
  complaints_.add(
      path_below(path_, "type"),
      fmt::format("a type of {} in {} models: {}", section_.noun, planar ? "planar" : "spatial",
                  quoted_list(types)),
      element_.type.empty() ? "nothing" : quoted(element_.type),
      is_elsewhere ? fmt::format("{} is for {} models", quoted(element_.type), planar ? "spatial" : "planar")
                   : did_you_mean(element_.type, types));
  return nullptr;
}

void ElementCheck::check_fields_are_known(const ElementRecord& record) {
  std::vector<std::string> known;
  for (const FieldSpec* field : record.fields_in(model_.space)) known.push_back(field->name);
  for (const auto& [name, value] : element_.fields)
    if (std::find(known.begin(), known.end(), name) == known.end())
      complaints_.add(path_of_field(path_, name),
                      fmt::format("a field of type {}: {}", quoted(record.type), quoted_list(known)),
                      quoted(name), did_you_mean(name, known));
}

void ElementCheck::check(const FieldSpec& field, const FieldValue& value) {
  if (!holds_kind(value, field.kind)) return complain(field, "another kind of value");
  switch (field.kind) {
    case FieldKind::number:
    case FieldKind::positive:
    case FieldKind::non_negative:
      return check_number(field, std::get<double>(value));
    case FieldKind::expression:
      return check_expression(field, std::get<std::string>(value));
    case FieldKind::choice:
    case FieldKind::joint:
    case FieldKind::constraint:
    case FieldKind::force:
    case FieldKind::output:
      return check_text(field, std::get<std::string>(value));
    case FieldKind::body:
      return check_body(field, std::get<std::string>(value));
    case FieldKind::point:
      return check_point(field, std::get<PointRef>(value));
    case FieldKind::vector:
    case FieldKind::direction:
      return check_vector(field, std::get<Vec3>(value));
    case FieldKind::characteristic:
      return check_characteristic(field, std::get<Characteristic>(value));
    case FieldKind::axis:
      return check_axis(field, std::get<DirectionRef>(value));
    case FieldKind::curve:
      return check_curve(field, std::get<CurvePoints>(value));
    case FieldKind::vector_function: {
      const auto& functions = std::get<std::vector<TimeFunction>>(value);
      if (functions.size() != (model_.space == Space::planar ? 2U : 3U))
        complain(field, fmt::format("{} functions", functions.size()));
      for (std::size_t k = 0; k < functions.size(); ++k)
        check_function(field, path_below(path_of_field(path_, field.name), k), functions[k]);
      return;
    }
    case FieldKind::function:
      return check_function(field, path_of_field(path_, field.name), std::get<TimeFunction>(value));
    case FieldKind::boolean:
    case FieldKind::text:
    case FieldKind::profile:
      return;  // sound by construction
  }
}

void ElementCheck::check_number(const FieldSpec& field, double value) {
  const bool in_range =
      field.kind == FieldKind::number || value > 0 || (field.kind == FieldKind::non_negative && value == 0);
  if (!std::isfinite(value) || !in_range) complain(field, fmt::format("{}", value));
}

void ElementCheck::check_text(const FieldSpec& field, const std::string& text) {
  if (field.kind == FieldKind::choice) {
    if (std::find(field.choices.begin(), field.choices.end(), text) == field.choices.end())
      complain(field, quoted(text), did_you_mean(text, field.choices));
    return;
  }
  const auto& known = field.kind == FieldKind::joint        ? names_.joints
                      : field.kind == FieldKind::constraint ? names_.constraints
                      : field.kind == FieldKind::output     ? names_.outputs
                                                            : names_.forces;
  if (known.count(text) > 0 || complaints_.full()) return;
  complain(field, quoted(text), hint_among(text, known));
}

void ElementCheck::check_expression(const FieldSpec& field, const std::string& text) {
  if (field.choices.empty()) return;  // in outputs: by whoever knows them
  try {
    std::vector<std::string> names = field.choices;
    if (field.reads_signals)
      for (const std::string& signal : signals_in(text, field.choices)) names.push_back(signal);
    const Expression compiled(text, names);
    if (field.reads_signals)
      validate_signals(path_of_field(path_, field.name), text,
                       {names.begin() + std::ptrdiff_t(field.choices.size()), names.end()}, names_,
                       complaints_);
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    const auto column = message.find("': ");
    complain(field, quoted(text), column == std::string::npos ? message : message.substr(column + 3));
  }
}

// Sound by construction, but for what it reads.
void ElementCheck::check_function(const FieldSpec& field,
                                  const std::string& where,
                                  const TimeFunction& function) {
  if (function.signals().empty()) return;
  const std::string& text = function.expression()->text();
  if (!field.reads_signals)
    return complaints_.add(
        where, expected_text(field, model_.space),
        fmt::format("{} ({} {})", quoted(text), section_.noun, quoted(element_.name)),
        fmt::format("it reads {}: only laws of forces may", quoted(function.signals()[0])));
  validate_signals(where, text, function.signals(), names_, complaints_);
}

void ElementCheck::check_body(const FieldSpec& field, const std::string& body) {
  if (names_.owners.count(body) > 0 || complaints_.full()) return;
  if (const auto dot = body.find('.');
      dot != std::string::npos && names_.owners.count(body.substr(0, dot)) > 0)
    return complain(field, quoted(body),
                    fmt::format("a body, not a point, belongs here: {}", quoted(body.substr(0, dot))));
  complain(field, quoted(body), names_.hint_for_body(body));
}

void ElementCheck::check_point(const FieldSpec& field, const PointRef& ref) {
  const auto body = names_.owners.find(ref.body);
  if (body == names_.owners.end()) {
    FieldSpec body_part = field;
    body_part.kind = FieldKind::body;
    return check_body(body_part, ref.body);
  }
  if (!fits(ref.at))
    return complain(field, fmt::format("the coordinates {}, {}, {}", ref.at.x(), ref.at.y(), ref.at.z()));
  if (ref.node >= 0 || ref.along >= 0) return check_mesh_point(field, ref);
  if (ref.point.empty()) return;
  if (!ref.at.isZero(0) || ref.world)
    return complain(field, quoted(ref.body + "." + ref.point) + " with coordinates",
                    "give the point's name or coordinates, not both");
  check_named(field, ref.body, ref.point, body->second.points, "points");
}

// A node or a fraction of the length of a flexible body.
void ElementCheck::check_mesh_point(const FieldSpec& field, const PointRef& ref) {
  const Body* body = model_.find_body(ref.body);
  if (body == nullptr || !body->flexible)
    return complain(field, fmt::format("a node or a fraction of the length of {}", quoted(ref.body)),
                    "only flexible bodies have them");
  const auto nodes = static_cast<int>(body->flexible->nodes.size());
  if (ref.node >= nodes)
    complain(field, fmt::format("node {} of {}", ref.node, quoted(ref.body)),
             fmt::format("it has the nodes 0 to {}", nodes - 1));
  if (ref.along > 1)
    complain(field, fmt::format("the fraction {} of the length of {}", ref.along, quoted(ref.body)),
             "0 is its first end and 1 its last");
}

void ElementCheck::check_axis(const FieldSpec& field, const DirectionRef& ref) {
  const auto body = names_.owners.find(ref.body);
  if (body == names_.owners.end() && !(ref.body.empty() && ref.axis.empty())) {
    FieldSpec body_part = field;
    body_part.kind = FieldKind::body;
    return check_body(body_part, ref.body);
  }
  if (ref.axis.empty()) return check_vector(field, ref.along);
  if (!ref.along.isZero(0) || ref.world)
    return complain(field, quoted(ref.body + "." + ref.axis) + " with components",
                    "give the axis' name or components, not both");
  check_named(field, ref.body, ref.axis, body->second.axes, "axes");
}

// A point or an axis of a body by its name.
void ElementCheck::check_named(const FieldSpec& field,
                               const std::string& body,
                               const std::string& name,
                               const ModelNames::Set& known,
                               const std::string& plural) {
  if (known.count(name) > 0 || complaints_.full()) return;
  const std::string written = quoted(body + "." + name);
  if (known.empty())
    return complain(field, written,
                    fmt::format("{} has no {}: name them in its \"{}\"", quoted(body), plural, plural));
  const auto candidates = sorted_names(known);
  std::string hint =
      candidates.empty() ? "" : fmt::format("{} has {}", quoted(body), quoted_list(candidates));
  const std::string near = closest_name(name, candidates);
  if (!near.empty()) hint = fmt::format("did you mean {}? {}", quoted(body + "." + near), hint);
  complain(field, written, hint);
}

// Finite, and in the plane of planar models.
bool ElementCheck::fits(const Vec3& v) const {
  return v.allFinite() && (model_.space != Space::planar || v.z() == 0);
}

void ElementCheck::check_vector(const FieldSpec& field, const Vec3& v) {
  const bool must_point = field.kind == FieldKind::direction || field.kind == FieldKind::axis;
  if (fits(v) && !(must_point && v.isZero(0))) return;
  const bool flat = model_.space == Space::planar && v.z() == 0;
  complain(field,
           flat ? fmt::format("[{}, {}]", v.x(), v.y()) : fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()));
}

void ElementCheck::check_characteristic(const FieldSpec& field, const Characteristic& pairs) {
  if (pairs.size() < 2)
    return complain(field, fmt::format("{} pair{}", pairs.size(), pairs.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [x, y] = pairs[i];
    if (!std::isfinite(x) || !std::isfinite(y))
      return complain(field, fmt::format("[{}, {}] in pair {}", x, y, i));
    if (i > 0 && !(x > pairs[i - 1].first))
      return complain(field, fmt::format("x = {} behind x = {} in pair {}", x, pairs[i - 1].first, i),
                      "sort the pairs by x");
  }
}

void ElementCheck::check_curve(const FieldSpec& field, const CurvePoints& curve) {
  const std::size_t count = curve.points.size();
  if (count < 3) return complain(field, fmt::format("{} point{}", count, count == 1 ? "" : "s"));
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3& p = curve.points[i];
    if (!fits(p)) return complain(field, fmt::format("[{}, {}, {}] in point {}", p.x(), p.y(), p.z(), i));
    if (i > 0 && p == curve.points[i - 1])
      return complain(field, fmt::format("points {} and {} in the same place", i - 1, i));
  }
  if (curve.closed && curve.points.front() == curve.points.back())
    complain(field, "the first point once more at the end",
             "a closed curve goes on to its first point by itself");
}

// A joint of a body with itself moves nothing; left-out bodies count with their default.
void ElementCheck::check_bodies_differ(const ElementRecord& record) {
  std::vector<std::pair<std::string, const FieldSpec*>> seen;
  for (const FieldSpec* field : record.fields_in(model_.space)) {
    if (field->kind != FieldKind::body && field->kind != FieldKind::point) continue;
    if (field->name == "at" && element_.has("body")) continue;  // a point of that body
    const auto given = element_.fields.find(field->name);
    if (given == element_.fields.end() && !field->default_value) continue;
    const FieldValue& value = given != element_.fields.end() ? given->second : *field->default_value;
    if (!holds_kind(value, field->kind)) continue;
    const std::string& body =
        field->kind == FieldKind::body ? std::get<std::string>(value) : std::get<PointRef>(value).body;
    const auto same =
        std::find_if(seen.begin(), seen.end(), [&](const auto& other) { return other.first == body; });
    if (same == seen.end())
      seen.emplace_back(body, field);
    else
      complaints_.add(path_of_field(path_, field->name),
                      fmt::format("another body than {} of '{}'", quoted(body), same->second->name),
                      fmt::format("{} ({} {})", quoted(body), section_.noun, quoted(element_.name)),
                      fmt::format("a {} connects different bodies", section_.noun));
  }
}

void ElementCheck::complain(const FieldSpec& field, const std::string& found, const std::string& hint) {
  complaints_.add(path_of_field(path_, field.name), expected_text(field, model_.space),
                  fmt::format("{} ({} {})", found, section_.noun, quoted(element_.name)), hint);
}

}  // namespace

std::string expected_text(const FieldSpec& field, Space space) {
  const bool planar = space == Space::planar;
  const std::string components = planar ? "[x, y]" : "[x, y, z]";
  switch (field.kind) {
    case FieldKind::number:
      return "a number";
    case FieldKind::positive:
      return "a number > 0";
    case FieldKind::non_negative:
      return "a number ≥ 0";
    case FieldKind::boolean:
      return "true or false";
    case FieldKind::choice:
      return quoted_list(field.choices);
    case FieldKind::body:
      return "the name of a body or 'ground'";
    case FieldKind::joint:
      return "the name of a joint";
    case FieldKind::constraint:
      return "the name of a joint, a driver or a contact";
    case FieldKind::force:
      return "the name of a force";
    case FieldKind::output:
      return "the name of an output";
    case FieldKind::point:
      return fmt::format(R"(a point of a body, "BODY.POINT" or {{"body": "BODY", "at": {}}})", components);
    case FieldKind::axis:
      return fmt::format(R"(a direction, not zero: {}, "BODY.AXIS" or {{"world": {}}})", components,
                         components);
    case FieldKind::curve:
      return fmt::format(R"(a curve {{"points": [{}, …]}} of at least three points, neighbours distinct)",
                         components);
    case FieldKind::vector:
      return fmt::format("a vector {}", components);
    case FieldKind::direction:
      return fmt::format("a direction {}, not zero", components);
    case FieldKind::function:
      return "a function of time: a number, an expression in t, or an object with \"type\"";
    case FieldKind::profile:
      return "a function of the place x: a number, an expression in x, or an object with \"type\"";
    case FieldKind::expression:
      return field.choices.empty() ? "an expression in names of outputs"
                                   : "an expression in " + quoted_list(field.choices);
    case FieldKind::text:
      return "a text";
    case FieldKind::vector_function:
      return fmt::format("a list {} of functions of time", components);
    case FieldKind::characteristic:
      return "a list of at least two pairs [x, y], x increasing";
  }
  return "";
}

void validate_elements(const Model& model,
                       const Catalogue& catalogue,
                       const ModelNames& names,
                       Complaints& complaints) {
  for (const Section& section : {Section{"joints", "joint", model.joints, catalogue.joints, true},
                                 Section{"drivers", "driver", model.drivers, catalogue.drivers, true},
                                 Section{"contacts", "contact", model.contacts, catalogue.contacts, true},
                                 Section{"forces", "force", model.forces, catalogue.forces, true},
                                 Section{"outputs", "output", model.outputs, catalogue.outputs, false},
                                 Section{"switches", "switch", model.switches, catalogue.switches, false}})
    for (std::size_t i = 0; i < section.elements.size() && !complaints.full(); ++i)
      ElementCheck(model, names, section, i, complaints).run();
}

}  // namespace driftless
