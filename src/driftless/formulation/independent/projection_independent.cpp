// The projection matrix R in independent coordinates.            García de Jalón & Bayo (5.59)–(5.70), algorithms 5-4, 5-5
//   ż = B v,   [J; B] v = [ν; ż]   →   v = S ν + R ż                                                                  (1)
//   Rᵀ M R z̈ = Rᵀ (f − M S γ),   v̇ = S γ + R z̈,   λ = Sᵀ (f − M v̇)                                                   (2)
// with a B that is constant until it is chosen anew: see independent_form.hpp for the position problem, the watch over
// the choice, and singular positions.
// Options:
//   algorithm  5-5  state (z, ż): q from g = 0, B q = z at every evaluation                                  [default]
//              5-4  state (q, ż): q integrated; one Newton step of [J; B] δ = −[g; 0] at the end of each step
//   basis      boolean  rows of the identity: velocities themselves, by full pivoting (cheapest)              [default]
//              qr, svd  an orthonormal basis of the null space of J at the choice, in units of the coordinates' scales
//   monitor    growth (default), condition
// With coordinates on a manifold (T ≠ I) z are increments from the point where the step began.
// Drift: round-off (5-5), the local error squared (5-4). Cost as partitioned; basis qr and svd add m n² a factorisation.
#include "driftless/formulation/independent/independent_form.hpp"

namespace driftless {

extern const FormulationRecord projection_independent_formulation;
const FormulationRecord projection_independent_formulation = {
    .method = {"projection-independent",
               "projection onto the null space of J in independent combinations of velocities",
               "Garcia de Jalon & Bayo 1994, (5.59)-(5.70), algorithms 5-4 and 5-5",
               {{.name = "algorithm",
                 .kind = OptionKind::choice,
                 .default_value = "5-5",
                 .choices = {"5-4", "5-5"},
                 .help = "5-5: positions solved from the constraints; 5-4: positions integrated, corrected "
                         "once a step"},
                {.name = "basis",
                 .kind = OptionKind::choice,
                 .default_value = "boolean",
                 .choices = {"boolean", "qr", "svd"},
                 .help = "independent velocities, or an orthonormal basis of the null space by QR or SVD"},
                monitor_option()}},
    .default_integrator = "dopri5",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      const std::string& basis = options.choice("basis");
      return std::make_unique<IndependentVelocities>(
          system,
          IndependentSettings{"projection-independent",
                              basis == "qr"    ? IndependentBasis::Rule::null_space_qr
                              : basis == "svd" ? IndependentBasis::Rule::null_space_svd
                                               : IndependentBasis::Rule::pivot,
                              options.choice("algorithm") == "5-4" ? Positions::corrected : Positions::solved,
                              options.choice("monitor") == "condition",
                              {}});
    },
    .needs_mass = true,
};

}  // namespace driftless
