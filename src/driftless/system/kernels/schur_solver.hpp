// The linear kernel of constrained dynamics by the Schur complement, as the books write it:
//                                                                            García de Jalón & Bayo (5.11), (5.12)
//   K = J M⁻¹ Jᵀ,   K y = J M⁻¹ r1 − r2,   x = M⁻¹ (r1 − Jᵀ y)                                                     (1)
// M is factored along its own sparse pattern (once and for all where it is constant), X = M⁻¹Jᵀ takes one solve a row, K
// is dense and factored by Cholesky. A pivot of K that vanishes against its diagonal names the row that depends on those
// before it; one that lost four digits asks for a step of refinement.
// Needs a regular M: a singular one ends in Status::singular with dependent_row() = −1, where KktSolver goes on.
// Cost: m solves with M and m³/6 for K: good for few rows or a block-diagonal M; on long chains kkt, which keeps K
// sparse, is faster.
#pragma once

#include <memory>

#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

// `layout` must form its mass (not mass_is_implicit).
std::unique_ptr<MotionSolver> make_schur_motion_solver(const Layout& layout);

}  // namespace driftless
