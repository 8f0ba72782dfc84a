#include "driftless/model/model_index.hpp"

namespace driftless {

ModelIndex::ModelIndex(const Model& model) : model_(model) {
  for (const Body& body : model.bodies) bodies_.emplace(body.name, static_cast<int>(bodies_.size()));
  for (const Element& joint : model.joints) joints_.emplace(joint.name, static_cast<int>(joints_.size()));
}

int ModelIndex::body(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? static_cast<int>(model_.bodies.size()) : found->second;
}

const Body* ModelIndex::find_body(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : &model_.bodies[static_cast<size_t>(found->second)];
}

const Element* ModelIndex::find_joint(std::string_view name) const {
  const auto found = joints_.find(name);
  return found == joints_.end() ? nullptr : &model_.joints[static_cast<size_t>(found->second)];
}

}  // namespace driftless
