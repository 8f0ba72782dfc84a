// model_schema: the JSON Schema (draft 2020-12) of model files. Joints, drivers, forces and outputs come
// from the element records, time functions from function_forms(), the rest is what model_json.cpp reads. A
// schema cannot say everything: names that must exist or be unique, increasing tables and expressions are
// left to `driftless check`.
#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/io/field_json.hpp"
#include "driftless/io/function_json.hpp"
#include "driftless/io/model_json.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

constexpr const char* kName = R"(^[^.\s\u0000-\u001f\u007f]+$)";
constexpr const char* kPoint = R"(^[^.\s\u0000-\u001f\u007f]+\.[^.\s\u0000-\u001f\u007f]+$)";
constexpr const char* kCoordinate = R"(^[^.\s\u0000-\u001f\u007f]+\.(x|y|theta|angle|displacement)$)";

// ---- small pieces ---------------------------------------------------------------------------------------

Object with_help(Object schema, const std::string& help) {
  if (!help.empty()) schema.push_back({"description", help});
  return schema;
}

Object type(const char* name, const std::string& help = "") { return with_help({{"type", name}}, help); }
Object number(const std::string& help) { return type("number", help); }
Object positive(const std::string& help) {
  return with_help({{"type", "number"}, {"exclusiveMinimum", 0}}, help);
}
Object refer(const std::string& definition, const std::string& help = "") {
  return with_help({{"$ref", "#/$defs/" + definition}}, help);
}
Object text(const std::string& help) { return with_help({{"type", "string"}, {"minLength", 1}}, help); }
Object matching(const char* pattern, const std::string& help) {
  return with_help({{"type", "string"}, {"pattern", pattern}}, help);
}
Object choice(const std::vector<std::string>& words, const std::string& help) {
  return with_help({{"enum", Array(words.begin(), words.end())}}, help);
}
Object list(Object items, const std::string& help) {
  return with_help({{"type", "array"}, {"items", std::move(items)}}, help);
}
Object tuple(Object item, int size, const std::string& help) {
  return with_help({{"type", "array"}, {"items", std::move(item)}, {"minItems", size}, {"maxItems", size}},
                   help);
}

// An object with these keys, "comment", and no others.
Object record(const std::string& help, const std::vector<std::string>& required, Object properties) {
  Object out = type("object", help);
  if (!required.empty()) out.push_back({"required", Array(required.begin(), required.end())});
  properties.push_back({"comment", type("string")});
  out.push_back({"properties", std::move(properties)});
  out.push_back({"additionalProperties", false});
  return out;
}

// An object from free names to `item`.
Object dictionary(const std::string& help, const Object& item) {
  Object out = type("object", help);
  Object comment = {{"anyOf", Array{type("string"), item}}};
  out.push_back({"properties", Object{{"comment", std::move(comment)}}});
  out.push_back({"additionalProperties", item});
  return out;
}

// The same with names that others refer to.
Object named(const std::string& help, const Object& item) {
  Object out = dictionary(help, item);
  out.push_back({"propertyNames", refer("name")});
  return out;
}

// Rules "if `type` is this, then that definition": editors complete by them, and messages stay short.
Array by_type(const std::vector<std::string>& types, const std::string& prefix) {
  Array out;
  for (const auto& name : types) {
    Object condition = {{"properties", Object{{"type", Object{{"const", name}}}}},
                        {"required", Array{"type"}}};
    out.push_back(Object{{"if", std::move(condition)}, {"then", refer(prefix + "-" + name)}});
  }
  return out;
}

// ---- functions, fields, elements ------------------------------------------------------------------------

Object function_key(const FunctionKey& key) {
  switch (key.kind) {
    case FunctionKeyKind::number:
      return number(key.help);
    case FunctionKeyKind::text:
      return text(key.help);
    case FunctionKeyKind::interpolation:
      return choice({"linear", "cubic"}, key.help);
    case FunctionKeyKind::numbers: {
      Object out = list(type("number"), key.help);
      out.push_back({"minItems", 1});
      return out;
    }
    case FunctionKeyKind::pairs:
      return refer("pairs", key.help);
  }
  return {};
}

void define_functions(Object& definitions) {
  std::vector<std::string> types;
  Object forms;
  for (const auto& form : function_forms()) {
    types.push_back(form.type);
    std::vector<std::string> required = {"type"};
    Object properties = {{"type", Object{{"const", form.type}}}};
    for (const auto& key : form.keys) {
      if (key.required) required.push_back(key.name);
      properties.push_back({key.name, function_key(key)});
    }
    forms.push_back({"function-" + form.type, record(form.help, required, std::move(properties))});
  }
  Object object_form = {{"required", Array{"type"}},
                        {"properties", Object{{"type", choice(types, "the kind of function")}}},
                        {"allOf", by_type(types, "function")}};
  Object function =
      with_help({{"type", Array{"number", "string", "object"}}, {"minLength", 1}},
                "A function of time: a number, an expression in t such as \"2*pi*t\", or an object.");
  function.push_back({"if", type("object")});
  function.push_back({"then", std::move(object_form)});
  definitions.push_back({"function", std::move(function)});
  for (auto& form : forms) definitions.push_back(std::move(form));
}

Object field_schema(const FieldSpec& field) {
  std::string help = field.help;
  if (!field.unit.empty()) help += fmt::format("{}[{}]", help.empty() ? "" : " ", field.unit);
  switch (field.kind) {
    case FieldKind::number:
      return number(help);
    case FieldKind::positive:
      return positive(help);
    case FieldKind::non_negative:
      return with_help({{"type", "number"}, {"minimum", 0}}, help);
    case FieldKind::boolean:
      return type("boolean", help);
    case FieldKind::choice:
      return choice(field.choices, help);
    case FieldKind::body:
    case FieldKind::joint:
    case FieldKind::force:
      return refer("name", help);
    case FieldKind::point:
      return refer("point", help);
    case FieldKind::vector:
      return refer("vector", help);
    case FieldKind::direction:
      return refer("direction", help);
    case FieldKind::function:
      return refer("function", help);
    case FieldKind::vector_function:
      return tuple(refer("function"), 2, help);
    case FieldKind::characteristic:
      return refer("pairs", help);
    case FieldKind::axis:
      return refer("axis", help);
    case FieldKind::curve:
      return refer("curve", help);
  }
  return {};
}

// "joint" picks one of "joint-revolute", …
void define_elements(Object& definitions,
                     const std::string& noun,
                     const std::vector<const ElementRecord*>& records) {
  std::vector<std::string> types;
  Object variants;
  for (const auto* element : records) {
    types.push_back(element->type);
    std::vector<std::string> required = {"name", "type"};
    Object properties = {{"name", refer("name", "its name")}, {"type", Object{{"const", element->type}}}};
    for (const auto& field : element->fields) {
      if (field.required) required.push_back(field.name);
      Object schema = field_schema(field);
      if (field.default_value)
        schema.push_back({"default", write_field(*field.default_value, Space::planar)});
      properties.push_back({field.name, std::move(schema)});
    }
    variants.push_back(
        {noun + "-" + element->type, record(element->summary, required, std::move(properties))});
  }
  Object properties = {{"type", choice(types, fmt::format("the type of {}", noun))}};
  definitions.push_back({noun, Object{{"type", "object"},
                                      {"required", Array{"name", "type"}},
                                      {"properties", std::move(properties)},
                                      {"allOf", by_type(types, noun)}}});
  for (auto& variant : variants) definitions.push_back(std::move(variant));
}

// ---- the fixed part -------------------------------------------------------------------------------------

void define_geometry(Object& definitions) {
  definitions.push_back({"name", matching(kName, "A name: no '.', no blanks.")});
  definitions.push_back({"vector", tuple(type("number"), 2, "A vector [x, y].")});
  Object direction = tuple(type("number"), 2, "A direction [x, y] of any length but 0.");
  direction.push_back({"not", Object{{"const", Array{0, 0}}}});
  definitions.push_back({"direction", std::move(direction)});
  Object by_coordinates = record("", {"body", "at"},
                                 {{"body", refer("name", "the body, or \"ground\"")},
                                  {"at", refer("vector", "coordinates in the body's frame [m]")}});
  Object point = {{"description", "A point of a body: \"BODY.POINT\", or a body and coordinates."},
                  {"anyOf", Array{matching(kPoint, ""), std::move(by_coordinates)}}};
  definitions.push_back({"point", std::move(point)});
  definitions.push_back({"points", named("Points by name, in the body's frame [m].", refer("vector"))});
  Object pairs = list(tuple(type("number"), 2, ""), "Pairs [x, y], x increasing.");
  pairs.push_back({"minItems", 2});
  definitions.push_back({"pairs", std::move(pairs)});
}

Object body_schema() {
  Object name = refer("name", "its name");
  name.push_back({"not", Object{{"const", "ground"}}});
  return record("A rigid body.", {"name", "mass", "inertia"},
                {{"name", std::move(name)},
                 {"mass", positive("the mass [kg]")},
                 {"inertia", positive("the moment of inertia about the centre of mass [kg m²]")},
                 {"center_of_mass", refer("vector", "in the body's frame [m]")},
                 {"points", refer("points")},
                 {"position", refer("vector", "where the body's frame starts, roughly [m]")},
                 {"angle", number("how the body's frame is turned at the start, roughly [rad]")},
                 {"velocity", refer("vector", "of the body's frame at the start [m/s]")},
                 {"angular_velocity", number("at the start [rad/s]")}});
}

Object initial_schema() {
  return record(
      "Where the motion starts, beside the bodies' own entries.", {},
      {{"joints", named("Joints by name, with the value and rate they start with.", refer("start"))},
       {"hold",
        list(matching(kCoordinate, ""), "Coordinates that assembly must not move: \"crank.theta\".")}});
}

Object start_schema() {
  Object start = record("", {},
                        {{"value", number("the joint's angle [rad] or displacement [m]")},
                         {"rate", number("its rate [rad/s] or [m/s]")}});
  start.push_back(
      {"anyOf", Array{Object{{"required", Array{"value"}}}, Object{{"required", Array{"rate"}}}}});
  return start;
}

Object simulate_schema() {
  Object max_steps =
      with_help({{"type", "integer"}, {"minimum", 1}, {"maximum", 1e15}}, "the run fails beyond it");
  Object options = dictionary("Options of the chosen methods: \"formulation.alpha\": 5",
                              Object{{"type", Array{"number", "string"}}});
  Object stop = record("A value of an output channel at which the run ends.", {"output", "crosses"},
                       {{"output", refer("name", "the output")},
                        {"crosses", number("the value")},
                        {"direction", choice({"any", "up", "down"}, "how it is passed; any by default")}});
  return record(
      "Run settings; the command line overrides them. `driftless methods` lists the methods.", {},
      {{"t_end", positive("the end of the run [s]")},
       {"output_step", positive("the time between records [s]; every step is recorded without it")},
       {"coordinates", text("the coordinate set")},
       {"formulation", text("the formulation")},
       {"integrator", text("the integrator")},
       {"stabilization", text("the stabilization")},
       {"rtol", positive("the relative tolerance")},
       {"atol", positive("the absolute tolerance")},
       {"step", positive("a fixed step [s]")},
       {"initial_step", positive("the first step [s]")},
       {"max_step", positive("the longest step [s]")},
       {"max_steps", std::move(max_steps)},
       {"drift_limit", positive("the constraint error, in characteristic lengths, at which the run fails")},
       {"options", std::move(options)},
       {"stop_when", list(std::move(stop), "What ends the run early.")}});
}

Object model_properties() {
  Object ground = record("The world.", {}, {{"points", refer("points")}});
  Object bodies = list(refer("body"), "The bodies, at least one.");
  bodies.push_back({"minItems", 1});
  return {{"driftless", with_help({{"const", 1}}, "The version of the file format.")},
          {"$schema", type("string", "Where this schema is, for editors.")},
          {"name", type("string", "What the model is called.")},
          {"description", type("string", "What it is.")},
          {"space", choice({"planar"}, "The kind of model.")},
          {"gravity", refer("vector", "The acceleration of gravity [m/s²]; none by default.")},
          {"ground", std::move(ground)},
          {"bodies", std::move(bodies)},
          {"joints", list(refer("joint"), "What connects the bodies.")},
          {"drivers", list(refer("driver"), "Motions prescribed as functions of time.")},
          {"forces", list(refer("force"), "What acts on the bodies, beside gravity.")},
          {"outputs", list(refer("output"), "Channels to record.")},
          {"initial", initial_schema()},
          {"simulate", simulate_schema()}};
}

}  // namespace

std::string model_schema() { return model_schema(standard_catalogue()); }

std::string model_schema(const Catalogue& catalogue) {
  Object definitions;
  define_geometry(definitions);
  define_functions(definitions);
  definitions.push_back({"body", body_schema()});
  definitions.push_back({"start", start_schema()});
  define_elements(definitions, "joint", catalogue.joints);
  define_elements(definitions, "driver", catalogue.drivers);
  define_elements(definitions, "force", catalogue.forces);
  define_elements(definitions, "output", catalogue.outputs);

  Object out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "driftless model, version 1"}};
  for (auto& entry : record("A mechanism. SI units, radians.", {"driftless", "bodies"}, model_properties()))
    out.push_back(std::move(entry));
  out.push_back({"$defs", std::move(definitions)});
  return to_text(std::move(out));
}

}  // namespace driftless
