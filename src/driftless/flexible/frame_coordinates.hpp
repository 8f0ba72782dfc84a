// Coordinates that a floating frame leaves to its mesh: nodal = Z η, η those nodal coordinates that are kept.
//   clamped-free       all of node a left out
//   simply-supported   u_a, v_a, v_b left out; in space u_a v_a w_a φ_a v_b w_b
//   mean-axis          S̄ η = 0, Σ ε_iab P1[a,b] η = 0: as many coordinates expressed by the others                          (1)
#pragma once

#include <vector>

#include "driftless/flexible/invariants.hpp"

namespace driftless {

struct FrameCoordinates {
  SparseRows Z;
  std::vector<int> kept;  // of the nodal coordinates
};

// `length`: of an element, by which rotations count beside displacements.
template <int D>
FrameCoordinates frame_coordinates(
    const Invariants<D>& free, FlexibleSpec::Frame frame, int a, int b, double length);

inline int far_node(const FlexibleSpec& spec) {
  return spec.far_node < 0 ? static_cast<int>(spec.nodes.size()) - 1 : spec.far_node;
}

}  // namespace driftless
