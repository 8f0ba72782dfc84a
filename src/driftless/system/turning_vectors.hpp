// A capability of systems whose q holds components of vectors that turn with bodies, and rows that keep their lengths: unit
// vectors, quaternions whose rates are v. Schemes shrink such q and v alike; whoever puts q back on the rows takes v along
// (stabilization/projector.hpp). Their velocities turn as well, also where a body spins steadily; in axes of the body they rest:
//   v = B(q) u,   B affine in q,   u̇ = B⁻¹ (v̇ − Ḃ u)                                                                     (1)
// u is what formulation/turning_form.hpp integrates. Where u̇ depends on lengths and angles of the vectors, the errors they have in the
// stages of a step push a spin, too: these are put in shape first.
// Newton's methods need what changes of q and v do to (1), along a motion with q̇ = v:
//   δv = B δu + T δq,   B δu̇ + T δv = δv̇ − X_v δv − X_q δq,
//   T = ∂(B u)/∂q,   X_v = Ḃ B⁻¹,   X_q = ∂(B u̇)/∂q − X_v T                                                            (2)
// and what shaping does to changes of q that leave it, δq_shaped = (1 + D) δq                                            (3)
#pragma once

#include "driftless/math/linear/sparse_assembly.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

// Transposed, as sparse assemblies go by columns.
struct TurningTangents {
  SparseAssembly<double> T, X_q, X_v;
  SparseAssembly<double> D;  // stays as it was where put_in_shape() does nothing
};

class TurningVectors {
 public:
  virtual ~TurningVectors() = default;
  virtual bool has_turning_vectors() const { return true; }
  // Whether the system knows (1).
  virtual bool has_body_rates() const { return false; }
  virtual void put_in_shape(VecRef /*q*/) const {}
  virtual void to_space(ConstVec /*q*/, ConstVec u, VecRef v) const { v = u; }
  virtual void to_body(ConstVec /*q*/, ConstVec v, VecRef u) const { u = v; }
  // `a` is v̇ and becomes u̇; Ḃ is that of q̇, which formulations may make another than v.
  virtual void to_body_acceleration(ConstVec /*q*/, ConstVec /*qdot*/, ConstVec /*v*/, VecRef /*a*/) const {}
  // Whether the system has (2) and (3), and sparse; `u` and `u_dot` as above.
  virtual bool has_turning_tangents() const { return false; }
  virtual void turning_tangents(
      ConstVec /*q*/, ConstVec /*v*/, ConstVec /*u*/, ConstVec /*u_dot*/, TurningTangents& /*out*/) const {}
};

}  // namespace driftless
