// Canonical equations with augmented Lagrangian.             García de Jalón & Bayo (5.113)–(5.126), algorithm 5-8
// variant=modified (5.117)–(5.126): I, the integrals of the constraints, are integrated along,
//   İ = g  (holonomic rows),   İ = A v + b  (nonholonomic),   x = (2Ωμ g + Ω² I; μ_n I)                            (1)
//   w ← p, σ ← 0;  repeat  (M + Jᵀ α J) v = w + Jᵀ α (ν − x),  dσ = α (J v − ν + x),  σ ← σ + dσ,  w ← w − Jᵀ dσ     (2)
//   q̇ = T v,   ṗ = f + Ṁ v + J̇ᵀσ                                                                                 (3)
// Limit of the iterations: canonical-lagrange with J v − ν + x = 0, which is baumgarte integrated once. Corrections to
// the source: α in (5.120), (5.126); the total rate of A in (5.125b); λ = σ̇. The error in σ falls by 1/(1 + α k) a pass.
// variant=basic (5.115), (5.116): no I, x = 0, and instead
//   ṗ = f + Ṁ v + J̇ᵀσ − Jᵀ α (Ω² g + 2Ωμ (J v − ν); μ_n (A v + b))                                               (4)
// with errors in proportion to α ("stiff", as the source says): for studies only.
// Options: variant; penalty (1e5), iterations (2), tolerance (1e-8), omega (10 1/s), mu (1), mu_n (10 1/s): see
// augmented_lagrangian.cpp. Momenta are based anew behind every step (canonical_form.hpp, for bdf (3a)); default stabilization:
// projection with the same kernel. Redundant rows, singular positions and masses do no harm. Cost: as
// augmented-lagrangian, one evaluation more a step, and J̇ᵀσ.
#include <algorithm>

#include "driftless/formulation/canonical/canonical_form.hpp"
#include "driftless/formulation/index1/penalty_form.hpp"

namespace driftless {
namespace {

class CanonicalAugmented final : public CanonicalForm {
 public:
  CanonicalAugmented(const DescriptorSystem& system, const Options& options, bool basic)
      : CanonicalForm(system, penalty_kernel(system, options), basic ? 0 : system.layout().m),
        basic_(basic),
        rates_(options),
        r_(m_) {}

  void begin_step(double h) override {
    CanonicalForm::begin_step(h);
    largest_ = std::max(largest_, rates_.omega * rates_.mu * h);
  }
  void keep(Memory& memory) override {
    CanonicalForm::keep(memory);
    keep_weights(*solver_, stabilization, memory);
  }
  std::string remark() const override { return damping_remark("canonical-augmented", largest_); }

 private:
  const Vec& velocity_rows(const Terms& terms, ConstVec extra, Vec& c) override {
    if (basic_) return terms.nu;
    const auto mn = m_ - mh_;
    const double omega = rates_.omega, mu = rates_.mu;
    c.head(mh_) =
        terms.nu.head(mh_) - 2 * omega * mu * terms.g - omega * omega * extra.head(mh_);  // (1), (2)
    c.tail(mn) = terms.nu.tail(mn) - rates_.mu_n * extra.tail(mn);
    return c;
  }

  void add_rates(ConstVec v, VecRef ydot) override {
    const auto mn = m_ - mh_;
    velocity_residual(terms_, v, r_);
    if (!basic_) {
      extra_of(ydot).head(mh_) = terms_.g;  // (1)
      extra_of(ydot).tail(mn) = r_.tail(mn);
      return;
    }
    const double omega = rates_.omega, mu = rates_.mu;
    r_.head(mh_) = omega * omega * terms_.g + 2 * omega * mu * r_.head(mh_);  // (4)
    r_.tail(mn) *= rates_.mu_n;
    r_.array() *= static_cast<const PenaltyMotionSolver&>(*solver_).weights().array();
    add_transposed_rows(terms_, -1, r_, x_of(ydot));
  }

  bool basic_;
  DampingRates rates_;
  double largest_ = 0;  // Ωμ h seen
  Vec r_;               // m
};

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> out = penalty_options("1e5", "2");
  out.push_back({.name = "variant",
                 .kind = OptionKind::choice,
                 .default_value = "modified",
                 .choices = {"modified", "basic"},
                 .help = "basic: the first form of the source, whose errors grow with the penalty"});
  return out;
}

}  // namespace

extern const FormulationRecord canonical_augmented_formulation;
const FormulationRecord canonical_augmented_formulation = {
    .method = {"canonical-augmented",
               "canonical momenta with penalties and iterated multipliers: passes singular positions",
               "Garcia de Jalon & Bayo 1994, (5.113)-(5.126)", options()},
    .default_integrator = "dopri5",
    .default_stabilization = "projection",
    .make = [](const DescriptorSystem& system, const Options& given) -> std::unique_ptr<OdeForm> {
      return std::make_unique<CanonicalAugmented>(system, given, given.choice("variant") == "basic");
    },
    .needs_mass = true,
    .is_smooth = false,
};

}  // namespace driftless
