// What only the elastic coordinates themselves can tell of a flexible body that is described wrongly: names at the start that the frame
// leaves out, modes below a frequency that has none, more damping ratios than modes.
#pragma once

#include <vector>

#include "driftless/core/errors.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

std::vector<Complaint> check_flexible(const Model& model);

}  // namespace driftless
