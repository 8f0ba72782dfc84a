// Fields most joints have, and what joints may say of their coordinates.
#include <algorithm>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/joints/joint_record.hpp"

namespace driftless {

FieldSpec point_field(const char* name, const char* help) {
  return {name, FieldKind::point, true, {}, "", help, {}};
}

FieldSpec body_field(const char* name, const char* help) {
  return {name, FieldKind::body, true, {}, "", help, {}};
}

FieldSpec axis_field() {
  return {"axis", FieldKind::direction,
          true,   {},
          "",     "direction in the frame of the first body; its length does not matter",
          {},     Spaces::planar};
}

FieldSpec optional_field(const char* name,
                         FieldKind kind,
                         const char* unit,
                         const char* help,
                         std::vector<std::string> choices,
                         Spaces spaces) {
  return {name, kind, false, {}, unit, help, std::move(choices), spaces};
}

FieldSpec relative_angle_field() {
  return {
      "angle", FieldKind::number, false, FieldValue(0.0), "rad", "angle of the second body against the first",
      {},      Spaces::planar};
}

FieldSpec spatial_axis_field(const char* help, const char* name, bool required) {
  return {name, FieldKind::axis, required, {}, "", help, {}, Spaces::spatial};
}

FieldSpec spatial_axis_b_field() {
  return spatial_axis_field(
      "the same axis on the second body, in its frame; default: parallel in the initial position", "axis_b",
      false);
}

FieldSpec coordinate_field(const char* name) {
  return optional_field(name, FieldKind::choice, "", "coordinate of the joint; default: its first",
                        {"angle", "displacement"});
}

const Element& joint_called(const std::string& name, const Model& model) {
  return *std::find_if(model.joints.begin(), model.joints.end(),
                       [&](const auto& j) { return j.name == name; });
}

const JointRecord& record_of_joint(const Element& joint) { return record_for(joint_records(), joint); }

std::string chosen_coordinate(const Element& element,
                              const char* joint_field,
                              const char* coordinate_field,
                              const Model& model) {
  if (element.has(coordinate_field)) return element.get<std::string>(coordinate_field);
  const Element& joint = joint_called(element.get<std::string>(joint_field), model);
  const auto known = record_of_joint(joint).coordinates(model.space);
  return known.empty() ? "" : known.front();
}

std::string joint_with_coordinate(Space space) {
  std::vector<std::string> types;
  for (const auto* record : joint_records())
    if (!record->coordinates(space).empty()) types.push_back(record->element.type);
  return fmt::format("a joint with a coordinate of its own, of type {}", quoted_list(types));
}

std::vector<Complaint> check_coordinate(const Element& element,
                                        const char* joint_field,
                                        const char* coordinate_field,
                                        const Model& model) {
  const Element& joint = joint_called(element.get<std::string>(joint_field), model);
  const auto known = record_of_joint(joint).coordinates(model.space);
  if (known.empty())
    return {{joint_field, joint_with_coordinate(model.space),
             fmt::format("'{}' of type '{}'", joint.name, joint.type), ""}};
  const std::string chosen = chosen_coordinate(element, joint_field, coordinate_field, model);
  if (std::find(known.begin(), known.end(), chosen) != known.end()) return {};
  return {{coordinate_field, fmt::format("{}, which joint '{}' has", quoted_list(known), joint.name),
           fmt::format("'{}'", chosen), ""}};
}

}  // namespace driftless
