// Multipliers of redundant constraints. With rows J₂ = C J₁ dropped, (λ₁, 0) is one of many λ with the same Jᵀλ; the
// smallest of them,
//   λ ← λ − N (NᵀN)⁻¹ Nᵀ λ,    N = [−Cᵀ; I] the null vectors of Jᵀ                                                  (1)
// is what a slightly compliant mechanism with equal compliance in every row would show, and does not depend on which rows
// were dropped. NᵀN = I + C Cᵀ is solved by conjugate gradients: a handful of products with
//   C u = J₂ x,  x from [ M J₁ᵀ; J₁ 0 ] [x; ·] = [0; u],      Cᵀ w = y from [ M J₁ᵀ; J₁ 0 ] [·; y] = [J₂ᵀ w; 0]      (2)
// by the solver that has just given λ: at most one pair per dropped row, and C is never formed.
//   Docs: docs/theory/redundant.md; conjugate gradients: Hestenes & Stiefel 1952
#pragma once

#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

class MinimumNorm {
 public:
  explicit MinimumNorm(const Layout& layout);
  // λ of the solver's last factorisation, with zeros in its dropped rows, becomes the smallest one (1).
  Status apply(MotionSolver& solver, const SparseRows& J, Vec& lambda);

 private:
  Status times_C(MotionSolver& solver, const SparseRows& J, const Vec& u, Vec& out);  // in the dropped rows
  Status times_C_transposed(MotionSolver& solver, const SparseRows& J, const Vec& w, Vec& out);

  Vec no_force_, no_rows_, force_, x_;  // nv, m, nv, nv
  Vec w_, r_, p_, Ap_, y_;              // m; w, r, p and Ap are zero but in the dropped rows
};

}  // namespace driftless
