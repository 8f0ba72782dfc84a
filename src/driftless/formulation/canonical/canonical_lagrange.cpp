// Canonical equations with Lagrange multipliers.             García de Jalón & Bayo (5.93)–(5.103), algorithm 5-6
//   [ M  Jᵀ ] [v]   [p]
//   [ J  0  ] [σ] = [ν],   q̇ = T v,   ṗ = f + Ṁ v + J̇ᵀσ                                                         (1)
// Corrections to the source: the velocity row is J v = ν (printed 0); the unknown of (5.103) is +σ, as (5.100) has it;
// λ = σ̇ (printed λ = σ). A wrong sign of σ leaves the velocity constraints at round-off and the motion wrong.
// One differentiation of the constraints less than lagrange: |J v − ν| is round-off at every evaluation, g drifts an
// order of magnitude less. Momenta are based anew behind every step (canonical_form.hpp), positions corrected there by
// the stabilization (default projection). Multipliers of the output: one index-1 solve.
// No options. Cost: one KKT factorisation an evaluation, as lagrange, one evaluation more a step, and J̇ᵀσ. Fails where
// J loses rank: there use canonical-augmented.
#include "driftless/formulation/canonical/canonical_form.hpp"

namespace driftless {

extern const FormulationRecord canonical_lagrange_formulation;
const FormulationRecord canonical_lagrange_formulation = {
    .method = {"canonical-lagrange",
               "canonical momenta with multipliers: velocity constraints hold at every evaluation",
               "Garcia de Jalon & Bayo 1994, (5.93)-(5.103)",
               {}},
    .default_integrator = "dopri5",
    .default_stabilization = "projection",
    .make = [](const DescriptorSystem& system, const Options&) -> std::unique_ptr<OdeForm> {
      return std::make_unique<CanonicalForm>(system);
    },
    .needs_mass = true,
    .is_smooth = false,
};

}  // namespace driftless
