// Explicit Runge–Kutta integrators: euler, rk4 with fixed steps; heun, rkf45, dopri5, dop853 with error control or fixed
// steps; runge_kutta.cpp adds tableaus of the user's.
// With a stabilization this is RKSTAB: the candidate y₁ is settled before the closing stage k₊ = F(t₁, y₁), so the
// scheme keeps its evaluations a step (NFCN = 6 NSTEP + 2 for dopri5).                             Chin (4.10)–(4.15)
//   error = h (Σ eᵢ kᵢ + e₊ k₊) leaves the correction itself out: with a gate (datol) it would not shrink with h. What of it
//   is large is told: correction.hpp                                                                                        (1)
//   estimate=chin of dopri5: error = y₁ settled − ŷ, with the closing stage at y₁ in ŷ; not with datol              Chin (4.13) (1a)
//   sc = atol·scale + rtol·max(|y₀|, |y₁|),  err = rms(error/sc) over the tested components; accepted if err ≤ 1      (2)
//   dop853: err = S₅/√(S₅ + S₃/100), S₅ and S₃ the mean squares of its two estimates                                 (2a)
// Dense output, θ in [0, 1]:                                                     Hairer, Nørsett & Wanner II.6
//   dopri5  y(θ) = r₁ + θ(r₂ + (1−θ)(r₃ + θ(r₄ + (1−θ) r₅))),  r₁ = y₀, r₂ = y₁−y₀, r₃ = h k₁−r₂, r₄ = r₂−h k₊−r₃,
//           r₅ = h Σ dᵢ kᵢ                                                                                            (3)
//   dop853  r₅ + θ(r₆ + (1−θ)(r₇ + θ r₈)) in place of r₅, rⱼ = h Σ dⱼᵢ kᵢ with three more stages, made when the first
//           output in a step is asked for; F is then evaluated at y₁ once more, so that steps go on undisturbed       (4)
//   others  the same with r₅ = 0: cubic Hermite
// Stiffness: where y₁ and the last stage are both at t₁, |k₊ − k_s|/|y₁ − Y_s| estimates |Λ|; looked at every 100 steps,
// and at each one from the first with h|Λ| beyond the tableau's limit until 6 without; 15 with: remarked on.           (5)
#include "driftless/integrator/explicit/explicit_rk.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/integrator/explicit/explicit_stages.hpp"
#include "driftless/integrator/explicit/tableau_dop853.hpp"
#include "driftless/integrator/step_controller.hpp"
#include "driftless/integrator/step_loop.hpp"

namespace driftless {
namespace {

class ExplicitRk final : public Scheme {
 public:
  ExplicitRk(const Tableau& tableau,
             OdeForm& form,
             Statistics& statistics,
             const StepControl& control,
             StiffnessWatch* watch)
      : Scheme(form, statistics, control),
        rk_(tableau, form.size()),
        controller_(tableau.gains),
        blends_(tableau.blends()),
        watch_(watch),
        watches_stiffness_(tableau.stiff_beyond > 0) {
    for (size_t i = 0; i < size_t(tableau.stages); ++i)
      if (tableau.b[i] != 0 || tableau.e[i] != 0 || tableau.e_second[i] != 0)
        seen_[size_t(seen_count_++)] = tableau.c[i];
  }

  StepPolicy& policy() override { return controller_; }
  int exponent() const override { return rk_.tableau.order; }
  std::span<const double> stage_times() const override { return {seen_.data(), size_t(seen_count_)}; }

  Status begin() override {
    if (watch_ != nullptr) {
      watch_->is_stiff = is_stiff_ = false;
      watches_stiffness_ = true;
      stiff_steps_ = calm_steps_ = 0;
    }
    return Scheme::begin();
  }
  void forget() override {}
  void open() override { rk_.k.col(0) = k0_; }

  Status attempt(double h, double) override {
    has_dense_stages_ = false;
    const Status status = rk_.run(form_, statistics_, t0_, y0_, h, left_of_limit_, y1_);
    if (rk_.tableau.counts_correction) candidate_ = y1_;
    return status;
  }
  Status close(double t1) override {
    const Status status = Scheme::close(t1);
    rk_.k.col(last()) = k1_;
    return status;
  }

  double error(double h) override {              // (1), (2)
    if (watches_stiffness_) watch_stiffness(h);  // before rk_.stage is needed for something else
    const double second = blends_ ? mean_square(h, rk_.tableau.e_second) : 0;
    const double first = mean_square(h, rk_.tableau.e);
    return second == 0 ? std::sqrt(first) : first / std::sqrt(first + 0.01 * second);  // (2a)
  }

  void interpolate(double t, VecRef y) const override {
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1, rest = 1 - theta;
    if (rk_.tableau.dense_stages != nullptr && !has_dense_stages_) make_dense_stages(h);
    const int n = static_cast<int>(y0_.size()), stages = static_cast<int>(rk_.k.cols());
    std::array<double, kMaxStages + 1> d = rk_.tableau.d;  // of r₅ at this θ
    if (has_dense_stages_)
      for (size_t j = 0; j < 16; ++j) {  // (4)
        const auto& rows = rk_.tableau.dense_stages->d;
        d[j] = rows[0][j] + theta * (rows[1][j] + rest * (rows[2][j] + theta * rows[3][j]));
      }
    const bool has_r5 = rk_.tableau.dense() || has_dense_stages_;
    for (int i = 0; i < n; ++i) {
      double r5 = 0;
      if (has_r5)
        for (int j = 0; j < stages; ++j) r5 += h * d[size_t(j)] * rk_.k(i, j);
      const double r2 = y1_[i] - y0_[i], r3 = h * k0_[i] - r2, r4 = r2 - h * k1_[i] - r3;
      y[i] = y0_[i] + theta * (r2 + rest * (r3 + theta * (r4 + rest * r5)));  // (3)
    }
  }

  void keep(Memory& memory) override {
    memory(is_stiff_);
    memory(watches_stiffness_);
    memory(stiff_steps_, 0, 1'000'000'000);
    memory(calm_steps_, 0, 1'000'000'000);
    memory(stiff_since_);
    if (memory.reads() && watch_ != nullptr) *watch_ = {is_stiff_, stiff_since_};
  }

  std::string remark() const override {
    if (!is_stiff_) return {};
    return fmt::format(
        "the equations became stiff at t = {:.6g}: stability, not accuracy, limits the steps; an implicit "
        "integrator "
        "would take longer ones",
        stiff_since_);
  }

 private:
  int last() const { return rk_.tableau.stages; }

  // Lazily, for (4): a step nobody looks into does not pay. Where F fails, output is cubic.
  void make_dense_stages(double h) const {
    const DenseStages& more = *rk_.tableau.dense_stages;
    if (h == 0) return;
    for (int i = 0; i < 3; ++i) {
      const int column = last() + 1 + i;
      rk_.combine(y0_, h, more.a[size_t(i)].data(), column, rk_.stage);
      ++statistics_.evaluations;
      const double t = t0_ + more.c[size_t(i)] * h;
      if (form_.derivative(t, rk_.stage, rk_.k.col(column)) != Status::ok) return;
    }
    has_dense_stages_ = true;
    ++statistics_.evaluations;  // what the form keeps of its last evaluation is of the end of the step again
    form_.derivative(left(t1_), *end_, rk_.stage);
  }

  void watch_stiffness(double h) {  // (5), while rk_.stage is the argument of the last stage
    if (watch_ == nullptr && statistics_.accepted % 100 != 0 && stiff_steps_ == 0) return;
    const double slopes = (rk_.k.col(last()) - rk_.k.col(last() - 1)).squaredNorm();
    const double points = (y1_ - rk_.stage).squaredNorm();
    if (points > 0 && h * std::sqrt(slopes / points) > rk_.tableau.stiff_beyond) {
      if (stiff_steps_++ == 0) stiff_since_ = t0_;
      calm_steps_ = 0;
      is_stiff_ = is_stiff_ || stiff_steps_ == 15;
      watches_stiffness_ = !is_stiff_;
      if (watch_ != nullptr) *watch_ = {is_stiff_, stiff_since_};
    } else if (++calm_steps_ == 6) {
      stiff_steps_ = 0;
    }
  }

  double mean_square(double h, const std::array<double, kMaxStages + 1>& e) {
    rk_.stage = h * e[0] * rk_.k.col(0);
    for (int j = 1; j <= last(); ++j)
      if (e[size_t(j)] != 0) rk_.stage += h * e[size_t(j)] * rk_.k.col(j);
    if (rk_.tableau.counts_correction) rk_.stage += y1_ - candidate_;  // (1a)
    const double norm = weighted(rk_.stage);
    return norm * norm;
  }

  mutable ExplicitStages rk_;  // interpolate() may add stages
  Vec candidate_;              // (1a)
  mutable bool has_dense_stages_ = false;
  StepController controller_;
  const bool blends_;  // two estimates: (2a)
  StiffnessWatch* const watch_;
  bool watches_stiffness_, is_stiff_ = false;
  int stiff_steps_ = 0, calm_steps_ = 0;
  double stiff_since_ = 0;
  std::array<double, kMaxStages> seen_{};  // c of the stages that have weight in the step or its estimate
  int seen_count_ = 0;
};

template <const Tableau& tableau>
std::unique_ptr<Integrator> make_explicit(OdeForm& form,
                                          Statistics& statistics,
                                          const StepControl& control,
                                          const Options&) {
  return make_explicit_rk(tableau, form, statistics, control);
}

std::unique_ptr<Integrator> make_dopri5(OdeForm& form,
                                        Statistics& statistics,
                                        const StepControl& control,
                                        const Options& options) {
  Tableau tableau = kDopri5;
  tableau.counts_correction = options.choice("estimate") == "chin";
  return make_explicit_rk(tableau, form, statistics, control);
}

}  // namespace

std::unique_ptr<Integrator> make_explicit_rk(const Tableau& tableau,
                                             OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control,
                                             StiffnessWatch* watch) {
  return make_steps_of<ExplicitRk>(tableau, form, statistics, control, watch);
}

extern const IntegratorRecord euler_integrator, heun_integrator, rk4_integrator, rkf45_integrator,
    dopri5_integrator, dop853_integrator;

const IntegratorRecord euler_integrator = {.method = {"euler",
                                                      "explicit Euler, fixed step; for studies of order",
                                                      "Garcia de Jalon & Bayo 1994, (7.8)",
                                                      {realtime_clock()}},
                                           .order = 1,
                                           .adaptive = false,
                                           .dense_output = true,
                                           .takes_jacobian = false,
                                           .make = &make_explicit<kEuler>};

const IntegratorRecord heun_integrator = {.method = {"heun",
                                                     "Heun's second-order scheme, Euler embedded",
                                                     "Garcia de Jalon & Bayo 1994, (7.9)-(7.11)",
                                                     {realtime_clock()}},
                                          .order = 2,
                                          .adaptive = true,
                                          .dense_output = true,
                                          .takes_jacobian = false,
                                          .make = &make_explicit<kHeun>};

const IntegratorRecord rk4_integrator = {.method = {"rk4",
                                                    "classical fourth-order Runge-Kutta, fixed step",
                                                    "Garcia de Jalon & Bayo 1994, (7.12)-(7.16)",
                                                    {realtime_clock()}},
                                         .order = 4,
                                         .adaptive = false,
                                         .dense_output = true,
                                         .takes_jacobian = false,
                                         .make = &make_explicit<kRk4>};

const IntegratorRecord rkf45_integrator = {
    .method = {"rkf45",
               "Fehlberg 4(5), carried on with order 5; for comparison with older programs",
               "Fehlberg 1969; Hairer, Norsett & Wanner, II.4",
               {realtime_clock()}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .takes_jacobian = false,
    .make = &make_explicit<kRkf45>};

const IntegratorRecord dopri5_integrator = {
    .method = {"dopri5",
               "Dormand-Prince 5(4) with PI step control and dense output; RKSTAB when stabilised",
               "Dormand & Prince 1980; Hairer, Norsett & Wanner, II.5; Chin 1995, (4.9)-(4.15)",
               {{.name = "estimate",
                 .kind = OptionKind::choice,
                 .default_value = "embedded",
                 .choices = {"embedded", "chin"},
                 .help = "chin: the correction of a stabilization counts in the error, as in RKSTAB"},
                realtime_clock()}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .takes_jacobian = false,
    .make = &make_dopri5};

const IntegratorRecord dop853_integrator = {
    .method = {"dop853",
               "Dormand-Prince 8(5,3) with dense output of order 7; for tight tolerances",
               "Dormand & Prince; Hairer, Norsett & Wanner, II.5, II.6, II.10",
               {realtime_clock()}},
    .order = 8,
    .adaptive = true,
    .dense_output = true,
    .takes_jacobian = false,
    .make = &make_explicit<kDop853>};

}  // namespace driftless
