// The size of things in a model: scale of tolerances, of drift limits and of the rows of angular constraints.
#pragma once

#include "driftless/model/model.hpp"

namespace driftless {

// The longest distance inside a body, or between bodies where these are points. Only distances count, so neither the
// origin nor the axes matter, and it scales with the unit of length.
double characteristic_length(const Model& model);

}  // namespace driftless
