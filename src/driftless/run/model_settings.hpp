// Run settings of models: what coordinates and methods take one another's place where they do not go together.
#pragma once

#include "driftless/run/settings.hpp"

namespace driftless {

inline constexpr const char* kEquations =
    "equations";  // coordinates of problems and programs given by equations

// Command line over record. Coordinates nobody asked for on the command line do not stand in the way of methods that want
// q̇ = v: there are others of the same mechanism. Where coordinates are named and the integrator is not, it is the integrator
// that gives way.
Merged merge_for(const Model& model,
                 const std::string& source,
                 const RunSettings& command,
                 const RunSettings& record);

}  // namespace driftless
