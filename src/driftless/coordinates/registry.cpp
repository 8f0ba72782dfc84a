#include <algorithm>

#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/planar_builder.hpp"
#include "driftless/core/text.hpp"

namespace driftless {

#define COORDINATES(name) extern const CoordinatesRecord name##_coordinates;
#include "driftless/coordinates/coordinates.def"
#undef COORDINATES

std::span<const CoordinatesRecord* const> coordinates_records() {
  static const CoordinatesRecord* const records[] = {
#define COORDINATES(name) &name##_coordinates,
#include "driftless/coordinates/coordinates.def"
#undef COORDINATES
  };
  return records;
}

namespace {

bool has_angle(const Model& model, const std::string& joint_name) {
  const Element& joint = *std::find_if(model.joints.begin(), model.joints.end(),
                                       [&](const Element& e) { return e.name == joint_name; });
  const JointRecord& record = record_for(joint_records(), joint);
  if (model.space == Space::planar) return record.coordinate == std::string("angle");
  const auto& known = record.spatial.coordinates;
  return std::find(known.begin(), known.end(), "angle") != known.end();
}

// What validate() cannot know: the rules of single forces, whether a joint they act on turns, what can stop a run.
std::vector<Complaint> check_elements(const Model& model) {
  std::vector<Complaint> complaints;
  for (size_t i = 0; i < model.forces.size(); ++i) {
    const Element& force = model.forces[i];
    const ForceRecord& record = record_for(force_records(), force);
    std::vector<Complaint> own;
    if (record.check != nullptr) own = record.check(force, model.space);
    for (const FieldSpec* field : record.element.fields_in(model.space))
      if (field->kind == FieldKind::joint && force.has(field->name) &&
          !has_angle(model, force.get<std::string>(field->name)))
        own.push_back({field->name, "a joint with an angle",
                       fmt::format("'{}'", force.get<std::string>(field->name)), "a revolute joint has one"});
    for (Complaint& complaint : own) {
      complaint.where = fmt::format("forces[{}].{}", i, complaint.where);
      complaint.found += fmt::format(" (force '{}')", force.name);
      complaints.push_back(std::move(complaint));
    }
  }
  // A stop condition is located along the dense output, where nothing is solved for.
  for (size_t i = 0; i < model.stop_when.size(); ++i)
    for (const Element& output : model.outputs)
      if (output.name == model.stop_when[i].output && output.type == "reaction")
        complaints.push_back({fmt::format("simulate.stop_when[{}].output", i),
                              "an output of positions and velocities",
                              fmt::format("'{}', a reaction", output.name), ""});
  return complaints;
}

}  // namespace

const Catalogue& standard_catalogue() {
  static const Catalogue catalogue = [] {
    Catalogue all;
    for (const auto* record : joint_records()) all.joints.push_back(&record->element);
    for (const auto* record : driver_records()) all.drivers.push_back(&record->element);
    for (const auto* record : force_records()) all.forces.push_back(&record->element);
    for (const auto* record : output_records()) all.outputs.push_back(record);
    return all;
  }();
  return catalogue;
}

CompiledModel compile(const Model& model, const std::string& coordinates, const std::string& source) {
  if (const auto complaints = validate(model, standard_catalogue()); !complaints.empty())
    throw InputError(source, complaints);
  if (const auto complaints = check_elements(model); !complaints.empty())
    throw InputError(source, complaints);
  std::vector<std::string> names;
  for (const auto* record : coordinates_records()) {
    if (record->compile == nullptr) continue;
    if (record->method.name == coordinates) return record->compile(model, source);
    names.push_back(record->method.name);
  }
  const auto near = closest_name(coordinates, names);
  throw InputError(source, Complaint{"--coordinates", quoted_list(names), fmt::format("'{}'", coordinates),
                                     near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
}

}  // namespace driftless
