// Adams–Bashforth of order k = 1 … 5, fixed step.                                    García de Jalón & Bayo 1994, table 7.1
//   y₁ = y₀ + h Σ bⱼ F₋ⱼ,  j = 0 … k−1,  b from adams_history.hpp (1)                                                 (1)
// Error constants 1/2, 5/12, 3/8, 251/720, 95/288; real stability limits h|Λ| = 2, 1, 0.545, 0.3, 0.163.
// The first k − 1 steps are dopri5 steps. Options: order (4). Cost: one evaluation a step, whatever the order. Fails where
// anything is fast or stiff: the limits fall with the order.
#include "driftless/integrator/multistep/adams_history.hpp"

namespace driftless {
namespace {

class AdamsBashforth final : public AdamsHistory {
 public:
  AdamsBashforth(OdeForm& form, Statistics& statistics, const StepControl& control, int order)
      : AdamsHistory(form, statistics, control, order, order), k_(order) {}

 private:
  Status attempt(double h, double t1) override {
    if (is_starting()) return starting_step(h);
    add_explicit(t1, k_, y1_);  // (1)
    return Status::ok;
  }

  int k_;
};

}  // namespace

extern const IntegratorRecord adams_bashforth_integrator;
const IntegratorRecord adams_bashforth_integrator = {
    .method = {"adams-bashforth",
               "explicit Adams, one evaluation a step, fixed step",
               "Garcia de Jalon & Bayo 1994, table 7.1",
               {{.name = "order",
                 .kind = OptionKind::integer,
                 .default_value = "4",
                 .min = 1,
                 .max = 5,
                 .help = "values of F combined"},
                realtime_clock()}},
    .order = 4,
    .adaptive = false,
    .dense_output = true,
    .takes_jacobian = false,
    .needs_smooth = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return make_steps_of<AdamsBashforth>(form, statistics, control, options.integer("order"));
    },
};

}  // namespace driftless
