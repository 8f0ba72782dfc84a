// Adams as PECE with variable step and order.          Shampine & Gordon 1975 (DE, DDEABM); Hairer, Nørsett & Wanner III.5, III.7
//   P  yᴾ = y₀ + h Σ_{j<k} gⱼ Φ*ⱼ     E  Fᴾ     C  y₁ = yᴾ + h g_k Φ_k(n+1)     E  F₁                                  (1)
// on the differences of adams_differences.hpp: the predictor has order k, y₁ order k + 1 (local extrapolation).
//   E_q = |h (g_q − g_{q−1}) Φ_q(n+1)|: error of a formula of order q, in the norm of scheme.hpp; E_k ≤ 1 accepted (2)
// Start: k = 1, then k + 1 and 2h a step until a step is rejected or a lower order would do. Afterwards
//   k − 1  if max(E_{k−1}, E_{k−2}) ≤ E_k;     k + 1  if E_{k+1} < E_k, after k + 1 steps of one size                (3)
//   h ← 2h if 2^{k+1} E ≤ ½;  h if E ≤ ½;  else h clip((½/E)^{1/(k+1)}, ½, 0.9)                                       (4)
//   rejected: h/2, from the third time in a row k = 1                                                                (5)
// With --step both are constant: order k (option `order`), the first k − 1 steps by dop853.
// Dense output: Newton's polynomial through k + 1 values of F, integrated, multistep.hpp (1).
// Options: max_order (12), order (4; --step). Cost: two evaluations a step. For expensive right sides and tight
// tolerances; not for stiff equations, and every discontinuity means a new start.
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/explicit/tableau_dop853.hpp"
#include "driftless/integrator/multistep/adams_differences.hpp"
#include "driftless/integrator/multistep/multistep.hpp"

namespace driftless {
namespace {

class Adams final : public Multistep, private StepPolicy {
 public:
  Adams(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
      : Multistep(form, statistics, control, kDop853, is_given(control) ? options.integer("order") : 2),
        most_(is_given(control) ? options.integer("order") : options.integer("max_order")),
        history_(form.size()) {}

  void interpolate(double t, VecRef y) const override {  // multistep.hpp (1)
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1;
    if (h == 0) {
      y = y1_;
      return;
    }
    const int count = std::min(used_, history_.known()) + 1;  // values of F: at t₁, t₀ and before
    const double share = theta * theta * (3 - 2 * theta);
    y = y0_ + share * (y1_ - y0_);
    // Φⱼ(n+1) of the accepted F₁ are in history_; nodes are t₁, then those of history_.
    const auto node = [&](int i) { return i == 0 ? t1_ : history_.time(i - 1); };
    for (int j = 0; j < count; ++j) {
      const auto basis = [&](double s) {  // adams_differences.hpp (5)
        double product = 1;
        for (int i = 0; i < j; ++i) product *= (s - node(i)) / (t1_ - node(i + 1));
        return product;
      };
      const double weight = integrate(t0_, t, basis) - share * integrate(t0_, t1_, basis);
      y += weight * history_.difference(j);
    }
  }

 private:
  static bool is_given(const StepControl& control) { return control.step > 0; }

  void forget() override {
    history_.forget();
    k_ = is_fixed() ? most_ : 1;
    grows_ = true;
    equal_ = failures_ = 0;
    last_h_ = 0;
  }
  void open() override {
    history_.push(t0_, k0_);
    history_.keep(k_ + 2);
  }
  StepPolicy& policy() override { return *this; }
  void keep_control(Memory&) override {}  // with the history
  void keep(Memory& memory) override {
    history_.keep(memory);
    memory(k_, 1, most_);
    memory(grows_);
    memory(wants_lower_);
    memory(error_);
    memory(lower_);
    memory(equal_, 0, 1'000'000'000);
    memory(failures_, 0, 1'000'000'000);
    memory(last_h_);
    if (!is_fixed() && k_ > history_.known() + 1) memory.refuse();  // no such past
  }
  void accept(double) override {
    history_.update(k1_, std::min(used_ + 1, history_.known()));
  }  // for dense output

  Status attempt(double h, double t1) override {
    history_.prepare(t1);
    used_ = k_;
    if (history_.known() < k_) return starting_step(h);  // fixed steps only
    history_.predict(h, k_, y0_, y1_);
    if (const Status status = evaluate(left(t1), y1_, k1_); status != Status::ok) return status;
    history_.update(k1_, k_);
    if (!is_fixed()) {
      form_.magnitudes(y1_, magnitude1_);
      estimate(h);
    }
    y1_ += h * history_.g(k_) * history_.difference(k_);  // (1)
    return Status::ok;
  }

  double error_of(double h, int q) {  // (2)
    work_ = h * (history_.g(q) - history_.g(q - 1)) * history_.difference(q);
    return weighted(work_);
  }

  void estimate(double h) {
    error_ = error_of(h, k_);
    lower_ = k_ > 1 ? error_of(h, k_ - 1) : 0;
    const double lowest = k_ > 2 ? error_of(h, k_ - 2) : 0;
    wants_lower_ = k_ == 2 ? lower_ <= error_ / 2 : k_ > 2 && std::max(lower_, lowest) <= error_;  // (3)
  }

  double error(double) override { return error_; }

  double accepted(double h, double) override {
    equal_ = h == last_h_ ? equal_ + 1 : 1;
    last_h_ = h;
    failures_ = 0;
    history_.update(k1_, std::min(k_ + 1, history_.known()));  // with the final F₁
    if (wants_lower_ || k_ == most_) grows_ = false;
    if (grows_) {
      ++k_;
      return 2 * h;
    }
    double E = error_;
    if (wants_lower_) {
      --k_;
      E = lower_;
    } else if (equal_ > k_ && k_ < history_.known() && k_ < most_) {
      const double higher = error_of(h, k_ + 1);
      if (k_ > 1 && lower_ <= std::min(error_, higher)) {
        --k_;
        E = lower_;
      } else if (higher < (k_ == 1 ? error_ / 2 : error_)) {
        ++k_;
        E = higher;
      }
    }
    if (std::ldexp(E, k_ + 1) <= 0.5) return 2 * h;  // (4)
    if (E <= 0.5) return h;
    return h * std::clamp(std::pow(0.5 / E, 1.0 / (k_ + 1)), 0.5, 0.9);
  }

  double rejected(double h, double) override {  // (5)
    grows_ = false;
    equal_ = 0;
    if (++failures_ >= 3)
      k_ = 1;
    else if (wants_lower_)
      --k_;
    return h / 2;
  }
  double failed(double h, Status, bool) override { return rejected(h, 0) / 2; }
  void reset() override {}  // with the history: forget()

  int most_;
  AdamsDifferences history_;
  int k_ = 1, used_ = 1;  // order now; of the last step
  bool grows_ = true, wants_lower_ = false;
  double error_ = 0, lower_ = 0;  // E_k, E_{k−1}
  int equal_ = 0, failures_ = 0;  // steps of size last_h_ in a row; rejected in a row
  double last_h_ = 0;
};

std::unique_ptr<Integrator> make_adams(OdeForm& form,
                                       Statistics& statistics,
                                       const StepControl& control,
                                       const Options& options) {
  const char* idle = control.step > 0 ? "max_order" : "order";
  if (options.given(idle))
    throw InputError(
        "integrator adams",
        Complaint{fmt::format("`option {}`", idle),
                  control.step > 0 ? "'order' with `step`" : "'max_order' without `step`",
                  fmt::format("'{}'", idle), "with `step` the order is constant, without it varies"});
  return make_steps_of<Adams>(form, statistics, control, options);
}

}  // namespace

extern const IntegratorRecord adams_integrator;
const IntegratorRecord adams_integrator = {
    .method = {"adams",
               "Adams PECE of variable step and order 1 to 12; for expensive right sides",
               "Shampine & Gordon 1975; Hairer, Norsett & Wanner, III.5, III.7",
               {{.name = "max_order",
                 .kind = OptionKind::integer,
                 .default_value = "12",
                 .min = 1,
                 .max = AdamsDifferences::kMost,
                 .help = "highest order of the predictor; the corrector has one more"},
                {.name = "order",
                 .kind = OptionKind::integer,
                 .default_value = "4",
                 .min = 1,
                 .max = 8,
                 .help = "with `step`: order of the predictor, constant"},
                realtime_clock()}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .takes_jacobian = false,
    .needs_smooth = true,
    .make = &make_adams,
};

}  // namespace driftless
