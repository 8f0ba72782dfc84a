// Why a mechanism does not close or cannot start to move, where its joints alone could: drivers, or initial values, that
// contradict one another. The residuals of a failed assembly do not tell, they are spread over all joints; here each one is
// left out in turn.
#pragma once

#include <optional>

#include "driftless/core/errors.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// Of a valid model whose assembly at time t has failed. None: its joints alone do not close either.
std::optional<Complaint> find_contradiction(const Model& model, double t);

}  // namespace driftless
