// Index 3: the equations of motion with the constraints as they are.      Hoitink (3.2)–(3.5); García de Jalón & Bayo (7.52)
//   M a + Jᵀλ = f,   q̇ = T v,   g(t, q) = 0,   nonholonomic rows  A v + b = 0                                       (1)
// For implicit schemes made for it (generalized-alpha, bdf). Positions are on the constraints to Newton's tolerance at
// every step; velocities satisfy J v = ν only to the order of the scheme; multipliers lose orders with Runge–Kutta schemes
// and with steps that change. No parameter. Cost: one factorisation of [A Jᵀ; J 0] whenever the tangent is renewed.
// Fails where J loses rank.
#include "driftless/formulation/residual/residual_form.hpp"

namespace driftless {

extern const FormulationRecord index3_formulation;
const FormulationRecord index3_formulation = {
    .method = {"index3",
               "positions kept on the constraints by an implicit scheme, multipliers as unknowns",
               "Hoitink 2011, (3.2)-(3.5); Garcia de Jalon & Bayo 1994, (7.52)-(7.60)",
               {}},
    .default_integrator = "generalized-alpha",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options&) -> std::unique_ptr<OdeForm> {
      return std::make_unique<ResidualForm>(system, ResidualForm::Rows::position);
    },
    .needs_mass = true,
    .kind = FormKind::residual,
    .rows = ResidualRows::position,
};

}  // namespace driftless
