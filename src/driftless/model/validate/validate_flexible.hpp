// What is wrong with the mesh, sections, frame, modes and start of a flexible body.
#pragma once

#include <string>

#include "driftless/core/complaints.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

void validate_flexible(const std::string& path,
                       const FlexibleSpec& spec,
                       Space space,
                       Complaints& complaints);

}  // namespace driftless
