// The projection matrix R in dependent coordinates.                  García de Jalón & Bayo (5.13)–(5.18), algorithm 5-2
//   [ J   ]      [ γ    ]
//   [ RᵀM ] v̇ =  [ Rᵀ f ],      J R = 0                                                                          (1)
// All of (q, v) is integrated; only the multipliers are eliminated, and come back as λ = Sᵀ (f − M v̇). Any R gives the
// same v̇: R comes from the LU factorisation of J in independent velocities chosen by full pivoting, which is changed
// where |R| grows by half (system/kernels/null_space_solver.hpp). (1) is solved by its Schur block Rᵀ M R, as many rows as there
// are degrees of freedom:
//   v̇ = S γ + R (Rᵀ M R)⁻¹ Rᵀ (f − M S γ)                                                                        (2)
// Cost: LU of J, one back-substitution a degree of freedom, and Rᵀ M R: for few degrees of freedom. Drift as lagrange,
// hᵖ t²: default stabilization pstab. At singular positions the kernel hands over to the augmented Lagrangian.
#include "driftless/formulation/index1/index_one.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/system/kernels/null_space_solver.hpp"

namespace driftless {
namespace {

class ProjectionDependent final : public IndexOneForm {
 public:
  void keep(Memory& memory) override { memory.refuse(); }  // the choice of its kernel is made anew
  explicit ProjectionDependent(const DescriptorSystem& system)
      : IndexOneForm(system, [&system] { return make_null_space_motion_solver(system.layout()); }) {}
};

}  // namespace

extern const FormulationRecord projection_dependent_formulation;
const FormulationRecord projection_dependent_formulation = {
    .method = {"projection-dependent",
               "index-1 equations without multipliers: projected onto the null space of J, all coordinates "
               "integrated",
               "Garcia de Jalon & Bayo 1994, (5.13)-(5.18), algorithm 5-2",
               {}},
    .default_integrator = "dopri5",
    .default_stabilization = "pstab",
    .make = [](const DescriptorSystem& system, const Options&) -> std::unique_ptr<OdeForm> {
      return std::make_unique<ProjectionDependent>(system);
    },
    .needs_mass = true,
};

}  // namespace driftless
