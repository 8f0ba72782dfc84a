// Explicit Runge–Kutta integrators: euler, heun, rk4 with fixed steps, dopri5 with error control or fixed steps.
// With a stabilization this is RKSTAB: the candidate y₁ is settled before the closing stage k₊ = F(t₁, y₁), so the
// scheme keeps its evaluations a step (NFCN = 6 NSTEP + 2 for dopri5).                             Chin (4.10)–(4.15)
//   error = h (Σ eᵢ kᵢ + e₊ k₊) leaves the correction itself out: with a gate (datol) it would not shrink with h.       (1)
//   sc = atol·scale + rtol·max(|y₀|, |y₁|),  err = rms(error/sc) over the tested components; accepted if err ≤ 1      (2)
// Dense output, θ in [0, 1]:                                                     Hairer, Nørsett & Wanner II.6
//   dopri5  y(θ) = r₁ + θ(r₂ + (1−θ)(r₃ + θ(r₄ + (1−θ) r₅))),  r₁ = y₀, r₂ = y₁−y₀, r₃ = h k₁−r₂, r₄ = r₂−h k₊−r₃,
//           r₅ = h Σ dᵢ kᵢ                                                                                            (3)
//   others  the same with r₅ = 0: cubic Hermite
#include <cmath>
#include <limits>

#include "driftless/integrator/integrator.hpp"
#include "driftless/integrator/step_controller.hpp"
#include "driftless/integrator/tableau.hpp"

namespace driftless {
namespace {

class ExplicitRk final : public Integrator {
 public:
  ExplicitRk(const Tableau& tableau, OdeForm& form, Statistics& statistics, const StepControl& control)
      : tableau_(tableau),
        form_(form),
        statistics_(statistics),
        control_(control),
        k_(form.size(), tableau.stages + 1),
        y0_(form.size()),
        y1_(form.size()),
        y_behind_(form.size()),
        k_behind_(form.size()),
        stage_(form.size()),
        magnitude0_(form.size()),
        magnitude1_(form.size()) {}

  Status start(double t, ConstVec y, double horizon) override {
    h_ = control_.step > 0 ? control_.step : control_.initial_step;
    const Status status = restart(t, y);
    if (status != Status::ok) return status;
    if (h_ == 0) {
      const Status chosen = choose_initial_step(horizon);
      if (chosen != Status::ok) return chosen;
    }
    if (control_.step == 0) h_ = std::min(h_, horizon);
    save(t);
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
    if (h_ > 0) form_.begin_step(h_);
    save(t);
    return evaluate(t, y1_, last());
  }

  Status resume(const Checkpoint& from) override {
    const Status status = restart(from.t, from.y);
    origin_ = from.origin;
    n_ = from.n;
    h_ = from.h;
    controller_.error_old = from.error_old;
    controller_.after_rejection = from.after_rejection;
    save(from.t);
    return status;
  }

  Status advance(double t_limit) override {
    t0_ = t1_;
    if (changed_) {
      y0_ = y_behind_;
      k_.col(0) = k_behind_;
    } else {
      y0_.swap(y1_);
      k_.col(0) = k_.col(last());  // the closing stage of the last step opens this one
    }
    changed_ = false;
    left_of_limit_ = std::nextafter(t_limit, t0_);
    const Status status =
        control_.step > 0 || !tableau_.estimates() ? fixed_step(t_limit) : adaptive_step(t_limit);
    if (status != Status::ok) {  // the last good step stays readable
      t1_ = t0_;
      y1_ = y0_;
      k_.col(last()) = k_.col(0);
      return status;
    }
    return look_back();
  }

  double t() const override { return t1_; }
  double t_before() const override { return t0_; }
  const Vec& y() const override { return changed_ ? y_behind_ : y1_; }
  Checkpoint checkpoint() const override {
    // A step cut short is not saved, so what was saved is one end of the last step or the other.
    Checkpoint out = saved_;
    out.y = saved_.t == t1_ ? y() : y0_;
    return out;
  }
  int worst_component() const override { return static_cast<int>(worst_); }

  void interpolate(double t, VecRef y) const override {
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1, rest = 1 - theta;
    const int n = static_cast<int>(y0_.size());
    for (int i = 0; i < n; ++i) {
      double r5 = 0;
      if (tableau_.dense())
        for (int j = 0; j <= tableau_.stages; ++j) r5 += h * tableau_.d[size_t(j)] * k_(i, j);
      const double r2 = y1_[i] - y0_[i], r3 = h * k_(i, 0) - r2, r4 = r2 - h * k_(i, last()) - r3;
      y[i] = y0_[i] + theta * (r2 + rest * (r3 + theta * (r4 + rest * r5)));  // (3)
    }
  }

 private:
  int last() const { return tableau_.stages; }

  Status evaluate(double t, ConstVec y, int stage) {
    ++statistics_.evaluations;
    return form_.derivative(t, y, k_.col(stage));
  }

  // All stages of a step of size h to t1, the candidate settled before the closing stage.
  Status try_step(double h, double t1) {
    form_.begin_step(h);
    for (int i = 1; i < tableau_.stages; ++i) {
      combine(h, tableau_.a[size_t(i)].data(), i, stage_);
      const double t = std::min(t0_ + tableau_.c[size_t(i)] * h, left_of_limit_);
      if (const Status status = evaluate(t, stage_, i); status != Status::ok) return status;
    }
    combine(h, tableau_.b.data(), tableau_.stages, y1_);
    const double t_end = std::min(t1, left_of_limit_);
    if (const Status status = form_.settle(t_end, y1_); status != Status::ok) return status;
    return evaluate(t_end, y1_, last());
  }

  // out = y₀ + h Σ wⱼ kⱼ. One pass whose inner sum is unrolled: with a pass per stage the sums would cost as much as a
  // right-hand side.
  void combine(double h, const double* weights, int count, Vec& out) const {
    switch (count) {
      case 1:
        return combine_unrolled<1>(h, weights, out);
      case 2:
        return combine_unrolled<2>(h, weights, out);
      case 3:
        return combine_unrolled<3>(h, weights, out);
      case 4:
        return combine_unrolled<4>(h, weights, out);
      case 5:
        return combine_unrolled<5>(h, weights, out);
      case 6:
        return combine_unrolled<6>(h, weights, out);
    }
  }
  template <int count>
  void combine_unrolled(double h, const double* weights, Vec& out) const {
    const Eigen::Index n = y0_.size();
    const double* const y = y0_.data();
    const double* const k = k_.data();
    double* const to = out.data();
    for (Eigen::Index i = 0; i < n; ++i) {
      double sum = weights[0] * k[i];
      for (int j = 1; j < count; ++j) sum += weights[j] * k[j * n + i];
      to[i] = y[i] + h * sum;
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
    double t1 = origin_ + static_cast<double>(n_ + 1) * h_;
    const bool reaches_limit = t1 > t_limit - 1e-9 * h_;
    const bool on_grid = t1 < t_limit + 1e-9 * h_;
    if (reaches_limit) t1 = t_limit;
    if (const Status status = try_step(t1 - t0_, t1); status != Status::ok) return status;
    ++statistics_.accepted;
    t1_ = t1;
    if (on_grid) {
      ++n_;
      save(t1_);
    }
    return Status::ok;
  }

  Status adaptive_step(double t_limit) {
    while (true) {
      if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
      if (control_.max_step > 0) h_ = std::min(h_, control_.max_step);
      const double smallest =
          16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0_), std::abs(t_limit));
      if (h_ < smallest && t_limit - t0_ > smallest) return obstacle_;
      const bool reaches_limit = t0_ + 1.01 * h_ >= t_limit;
      const double h = reaches_limit ? t_limit - t0_ : h_;
      const double t1 = reaches_limit ? t_limit : t0_ + h;
      const Status status = try_step(h, t1);
      if (status == Status::not_finite ||
          status == Status::not_converged) {  // left the region where F is defined
        obstacle_ = status == Status::not_finite ? Status::step_too_small : status;
        ++statistics_.rejected;
        controller_.after_rejection = true;
        h_ = h / 4;
        continue;
      }
      if (status != Status::ok) return status;
      const double error = error_norm(h);  // (1), (2)
      obstacle_ = Status::step_too_small;
      if (!(error <= 1)) {
        ++statistics_.rejected;
        h_ = controller_.rejected(h, error);
        continue;
      }
      ++statistics_.accepted;
      t1_ = t1;
      magnitude0_.swap(magnitude1_);
      if (reaches_limit)
        return Status::ok;  // its size was not ours: nothing to learn from it, nowhere to resume
      h_ = controller_.accepted(h, error);
      save(t1_);
      return Status::ok;
    }
  }

  double error_norm(double h) {
    form_.magnitudes(y1_, magnitude1_);
    stage_ = tableau_.e[0] * k_.col(0);
    for (int j = 1; j <= tableau_.stages; ++j)
      if (tableau_.e[size_t(j)] != 0) stage_ += tableau_.e[size_t(j)] * k_.col(j);
    const auto scale =
        control_.atol * form_.scale().array() + control_.rtol * magnitude0_.array().max(magnitude1_.array());
    stage_ = (form_.scale().array() > 0).select(h * stage_.array() / scale, 0);
    const double error = std::sqrt(stage_.squaredNorm() / tested_);
    if (!(error <= 1)) stage_.cwiseAbs().maxCoeff(&worst_);
    return std::isfinite(error) ? error : 1e10;
  }

  // Hairer's two-evaluation estimate: a step whose Euler polygon is one hundredth of the solution, then refined by the
  // size of the second derivative.                                                  Hairer, Nørsett & Wanner II.4
  Status choose_initial_step(double horizon) {
    const Vec& scale = form_.scale();
    const auto square_sum = [&](auto&& component) {
      double sum = 0;
      for (int i = 0; i < y1_.size(); ++i) {
        if (scale[i] == 0) continue;
        const double relative = component(i) / (control_.atol * scale[i] + control_.rtol * magnitude0_[i]);
        sum += relative * relative;
      }
      return sum;
    };
    worst_ = 0;  // until a step is rejected: where the solution is steepest
    for (int i = 1; i < y1_.size(); ++i)
      if (scale[i] > 0 && std::abs(k_(i, last())) * scale[worst_] > std::abs(k_(worst_, last())) * scale[i])
        worst_ = i;
    const double size = square_sum([&](int i) { return magnitude0_[i]; });
    const double slope = square_sum([&](int i) { return k_(i, last()); });
    double h = size <= 1e-10 || slope <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(size / slope);
    h = std::min(h, horizon);
    stage_ = y1_ + h * k_.col(last());
    const Status status = evaluate(std::min(t1_ + h, t1_ + horizon), stage_, 0);
    if (status != Status::ok && status != Status::not_finite && status != Status::not_converged)
      return status;
    const double bend = status == Status::ok
                            ? std::sqrt(square_sum([&](int i) { return k_(i, 0) - k_(i, last()); })) / h
                            : std::numeric_limits<double>::infinity();
    const double steepest = std::max(bend, std::sqrt(slope));
    const double refined =
        steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, 1.0 / tableau_.order);
    h_ = std::min({100 * h, std::max(refined, 1e-12 * h), horizon});
    return Status::ok;
  }

  void save(double t) {
    saved_.t = t;
    saved_.origin = origin_;
    saved_.n = n_;
    saved_.h = h_;
    saved_.error_old = controller_.error_old;
    saved_.after_rejection = controller_.after_rejection;
  }

  const Tableau& tableau_;
  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  StepController controller_;
  int tested_ = 0;           // components of y in the error test
  Mat k_;                    // size × (stages + 1): stage derivatives, the closing one last
  Vec y0_, y1_;              // ends of the last step
  Vec y_behind_, k_behind_;  // where the next step starts, if the formulation changed y after the last one
  bool changed_ = false;
  Status obstacle_ = Status::step_too_small;  // what keeps the step from being as long as it should
  Vec stage_;
  Vec magnitude0_, magnitude1_;
  double t0_ = 0, t1_ = 0, h_ = 0;
  double origin_ = 0;  // of the grid of fixed steps
  long n_ = 0;
  double left_of_limit_ = 0;  // the last instant before a possible discontinuity
  Eigen::Index worst_ = -1;
  Checkpoint saved_;  // all but y
};

template <const Tableau& tableau>
std::unique_ptr<Integrator> make(OdeForm& form,
                                 Statistics& statistics,
                                 const StepControl& control,
                                 const Options&) {
  return std::make_unique<ExplicitRk>(tableau, form, statistics, control);
}

}  // namespace

extern const IntegratorRecord euler_integrator, heun_integrator, rk4_integrator, dopri5_integrator;

const IntegratorRecord euler_integrator = {.method = {"euler",
                                                      "explicit Euler, fixed step; for studies of order",
                                                      "Garcia de Jalon & Bayo 1994, (7.8)",
                                                      {}},
                                           .order = 1,
                                           .adaptive = false,
                                           .dense_output = true,
                                           .make = &make<kEuler>};

const IntegratorRecord heun_integrator = {.method = {"heun",
                                                     "Heun's second-order scheme, fixed step",
                                                     "Garcia de Jalon & Bayo 1994, (7.9)-(7.11)",
                                                     {}},
                                          .order = 2,
                                          .adaptive = false,
                                          .dense_output = true,
                                          .make = &make<kHeun>};

const IntegratorRecord rk4_integrator = {.method = {"rk4",
                                                    "classical fourth-order Runge-Kutta, fixed step",
                                                    "Garcia de Jalon & Bayo 1994, (7.12)-(7.16)",
                                                    {}},
                                         .order = 4,
                                         .adaptive = false,
                                         .dense_output = true,
                                         .make = &make<kRk4>};

const IntegratorRecord dopri5_integrator = {
    .method = {"dopri5",
               "Dormand-Prince 5(4) with PI step control and dense output; RKSTAB when stabilised",
               "Dormand & Prince 1980; Hairer, Norsett & Wanner, II.5; Chin 1995, (4.9)-(4.15)",
               {}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .make = &make<kDopri5>};

}  // namespace driftless
