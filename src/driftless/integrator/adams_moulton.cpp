// Adams–Moulton of order k = 1 … 5, fixed step.                          García de Jalón & Bayo 1994, table 7.2, (7.22)–(7.24)
//   y₁ = y₀ + h Σ bⱼ F₁₋ⱼ,  j = 0 … k−1,  b from adams_history.hpp (1)                                                (1)
// Implicit in F₁ = F(t₁, y₁): solved by fixed-point iteration from the Adams–Bashforth step of order k,
//   y ← y₀ + h Σ_{j>0} bⱼ F₁₋ⱼ + h b₀ F(t₁, y)                                                                      (2)
// which contracts where h b₀ |∂F/∂y| < 1. With δ the last change and ρ the ratio of the last two it ends when
//   ρ/(1 − ρ) |δ| ≤ tolerance, each component relative to scale + |y|                                               (3)
// and fails when ρ ≥ 0.9 or after 20 rounds: then a shorter step or a method for stiff equations is needed.
// Error constants −1/2, −1/12, −1/24, −19/720, −3/160. Order 1 is backward Euler, 2 the trapezoidal rule. The first k − 2
// steps are dopri5 steps. Options: order (4), tolerance (1e-12). Cost: three to six evaluations a step.
#include <cmath>

#include "driftless/integrator/adams_history.hpp"

namespace driftless {
namespace {

class AdamsMoulton final : public AdamsHistory {
 public:
  AdamsMoulton(OdeForm& form, Statistics& statistics, const StepControl& control, int order, double tolerance)
      : AdamsHistory(form, statistics, control, order, std::max(order - 1, 1)),
        k_(order),
        tolerance_(tolerance),
        known_part_(form.size()),
        magnitude_(form.size()) {}

 private:
  Status candidate(double h, double t1, double t_end) override {
    if (is_starting()) return starting_step(h);
    const double b0 = add_implicit(t1, k_, known_part_);
    add_explicit(t1, std::min(k_, known()), y1_);
    double before = 0, fastest = 1;
    for (int round = 0; round < kMostRounds; ++round) {  // (2)
      ++statistics_.newton_iterations;
      if (const Status status = evaluate(t_end, y1_, F1_); status != Status::ok) return status;
      work_ = known_part_ + b0 * F1_ - y1_;
      y1_ += work_;
      const double change = relative_change();
      if (!std::isfinite(change)) return Status::not_finite;
      const double ratio = before > 0 ? change / before : 0.5;
      if (ratio < kSlowest && ratio / (1 - ratio) * change <= tolerance_) return Status::ok;  // (3)
      // An iteration that has contracted well and now does not is down to the round-off in F: as good as it gets.
      if (ratio >= kSlowest)
        return change <= kRoundOff || fastest <= kFast ? Status::ok : Status::not_converged;
      if (before > 0) fastest = std::min(fastest, ratio);
      before = change;
    }
    return Status::not_converged;
  }

  double relative_change() {
    form_.magnitudes(y1_, magnitude_);
    const Vec& scale = form_.scale();
    double largest = 0;
    for (Eigen::Index i = 0; i < y1_.size(); ++i) {
      const double relative = scale[i] > 0 ? std::abs(work_[i]) / (scale[i] + magnitude_[i]) : 0;
      if (!(relative <= largest)) largest = relative;
    }
    return largest;
  }

  static constexpr int kMostRounds = 20;
  static constexpr double kSlowest = 0.9, kFast = 0.1, kRoundOff = 1e-10;

  int k_;
  double tolerance_;
  Vec known_part_, magnitude_;
};

// Not penalty: its F carries round-off multiplied by the penalty (1e-6 of F on Andrews' mechanism at rest), more than (2)
// can tell from divergence.
std::vector<std::string> moulton_formulations() {
  std::vector<std::string> names = multistep_formulations();
  std::erase(names, "penalty");
  return names;
}

}  // namespace

extern const IntegratorRecord adams_moulton_integrator;
const IntegratorRecord adams_moulton_integrator = {
    .method = {"adams-moulton",
               "implicit Adams by fixed-point iteration, fixed step",
               "Garcia de Jalon & Bayo 1994, table 7.2, (7.22)-(7.24)",
               {{.name = "order",
                 .kind = OptionKind::integer,
                 .default_value = "4",
                 .min = 1,
                 .max = 5,
                 .help = "values of F combined, the unknown one included"},
                {.name = "tolerance",
                 .default_value = "1e-12",
                 .min = 1e-15,
                 .max = 1e-3,
                 .help = "error left by the iteration, relative to scale and size of each component"}}},
    .order = 4,
    .adaptive = false,
    .dense_output = true,
    .formulations = moulton_formulations(),
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return std::make_unique<AdamsMoulton>(form, statistics, control, options.integer("order"),
                                            options.number("tolerance"));
    },
};

}  // namespace driftless
