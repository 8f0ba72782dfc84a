// How fast a flexible body vibrates in its frame: what explicit steps must resolve, and what its motion is about.
//   K φ = ω² M φ:  all of few coordinates; of many the lowest by inverse iteration, the highest by iteration, both to 1e-6
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

struct Vibrations {
  double lowest = 0, highest = 0;  // rad/s; 0: none or not known
};

// K positive semidefinite, M positive definite. Lowest: of those that are no motion as one.
Vibrations vibrations_of(const SparseRows& K, const SparseRows& M);

}  // namespace driftless
