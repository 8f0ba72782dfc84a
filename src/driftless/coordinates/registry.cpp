#include <algorithm>

#include <fmt/format.h>

#include "driftless/contacts/contact_record.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/complaints.hpp"
#include "driftless/core/text.hpp"
#include "driftless/flexible/check_flexible.hpp"
#include "driftless/forces/force_record.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/model/drawing/drawing.hpp"
#include "driftless/model/model_index.hpp"
#include "driftless/outputs/output_record.hpp"
#include "driftless/outputs/signals.hpp"

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

const Catalogue& standard_catalogue() {
  static const Catalogue catalogue = [] {
    Catalogue all;
    for (const auto* record : joint_records()) all.joints.push_back(&record->element);
    for (const auto* record : driver_records()) all.drivers.push_back(&record->element);
    for (const auto* record : force_records()) all.forces.push_back(&record->element);
    for (const auto* record : output_records()) all.outputs.push_back(&record->element);
    for (const auto* record : contact_records()) all.contacts.push_back(&record->element);
    all.switches.push_back(&joint_switch_record());
    return all;
  }();
  return catalogue;
}

Drawing drawing_of(const Model& model) { return drawing_of(model, standard_catalogue()); }

namespace {

// What only elements themselves can see is wrong, each under its path in the file.
template <class Record>
void check_each(const std::vector<Element>& elements,
                std::span<const Record* const> records,
                const std::string& noun,
                const Model& model,
                std::vector<Complaint>& complaints) {
  for (size_t i = 0; i < elements.size(); ++i) {
    const Record& record = record_for(records, elements[i]);
    if (record.check == nullptr) continue;
    for (Complaint& complaint : record.check(elements[i], model)) {
      complaint.where = path_of_field(path_below(noun + "s", i), complaint.where);
      complaint.found += fmt::format(" ({} {})", noun, quoted(elements[i].name));
      complaints.push_back(std::move(complaint));
    }
  }
}

bool has_coordinate(const std::string& joint, const std::string& coordinate, const ModelIndex& index) {
  const auto known = record_of_joint(*index.find_joint(joint)).coordinates(index.model().space);
  return std::find(known.begin(), known.end(), coordinate) != known.end();
}

// A force on a joint acts on its angle, or on its displacement.
void check_joints_move(const Model& model, std::vector<Complaint>& complaints) {
  const ModelIndex index(model);
  for (size_t i = 0; i < model.forces.size(); ++i) {
    const ForceRecord& record = record_for(force_records(), model.forces[i]);
    const std::string& coordinate = record.joint_coordinate;
    for (const FieldSpec* field : record.element.fields_in(model.space)) {
      if (field->kind != FieldKind::joint || !model.forces[i].has(field->name)) continue;
      const std::string& joint = model.forces[i].get<std::string>(field->name);
      if (!has_coordinate(joint, coordinate, index))
        complaints.push_back(
            {path_below(path_below("forces", i), field->name),
             coordinate == "angle" ? "a joint with an angle" : "a joint with a displacement",
             fmt::format("{} (force {})", quoted(joint), quoted(model.forces[i].name)),
             coordinate == "angle" ? "a revolute joint has one" : "a translational joint has one"});
    }
  }
}

// A stop condition is located along the dense output, where no reactions are solved for.
void check_stops(const Model& model, std::vector<Complaint>& complaints) {
  for (size_t i = 0; i < model.stop_when.size(); ++i)
    for (const Element& output : model.outputs)
      if (output.name == model.stop_when[i].output && !is_of_state(output, model))
        complaints.push_back({path_below("simulate.stop_when", i) + ".output",
                              "an output of positions and velocities",
                              fmt::format("{}, which needs forces", quoted(output.name)), ""});
}

// Sets whose rows cannot come and go refuse by name.
void refuse_switched(const Model& model, const std::string& coordinates, const std::string& source) {
  const std::string what = model.switched_rows();
  if (what.empty()) return;
  std::vector<std::string> others;
  for (const auto* record : coordinates_records())
    if (record->has_switched_rows) others.push_back(record->method.name);
  throw InputError(source,
                   Complaint{"`coordinates`", "a set in which rows come and go: " + quoted_list(others),
                             fmt::format("{} with {}", quoted(coordinates), what), ""});
}

}  // namespace

CompiledModel compile(const Model& model,
                      const std::string& coordinates,
                      const std::string& source,
                      const std::map<std::string, std::string>& options) {
  auto complaints = validate(model, standard_catalogue());
  if (complaints.empty()) {
    check_each(model.joints, joint_records(), "joint", model, complaints);
    check_each(model.drivers, driver_records(), "driver", model, complaints);
    check_each(model.forces, force_records(), "force", model, complaints);
    check_each(model.contacts, contact_records(), "contact", model, complaints);
    for (Complaint& complaint : check_joint_switches(model)) complaints.push_back(std::move(complaint));
    check_joints_move(model, complaints);
    check_stops(model, complaints);
    for (Complaint& complaint : check_signals(model)) complaints.push_back(std::move(complaint));
    for (Complaint& complaint : check_flexible(model)) complaints.push_back(std::move(complaint));
  }
  if (!complaints.empty()) throw InputError(source, complaints);
  std::vector<std::string> names;
  for (const auto* record : coordinates_records()) {
    if (record->compile == nullptr) continue;
    if (record->method.name == coordinates && !record->has_switched_rows)
      refuse_switched(model, coordinates, source);
    if (record->method.name == coordinates)
      return record->compile(model, source,
                             Options("coordinates " + coordinates, record->method.options, options));
    names.push_back(record->method.name);
  }
  const auto near = closest_name(coordinates, names);
  throw InputError(source, Complaint{"`coordinates`", quoted_list(names), fmt::format("'{}'", coordinates),
                                     near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
}

}  // namespace driftless
