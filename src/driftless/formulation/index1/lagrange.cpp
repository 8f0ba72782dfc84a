// Lagrange multipliers, index 1.          García de Jalón & Bayo (5.8)–(5.12), algorithm 5-1; Chin (2.3)–(2.5), (4.2)
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [γ]                                                                                          (1)
//   K λ = J M⁻¹ f − γ,   v̇ = M⁻¹ (f − Jᵀλ),   K = J M⁻¹ Jᵀ                                                        (2)
// The reference method: accelerations and multipliers at once, one factorisation per evaluation. Nothing in it holds
// g = 0: the drift grows like hᵖ t², so it is run with a stabilization (default pstab) except for short studies.
// Options: solver=kkt solves (1) as it stands and serves singular mass matrices; solver=schur solves (2), which needs
// M⁻¹: the same result, of interest where M is block diagonal and rows are few, and as a check. Systems that never form M
// (articulated bodies) eliminate by (2) themselves: there both mean the system's own solver.
// Fails where J loses rank; schur also where M is singular.
#include "driftless/formulation/index1/index_one.hpp"
#include "driftless/system/kernels/schur_solver.hpp"

namespace driftless {
namespace {

class Lagrange final : public IndexOneForm {
 public:
  using IndexOneForm::IndexOneForm;
};

KernelFactory kernel_of(const DescriptorSystem& system, const Options& options) {
  if (options.choice("solver") == "kkt" || system.layout().mass_is_implicit) return {};
  return [&system] { return make_schur_motion_solver(system.layout()); };
}

}  // namespace

extern const FormulationRecord lagrange_formulation;
const FormulationRecord lagrange_formulation = {
    .method = {"lagrange",
               "index-1 equations with Lagrange multipliers, by one KKT system or its Schur complement",
               "Garcia de Jalon & Bayo 1994, (5.8)-(5.12); Chin 1995, (2.3)-(2.5)",
               {{.name = "solver",
                 .kind = OptionKind::choice,
                 .default_value = "kkt",
                 .choices = {"kkt", "schur"},
                 .help = "kkt: mass matrix and rows together, M may be singular; schur: by J M^-1 J^T"}}},
    .default_integrator = "dopri5",
    .default_stabilization = "pstab",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      return std::make_unique<Lagrange>(system, kernel_of(system, options));
    },
};

}  // namespace driftless
