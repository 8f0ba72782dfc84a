// Velocities of nodes in axes of their bodies (system/turning_vectors.hpp). With A = (e_1, e_2, e_3) of the body a node is read off
// and P its point (natural_basis.hpp), all linear in the nodes,
//   unit vector n      ṅ = A u                                                                                        (1)
//   point n ≠ P        ṅ = Ṗ + A u                                                                                    (2)
//   u̇ = A⁻¹ (n̈ [− P̈] − Ȧ u)                                                                                          (3)
// In shape A is the nearest rotation, and nodes stand where it puts them. The points P themselves stay in space: their motion is that of the mechanism, not of the spin. A point whose P depends on itself
// by way of other bodies stays, too. What (1) and (2) do to changes follows from
//   δ(A x) = Σ_k x_k δe_k,   Ȧ A⁻¹ = Y,   and is passed on by P                                                     (4)
// and what the nearest rotation makes of changes that leave it, with arm x in body axes,
//   δn = δP + ½ Σ_k (x_k 1 − e_k (A x)ᵀ) δe_k                                                                         (5)
// as if P and axes that are shared with other bodies were in shape already: where these are not, (5) is not exact.
#pragma once

#include <array>
#include <vector>

#include "driftless/coordinates/natural/natural_basis.hpp"
#include "driftless/math/rotation.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {

class NodeTurning {
 public:
  NodeTurning(const NaturalBasis<3>& basis, int bodies);

  void put_in_shape(VecRef q) const;
  void to_space(ConstVec q, ConstVec u, VecRef v) const;
  void to_body(ConstVec q, ConstVec v, VecRef u) const;
  void to_body_acceleration(ConstVec q, ConstVec qdot, ConstVec v, VecRef a) const;
  // (2), (3) of system/turning_vectors.hpp, and whether it is sparse: where nodes hang on nodes that hang on nodes … it is not.
  void tangents(ConstVec q, ConstVec v, ConstVec u, ConstVec u_dot, TurningTangents& out) const;
  bool is_sparse() const { return is_sparse_; }

 private:
  struct Turned {
    int node, body;
    Vec3 arm;                                  // from P, in body axes; of (1) the vector itself
    std::vector<Combination<3>::Term> origin;  // P of (2); empty: (1), or P at rest
    Vec3 rest;                                 // what of P is at rest
  };
  Mat3 axes(ConstVec q, int body, bool with_constants) const;
  // Calls visit(turned, factor) for what a node is turned by, itself and by its P.
  template <class Visit>
  void follow(int node, double factor, Visit&& visit) const;

  bool is_sparse_ = true;
  std::vector<int> place_;      // per node in turned_; −1: it stays
  std::vector<Turned> turned_;  // by body as far as (2) lets them; P before what needs it
  std::vector<std::array<Combination<3>, 3>> axes_of_;  // per body
};

}  // namespace driftless
