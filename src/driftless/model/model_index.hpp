// Bodies and joints of a model by name: made once by whoever looks names up again and again, so that a model of 10⁵ bodies
// is compiled in linear time. The model must stay where it is, and as it is.
#pragma once

#include <string_view>
#include <unordered_map>

#include "driftless/model/model.hpp"

namespace driftless {

class ModelIndex {
 public:
  explicit ModelIndex(const Model& model);

  const Model& model() const { return model_; }
  int body(std::string_view name) const;  // the one past the last: ground, or unknown
  const Body* find_body(std::string_view name) const;
  const Element* find_joint(std::string_view name) const;

 private:
  const Model& model_;
  std::unordered_map<std::string_view, int> bodies_, joints_;
};

}  // namespace driftless
