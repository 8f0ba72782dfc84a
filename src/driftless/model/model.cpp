#include "driftless/model/model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"

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

std::string Model::switched_rows() const {
  if (!switches.empty()) return fmt::format("switch {}", quoted(switches.front().name));
  for (const Element& force : forces)
    if (force.type == "clutch") return fmt::format("clutch {}", quoted(force.name));
  for (const Element& joint : joints)
    if (joint.has_group("stops") || joint.has_group("friction"))
      return fmt::format("stops or friction of joint {}", quoted(joint.name));
  return contacts.empty() ? "" : fmt::format("contact {}", quoted(contacts.front().name));
}

bool Model::all_rigid() const {
  return std::all_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.is_rigid(); });
}

}  // namespace driftless
