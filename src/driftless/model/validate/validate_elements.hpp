// Joints, drivers, forces and outputs of a model against the records of their types; part of validate().
#pragma once

#include <string>

#include "driftless/core/complaints.hpp"
#include "driftless/model/model.hpp"
#include "driftless/model/validate/model_names.hpp"

namespace driftless {

// What a field takes, in words: "a number > 0", "'world' or 'body'", "a direction [x, y], not zero".
std::string expected_text(const FieldSpec& field, Space space);

void validate_elements(const Model& model,
                       const Catalogue& catalogue,
                       const ModelNames& names,
                       Complaints& complaints);

}  // namespace driftless
