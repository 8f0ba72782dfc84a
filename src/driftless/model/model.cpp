#include "driftless/model/model.hpp"

#include <algorithm>

namespace driftless {

std::vector<const FieldSpec*> ElementRecord::fields_in(Space space) const {
  std::vector<const FieldSpec*> out;
  for (const auto& field : fields)
    if (exists_in(field.spaces, space)) out.push_back(&field);
  return out;
}

const Body* Model::find_body(std::string_view wanted) const {
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == wanted; });
  return found == bodies.end() ? nullptr : &*found;
}

bool Model::all_rigid() const {
  return std::all_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.is_rigid(); });
}

}  // namespace driftless
