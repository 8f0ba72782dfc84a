// Positions and velocities corrected together: the smallest change that removes both residuals to first order.
//   [dq]                       [g]        [ J  0 ]
//   [dv] = V⁻¹ Hᵀ (H V⁻¹ Hᵀ)⁻¹ [r],  H =  [ L  J ],   L = ∂(J v − ν)/∂q T,   V = diag(W, W)                          (1)
// by blocks, all with the KKT solver of W and J (so singular mass matrices are served too). With K = J W⁻¹Jᵀ, P g the
// smallest change with J x = g, and Z the part of W⁻¹Lᵀ that the rows leave free,
//   (I + L Z K⁻¹) s = r − L P g,   dq = P g + Z K⁻¹ s,   dv = P s                                                    (2)
// 2 m + 2 solves. Nonholonomic rows have g = 0 here.                                    Chin 1995, (2.30), algorithm 3.2
#pragma once

#include "driftless/math/linear/dense.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

class FullCorrection {
 public:
  explicit FullCorrection(const Layout& layout);
  // (2) with the W and J last given to the solver; g is padded with zeros to m rows. Allocates nothing.
  Status solve(MotionSolver& solver, const SparseRows& L, ConstVec g, ConstVec r, VecRef dq, VecRef dv);

 private:
  Status couple(MotionSolver& solver, const SparseRows& L);  // Z, K⁻¹ and the factors of I + L Z K⁻¹

  Mat Z_, K_inverse_, LZ_, A_;  // of (2); A_ = I + L Z K⁻¹
  DenseLu<double> lu_;
  Vec no_force_, no_rows_, force_, s_, y_, x_;
};

}  // namespace driftless
