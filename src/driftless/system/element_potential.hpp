// A system whose potential is a sum of elements that know their energy-momentum forces: the discrete gradients of
// docs/theory/gssss.md, kept per element so that momentum is conserved besides energy. Systems without it get Gonzalez's
// generic discrete gradient of potential_energy().
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

class ElementPotential {
 public:
  virtual ~ElementPotential() = default;
  // out = P(q0, q1) with P · (q1 − q0) = V(q1) − V(q0), V all of potential_energy(); P(q, q) = ∂V/∂q. Smooth in q1.
  virtual void discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const = 0;
};

}  // namespace driftless
