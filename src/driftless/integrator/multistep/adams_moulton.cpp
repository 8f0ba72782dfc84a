// Adams–Moulton of order k = 1 … 5, fixed step.                          García de Jalón & Bayo 1994, table 7.2, (7.22)–(7.24)
//   y₁ = y₀ + h Σ bⱼ F₁₋ⱼ,  j = 0 … k−1,  b from adams_history.hpp (1)                                                (1)
// Implicit in F₁ = F(t₁, y₁), from the Adams–Bashforth step of order k on. Option iteration:
//   newton       (I − hb₀A) δ = y₀ + h Σ_{j>0} bⱼ F₁₋ⱼ + hb₀ F(t₁, y) − y,  A ≈ ∂F/∂y kept from step to step    [default]  (2)
//                by newton.hpp: stiff equations and penalties too. A is renewed where the iteration gained less than a
//                factor 10 a round; where it fails, with a new A, with central differences, with an A at every iterate
//   fixed-point  y ← y₀ + h Σ_{j>0} bⱼ F₁₋ⱼ + hb₀ F(t₁, y), which contracts where hb₀ |∂F/∂y| < 1                           (3)
// With δ the last change and ρ the ratio of the last two both end when
//   ρ/(1 − ρ) |δ| ≤ tolerance, each component relative to scale + |y|                                               (4)
// (3) fails when ρ ≥ 0.9 or after 20 rounds: then a shorter step or newton is needed; with penalty always, whose F carries
// round-off multiplied by the penalty (1e-6 of F on Andrews' mechanism at rest), which it cannot tell from divergence.
// Error constants −1/2, −1/12, −1/24, −19/720, −3/160. Order 1 is backward Euler, 2 the trapezoidal rule: A-stable; the others
// are stable for h|λ| below 6, 3, 1.8 on the real axis. The first k − 2 steps are those of sdirk4 (newton) or dopri5.
// Options: order (4), iteration, tolerance (1e-12). Cost: two to four evaluations a step; fixed-point three to six.
#include <algorithm>
#include <cmath>

#include "driftless/integrator/implicit/dirk.hpp"
#include "driftless/integrator/multistep/adams_history.hpp"
#include "driftless/integrator/step_plan.hpp"

namespace driftless {
namespace {

class AdamsMoulton final : public AdamsHistory {
 public:
  AdamsMoulton(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
      : AdamsHistory(
            form, statistics, control, options.integer("order"), std::max(options.integer("order") - 1, 1)),
        k_(options.integer("order")),
        tolerance_(options.number("tolerance")),
        by_newton_(options.choice("iteration") == "newton"),
        stages_(form, statistics),
        newton_(stages_, statistics),
        starter_(kSdirk4_15, stages_, newton_, form.size()),
        known_part_(form.size()),
        magnitude_(form.size()),
        z_(form.size()),
        none_(Vec::Zero(form.size())) {
    newton_.monitor.most = kMostIterations;
    newton_.monitor.exactly = control.realtime;
  }

  std::string remark() const override { return newton_.monitor.remark(); }

 private:
  void forget() override {
    AdamsHistory::forget();
    stages_.forget();
    starter_.forget();
  }

  void keep(Memory& memory) override {
    AdamsHistory::keep(memory);
    stages_.keep(memory);
    starter_.keep(memory);
    memory(theta_);
  }

  Status attempt(double h, double t1) override {
    const double t_end = left(t1);
    if (by_newton_) return solve(h, t1, t_end);
    return is_starting() ? starting_step(h) : iterate(t1, t_end);
  }

  Status solve(double h, double t1, double t_end) {
    stages_.open(control_, t0_, y0_, k0_);
    newton_.open(is_fixed());
    newton_.monitor.kappa = tolerance_;
    stages_.leave();
    const bool is_real_time = control_.realtime > 0;
    const bool wants_jacobian = !stages_.is_known() || theta_ > kSlow || is_real_time;
    Status status = Status::not_converged;
    for (int rung = 0; rung < (is_real_time ? 1 : 4) && asks_for_shorter_step(status); ++rung) {
      if (rung == 1 && wants_jacobian) continue;  // it had a new one
      if (rung == 2) stages_.use_central();
      if (wants_jacobian || rung > 0)
        if (const Status renewed = stages_.renew_at_start(); renewed != Status::ok) return renewed;
      status = is_starting() ? first_step(h, t_end, rung == 3) : newton_step(t1, t_end, rung == 3);
    }
    return status;
  }

  Status first_step(double h, double t_end, bool fully) {
    starter_.z.setZero();
    const Status status = starter_.solve({t0_, h, t_end, fully}, y0_, k0_, y1_);
    theta_ = starter_.theta;
    return status;
  }

  Status newton_step(double t1, double t_end, bool fully) {  // (2)
    const double b0 = add_implicit(t1, k_, known_part_);
    add_explicit(t1, std::min(k_, known()), y1_);
    z_ = y1_ - known_part_;
    stages_.factor(b0);
    double eta = 1;
    const Status status = fully ? newton_.solve_fully(t_end, known_part_, none_, b0, z_)
                                : newton_.solve(t_end, known_part_, none_, b0, z_, eta);
    theta_ = newton_.monitor.theta;
    y1_ = known_part_ + z_;
    return status;
  }

  Status iterate(double t1, double t_end) {
    const double b0 = add_implicit(t1, k_, known_part_);
    add_explicit(t1, std::min(k_, known()), y1_);
    double before = 0, fastest = 1;
    for (int round = 0; round < std::max(kMostRounds, control_.realtime); ++round) {  // (3)
      ++statistics_.newton_iterations;
      if (const Status status = evaluate(t_end, y1_, k1_); status != Status::ok) return status;
      work_ = known_part_ + b0 * k1_ - y1_;
      y1_ += work_;
      const double change = relative_change();
      if (!std::isfinite(change)) return Status::not_finite;
      if (control_.realtime > 0) {
        if (round + 1 < control_.realtime) continue;
        newton_.monitor.largest_left = std::max(newton_.monitor.largest_left, change);
        return Status::ok;
      }
      const double ratio = before > 0 ? change / before : 0.5;
      if (ratio < kSlowest && ratio / (1 - ratio) * change <= tolerance_) return Status::ok;  // (4)
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
  static constexpr int kMostIterations = 50;  // slow ones are better than none where h cannot change
  static constexpr double kSlow = 0.1;        // ratio that asks for another A

  const int k_;
  const double tolerance_;
  const bool by_newton_;
  OdeStages stages_;
  StageNewton newton_;
  DirkStages starter_;
  double theta_ = 0;  // last ratio
  Vec known_part_, magnitude_, z_, none_;
};

}  // namespace

extern const IntegratorRecord adams_moulton_integrator;
const IntegratorRecord adams_moulton_integrator = {
    .method = {"adams-moulton",
               "implicit Adams by Newton's method or fixed-point iteration, fixed step",
               "Garcia de Jalon & Bayo 1994, table 7.2, (7.22)-(7.24)",
               {{.name = "order",
                 .kind = OptionKind::integer,
                 .default_value = "4",
                 .min = 1,
                 .max = 5,
                 .help = "values of F combined, the unknown one included"},
                {.name = "iteration",
                 .kind = OptionKind::choice,
                 .default_value = "newton",
                 .choices = {"newton", "fixed-point"},
                 .help =
                     "newton: stiff equations too; fixed-point: no Jacobian, needs h |dF/dy| below 1 to 3"},
                {.name = "tolerance",
                 .default_value = "1e-12",
                 .min = 1e-15,
                 .max = 1e-3,
                 .help = "error left by the iteration, relative to scale and size of each component"},
                realtime_iterations()}},
    .order = 4,
    .adaptive = false,
    .dense_output = true,
    .needs_smooth = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return make_steps_of<AdamsMoulton>(form, statistics, control, options);
    },
};

}  // namespace driftless
