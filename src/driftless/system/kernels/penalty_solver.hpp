// The kernel of the penalty family: (1) of motion_solver.hpp without its multipliers as unknowns.
//                                                       García de Jalón & Bayo (5.29)–(5.37), (5.48)–(5.52)
//   A = M + Jᵀ α J,   w ← r1,   y ← 0                                                                            (1)
//   A x = w + Jᵀ α r2,   dy = α (J x − r2),   y ← y + dy,   w ← w − Jᵀ dy        1 + `iterations` times            (2)
// until |dy| ≤ tolerance |y|, rows weighed by 1/√α. Without iterations (2) is the penalty method, whose rows give way by
// y/α; each iteration takes the error in y down by 1/(1 + α k), k the eigenvalues of J M⁻¹ Jᵀ: the augmented Lagrangian.
// A is positive definite if no motion is without both mass and constraint. So M may be singular, J may lose rank, and
// rows may be redundant: nothing is dropped, and y is the smallest in the norm Σ yᵢ²/αᵢ.
//
// One number `penalty` serves all rows and units by
//   αᵢ = penalty · max_j(M_jj s_j²) / max( ℓᵢ(0), ℓᵢ/16 ),   ℓᵢ = Σ_j (J_ij s_j)²,   s = v_scale                    (3)
// with M and ℓ(0) of the first matrices seen. So α is one function of the position, whatever was tried before: it is constant
// unless a row comes to be four times longer than it was (a run may start next to a singular position). A row that is zero
// at the start is taken to be as long as the longest of the others.
#pragma once

#include <memory>

#include "driftless/math/memory.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

struct PenaltySettings {
  double penalty = 1e5;     // α in units of the largest mass
  int iterations = 2;       // of the augmented Lagrangian; 0: plain penalty
  double tolerance = 1e-8;  // relative change of y that ends them early
};

class PenaltyMotionSolver : public MotionSolver, public KeepsMemory {
 public:
  virtual const Vec& weights() const = 0;  // α of (3), after the first factor()
  // α where the rows are these, after the first factor(), whose factors and weights stay.
  virtual void weights_of(const SparseRows& J, Vec& alpha) const = 0;
};

std::unique_ptr<PenaltyMotionSolver> make_penalty_motion_solver(const Layout& layout,
                                                                const PenaltySettings& settings);

}  // namespace driftless
