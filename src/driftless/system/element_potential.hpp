// A system whose potential is a sum of elements that know their energy-momentum forces: the discrete gradients of
// docs/theory/gssss.md, kept per element so that momentum is conserved besides energy. Systems without it get Gonzalez's
// generic discrete gradient of potential_energy().
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

// The strain of an element at the instant t + W1 h of a single-step scheme, combined as the scheme combines displacements there
// with q₁ as the unknown:   ε̃ = ε + p₂ ε̇ + p₃ ε̈ + C (ε₁ − ε),   ε, ε̇ and ε̈ at the start of the step              Hoitink (2.9)
struct StrainRule {
  double p2 = 0, p3 = 0, C = 0;
  // Green's strain of a straight element, r between its ends and l0 its length, less that at the place r_m.
  template <class R>
  double excess(const R& r, const R& rate, const R& bend, const R& r1, const R& r_m, double l0) const {
    const double start = r.squaredNorm(), end = r1.squaredNorm();
    const double combined =
        start + p2 * 2 * r.dot(rate) + p3 * 2 * (rate.squaredNorm() + r.dot(bend)) + C * (end - start);
    return (combined - r_m.squaredNorm()) / (2 * l0 * l0);
  }
};
// The step it is for: its start, its end, and where forces act.
struct StrainedStep {
  const Vec &q0, &v0, &a0, &q1, &middle;
};

class ElementPotential {
 public:
  virtual ~ElementPotential() = default;
  // out = P(q0, q1) with P · (q1 − q0) = V(q1) − V(q0), V all of potential_energy(); P(q, q) = ∂V/∂q. Smooth in q1.
  virtual void discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const = 0;
  // out = what strains by a StrainRule, instead of those of the place where forces act, change in ∂V/∂q there. False: no element
  // has strains to combine.
  virtual bool strain_forces(const StrainRule&, const StrainedStep&, VecRef /*out*/) const { return false; }
};

}  // namespace driftless
