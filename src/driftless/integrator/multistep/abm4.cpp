// Adams–Bashforth–Moulton of order 4 as PECE, with Milne's error estimate.        García de Jalón & Bayo 1994, (7.22)–(7.27)
//   P  yᴾ = y₀ + h/24 (55 F₀ − 59 F₋₁ + 37 F₋₂ − 9 F₋₃)      E  Fᴾ = F(t₁, yᴾ)                                        (1)
//   C  y₁ = y₀ + h/24 (9 Fᴾ + 19 F₀ − 5 F₋₁ + F₋₂)           E  F₁ = F(t₁, y₁)                                        (2)
//   error = C_c/(C_p − C_c) (y₁ − yᴾ),  −19/270 of the difference at constant steps                                  (3)
//   with error control it is added to y₁ (local extrapolation), so that the error follows the tolerance and not its power
//   4/5; fixed steps keep (2) and its order                                                                           (4)
// with C_p, C_c the constants of adams_history.hpp (2) on the nodes of the two formulas. After a change of step (1) and (2)
// are used on unequal nodes with the weights of adams_history.hpp (1), so no value of F is interpolated. Steps are
// halved when err > 1 and doubled when err < 1/100 after four equal ones; the first three are dopri5 steps with its own
// estimate. --step keeps them constant. Options: none. Cost: two evaluations a step. Not for stiff equations.
#include "driftless/integrator/multistep/adams_history.hpp"

namespace driftless {
namespace {

class Abm4 final : public AdamsHistory, private StepPolicy {
 public:
  Abm4(OdeForm& form, Statistics& statistics, const StepControl& control)
      : AdamsHistory(form, statistics, control, 4, 4), predicted_(form.size()) {}

 private:
  void forget() override {
    AdamsHistory::forget();
    equal_ = 0;
  }

  void keep(Memory& memory) override {
    AdamsHistory::keep(memory);
    memory(equal_, 0, 1'000'000'000);
  }

  Status attempt(double h, double t1) override {
    was_start_ = is_starting();
    if (was_start_) return starting_step(h);
    add_explicit(t1, 4, predicted_);  // (1)
    if (const Status status = evaluate(left(t1), predicted_, k1_); status != Status::ok) return status;
    const double b0 = add_implicit(t1, 4, y1_);
    y1_ += b0 * k1_;  // (2)
    const auto at = nodes(t1);
    const double of_predictor = adams_constant(at.data() + 1, 4, t0_, t1),
                 of_corrector = adams_constant(at.data(), 4, t0_, t1);
    predicted_ = of_corrector / (of_predictor - of_corrector) * (y1_ - predicted_);  // (3)
    if (!is_fixed()) y1_ += predicted_;                                              // (4)
    return Status::ok;
  }

  double error(double h) override { return was_start_ ? starting_error(h) : weighted(predicted_); }
  StepPolicy& policy() override { return *this; }
  void reset() override {}  // with the history: forget()
  void keep_control(Memory&) override {}
  double accepted(double h, double error) override {
    ++equal_;
    if (was_start_ || equal_ < 4 || error >= 0.01) return h;
    equal_ = 0;
    return 2 * h;
  }
  double rejected(double h, double) override {
    equal_ = 0;
    return h / 2;
  }
  double failed(double h, Status, bool) override { return rejected(h, 0) / 2; }

  Vec predicted_;  // then the error
  bool was_start_ = true;
  int equal_ = 0;  // accepted steps since the last change of h
};

}  // namespace

extern const IntegratorRecord abm4_integrator;
const IntegratorRecord abm4_integrator = {
    .method = {"abm4",
               "Adams-Bashforth-Moulton of order 4 as PECE; Milne's estimate, steps halved and doubled",
               "Garcia de Jalon & Bayo 1994, (7.22)-(7.27)",
               {realtime_clock()}},
    .order = 4,
    .adaptive = true,
    .dense_output = true,
    .takes_jacobian = false,
    .needs_smooth = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options&)
        -> std::unique_ptr<Integrator> { return make_steps_of<Abm4>(form, statistics, control); },
};

}  // namespace driftless
