// Backward Euler, fixed step.                                              Hairer & Wanner IV.1, IV.8; used by Chin, tables 2.1, 2.2
//   y₁ = y₀ + h F(t₁, y₁)                                                                                          (1)
//   (I − h A) δ = y₀ + h F(t₁, y) − y,   y ← y + δ,   A ≈ ∂F/∂y                                                     (2)
// Newton's iteration (2) starts at y₀ + h F(t₀, y₀), or at y₀ where that fails, and ends when δ is below newton_tol times scale + |y₀| in every
// component tested. A from the form where it knows it, else by central differences (two evaluations a component),
// and kept from step to step: renewed after an iteration that gained less than a factor 10 a round, and at once where it does
// not converge.
// Order 1, damps whatever is fast (amplification 1/(1 + h|λ|)), so the step is chosen by accuracy alone; numerical
// damping is strong. Options: newton_tol (1e-10). Cost per step: two or three evaluations, one more for the slope at the
// end, and a dense solve; 1 or 2 n evaluations and a factorisation where A is renewed. Dense output: cubic Hermite.
#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrator/hermite.hpp"
#include "driftless/integrator/ode_newton.hpp"
#include "driftless/integrator/resumable.hpp"
#include "driftless/integrator/step_plan.hpp"
#include "driftless/integrator/sudden_watch.hpp"

namespace driftless {
namespace {

class BackwardEuler final : public Integrator, public Resumable {
 public:
  BackwardEuler(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
      : form_(form),
        statistics_(statistics),
        control_(control),
        tolerance_(options.number("newton_tol")),
        y0_(form.size()),
        y1_(form.size()),
        k0_(form.size()),
        k1_(form.size()),
        y_behind_(form.size()),
        k_behind_(form.size()),
        F_(form.size()),
        delta_(form.size()),
        shifted_(form.size()),
        magnitude_(form.size()),
        newton_(form, statistics) {
    newton_.use_central();
  }

  Status start(double t, ConstVec y, double) override {
    h_ = control_.step;
    return restart(t, y);
  }

  Status restart(double t, ConstVec y) override {
    t0_ = t1_ = origin_ = t;
    n_ = 0;
    y1_ = y;
    changed_ = false;
    is_known_ = false;
    is_cut_ = spoilt_ = is_slow_ = false;
    form_.begin_step(h_);
    const Status status = evaluate(t, y1_, k1_);
    form_.magnitudes(y1_, magnitude_);
    return status;
  }

  Status resume(const Checkpoint& from) override {
    h_ = from.h;
    const Status status =
        start_with(from.memory, form_, control_.sudden, [&] { return restart(from.t, from.y); });
    origin_ = from.origin;
    n_ = from.n;
    return status;
  }

  Status advance(double t_limit) override {
    if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
    if (!is_cut_ && (plan_fixed_step(origin_, n_, h_, t1_, t_limit).t1 == t_limit)) {
      saved_ = snapshot();
      is_cut_ = true;
    }
    t0_ = t1_;
    y0_.swap(changed_ ? y_behind_ : y1_);
    k0_.swap(changed_ ? k_behind_ : k1_);
    changed_ = false;
    const auto [h, t1, on_grid] = plan_fixed_step(origin_, n_, h_, t0_, t_limit);
    const double left_of_limit = std::nextafter(t_limit, t0_);
    if (const Status status = step(h, std::min(t1, left_of_limit)); status != Status::ok) {
      spoilt_ = true;
      t1_ = t0_;  // the last good step stays readable
      y1_ = y0_;
      k1_ = k0_;
      return status;
    }
    watched_end(control_, t0_, y0_, t1, left_of_limit, y1_);
    ++statistics_.accepted;
    t1_ = t1;
    if (on_grid) ++n_;
    return look_back(std::min(t1, left_of_limit));
  }

  double t() const override { return t1_; }
  double t_before() const override { return t0_; }
  const Vec& y() const override { return changed_ ? y_behind_ : y1_; }
  void interpolate(double t, VecRef y) const override {
    interpolate_hermite(t0_, t1_, y0_, y1_, k0_, k1_, t, y);
  }
  Checkpoint checkpoint() const override {
    return is_cut_ ? saved_ : const_cast<BackwardEuler*>(this)->snapshot();  // writing changes nothing
  }
  int worst_component() const override { return -1; }

 private:
  Status evaluate(double t, ConstVec y, VecRef out) {
    ++statistics_.evaluations;
    return form_.derivative(t, y, out);
  }

  Status step(double h, double t) {
    form_.begin_step(h);
    if (is_slow_) is_known_ = false;
    Status status = is_known_ ? iterate(h, t, true) : Status::not_converged;
    if (asks_for_shorter_step(status)) {
      if (status = renew(t); status != Status::ok) return status;
      status = iterate(h, t, true);
    }
    if (asks_for_shorter_step(status)) status = iterate(h, t, false);  // the slope at y₀ may lead nowhere
    if (status != Status::ok) return status;
    if (status = form_.settle(t, y1_); status != Status::ok) return status;
    return evaluate(t, y1_, k1_);
  }

  Status iterate(double h, double t, bool predicts) {  // (2)
    if (h != h_factored_) {
      h_factored_ = 0;
      if (const Status status = matrix_.factor(newton_.jacobian(), form_.size(), h); status != Status::ok)
        return status;
      h_factored_ = h;
    }
    y1_ = y0_;
    if (predicts) y1_ += h * k0_;
    double before = std::numeric_limits<double>::infinity();
    is_slow_ = false;
    for (int k = 0; k < kMaxIterations; ++k) {
      ++statistics_.newton_iterations;
      if (const Status status = evaluate(t, y1_, F_); status != Status::ok) return status;
      shifted_ = y0_ + h * F_ - y1_;
      if (const Status status = matrix_.solve(shifted_, delta_); status != Status::ok) return status;
      y1_ += delta_;
      const double size = relative_size();
      if (!std::isfinite(size)) return Status::not_finite;
      is_slow_ = is_slow_ || size > before / 10;
      if (size <= tolerance_) return Status::ok;
      if (size > before / 2) {
        is_known_ = false;
        // What round-off leaves of a correction that can fall no further is as good as it gets.
        return size <= kRoundOff ? Status::ok : Status::not_converged;
      }
      before = size;
    }
    is_known_ = false;
    return Status::not_converged;
  }

  // Of δ, by the magnitudes at the start of the step.
  double relative_size() const {
    const Vec& scale = form_.scale();
    double largest = 0;
    for (Eigen::Index i = 0; i < y1_.size(); ++i) {
      const double relative = scale[i] > 0 ? std::abs(delta_[i]) / (scale[i] + magnitude_[i]) : 0;
      if (!(relative <= largest)) largest = relative;
    }
    return largest;
  }

  // A at the start of the step, at the time of its end: the form's own, or by central differences. Central ones: where the
  // stiff direction is far from the normal of the constraints, errors of A are multiplied by h|A|, which no iteration makes
  // good.
  Status renew(double t) {
    is_known_ = false;
    if (const Status status = newton_.renew(t, y0_, k0_); status != Status::ok) return status;
    is_known_ = true;
    h_factored_ = 0;
    return Status::ok;
  }

  Status look_back(double t) {
    y_behind_ = y1_;
    StepChange change = StepChange::same;
    if (const Status status = form_.after_step(t1_, y_behind_, change); status != Status::ok) return status;
    changed_ = change != StepChange::same;
    if (change == StepChange::redefined) is_known_ = false;
    const Status status = changed_ ? evaluate(t, y_behind_, k_behind_) : Status::ok;
    form_.magnitudes(y(), magnitude_);
    return status;
  }

  Checkpoint snapshot() {
    Checkpoint out;
    out.t = t1_;
    out.origin = origin_;
    out.n = n_;
    out.h = h_;
    out.y = y();
    out.memory = remember(form_, control_.sudden);
    return out;
  }
  void keep(Memory& memory) override {  // the factors follow from A
    memory(changed_ ? k_behind_ : k1_);
    memory(magnitude_);
    memory(is_slow_);
    memory(is_known_);
    newton_.keep(memory);
    matrix_.keep(memory);
    if (memory.reads()) h_factored_ = 0;
  }

  static constexpr int kMaxIterations = 10;
  static constexpr double kRoundOff = 1e-10;

  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  double tolerance_;
  Vec y0_, y1_, k0_, k1_;    // ends of the last step and slopes there
  Vec y_behind_, k_behind_;  // where the next step starts, if the formulation changed y after the last one
  bool changed_ = false;
  Vec F_, delta_, shifted_, magnitude_;
  OdeNewton newton_;                         // A = ∂F/∂y
  FormMatrix<double> matrix_;                // I − h A
  bool is_known_ = false, is_slow_ = false;  // A; its last iteration
  double h_factored_ = 0;
  double t0_ = 0, t1_ = 0, h_ = 0;
  double origin_ = 0;  // of the grid of steps
  long n_ = 0;
  bool is_cut_ = false;  // a step was to end at its limit: saved_ is where it began
  Checkpoint saved_;
};

}  // namespace

extern const IntegratorRecord backward_euler_integrator;
const IntegratorRecord backward_euler_integrator = {
    .method = {"backward-euler",
               "implicit Euler, fixed step; damps everything fast",
               "Hairer & Wanner, IV.1; Chin 1995, tables 2.1 and 2.2",
               {{.name = "newton_tol",
                 .default_value = "1e-10",
                 .min = 1e-15,
                 .max = 1e-3,
                 .help = "last Newton correction allowed, relative to scale and size of each component"}}},
    .order = 1,
    .adaptive = false,
    .dense_output = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return std::make_unique<BackwardEuler>(form, statistics, control, options);
    },
};

}  // namespace driftless
