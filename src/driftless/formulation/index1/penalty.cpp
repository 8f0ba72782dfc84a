// Penalty.                                    García de Jalón & Bayo (5.29)–(5.37), (5.38)–(5.47), algorithm 5-3
//   (M + Jᵀ α J) v̇ = f + Jᵀ α c                                                                                  (1)
// with c of penalty_form.hpp. No multipliers: n unknowns, a positive definite matrix, redundant rows and lost rank do no
// harm, M may be singular. The rows give way:
//   J v̇ − c = λ/α,   so at rest  g = λ/(α Ω²),  A v + b = λ/(α μ_n);   λ = α (J v̇ − c) is what the output shows     (2)
// Options: penalty (1e7, useful 1e5 to 1e9), α in units of the largest mass for rows scaled to equal length (see
// penalty_solver.hpp); omega (10 1/s), mu (1), mu_n (10 1/s); iterations (0) and tolerance, which make it
// augmented-lagrangian. Above 1e11 round-off takes the steps down. Explicit schemes need omega·mu·h below 2 to 3.3.
// Cost: one Cholesky of size n a evaluation, pattern of M + JᵀJ. Where J loses rank (1) does not fail but is wrong by
// λ/(1 + α k) with k → 0: the run is projected behind every step by the same kernel (default), which takes that back.
#include "driftless/formulation/index1/penalty_form.hpp"
#include "driftless/formulation/residual/residual_form.hpp"

namespace driftless {

extern const FormulationRecord penalty_formulation;
const FormulationRecord penalty_formulation = {
    .method = {"penalty", "stiff penalties in place of multipliers: passes singular positions",
               "Garcia de Jalon & Bayo 1994, (5.29)-(5.47)", penalty_options("1e7", "0")},
    .default_integrator = "dopri5",
    .default_stabilization = "projection",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      return std::make_unique<PenaltyForm>("penalty", system, options);
    },
    .needs_mass = true,
    .rows = ResidualRows::none,
    .make_residual = &make_penalty_residual,
};

}  // namespace driftless
