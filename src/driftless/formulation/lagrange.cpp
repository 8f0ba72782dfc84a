// Lagrange multipliers, index 1.          García de Jalón & Bayo (5.8)–(5.12), algorithm 5-1; Chin (2.3)–(2.5), (4.2)
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [γ]                                                                                          (1)
// The reference method: accelerations and multipliers at once, one KKT factorisation per evaluation. Nothing in it holds
// g = 0: the drift grows like hᵖ t², so it is run with a stabilization (default pstab) except for short studies.
// Fails where J loses rank.
#include "driftless/formulation/index_one.hpp"

namespace driftless {
namespace {

class Lagrange final : public IndexOneForm {
 public:
  using IndexOneForm::IndexOneForm;

 private:
  const Vec& right_side(const Terms& terms, ConstVec, Vec&) override { return terms.gamma; }
};

}  // namespace

extern const FormulationRecord lagrange_formulation;
const FormulationRecord lagrange_formulation = {
    .method = {"lagrange",
               "index-1 equations with Lagrange multipliers, solved as one KKT system",
               "Garcia de Jalon & Bayo 1994, (5.8)-(5.12); Chin 1995, (2.3)-(2.5)",
               {}},
    .default_integrator = "dopri5",
    .default_stabilization = "pstab",
    .make = [](const DescriptorSystem& system, const Options&) -> std::unique_ptr<OdeForm> {
      return std::make_unique<Lagrange>(system);
    },
};

}  // namespace driftless
