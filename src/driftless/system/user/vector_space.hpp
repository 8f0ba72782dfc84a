// Whether q̇ = v, component by component: not where quaternions go with angular velocities.
#pragma once

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

inline bool is_vector_space(const DescriptorSystem& system, const State& at) {
  const Layout& layout = system.layout();
  if (layout.nq != layout.nv) return false;
  Vec qdot(layout.nq);
  for (int j = 0; j < layout.nv; ++j) {
    system.kinematics(at.t, at.q, Vec::Unit(layout.nv, j), qdot);
    if (qdot != Vec::Unit(layout.nv, j)) return false;
  }
  return true;
}

}  // namespace driftless
