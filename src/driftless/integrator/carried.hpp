// What a scheme carries of its own from step to step.
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

// Accelerations and multipliers as a scheme itself has them, each at the instant it has them for. Records hold those that the
// equations of motion give at the recorded state instead.
struct Carried {
  double acceleration_time = 0, multiplier_time = 0;
  Vec acceleration;  // nv
  Vec multipliers;   // of the rows in use
};

}  // namespace driftless
