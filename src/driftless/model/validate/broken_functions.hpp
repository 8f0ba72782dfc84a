// Functions of time that are no number at an instant: sin(t)/t at t = 0. A driver needs the first two derivatives as well.
#pragma once

#include <vector>

#include "driftless/core/errors.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// One complaint each, under its JSON path; none if all are finite at t.
std::vector<Complaint> broken_functions(const Model& model, double t);

}  // namespace driftless
