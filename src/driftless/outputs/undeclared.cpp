#include "driftless/outputs/undeclared.hpp"

#include <algorithm>

#include "driftless/forces/force_record.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/outputs/effort.hpp"

namespace driftless {
namespace {

using Fields = std::map<std::string, FieldValue, std::less<>>;

void add_joint(const Element& joint, Space space, std::vector<Element>& out) {
  for (const std::string& coordinate : record_of_joint(joint).coordinates(space)) {
    out.push_back(
        {joint.name + "." + coordinate, "joint", Fields{{"joint", joint.name}, {"value", coordinate}}});
    out.push_back(
        {joint.name + "." + coordinate + "_rate", "joint",
         Fields{{"joint", joint.name}, {"value", std::string("rate")}, {"coordinate", coordinate}}});
  }
}

void add_force(const Element& force, Space space, std::vector<Element>& out) {
  const ForceRecord& record = record_for(force_records(), force);
  for (const std::string& value : space == Space::planar ? record.planar_readings : record.spatial_readings)
    out.push_back({force.name + "." + value, "force", Fields{{"force", force.name}, {"value", value}}});
}

void add_effort(const Element& element, const Model& model, std::vector<Element>& out) {
  if (const auto effort = effort_of(element, model))
    out.push_back({element.name + "." + effort->name, "effort", Fields{{"joint", element.name}}});
}

}  // namespace

std::vector<Element> undeclared_outputs(const Model& model) {
  std::vector<Element> out;
  for (const Element& joint : model.joints) add_joint(joint, model.space, out);
  for (const auto* list : {&model.drivers, &model.contacts})
    for (const Element& element : *list) add_effort(element, model, out);
  for (const Element& force : model.forces) add_force(force, model.space, out);
  return out;
}

bool records_undeclared(const Model& model) { return model.simulate.record == "all"; }

std::optional<Element> output_called(const std::string& name, const Model& model) {
  for (const Element& output : model.outputs)
    if (output.name == name) return output;
  const std::string owner = name.substr(0, name.find('.'));
  if (owner.size() == name.size()) return {};
  std::vector<Element> own;
  for (const Element& joint : model.joints)
    if (joint.name == owner) add_joint(joint, model.space, own);
  for (const auto* list : {&model.drivers, &model.contacts})
    for (const Element& element : *list)
      if (element.name == owner) add_effort(element, model, own);
  for (const Element& force : model.forces)
    if (force.name == owner) add_force(force, model.space, own);
  for (Element& output : own)
    if (output.name == name) return std::move(output);
  return {};
}

}  // namespace driftless
