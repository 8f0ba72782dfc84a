#include "driftless/coordinates/outputs.hpp"

#include <algorithm>

#include "driftless/forces/force_record.hpp"

namespace driftless {
namespace {

FieldSpec choice_field(const char* name,
                       const char* help,
                       std::vector<std::string> choices,
                       Spaces spaces = Spaces::both) {
  return {name, FieldKind::choice, true, {}, "", help, std::move(choices), spaces};
}

const ElementRecord point_output = {
    "point",
    "place or velocity of a point in the world",
    {{"point", FieldKind::point, true, {}, "", "the point", {}},
     choice_field("component", "coordinate (m) or velocity (m/s)", {"x", "y", "vx", "vy"}, Spaces::planar),
     choice_field("component",
                  "coordinate (m) or velocity (m/s)",
                  {"x", "y", "z", "vx", "vy", "vz"},
                  Spaces::spatial)}};

const ElementRecord body_output = {
    "body",
    "place, velocity or angular velocity of a body, at its centre of mass, in the world",
    {{"body", FieldKind::body, true, {}, "", "the body", {}},
     choice_field("component",
                  "coordinate (m), angle (rad), velocity (m/s) or angular velocity (rad/s)",
                  {"x", "y", "angle", "vx", "vy", "wz"},
                  Spaces::planar),
     choice_field("component",
                  "coordinate (m), velocity (m/s) or angular velocity (rad/s)",
                  {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"},
                  Spaces::spatial)}};

const ElementRecord joint_output = {
    "joint",
    "a joint's own coordinate: angle of a revolute, displacement of a translational or point-on-line, and "
    "its rate",
    {{"joint", FieldKind::joint, true, {}, "", "the joint", {}},
     choice_field("value", "what to read", {"angle", "displacement", "rate"}),
     {"coordinate",
      FieldKind::choice,
      false,
      {},
      "",
      "whose rate; default: the only or first coordinate of the joint",
      {"angle", "displacement"},
      Spaces::spatial}}};

// What all kinds of forces offer, each name once, and in words: "tsda, rsda: length …; tyre: deflection …".
FieldSpec reading_field(Spaces spaces) {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> words;  // types, what they offer
  for (const ForceRecord* record : force_records()) {
    if (record->readings.empty()) continue;
    for (const auto& name : spaces == Spaces::planar ? record->planar_readings : record->spatial_readings)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    const auto same = std::find_if(words.begin(), words.end(),
                                   [&](const auto& other) { return other.second == record->readings; });
    if (same == words.end())
      words.emplace_back(record->element.type, record->readings);
    else
      same->first += ", " + record->element.type;
  }
  std::string help;
  for (const auto& [types, offer] : words) help += (help.empty() ? "" : "; ") + types + ": " + offer;
  return choice_field("value", help.c_str(), names, spaces);
}

const ElementRecord& force_output() {
  static const ElementRecord record = {"force",
                                       "state of a force element: " + readable_forces(),
                                       {{"force", FieldKind::force, true, {}, "", "the force element", {}},
                                        reading_field(Spaces::planar),
                                        reading_field(Spaces::spatial)}};
  return record;
}

const ElementRecord reaction_output = {
    "reaction",
    "force or torque of a joint or driver on its second body, at the joint's point there",
    {{"joint", FieldKind::constraint, true, {}, "", "the joint or driver", {}},
     choice_field("component", "force (N) or torque (N m)", {"fx", "fy", "tz"}, Spaces::planar),
     choice_field(
         "component", "force (N) or torque (N m)", {"fx", "fy", "fz", "tx", "ty", "tz"}, Spaces::spatial),
     {"frame",
      FieldKind::choice,
      false,
      FieldValue(std::string("world")),
      "",
      "axes of the components",
      {"world", "joint"}}}};

FieldSpec beam_field(std::vector<std::string> values, Spaces spaces) {
  return choice_field(
      "value",
      "displacement in the floating frame (m), rotation of the section (rad), strain, curvature (1/m), "
      "twist (rad/m), axial force (N), moment or torque (N m), stress (N/m²)",
      std::move(values), spaces);
}

const ElementRecord beam_output = {
    "beam",
    "deflection, strain or section force of a flexible body at a place of its axis",
    {{"at", FieldKind::point, true, {}, "", "a point of the body", {}},
     beam_field({"u", "v", "rotation", "strain", "curvature", "axial-force", "moment", "stress"},
                Spaces::planar),
     beam_field({"u", "v", "w", "rotation-x", "rotation-y", "rotation", "strain", "curvature", "curvature-y",
                 "twist", "axial-force", "moment", "moment-y", "torque", "stress"},
                Spaces::spatial),
     {"y",
      FieldKind::number,
      false,
      FieldValue(0.0),
      "m",
      "strain, stress: along the section's y, from the axis",
      {}},
     {"z",
      FieldKind::number,
      false,
      FieldValue(0.0),
      "m",
      "strain, stress: along the section's z",
      {},
      Spaces::spatial},
     {"from",
      FieldKind::choice,
      false,
      FieldValue(std::string("frame")),
      "",
      "u, v, w: against the undeformed axis in the floating frame, or the line between the ends",
      {"frame", "chord"}}}};

}  // namespace

std::span<const ElementRecord* const> output_records() {
  static const ElementRecord* const records[] = {&point_output,   &body_output,     &joint_output,
                                                 &force_output(), &reaction_output, &beam_output};
  return records;
}

double ReactionPick::of(const std::vector<JointReaction>& reactions) const {
  const JointReaction& r = reactions[static_cast<size_t>(joint)];
  const Vec3& force = joint_axes ? r.force_joint : r.force;
  const Vec3& torque = joint_axes ? r.torque_joint : r.torque;
  return component < 3 ? force[component] : torque[component - 3];
}

}  // namespace driftless
