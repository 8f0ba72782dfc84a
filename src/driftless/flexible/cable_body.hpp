// A cable in absolute nodal coordinates: every node has its place r and slope r' = dr/dx in world axes, x the undeformed length;
//   r(ξ) = H1 r1 + H2 r1' + H3 r2 + H4 r2'   (H of beam_tables.hpp),     M_e = ρA ∫HHᵀ ⊗ 1 constant                      (1)
// Elastic energy V = ∫ W(a,b,c) dx of the invariants a = r'·r', b = r'·r'', c = r''·r'':
//   strain   green   EA/8 (a−1)²                 stretch    EA/2 (√a−1)²
//   bending  material EI/2 (c/a − b²/a²)          geometric  EI/2 (c/a² − b²/a³)                                         (2)
// material: K = |r'×r''|/|r'|², which a pure moment bends without stretching; geometric: κ = |r'×r''|/|r'|³.
// Integration: axial Lobatto 3, bending Gauss 3 (`lobatto`: thin cables do not lock), or Gauss 5 and 3 (`full`).
// With D_a, D_b, D_c such that ΔW = D_a Δa + D_b Δb + D_c Δc exactly, and a, b, c quadratic in q,
//   P(q0,q1) = Σ l w (D_a a_i + D_b b_i + D_c c_i)(q_m)   is a discrete gradient: P·(q1−q0) = V1 − V0, momenta kept        (3)
//             Berzeri & Shabana 2000; Gerstmayr & Shabana 2006; Gerstmayr & Irschik 2008; Gonzalez 1996; docs/theory/flexible.md
#pragma once

#include <vector>

#include "driftless/flexible/beam_tables.hpp"
#include "driftless/model/flexible_spec.hpp"

namespace driftless {

template <int D>
class CableBody {
 public:
  using V = Eigen::Matrix<double, D, 1>;
  explicit CableBody(const FlexibleSpec& spec);

  int nodes() const { return static_cast<int>(lengths_.size()) + 1; }
  int size() const { return 2 * D * nodes(); }
  double mass() const { return mass_; }
  double energy(ConstVec q) const;
  void add_forces(ConstVec q, VecRef f) const;                             // f ← f − ∂V/∂q
  void add_discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const;  // (3)
  // ∂²V/∂q²: element by element, of the four vectors from 2 e on; and as a whole, for statics and tests.
  using Block = Eigen::Matrix<double, 4 * D, 4 * D>;
  void element_hessians(ConstVec q, std::vector<Block>& out) const;  // as many as there are elements
  Mat hessian(ConstVec q) const;
  SparseRows mass_matrix() const;
  // Weights of the vectors r1, r1', r2 … in the centre of mass.
  Vec center() const;

  // r = Σ h_i q_i, r' = Σ dh_i q_i over the four vectors from `first` on.
  struct Section {
    int first = 0;  // vector
    beam::Vec4 h, dh, ddh;
  };
  Section section(int element, double xi) const;
  struct Strains {
    double axial = 0, curvature = 0, stretch = 1;  // curvature signed in the plane
    double force = 0, moment = 0;                  // axial force, bending moment
  };
  Strains strains(int element, double xi, ConstVec q) const;

 private:
  struct Rule {
    std::vector<double> xi, w;
  };
  template <class Visit>
  void integrate(Visit&& visit) const;  // visit(axial?, element, weight, S', S'')

  std::vector<double> lengths_;
  std::vector<BeamProperties> p_;
  bool green_, material_;
  Rule axial_, bending_;
  double mass_ = 0;
};

extern template class CableBody<2>;
extern template class CableBody<3>;

}  // namespace driftless
