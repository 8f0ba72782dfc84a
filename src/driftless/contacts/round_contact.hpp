// What circles and spheres that keep outside one another share: g = (|p_b − p_a|² − l²)/(2 l) ≥ 0, l the sum of the radii. Its
// sign and, at touch, its gradient are those of the gap.
#pragma once

#include "driftless/contacts/contact_record.hpp"

namespace driftless::round_contact {

inline constexpr auto frames = [](const Element& contact, const auto& model) {
  using Frame = typename std::remove_cvref_t<decltype(model)>::Frame;
  return std::pair(Frame{model.point(contact.get<PointRef>("a"))},
                   Frame{model.point(contact.get<PointRef>("b"))});
};

inline constexpr auto rows = [](const Element& contact, const auto& pair, auto& model) {
  markers::Distance<dimension_of<decltype(model)>> block;
  block.x = {model.mark(pair.first.origin), model.mark(pair.second.origin)};
  block.length = contact.get<double>("radius_a") + contact.get<double>("radius_b");
  model.add(block, {"gap"});
};

inline std::vector<FieldSpec> fields() {
  return contact_fields({point_field("a", "centre on the first body"),
                         point_field("b", "centre on the second body"),
                         {"radius_a", FieldKind::positive, true, {}, "m", "of the first", {}},
                         {"radius_b", FieldKind::positive, true, {}, "m", "of the second", {}}},
                        false);
}

}  // namespace driftless::round_contact
