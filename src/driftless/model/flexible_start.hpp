// The start of a flexible body that says by itself where its elastic coordinates are: `initial.relaxed` stands among the deflections,
// under a name that no coordinate has.
#pragma once

#include "driftless/model/flexible_spec.hpp"

namespace driftless {

inline constexpr const char* kRelaxedStart = "(relaxed)";

inline bool starts_relaxed(const FlexibleSpec& spec) { return spec.deflection.contains(kRelaxedStart); }

}  // namespace driftless
