// Augmented Lagrangian.                                                       García de Jalón & Bayo (5.48)–(5.52)
//   w ← f, λ ← 0;   repeat   (M + Jᵀ α J) v̇ = w + Jᵀ α c,   dλ = α (J v̇ − c),   λ ← λ + dλ,   w ← w − Jᵀ dλ        (1)
// with c of penalty_form.hpp. w stands for M v̇ of the pass before and is carried along: M itself is never solved with.
// The error in λ falls by 1/(1 + α k) a pass, k the eigenvalues of J M⁻¹ Jᵀ: the limit is baumgarte with alpha = Ωμ,
// beta = Ω, and where k = 0 (redundant rows, singular positions) λ stays at its smallest and finite.
// Options: penalty (1e5; 1e3 to 1e5 is best, more makes singular passages rough), iterations (2) behind the first pass,
// tolerance (1e-8) of dλ against λ that ends them early, omega (10 1/s), mu (1), mu_n (10 1/s).
// Cost: one Cholesky of size n a evaluation, pattern of M + JᵀJ, and 1 + iterations pairs of triangular solves.
// Projected behind every step by the same kernel (default).
#include "driftless/formulation/index1/penalty_form.hpp"

namespace driftless {

extern const FormulationRecord augmented_lagrangian_formulation;
const FormulationRecord augmented_lagrangian_formulation = {
    .method = {"augmented-lagrangian",
               "penalties with iterated multipliers: redundant rows, singular positions and masses",
               "Garcia de Jalon & Bayo 1994, (5.48)-(5.52)", penalty_options("1e5", "2")},
    .default_integrator = "dopri5",
    .default_stabilization = "projection",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      return std::make_unique<PenaltyForm>("augmented-lagrangian", system, options);
    },
    .needs_mass = true,
};

}  // namespace driftless
