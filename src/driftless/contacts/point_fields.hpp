// Fields of contacts of a point of the second body, or of what is round about it, with something of the first.
#pragma once

#include <vector>

#include "driftless/contacts/contact_record.hpp"

namespace driftless {

// `own`, the point, its radius in words (null: it is a point), and what all contacts have.
inline std::vector<FieldSpec> point_contact_fields(std::vector<FieldSpec> own, const char* radius) {
  own.push_back(point_field("b", "point on the second body"));
  if (radius != nullptr)
    own.push_back({"radius", FieldKind::non_negative, false, FieldValue(0.0), "m", radius, {}});
  return contact_fields(std::move(own));
}

}  // namespace driftless
