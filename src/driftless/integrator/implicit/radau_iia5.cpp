// Radau IIA of three stages, order 5, with error control or fixed steps, on ODE forms and on residual forms (stage_system.hpp).
//                                   Hairer & Wanner IV.5, IV.8, VI.1, VI.2, VII.4; García de Jalón & Bayo (7.57)–(7.60), sign of
//                                   the constraint force corrected
//   Uᵢ = U + zᵢ,   U̇ᵢ = Σⱼ (A⁻¹)ᵢⱼ zⱼ/h,   R(t + cᵢh, Uᵢ, U̇ᵢ) = 0,  i = 1, 2, 3;   U₁ = U + z₃                            (1)
//   coefficients: radau_coefficients.hpp
// Newton: derivatives of the start of the step for all stages, uncoupled by the eigenvectors of A⁻¹ = T Λ T⁻¹ with the real
// eigenvalue g and the pair a ± ib, w = T⁻¹ z:  one real system with 1/c = g/h, one complex with (a + ib)/h               (2)
//   e = the real system solved for the defect of U̇ = −E at the start,   E = g/h (e₁z₁ + e₂z₂ + e₃z₃)                     (3)
// of order 3; where it is refused in the first step or behind a rejection, at U + e in place of U once more.
//   dense output: the cubic through (0, 0), (cᵢ, zᵢ); starting values: that of the last step, continued                 (4)
// L-stable, stiffly accurate. Orders: 5, of stiff parts 3; of q, v, λ on index 3 5, 3, 2, on index 2 and GGL 5, 5, 3.
// κ of Newton's method: max(10ε/rtol, min(0.03, √rtol)). Derivatives are kept while θ ≤ 1e-3, of residual forms, where they cost
// more, 0.02 (1e-3 and 0.1 cost up to a fifth more). Step sizes: implicit_scheme.hpp with prediction. What is tested:
// stage_system.hpp, dae_stages.hpp. Option: jacobian=kept (default) or each-step.
// Cost: 3 evaluations, one real and one complex solve an iteration, 2 to 3 iterations; two more evaluations; where derivatives are
// renewed on ODE forms n evaluations and LUs of n³/3 and 4n³/3. Fails as sdirk4 does; on residual forms where J loses rank.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "driftless/integrator/implicit/implicit_scheme.hpp"
#include "driftless/integrator/implicit/radau_coefficients.hpp"

namespace driftless {
namespace {

using Complex = std::complex<double>;

class Radau final : public ImplicitScheme {
 public:
  Radau(OdeForm& form, Statistics& statistics, const StepControl& control, bool renews_always)
      : ImplicitScheme(form,
                       statistics,
                       control,
                       {.order = 5,
                        .k = 4,
                        .grow = 8,
                        .cut = 0.2,
                        .iterations = 10,
                        .predicts = true,
                        .theta_J = renews_always                   ? -1
                                   : form.as_residual() != nullptr ? 0.02
                                                                   : 1e-3}),
        shift_(Vec::Zero(form.size())) {
    if (!is_fixed())
      newton_.monitor.kappa = std::max(10 * std::numeric_limits<double>::epsilon() / control.rtol,
                                       std::min(0.03, std::sqrt(control.rtol)));
  }

  // On constraints slopes at the start say less of what follows.
  int exponent() const override { return stages_->settles_itself() ? 3 : ImplicitScheme::exponent(); }
  void interpolate(double t, VecRef y) const override {
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1;
    if (theta == 1) {
      y = y1_;
      return;
    }
    const auto weights = scheme_.cubic(theta);  // (4)
    y = y0_ + theta * shift_;
    for (int i = 0; i < 3; ++i) y += weights[i] * z_last_.col(i).head(y.size());
  }

 private:
  void size_own(int size) override {
    if (z_.rows() != size) knows_last_ = false;
    for (Mat* x : {&z_, &z_last_, &R_, &w_})
      if (x->rows() != size) x->setZero(size, 3);
    for (Vec* x : {&stage_, &rate_, &right_, &delta_}) x->resize(size);
    complex_right_.resize(size);
    complex_delta_.resize(size);
  }

  Status solve(double h, double t1) override {
    if (const Status status = renew_jacobian(); status != Status::ok) return status;
    factor(h);
    guess(h);
    if (const Status status = iterate(h); status != Status::ok) return status;
    if (!is_fixed())
      if (const Status status = estimate(h); status != Status::ok || !(err_ <= 1)) return status;
    if (stages_->work() >= 0) return end_with_work(h, t1);
    place_stage(2, h);
    return stages_->end(left(t1), stage_, rate_, y1_, k1_);
  }

  // The work by the powers where the iteration has ended: those it met on its way are of multipliers not known yet.
  Status end_with_work(double h, double t1) {
    const int w = stages_->work();
    Eigen::Vector3d powers;
    for (int i = 0; i < 2; ++i) {
      if (const Status status = evaluate_stage(i, h); status != Status::ok) return status;
      powers[i] = rate_[w] - R_(w, i);
    }
    place_stage(2, h);
    if (const Status status = stages_->end(left(t1), stage_, rate_, y1_, k1_); status != Status::ok)
      return status;
    powers[2] = k1_[w];
    z_.row(w) = h * (scheme_.A * powers).transpose();
    y1_[w] = y0_[w] + z_(w, 2);
    return Status::ok;
  }

  void factor(double h) {
    stages_->factor(h / scheme_.g);
    stages_->factor(h / Complex(scheme_.a, scheme_.b));
  }

  void guess(double h) {
    if (is_cold())
      eta_ = 1;  // nothing was predicted: one iteration has looked at the start of the step alone
    if (is_cold() || !knows_last_) {
      for (int i = 0; i < 3; ++i) stages_->guess(scheme_.c[i] * h, z_.col(i));
      return;
    }
    z_.setZero();
    const auto end = scheme_.cubic(1);
    for (int i = 0; i < 3; ++i) {
      const auto ahead = scheme_.cubic(1 + scheme_.c[i] * h / h_last_);
      for (int j = 0; j < 3; ++j) z_.col(i) += (ahead[j] - end[j]) * z_last_.col(j);
    }
  }

  void place_stage(int i, double h) {  // (1)
    stage_ = stages_->start() + z_.col(i);
    rate_ = scheme_.inverse(i, 0) / h * z_.col(0) + scheme_.inverse(i, 1) / h * z_.col(1) +
            scheme_.inverse(i, 2) / h * z_.col(2);
  }
  Status evaluate_stage(int i, double h) {
    place_stage(i, h);
    return stages_->residual(left(t0_ + scheme_.c[i] * h), stage_, rate_, R_.col(i));
  }

  Status iterate(double h) {
    const Status status = newton_.iterate_to_round_off(eta_, [&](double& size) { return correct(h, size); });
    iterations_ = newton_.monitor.count;
    note_theta(newton_.monitor.theta);
    return status;
  }

  Status correct(double h, double& size) {  // (2)
    if (is_full()) {
      if (const Status status = evaluate_stage(2, h); status != Status::ok) return status;
      if (const Status status = stages_->renew_at_last(); status != Status::ok) return status;
      factor(h);
    }
    for (int i = 0; i < 3; ++i)
      if (const Status status = evaluate_stage(i, h); status != Status::ok) return status;
    combine_stages(scheme_.T_inverse, R_, w_);
    right_ = w_.col(0);
    if (const Status status = stages_->solve(right_, delta_); status != Status::ok) return status;
    complex_right_.real() = w_.col(1);
    complex_right_.imag() = w_.col(2);
    if (const Status status = stages_->solve(complex_right_, complex_delta_); status != Status::ok)
      return status;
    w_.col(0) = delta_;
    w_.col(1) = complex_delta_.real();
    w_.col(2) = complex_delta_.imag();
    combine_stages(scheme_.T, w_, R_);
    z_ -= R_;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double part = stages_->norm(R_.col(i));
      sum += part * part;
    }
    size = std::sqrt(sum / 3);
    return Status::ok;
  }

  Status estimate(double h) {  // (3)
    stage_ = stages_->start() + z_.col(2);
    y1_ = stage_.head(y1_.size());
    rate_ = scheme_.g / h * (scheme_.e[0] * z_.col(0) + scheme_.e[1] * z_.col(1) + scheme_.e[2] * z_.col(2));
    if (const Status status = stages_->start_defect(rate_, right_); status != Status::ok) return status;
    if (const Status status = weigh_defect(); status != Status::ok) return status;
    if (err_ < 1 || !(is_first() || is_after_rejection())) return Status::ok;
    stage_ = stages_->start() + delta_;
    if (const Status status = stages_->defect(stage_, rate_, right_); status != Status::ok) return status;
    return weigh_defect();
  }
  Status weigh_defect() {
    if (const Status status = stages_->solve(right_, delta_); status != Status::ok) return status;
    return judge(delta_);
  }

  void accept_own(double h) override {
    z_last_.swap(z_);
    shift_ = y1_ - y0_ - z_last_.col(2).head(y1_.size());
    knows_last_ = true;
    h_last_ = h;
  }

  std::span<const double> stage_times() const override { return {scheme_.c.data(), 3}; }

  void forget_own() override {
    knows_last_ = false;
    eta_ = 1;
  }

  void keep_own(Memory& memory) override {
    memory(knows_last_);
    memory(h_last_);
    memory(eta_);
    memory(z_last_);
  }

  const RadauCoefficients scheme_;
  Mat z_, z_last_, R_, w_;  // size × 3
  Vec shift_;               // what settling changed
  Vec stage_, rate_, right_, delta_;
  Eigen::VectorXcd complex_right_, complex_delta_;
  double h_last_ = 0, eta_ = 1;
  bool knows_last_ = false;
};

}  // namespace

extern const IntegratorRecord radau_iia5_integrator;
const IntegratorRecord radau_iia5_integrator = {
    .method = {"radau-iia5",
               "Radau IIA of three stages, order 5, L-stable; for stiff equations and strict tolerances",
               "Hairer & Wanner, IV.5 and IV.8",
               {{.name = "jacobian",
                 .kind = OptionKind::choice,
                 .default_value = "kept",
                 .choices = {"kept", "each-step"},
                 .help = "renewed where Newton's method slows down, or for every step: fewer, dearer steps"},
                realtime_iterations()}},
    .order = 5,
    .adaptive = true,
    .dense_output = true,
    .rows = {ResidualRows::position, ResidualRows::velocity, ResidualRows::both},
    .needs_vector_space = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return make_steps_of<Radau>(form, statistics, control, options.choice("jacobian") == "each-step");
    },
};

}  // namespace driftless
