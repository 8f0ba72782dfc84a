// The R-matrix kernel: (1) of motion_solver.hpp with the multipliers eliminated by a basis R of the null space of J.
//                                                     García de Jalón & Bayo (5.13)–(5.18), (5.65)–(5.67)
//   x = S r2 + R (Rᵀ M R)⁻¹ Rᵀ (r1 − M S r2),   y = Sᵀ (r1 − M x)                          (null_space.hpp)        (1)
// The result does not depend on R, so the kernel keeps its basis B as long as it serves and takes another at any
// factorisation where |R| has grown by half since the choice, or the pivots have shrunk to a hundredth.
// Where even a fresh choice has pivots below 1e-6 (singular positions) it hands over to the augmented Lagrangian,
// (M + Jᵀ α J) with α = 1e5 and two iterations, which needs no rank of J, and comes back when it can.
// M is read: it must be positive on the null space of J, not on all of it.
#pragma once

#include "driftless/system/kernels/independent_basis.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

std::unique_ptr<MotionSolver> make_null_space_motion_solver(
    const Layout& layout, IndependentBasis::Rule rule = IndependentBasis::Rule::pivot);

}  // namespace driftless
