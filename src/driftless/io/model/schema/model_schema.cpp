// model_schema: the JSON Schema (draft 2020-12) of model files. Joints, drivers, forces and outputs come
// from the element records, time functions from function_forms(), the rest is what model_json.cpp reads. A
// schema cannot say everything: names that must exist or be unique, increasing tables and expressions are
// left to `driftless check`.
#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/io/model/field_json.hpp"
#include "driftless/io/model/function_json.hpp"
#include "driftless/io/model/schema/body_schema.hpp"
#include "driftless/io/model/schema/flexible_schema.hpp"
#include "driftless/io/model/schema/schema_pieces.hpp"
#include "driftless/io/model/simulate_json.hpp"
#include "driftless/io/model_json.hpp"

namespace driftless {
namespace {

using namespace schema;

constexpr const char* kName = R"(^[^.\s\u0000-\u001f\u007f]+$)";
constexpr const char* kPoint = R"(^[^.\s\u0000-\u001f\u007f]+\.[^.\s\u0000-\u001f\u007f]+$)";
constexpr const char* kPlanarCoordinate = R"(^[^.\s\u0000-\u001f\u007f]+\.(x|y|theta|angle|displacement)$)";
constexpr const char* kSpatialCoordinate =
    R"(^[^.\s\u0000-\u001f\u007f]+\.(x|y|z|orientation|angle|displacement)$)";

// The list, or the file it stands in: csv_table.hpp.
Object or_csv(Object entries) {
  const Object column = {{"type", Array{"string", "integer"}}, {"minimum", 1}};
  Object file = record("A table in a file.", {"file"},
                       {{"file", text("the file, from the folder of the model")},
                        {"columns", list(column, "names or numbers of columns; the first ones by default")},
                        {"scale", list(numeric(), "a factor for each column")}});
  return {{"anyOf", Array{std::move(entries), text("a file of them, *.csv"), std::move(file)}}};
}

// ---- functions --------------------------------------------------------------------------

Object function_key(const FunctionKey& key) {
  switch (key.kind) {
    case FunctionKeyKind::number:
      return numeric(key.help);
    case FunctionKeyKind::text:
      return text(key.help);
    case FunctionKeyKind::interpolation:
      return choice({"linear", "cubic"}, key.help);
    case FunctionKeyKind::numbers: {
      Object out = list(numeric(), key.help);
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

// ---- what depends on the space --------------------------------------------------------------------------

// Definitions for models of one space; their names begin with it: "planar-body", "spatial-joint-revolute".
class SpaceSchema {
 public:
  SpaceSchema(Space space, Object& definitions)
      : space_(space), planar_(space == Space::planar), definitions_(definitions) {}

  void define(const Catalogue& catalogue);

 private:
  std::string name(const std::string& what) const { return (planar_ ? "planar-" : "spatial-") + what; }
  Object own(const std::string& what, const std::string& help = "") const { return refer(name(what), help); }
  void add(const std::string& what, Object schema) {
    definitions_.push_back({name(what), std::move(schema)});
  }
  std::string components() const { return planar_ ? "[x, y]" : "[x, y, z]"; }

  void define_geometry();
  void define_elements(const std::string& noun, const std::vector<const ElementRecord*>& records);
  Object element_schema(const ElementRecord& element, bool typed) const;
  Object point_schema() const;
  Object axis_schema() const;
  Object field_schema(const FieldSpec& field) const;
  Object initial_schema() const;
  Object include_schema() const;

  Space space_;
  bool planar_;
  Object& definitions_;
};

void SpaceSchema::define(const Catalogue& catalogue) {
  define_geometry();
  define_bodies(planar_, definitions_);
  define_elements("joint", catalogue.joints);
  define_elements("driver", catalogue.drivers);
  define_elements("contact", catalogue.contacts);
  define_elements("force", catalogue.forces);
  define_elements("output", catalogue.outputs);
  for (const ElementRecord* record : catalogue.switches) add("switch", element_schema(*record, false));
  Object ground = {{"points", own("points")}, {"shapes", own("shapes")}};
  if (!planar_) ground.push_back({"axes", own("axes")});
  Object bodies = list(own("body"), "");
  bodies.push_back({"minItems", 1});
  Object properties = {{"gravity", own("vector")},           {"ground", record("", {}, std::move(ground))},
                       {"bodies", std::move(bodies)},        {"joints", list(own("joint"), "")},
                       {"drivers", list(own("driver"), "")}, {"forces", list(own("force"), "")},
                       {"outputs", list(own("output"), "")}, {"initial", initial_schema()}};
  properties.push_back({"include", list(include_schema(), "")});
  properties.push_back({"contacts", list(own("contact"), "")});
  if (!catalogue.switches.empty()) properties.push_back({"switches", list(own("switch"), "")});
  add("model", Object{{"properties", std::move(properties)}});
}

Object SpaceSchema::include_schema() const {
  Object properties = {
      {"file", text("the model file, from the folder of this one")},
      {"prefix", matching(kName, "before every name of that file")},
      {"parameters", dictionary("Values of its parameters, in terms of those of this file.", numeric())},
      {"position", own("vector", "where its origin is placed [m]")}};
  if (planar_)
    properties.push_back({"angle", numeric("by which it is turned [rad]")});
  else
    properties.push_back({"orientation", own("orientation")});
  return record("A part.", {"file"}, std::move(properties));
}

void SpaceSchema::define_geometry() {
  const int size = planar_ ? 2 : 3;
  add("vector", tuple(numeric(), size, fmt::format("A vector {}.", components())));
  Object direction = tuple(numeric(), size, fmt::format("A direction {} of any length but 0.", components()));
  direction.push_back({"not", Object{{"const", Array(static_cast<std::size_t>(size), 0)}}});
  add("direction", std::move(direction));
  add("point", point_schema());
  add("points", named("Points by name, in the body's frame [m].", own("vector")));
  Object places = {
      {"anyOf", Array{own("vector"),
                      record("", {"node"},
                             {{"node", with_help(Object{{"type", Array{"integer", "string"}}, {"minimum", 0}},
                                                 "a node of the mesh")}}),
                      record("", {"along"}, {{"along", numeric("a fraction of the length")}})}}};
  add("body-points", named("Points by name, in the body's frame [m]; of a flexible body also {\"node\": 3} "
                           "or {\"along\": 0.5}.",
                           std::move(places)));
  add("axis", axis_schema());
  if (!planar_) {
    add("axes", named("Directions by name, in the body's frame.", own("direction")));
  }
  Object points = list(own("vector"), "The points, neighbours distinct.");
  points.push_back({"minItems", 3});
  points = or_csv(std::move(points));
  add("curve",
      record("A curve through points.", {"points"},
             {{"points", std::move(points)},
              {"closed", type("boolean", "it goes on from the last point to the first; false by default")}}));
}

Object SpaceSchema::point_schema() const {
  Object body = refer("name", "the body, or \"ground\"");
  Object at = record("", {"body", "at"},
                     {{"body", body}, {"at", own("vector", "coordinates in the body's frame [m]")}});
  Object world =
      record("", {"body", "world"},
             {{"body", body}, {"world", own("vector", "where the point is in the initial position [m]")}});
  Object node = record("", {"body", "node"},
                       {{"body", body},
                        {"node", with_help(Object{{"type", Array{"integer", "string"}}, {"minimum", 0}},
                                           "a node of the mesh of a flexible body, from 0 on")}});
  Object along = record("", {"body", "along"},
                        {{"body", body}, {"along", numeric("a fraction of the length of a flexible body")}});
  return {{"description",
           "A point of a body: \"BODY.POINT\", a body and coordinates, or a place on a flexible body."},
          {"anyOf",
           Array{matching(kPoint, ""), std::move(at), std::move(world), std::move(node), std::move(along)}}};
}

Object SpaceSchema::axis_schema() const {
  Object body = refer("name", "the body, or \"ground\"");
  Object along = record("", {"body", "along"},
                        {{"body", body}, {"along", own("direction", "components in the body's frame")}});
  Object world = record(
      "", {"world"},
      {{"body", body}, {"world", own("direction", "components in the world, in the initial position")}});
  const std::string help = fmt::format(
      "A direction: {0}, \"BODY.AXIS\", a body and components, or {{\"world\": {0}}}.", components());
  return {{"description", help},
          {"anyOf", Array{own("direction"), matching(kPoint, ""), std::move(along), std::move(world)}}};
}

Object SpaceSchema::field_schema(const FieldSpec& field) const {
  std::string help = field.help;
  if (!field.unit.empty()) help += fmt::format("{}[{}]", help.empty() ? "" : " ", field.unit);
  switch (field.kind) {
    case FieldKind::number:
      return numeric(help);
    case FieldKind::positive:
      return positive(help);
    case FieldKind::non_negative:
      return numeric(help, "minimum");
    case FieldKind::boolean:
      return type("boolean", help);
    case FieldKind::choice:
      return choice(field.choices, help);
    case FieldKind::body:
    case FieldKind::joint:
    case FieldKind::constraint:
    case FieldKind::force:
    case FieldKind::output:
      return refer("name", help);
    case FieldKind::expression:
    case FieldKind::text:
      return text(help);
    case FieldKind::point:
      return own("point", help);
    case FieldKind::vector:
      return own("vector", help);
    case FieldKind::direction:
      return own("direction", help);
    case FieldKind::axis:
      return own("axis", help);
    case FieldKind::function:
    case FieldKind::profile:
      return refer("function", help);
    case FieldKind::vector_function:
      return tuple(refer("function"), planar_ ? 2 : 3, help);
    case FieldKind::characteristic:
      return refer("pairs", help);
    case FieldKind::curve:
      return own("curve", help);
  }
  return {};
}

Object SpaceSchema::element_schema(const ElementRecord& element, bool typed) const {
  std::vector<std::string> required = {"name"};
  Object properties = {{"name", refer("name", "its name")}};
  if (typed) {
    required.emplace_back("type");
    properties.push_back({"type", Object{{"const", element.type}}});
  }
  struct Group {
    std::string key;
    std::vector<std::string> required;
    Object properties;
  };
  std::vector<Group> groups;  // objects of fields, "friction.coefficient"
  for (const FieldSpec* field : element.fields_in(space_)) {
    Object schema = field_schema(*field);
    if (field->default_value) schema.push_back({"default", write_field(*field->default_value, space_)});
    const auto dot = field->name.find('.');
    if (dot == std::string::npos) {
      if (field->required) required.push_back(field->name);
      properties.push_back({field->name, std::move(schema)});
      continue;
    }
    if (groups.empty() || groups.back().key != field->name.substr(0, dot))
      groups.push_back({field->name.substr(0, dot), {}, {}});
    if (field->required) groups.back().required.push_back(field->name.substr(dot + 1));
    groups.back().properties.push_back({field->name.substr(dot + 1), std::move(schema)});
  }
  for (Group& group : groups) {
    Object schema = record("", group.required, std::move(group.properties));
    schema.push_back({"minProperties", 1});
    properties.push_back({group.key, std::move(schema)});
  }
  return record(element.summary, required, std::move(properties));
}

// "planar-joint" picks one of "planar-joint-revolute", …
void SpaceSchema::define_elements(const std::string& noun, const std::vector<const ElementRecord*>& records) {
  std::vector<std::string> types;
  Object variants;
  for (const auto* element : records) {
    if (!exists_in(element->spaces, space_)) continue;
    types.push_back(element->type);
    variants.push_back({name(noun + "-" + element->type), element_schema(*element, true)});
  }
  Object properties = {{"type", choice(types, fmt::format("the type of {}", noun))}};
  Object schema = {
      {"type", "object"}, {"required", Array{"name", "type"}}, {"properties", std::move(properties)}};
  if (!types.empty()) schema.push_back({"allOf", by_type(types, name(noun))});
  add(noun, std::move(schema));
  for (auto& variant : variants) definitions_.push_back(std::move(variant));
}

Object SpaceSchema::initial_schema() const {
  return record(
      "", {},
      {{"joints", named("Joints by name, with the value and rate they start with.", refer("start"))},
       {"hold", list(matching(planar_ ? kPlanarCoordinate : kSpatialCoordinate, ""),
                     planar_ ? "Coordinates that assembly must not move: \"crank.theta\"."
                             : "What assembly must not move: \"crank.z\", \"crank.orientation\".")}});
}

// ---- the fixed part -------------------------------------------------------------------------------------

void define_parameters(Object& definitions) {
  Object full = record("", {"value"},
                       {{"value", numeric("the value")},
                        {"unit", type("string", "for people")},
                        {"min", numeric("the least it may be")},
                        {"max", numeric("the most it may be")}});
  Object parameter = {{"description", "A number, an expression in other parameters, or an object."},
                      {"anyOf", Array{numeric(), std::move(full)}}};
  Object parameters =
      dictionary("Numbers by name: every number of the file may be an expression in them.", parameter);
  parameters.push_back({"propertyNames", Object{{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"},
                                                {"not", Object{{"enum", Array{"t", "pi", "e"}}}}}});
  definitions.push_back({"parameters", std::move(parameters)});
}

void define_inputs(Object& definitions) {
  Object full = record(
      "", {"value"},
      {{"value", refer("function", "the value: a function of time, or an expression in outputs and inputs")},
       {"unit", type("string", "for people")},
       {"every", positive("taken at multiples of this time [s], and held in between")}});
  Object input = {
      {"description", "A function of time, an expression in outputs and other inputs, or an object."},
      {"anyOf", Array{refer("function"), std::move(full)}}};
  Object inputs =
      dictionary("Values by name that live while a run goes on: laws of forces read them.", input);
  inputs.push_back({"propertyNames", Object{{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"},
                                            {"not", Object{{"enum", Array{"t", "pi", "e"}}}}}});
  definitions.push_back({"inputs", std::move(inputs)});
}

void define_common(Object& definitions) {
  definitions.push_back({"name", matching(kName, "A name: no '.', no blanks.")});
  Object pairs = list(tuple(numeric(), 2, ""), "Pairs [x, y], x increasing.");
  pairs.push_back({"minItems", 2});
  definitions.push_back({"pairs", or_csv(std::move(pairs))});
  // The value and rate of a joint's own coordinate, or of each of several by name.
  const Array value_or_rate = {Object{{"required", Array{"value"}}}, Object{{"required", Array{"rate"}}}};
  Object values = record("", {},
                         {{"value", numeric("the joint's angle [rad] or displacement [m]")},
                          {"rate", numeric("its rate [rad/s] or [m/s]")}});
  values.push_back({"anyOf", value_or_rate});
  definitions.push_back({"start-value", std::move(values)});
  Object by_name = named("Coordinates by name.", refer("start-value"));
  by_name.push_back({"minProperties", 1});
  definitions.push_back({"start", Object{{"type", "object"},
                                         {"if", Object{{"anyOf", value_or_rate}}},
                                         {"then", refer("start-value")},
                                         {"else", std::move(by_name)}}});
}

// What a key holds is in "planar-model" and "spatial-model"; here is which keys there are, and what they are for.
Object model_properties() {
  const auto only_help = [](const char* help) { return with_help({}, help); };
  return {{"driftless", with_help({{"const", 1}}, "The version of the file format.")},
          {"$schema", type("string", "Where this schema is, for editors.")},
          {"name", type("string", "What the model is called.")},
          {"description", type("string", "What it is.")},
          {"space",
           with_help({{"enum", Array{"planar", "spatial"}}, {"default", "planar"}}, "The kind of model.")},
          {"gravity", only_help("The acceleration of gravity [m/s²]; none by default.")},
          {"ground", only_help("The world.")},
          {"bodies", only_help("The bodies, at least one.")},
          {"joints", only_help("What connects the bodies.")},
          {"drivers", only_help("Motions prescribed as functions of time.")},
          {"forces", only_help("What acts on the bodies, beside gravity.")},
          {"outputs", only_help("Channels to record.")},
          {"contacts", only_help("What bodies may touch.")},
          {"switches", only_help("Joints and drivers that come and go.")},
          {"parameters", refer("parameters")},
          {"inputs", refer("inputs")},
          {"include", only_help("Other model files, as parts of this one.")},
          {"initial", only_help("Where the motion starts, beside the bodies' own entries.")},
          {"simulate", simulate_schema()}};
}

}  // namespace

std::string model_schema() { return model_schema(standard_catalogue()); }

std::string model_schema(const Catalogue& catalogue) {
  Object definitions;
  define_common(definitions);
  define_parameters(definitions);
  define_inputs(definitions);
  define_functions(definitions);
  SpaceSchema(Space::planar, definitions).define(catalogue);
  SpaceSchema(Space::spatial, definitions).define(catalogue);

  Object out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "driftless model, version 1"}};
  for (auto& entry : record("A mechanism. SI units, radians.", {"driftless"}, model_properties()))
    out.push_back(std::move(entry));
  out.push_back({"if", Object{{"properties", Object{{"space", Object{{"const", "spatial"}}}}},
                              {"required", Array{"space"}}}});
  out.push_back({"then", refer("spatial-model")});
  out.push_back({"else", refer("planar-model")});
  out.push_back(
      {"anyOf", Array{Object{{"required", Array{"bodies"}}}, Object{{"required", Array{"include"}}}}});
  out.push_back({"$defs", std::move(definitions)});
  return to_text(std::move(out));
}

}  // namespace driftless
