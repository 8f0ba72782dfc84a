// What is wrong with shapes, each entry under its JSON path.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/complaints.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// `points`: of the same body, which shapes may name.
void validate_shapes(const std::string& path,
                     const std::vector<Shape>& shapes,
                     const std::vector<NamedPoint>& points,
                     Complaints& complaints);

}  // namespace driftless
