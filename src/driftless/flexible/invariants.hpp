// Inertia invariants of a floating-frame body: constants of the undeformed body from which its mass matrix and velocity terms
// follow at any deflection. With u = u0 + S η the place in the body frame and S_b the b-th row of S:
//   m = ∫dm    s0 = ∫u0 dm    P0 = ∫u0 u0ᵀ dm    S̄ = ∫S dm    P1[a,b] = ∫u0_a S_b dm    P2[a,b] = ∫S_aᵀ S_b dm        (1)
// Nothing else is ever integrated. Reference conditions and modes are one matrix: nodal = Z η,
//   S̄ ← S̄ Z,   P1 ← P1 Z,   P2 ← Zᵀ P2 Z                                                                            (2)
//                                                              Shabana, Dynamics of Multibody Systems, ch. 5
#pragma once

#include <array>
#include <vector>

#include "driftless/flexible/beam_element.hpp"

namespace driftless {

template <int D>
struct Invariants {
  using V = Eigen::Matrix<double, D, 1>;
  double m = 0;
  V s0 = V::Zero();
  Eigen::Matrix<double, D, D> P0 = Eigen::Matrix<double, D, D>::Zero();
  Mat S;                                        // D × n
  std::array<std::array<Vec, D>, D> P1;         // n
  std::array<std::array<SparseRows, D>, D> P2;  // n × n; P2[b][a] = P2[a][b]ᵀ

  int size() const { return static_cast<int>(S.cols()); }
  SparseRows elastic_mass() const;  // Σ P2[a,a]
  Invariants reduced(const SparseRows& Z) const;
};

// Of a mesh of beams with masses on its nodes; coordinates are those of the nodes, all of them, in body axes.
template <int D>
Invariants<D> mesh_invariants(const std::vector<BeamElement<D>>& elements,
                              const std::vector<Eigen::Matrix<double, D, 1>>& nodes,
                              const std::vector<std::pair<int, double>>& masses,
                              bool rotary);

// Coordinates of the element's nodes among all.
template <int D>
std::array<int, size_t(BeamElement<D>::E)> nodal_columns(const BeamElement<D>& element) {
  std::array<int, size_t(BeamElement<D>::E)> out;
  constexpr int k = BeamElement<D>::kNode;
  for (int i = 0; i < BeamElement<D>::E; ++i) out[size_t(i)] = element.nodes[size_t(i / k)] * k + i % k;
  return out;
}

// Elements of a body's mesh.
template <int D>
std::vector<BeamElement<D>> beam_elements(const FlexibleSpec& spec);

extern template struct Invariants<2>;
extern template struct Invariants<3>;

}  // namespace driftless
