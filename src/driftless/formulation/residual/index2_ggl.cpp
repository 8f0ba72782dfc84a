// Stabilised index 2, projected invariants.          Gear, Gupta & Leimkuhler 1985; Chin (2.15); Negrut, Haug & German (11)
//   q̇ = T (v − W⁻¹ J_hᵀ μ),   M a + Jᵀλ = f,   0 = g(t, q),   0 = J v − ν(t, q)                                     (1)
// Both levels hold to Newton's tolerance; μ = 0 for the exact solution and stays as small as the error of a step. W is the
// identity in units of the coordinates' scales. The constraint rows of the velocities are written for v, not for q̇.
// For implicit schemes (bdf): no drift, no parameter, works with stiff forces, safe with steps that change. Cost: mh more
// unknowns than index3. Fails where J loses rank.
#include "driftless/formulation/residual/residual_form.hpp"

namespace driftless {

extern const FormulationRecord index2_ggl_formulation;
const FormulationRecord index2_ggl_formulation = {
    .method = {"index2-ggl",
               "positions and velocities both kept on the constraints by an implicit scheme",
               "Gear, Gupta & Leimkuhler 1985; Chin 1995, (2.15); Negrut, Haug & German, (11)",
               {}},
    .default_integrator = "bdf",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options&) -> std::unique_ptr<OdeForm> {
      return std::make_unique<ResidualForm>(system, ResidualForm::Rows::both,
                                            system.layout().v_scale.cwiseAbs2().cwiseInverse());
    },
    .needs_mass = true,
    .kind = FormKind::residual,
    .rows = ResidualRows::both,
};

}  // namespace driftless
