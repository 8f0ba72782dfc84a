// Models with bodies that are not rigid: FlexibleSystem by way of what coordinate sets need to know of it.
#pragma once

#include <string>

#include "driftless/coordinates/coordinates.hpp"

namespace driftless {

// With Attitude PlaneAngle, BodyRates or QuaternionRates.
template <class Attitude>
CompiledModel compile_flexible(const Model& model, const std::string& source);

// InputError: these coordinates have no place for floating frames.
void refuse_floating(const Model& model, const std::string& coordinates, const std::string& source);

}  // namespace driftless
