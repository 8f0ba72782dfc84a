// Explicit Runge–Kutta integrators: euler, rk4 with fixed steps; heun, rkf45, dopri5, dop853 with error control or fixed
// steps; runge_kutta.cpp adds tableaus of the user's.
// With a stabilization this is RKSTAB: the candidate y₁ is settled before the closing stage k₊ = F(t₁, y₁), so the
// scheme keeps its evaluations a step (NFCN = 6 NSTEP + 2 for dopri5).                             Chin (4.10)–(4.15)
//   error = h (Σ eᵢ kᵢ + e₊ k₊) leaves the correction itself out: with a gate (datol) it would not shrink with h. What of it
//   is large is told: correction.hpp                                                                                        (1)
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
#include "driftless/integrator/explicit_rk.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/integrator/correction.hpp"
#include "driftless/integrator/explicit_stages.hpp"
#include "driftless/integrator/initial_step.hpp"
#include "driftless/integrator/resumable.hpp"
#include "driftless/integrator/step_plan.hpp"
#include "driftless/integrator/sudden_watch.hpp"
#include "driftless/integrator/tableau_dop853.hpp"

namespace driftless {
namespace {

class ExplicitRk final : public Integrator, public Resumable {
 public:
  ExplicitRk(const Tableau& tableau,
             OdeForm& form,
             Statistics& statistics,
             const StepControl& control,
             StiffnessWatch* watch)
      : rk_(tableau, form.size()),
        form_(form),
        statistics_(statistics),
        control_(control),
        controller_(tableau.gains),
        y0_(form.size()),
        y1_(form.size()),
        correction_(form.size()),
        y_behind_(form.size()),
        k_behind_(form.size()),
        magnitude0_(form.size()),
        magnitude1_(form.size()),
        blends_(tableau.blends()),
        watch_(watch),
        watches_stiffness_(tableau.stiff_beyond > 0) {
    for (size_t i = 0; i < size_t(tableau.stages); ++i)
      if (tableau.b[i] != 0 || tableau.e[i] != 0 || tableau.e_second[i] != 0)
        seen_[size_t(seen_count_++)] = tableau.c[i];
  }

  Status start(double t, ConstVec y, double horizon) override {
    h_ = control_.step > 0 ? control_.step : control_.initial_step;
    is_bounded_ = false;
    const Status status = restart(t, y);
    if (status != Status::ok) return status;
    if (h_ == 0) {
      const InitialStep first =
          choose_initial_step(form_, statistics_, control_, t, y1_, rk_.k.col(last()), magnitude0_,
                              rk_.tableau.order, horizon, rk_.stage, rk_.k.col(0));
      if (first.status != Status::ok) return first.status;
      h_ = first.h;
      is_bounded_ = first.is_bounded;
      worst_ = first.steepest;  // until a step is rejected
    }
    is_bounded_ = is_bounded_ || (control_.step == 0 && h_ >= horizon);
    if (control_.step == 0) h_ = std::min(h_, horizon);
    return Status::ok;
  }

  Status restart(double t, ConstVec y) override {
    t0_ = t1_ = origin_ = t;
    n_ = 0;
    y1_ = y;
    changed_ = false;
    tested_ = static_cast<int>((form_.scale().array() > 0).count());
    form_.magnitudes(y1_, magnitude0_);
    controller_.reset();
    if (watch_ != nullptr) {
      watch_->is_stiff = is_stiff_ = false;
      watches_stiffness_ = true;
      stiff_steps_ = calm_steps_ = 0;
    }
    is_cut_ = spoilt_ = false;
    if (h_ > 0) form_.begin_step(h_);
    return evaluate(t, y1_, last());
  }

  Status resume(const Checkpoint& from) override {
    const Status status =
        start_with(from.memory, form_, control_.sudden, [&] { return restart(from.t, from.y); });
    origin_ = from.origin;
    n_ = from.n;
    h_ = from.h;
    controller_.error_old = from.error_old;
    controller_.after_rejection = from.after_rejection;
    return status;
  }

  Status advance(double t_limit) override {
    if (!is_cut_ && (is_fixed() ? plan_fixed_step(origin_, n_, h_, t1_, t_limit).t1 == t_limit
                                : plan_adaptive_step(t1_, t_limit, control_, h_).reaches_limit)) {
      saved_ = snapshot();
      is_cut_ = true;
    }
    t0_ = t1_;
    if (changed_) {
      y0_ = y_behind_;
      rk_.k.col(0) = k_behind_;
    } else {
      y0_.swap(y1_);
      rk_.k.col(0) = rk_.k.col(last());  // the closing stage of the last step opens this one
    }
    changed_ = false;
    left_of_limit_ = std::nextafter(t_limit, t0_);
    const Status status = is_fixed() ? fixed_step(t_limit) : adaptive_step(t_limit);
    if (status != Status::ok) {  // the last good step stays readable
      spoilt_ = true;
      t1_ = t0_;
      y1_ = y0_;
      rk_.k.col(last()) = rk_.k.col(0);
      return status;
    }
    return look_back();
  }

  double t() const override { return t1_; }
  double t_before() const override { return t0_; }
  const Vec& y() const override { return changed_ ? y_behind_ : y1_; }
  Checkpoint checkpoint() const override {
    return is_cut_ ? saved_ : const_cast<ExplicitRk*>(this)->snapshot();  // writing changes nothing
  }
  int worst_component() const override { return static_cast<int>(worst_); }

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
      const double r2 = y1_[i] - y0_[i], r3 = h * rk_.k(i, 0) - r2, r4 = r2 - h * rk_.k(i, last()) - r3;
      y[i] = y0_[i] + theta * (r2 + rest * (r3 + theta * (r4 + rest * r5)));  // (3)
    }
  }

  std::string warning() const override { return correction_.warning(); }
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
  bool is_fixed() const { return control_.step > 0 || !rk_.tableau.estimates(); }

  Status evaluate(double t, ConstVec y, int stage) {
    ++statistics_.evaluations;
    return form_.derivative(t, y, rk_.k.col(stage));
  }

  // All stages of a step of size h to t1, the candidate settled before the closing stage.
  Status try_step(double h, double t1) {
    has_dense_stages_ = false;
    form_.begin_step(h);
    if (const Status status = rk_.run(form_, statistics_, t0_, y0_, h, left_of_limit_, y1_);
        status != Status::ok)
      return status;
    const double t_end = std::min(t1, left_of_limit_);
    correction_.candidate = y1_;
    if (const Status status = form_.settle(t_end, y1_); status != Status::ok) return status;
    return evaluate(t_end, y1_, last());
  }

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
    form_.derivative(std::min(t1_, left_of_limit_), y(), rk_.stage);
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

  // What the formulation does behind an accepted step. The step itself keeps its ends and slopes for dense output.
  Status look_back() {
    y_behind_ = y1_;
    StepChange change = StepChange::same;
    if (const Status status = form_.after_step(t1_, y_behind_, change); status != Status::ok) return status;
    changed_ = change != StepChange::same;
    if (!changed_) return Status::ok;
    if (change == StepChange::redefined) {
      tested_ = static_cast<int>((form_.scale().array() > 0).count());
      controller_.reset();
    }
    form_.magnitudes(y_behind_, magnitude0_);
    ++statistics_.evaluations;
    return form_.derivative(std::min(t1_, left_of_limit_), y_behind_, k_behind_);
  }

  Status fixed_step(double t_limit) {
    if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
    const auto [h, t1, on_grid] = plan_fixed_step(origin_, n_, h_, t0_, t_limit);
    if (const Status status = try_step(h, t1); status != Status::ok) return status;
    watched(t1);
    ++statistics_.accepted;
    t1_ = t1;
    if (on_grid) ++n_;
    return Status::ok;
  }

  Status adaptive_step(double t_limit) {
    while (true) {
      if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
      const auto [h, t1, reaches_limit, too_small] = plan_adaptive_step(t0_, t_limit, control_, h_);
      if (too_small) return obstacle_;
      const Status status = try_step(h, t1);
      if (asks_for_shorter_step(status)) {
        obstacle_ = status;
        ++statistics_.rejected;
        controller_.after_rejection = true;
        h_ = h / 4;
        continue;
      }
      if (status != Status::ok) return status;
      // Before error_norm(), which takes rk_.stage for itself.
      if (watches_stiffness_) watch_stiffness(h);
      const double error = error_norm(h);  // (1), (2)
      obstacle_ = Status::step_too_small;
      if (!(error <= 1)) {
        ++statistics_.rejected;
        h_ = controller_.rejected(h, error);
        continue;
      }
      if (const double end = watched(t1); end < t1) {
        ++statistics_.rejected;
        controller_.after_rejection = true;
        h_ = end - t0_;
        continue;
      }
      correction_.note(t1, correction_norm());
      ++statistics_.accepted;
      t1_ = t1;
      magnitude0_.swap(magnitude1_);
      if (!reaches_limit)
        h_ = controller_.accepted(h, error);  // else its size was not ours: nothing to learn
      return Status::ok;
    }
  }

  // t1, or where the step has to end instead.
  double watched(double t1) const {
    return watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_, {seen_.data(), size_t(seen_count_)});
  }

  double error_norm(double h) {
    form_.magnitudes(y1_, magnitude1_);
    const double second = blends_ ? mean_square(h, rk_.tableau.e_second) : 0;
    const double first = mean_square(h, rk_.tableau.e);
    const double error = second == 0 ? std::sqrt(first) : first / std::sqrt(first + 0.01 * second);  // (2a)
    if (!(error <= 1)) rk_.stage.cwiseAbs().maxCoeff(&worst_);
    return std::isfinite(error) ? error : 1e10;
  }
  double mean_square(double h, const std::array<double, kMaxStages + 1>& e) {
    rk_.stage = e[0] * rk_.k.col(0);
    for (int j = 1; j <= last(); ++j)
      if (e[size_t(j)] != 0) rk_.stage += e[size_t(j)] * rk_.k.col(j);
    return weighted_mean_square(h);
  }
  double weighted_mean_square(double h) {  // of h·rk_.stage
    const auto scale =
        control_.atol * form_.scale().array() + control_.rtol * magnitude0_.array().max(magnitude1_.array());
    rk_.stage = (form_.scale().array() > 0).select(h * rk_.stage.array() / scale, 0);
    return rk_.stage.squaredNorm() / tested_;
  }
  double correction_norm() {  // after error_norm()
    rk_.stage = y1_ - correction_.candidate;
    return std::sqrt(weighted_mean_square(1));
  }

  Checkpoint snapshot() {
    Checkpoint out;
    out.t = t1_;
    out.origin = origin_;
    out.n = n_;
    out.h = h_;
    out.error_old = controller_.error_old;
    out.after_rejection = controller_.after_rejection;
    out.y = y();
    out.memory = remember(form_, control_.sudden);
    return out;
  }
  void keep(Memory& memory) override {
    Vec k = changed_ ? k_behind_ : Vec(rk_.k.col(last()));
    memory(k);
    if (memory.reads()) rk_.k.col(last()) = k;
    memory(magnitude0_);
    memory(is_stiff_);
    memory(watches_stiffness_);
    memory(stiff_steps_, 0, 1'000'000'000);
    memory(calm_steps_, 0, 1'000'000'000);
    memory(stiff_since_);
    if (memory.reads() && watch_ != nullptr) *watch_ = {is_stiff_, stiff_since_};
  }

  mutable ExplicitStages rk_;  // interpolate() may add stages
  mutable bool has_dense_stages_ = false;
  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  StepController controller_;
  int tested_ = 0;  // components of y in the error test
  Vec y0_, y1_;     // ends of the last step
  Correction correction_;
  Vec y_behind_, k_behind_;  // where the next step starts, if the formulation changed y after the last one
  bool changed_ = false;
  Status obstacle_ = Status::step_too_small;  // what keeps the step from being as long as it should
  Vec magnitude0_, magnitude1_;
  double t0_ = 0, t1_ = 0, h_ = 0;
  double origin_ = 0;  // of the grid of fixed steps
  long n_ = 0;
  double left_of_limit_ = 0;  // the last instant before a possible discontinuity
  Eigen::Index worst_ = -1;
  const bool blends_;  // two estimates: (2a)
  StiffnessWatch* const watch_;
  bool watches_stiffness_, is_stiff_ = false;
  int stiff_steps_ = 0, calm_steps_ = 0;
  double stiff_since_ = 0;
  std::array<double, kMaxStages> seen_{};  // c of the stages that have weight in the step or its estimate
  int seen_count_ = 0;
  bool is_cut_ = false;  // a step was to end at its limit: saved_ is where it began
  Checkpoint saved_;
};

template <const Tableau& tableau>
std::unique_ptr<Integrator> make_explicit(OdeForm& form,
                                          Statistics& statistics,
                                          const StepControl& control,
                                          const Options&) {
  return make_explicit_rk(tableau, form, statistics, control);
}

}  // namespace

std::unique_ptr<Integrator> make_explicit_rk(const Tableau& tableau,
                                             OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control,
                                             StiffnessWatch* watch) {
  return std::make_unique<ExplicitRk>(tableau, form, statistics, control, watch);
}

extern const IntegratorRecord euler_integrator, heun_integrator, rk4_integrator, rkf45_integrator,
    dopri5_integrator, dop853_integrator;

const IntegratorRecord euler_integrator = {.method = {"euler",
                                                      "explicit Euler, fixed step; for studies of order",
                                                      "Garcia de Jalon & Bayo 1994, (7.8)",
                                                      {}},
                                           .order = 1,
                                           .adaptive = false,
                                           .dense_output = true,
                                           .make = &make_explicit<kEuler>};

const IntegratorRecord heun_integrator = {.method = {"heun",
                                                     "Heun's second-order scheme, Euler embedded",
                                                     "Garcia de Jalon & Bayo 1994, (7.9)-(7.11)",
                                                     {}},
                                          .order = 2,
                                          .adaptive = true,
                                          .dense_output = true,
                                          .make = &make_explicit<kHeun>};

const IntegratorRecord rk4_integrator = {.method = {"rk4",
                                                    "classical fourth-order Runge-Kutta, fixed step",
                                                    "Garcia de Jalon & Bayo 1994, (7.12)-(7.16)",
                                                    {}},
                                         .order = 4,
                                         .adaptive = false,
                                         .dense_output = true,
                                         .make = &make_explicit<kRk4>};

const IntegratorRecord rkf45_integrator = {
    .method = {"rkf45",
               "Fehlberg 4(5), carried on with order 5; for comparison with older programs",
               "Fehlberg 1969; Hairer, Norsett & Wanner, II.4",
               {}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .make = &make_explicit<kRkf45>};

const IntegratorRecord dopri5_integrator = {
    .method = {"dopri5",
               "Dormand-Prince 5(4) with PI step control and dense output; RKSTAB when stabilised",
               "Dormand & Prince 1980; Hairer, Norsett & Wanner, II.5; Chin 1995, (4.9)-(4.15)",
               {}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .make = &make_explicit<kDopri5>};

const IntegratorRecord dop853_integrator = {
    .method = {"dop853",
               "Dormand-Prince 8(5,3) with dense output of order 7; for tight tolerances",
               "Dormand & Prince; Hairer, Norsett & Wanner, II.5, II.6, II.10",
               {}},
    .order = 8,
    .adaptive = true,
    .dense_output = true,
    .make = &make_explicit<kDop853>};

}  // namespace driftless
