// What a midpoint scheme adds to its residual M ã + J(qm)ᵀλ − f(qm) so that it conserves energy.
//                                            Gonzalez 1996 (J. Nonlinear Sci. 6); Hoitink 2011, §4.2, (2.9), (4.44), (4.45)
// With d = q1 − q0, qm = (q0 + q1)/2 and constant M, a step changes the energy by V1 − V0 − P·d − λᵀ D d, where P stands for
// the potential and D for the gradient of the rows. Both parts vanish if
//   P = ∂V/∂q(qm) + c_V d/|d|²,   c_V = V(q1) − V(q0) − ∂V/∂q(qm)·d                                                   (1)
//   D = J(qm) + c_g dᵀ/|d|²,      c_g = g(q1) − g(q0) − J(qm) d                                                       (2)
// so the residual gains (c_V + λᵀc_g) d/|d|²; for elements with discrete gradients of their own (ElementPotential) it gains
//   P(q0, q1) − ∂V/∂q(qm) + λᵀc_g d/|d|²                                                                              (3)
// ∂V/∂q·d is read off the forces at rest: ∂V/∂q·d = −f(t, qm, 0)·d + [p(d) − p(−d)]/2, p the power of what the potential
// does not cover: friction and dampers, odd in v, drop out, motors stay.                                             (4)
// Tangent per q1 (c = c_V + λᵀc_g, Ψ = V + λᵀg):  d zᵀ/|d|² + c (1 − 2 d dᵀ/|d|²)/|d|²,
//   z = ∂c/∂q1 = ∂Ψ(q1) − ∂Ψ(qm) − ½ ∂²Ψ(qm) d = ½ (∂Ψ(q0) + ∂Ψ(q1)) − ∂Ψ(qm) + O(d³);  (3) by central differences   (5)
// Elements couple what the tangents of their system couple: where those are filled by batches, (5) has their pattern, columns that
// share no row are differenced together, and the share of rows, zero where g is quadratic, is left out of it: the cost is
// linear in the elements. Elsewhere (5) is full.                                                                     (5a)
// Below |d| = ∛ε scales the bracket, of third order in d, is lost in the round-off of V and left out.                (6)
// So are c_V and c_g within 4 units of round-off, as they are where V is linear and g quadratic: round-off there is not
// without bias, and added energy in proportion to the steps.                                                         (7)
// All times are that of the middle: where V or g depend on time, (1) and (2) hold at that time. (1) and (2) act along d in
// all coordinates at once: energy is conserved, angular momentum only where c is zero or by elements.
#pragma once

#include <vector>

#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/element_potential.hpp"

namespace driftless {

class DiscreteGradient {
 public:
  // `with_rows`: (2) too.
  DiscreteGradient(const DescriptorSystem& system, bool with_rows);

  // A step from q0 with its middle at time t. False: the system knows no potential.
  bool begin(double t, ConstVec q0);
  // out ← out + what (1)–(3) add. `middle`: terms after position(t, qm); its f is overwritten. lambda: all m rows.
  void add(ConstVec q1, ConstVec qm, Terms& middle, ConstVec lambda, VecRef out);
  // scale · (5), where add() was called last.
  const SparseRows& tangent(double scale, ConstVec q1, ConstVec lambda);
  // column ← column + ∂/∂λ of row i, where add() was called last.
  void add_row_derivative(double scale, int row, VecRef column) const;
  // Round-off of what was added: none of the residual can be smaller.
  double noise() const { return noise_; }

 private:
  double gradient_along(ConstVec qm, Terms& middle);  // (4)
  void take_pattern();                                // (5a)
  void difference_elements(double scale, ConstVec q1);

  const DescriptorSystem& system_;
  const ElementPotential* elements_;  // null: (1)
  const bool with_rows_;
  double t_ = 0, V0_ = 0, c_ = 0, inverse_dd_ = 0, noise_ = 0;
  double shortest_;                                // of (6)
  Vec q0_, d_, rest_;                              // nq, nv, nv
  Vec slope_middle_;                               // nv   ∂Ψ(qm), without what elements cover
  Vec z_, moved_, qm_;                             // nv, nq, nq
  Vec plus_, minus_, ahead_;                       // nv
  Vec row_gap_;                                    // mh   c_g
  Terms start_, end_;                              // at q0 and q1
  bool is_full_ = true;                            // the pattern of (5)
  SparseRows K_;                                   // (5)
  std::vector<std::vector<int>> together_;         // columns that share no row
  std::vector<std::vector<Eigen::Index>> places_;  // of the entries of each column among the values of K_
  std::vector<std::vector<int>> rows_;             // theirs
};

}  // namespace driftless
