// Index 2: the constraints once differentiated.                                                        Hoitink (3.2)–(3.5)
//   M a + Jᵀλ = f,   q̇ = T v,   J v = ν(t, q)                                                                       (1)
// For implicit schemes (bdf), where velocities are on the constraints to Newton's tolerance, and half-explicit ones (hem4),
// where they are to round-off. g drifts like hᵖ t, since only its derivative is held: project positions now and then (--stabilization projection) or use index2-ggl, which holds both.
// The form for purely nonholonomic systems. Fails where J loses rank.
#include "driftless/formulation/residual/residual_form.hpp"

namespace driftless {

extern const FormulationRecord index2_formulation;
const FormulationRecord index2_formulation = {
    .method = {"index2",
               "velocities kept on the constraints by the scheme; positions drift slowly",
               "Hoitink 2011, (3.2)-(3.5)",
               {}},
    .default_integrator = "bdf",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options&) -> std::unique_ptr<OdeForm> {
      return std::make_unique<ResidualForm>(system, ResidualForm::Rows::velocity);
    },
    .needs_mass = true,
    .kind = FormKind::residual,
    .rows = ResidualRows::velocity,
};

}  // namespace driftless
