// Inertia invariants of imported bodies: (1) of invariants.hpp by sums over nodes X_k with masses m_k, and inertia tensors J_k
// about them where given. With Π = ½tr(J_k) 1 − J_k = ∫ρρᵀdm and e_j a unit rotation of the node,
//   P0 += Π      P1[·,·] of e_j += Π e_j~ᵀ      P2[·,·] of e_i, e_j += e_i~ Π e_j~ᵀ                                     (1)
#pragma once

#include <vector>

#include "driftless/flexible/invariants.hpp"

namespace driftless {

// Of all coordinates of the nodes; zero if the data have invariants themselves.
template <int D>
Invariants<D> lumped_invariants(const std::vector<Eigen::Matrix<double, D, 1>>& nodes, const ModalData& data);

template <int D>
Invariants<D> given_invariants(const ModalInvariants& given);

}  // namespace driftless
