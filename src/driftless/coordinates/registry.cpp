#include <algorithm>

#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/planar_builder.hpp"
#include "driftless/core/text.hpp"
#include "driftless/model/complaints.hpp"

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
    for (const auto* record : output_records()) all.outputs.push_back(record);
    return all;
  }();
  return catalogue;
}

namespace {

// What only the joints and drivers themselves can see is wrong, each under its path in the file.
void check_each(const std::vector<Element>& elements,
                std::span<const JointRecord* const> records,
                const std::string& noun,
                const Model& model,
                std::vector<Complaint>& complaints) {
  for (size_t i = 0; i < elements.size(); ++i)
    for (const auto* record : records) {
      if (record->element.type != elements[i].type || record->check == nullptr) continue;
      for (Complaint& complaint : record->check(elements[i], model)) {
        complaint.where = path_below(path_below(noun + "s", i), complaint.where);
        complaint.found += fmt::format(" ({} {})", noun, quoted(elements[i].name));
        complaints.push_back(std::move(complaint));
      }
    }
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
  }
  if (!complaints.empty()) throw InputError(source, complaints);
  std::vector<std::string> names;
  for (const auto* record : coordinates_records()) {
    if (record->compile == nullptr) continue;
    if (record->method.name == coordinates)
      return record->compile(model, source,
                             Options("coordinates " + coordinates, record->method.options, options));
    names.push_back(record->method.name);
  }
  const auto near = closest_name(coordinates, names);
  throw InputError(source, Complaint{"--coordinates", quoted_list(names), fmt::format("'{}'", coordinates),
                                     near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
}

}  // namespace driftless
