// Coordinate partitioning: independent and dependent coordinates.     García de Jalón & Bayo (5.54)–(5.58); Negrut, Haug
//                                                                      & German (12)–(21); Park & Haug 1986 (hybrid)
//   v = (u, w),   J = [J_u J_w],   J_u regular,   H = −J_u⁻¹ J_w                                                      (1)
//   M̂ ẅ = f̂,   M̂ = M_ww + M_wu H + Hᵀ (M_uw + M_uu H),   f̂ = f_w − M_wu J_u⁻¹γ + Hᵀ (f_u − M_uu J_u⁻¹γ)             (2)
//   ü = J_u⁻¹ (γ − J_w ẅ),   λ = J_u⁻ᵀ (f_u − M_uw ẅ − M_uu ü)                                                       (3)
// which is (3) of independent_form.hpp with R = [H; I]: there also the position problem, the watch over the choice, and
// what happens at singular positions.
// Options:
//   state   independent  only w and ẇ count; u from g = 0 and u̇ from J v = ν at every evaluation       (5.56)   [default]
//           extended     q and ẇ; u̇ from J v = ν; no position problem, g drifts by the error of one step and is taken
//                        back by one Newton step at its end                                              (5.58), Paul
//           hybrid       q and v, with γ − 20 (J v − ν) − 100 g in place of γ; u and u̇ solved for at the end of a step
//                        where |g| or |J v − ν| exceeds 1e-8 characteristic lengths, or |R| has grown by a quarter
//   choice  pivot (default), qr, svd: how w is chosen (independent_basis.hpp);   independent=NAMES: the first w
//   monitor growth (default), condition
// Drift: round-off (independent); the local error squared (extended). Cost an evaluation: one LU of J_u (m³ 2/3 dense), one
// back-substitution a degree of freedom, Rᵀ M R, 1 to 4 evaluations of g and J in the position problem.
// Fails where no set is regular (handed over), and, with monitor=condition, where J_u loses its scale.
#include "driftless/formulation/independent_form.hpp"

namespace driftless {

extern const FormulationRecord partitioned_formulation;
const FormulationRecord partitioned_formulation = {
    .method = {"partitioned",
               "independent coordinates integrated, dependent ones solved from the constraints",
               "Garcia de Jalon & Bayo 1994, (5.54)-(5.58); Negrut, Haug & German 2003, (12)-(21)",
               {{.name = "state",
                 .kind = OptionKind::choice,
                 .default_value = "independent",
                 .choices = {"independent", "extended", "hybrid"},
                 .help = "what is integrated: independent q and v; all q, independent v; all, with damping"},
                choice_option(),
                independent_option(),
                monitor_option()}},
    .default_integrator = "dopri5",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      const std::string& state = options.choice("state");
      return std::make_unique<IndependentForm>(
          system,
          IndependentSettings{"partitioned", choice_rule(options),
                              state == "hybrid"     ? Positions::damped
                              : state == "extended" ? Positions::corrected
                                                    : Positions::solved,
                              options.choice("monitor") == "condition", options.names("independent")});
    },
    .needs_mass = true,
};

}  // namespace driftless
