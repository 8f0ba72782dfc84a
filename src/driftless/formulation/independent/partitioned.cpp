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
//                        back by one Newton step at its end                                              (5.58)
//           paul         the same without that step: g drifts with the error of the scheme               (5.58), Paul
//           hybrid       q and v. Where a step ends with |g| or |J v − ν| beyond `tolerance` characteristic lengths (per second),
//                        γ − 20 (J v − ν) − 100 g stands for γ until one ends within it; u and u̇ are solved for at the end of a step where
//                        that loses the constraints (100 tolerances), or |R| has grown by a quarter: near singular positions
//                                                                                                 Park & Haug 1986
//   choice  pivot (default), qr, svd: how w is chosen (independent_basis.hpp);   independent=NAMES: the first w
//   monitor growth (default), condition
// Drift: round-off (independent); the local error squared (extended). Cost an evaluation: one LU of J_u (m³ 2/3 dense), one
// back-substitution a degree of freedom, Rᵀ M R, 1 to 4 evaluations of g and J in the position problem.
// Fails where no set is regular (handed over), and, with monitor=condition, where J_u loses its scale.
#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/independent/independent_form.hpp"

namespace driftless {

extern const FormulationRecord partitioned_formulation;
const FormulationRecord partitioned_formulation = {
    .method =
        {"partitioned",
         "independent coordinates integrated, dependent ones solved from the constraints",
         "Garcia de Jalon & Bayo 1994, (5.54)-(5.58); Negrut, Haug & German 2003, (12)-(21)",
         {{.name = "state",
           .kind = OptionKind::choice,
           .default_value = "independent",
           .choices = {"independent", "extended", "paul", "hybrid"},
           .help =
               "what is integrated: independent q and v; all q, independent v, q corrected or (paul) not; "
               "all, with damping where they drift"},
          {.name = "tolerance",
           .default_value = "1e-8",
           .min = 0,
           .max = 1e-2,
           .help = "hybrid: |g| and |J v - nu|, in lengths of the mechanism, beyond which they are damped"},
          choice_option(),
          independent_option(),
          monitor_option()}},
    .default_integrator = "dopri5",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      const std::string& state = options.choice("state");
      if (options.given("tolerance") && state != "hybrid")
        throw InputError("formulation partitioned",
                         Complaint{"`option tolerance`", "state=hybrid, the only one that has it",
                                   fmt::format("state={}", state), ""});
      return std::make_unique<IndependentVelocities>(
          system, IndependentSettings{"partitioned", choice_rule(options),
                                      state == "hybrid"     ? Positions::damped
                                      : state == "extended" ? Positions::corrected
                                      : state == "paul"     ? Positions::drifting
                                                            : Positions::solved,
                                      options.choice("monitor") == "condition", options.names("independent"),
                                      options.number("tolerance")});
    },
    .needs_mass = true,
};

}  // namespace driftless
