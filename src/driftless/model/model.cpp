#include "driftless/model/model.hpp"

#include <algorithm>

namespace driftless {

const Body* Model::find_body(std::string_view wanted) const {
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == wanted; });
  return found == bodies.end() ? nullptr : &*found;
}

}  // namespace driftless
