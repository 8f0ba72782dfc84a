// Radau IIA of three stages, order 5, with error control or fixed steps; here on ODE forms (on residual forms:
// radau_residual.cpp).                                                                   Hairer & Wanner IV.5, IV.8
//   Z = h (A ⊗ I) F(t + c h, y + Z),   y₁ = y + z₃,   Z = (z₁, z₂, z₃)
//   coefficients: radau_coefficients.hpp                                                                              (1)
// Newton: (h⁻¹A⁻¹ ⊗ I − I ⊗ F_y) ΔZ = F(y + Z) − h⁻¹A⁻¹ Z, uncoupled by the eigenvectors of A⁻¹ = T Λ T⁻¹ with the real
// eigenvalue g and the pair a ± ib: W = T⁻¹ Z,
//   (g/h I − F_y) Δw₁ = r₁,   ((a + ib)/h I − F_y) (Δw₂ + iΔw₃) = r₂ + i r₃                                           (2)
//   e = (I − γ₀h F_y)⁻¹ (γ₀h F(t, y) + e₁z₁ + e₂z₂ + e₃z₃),   γ₀ = 1/g                                     (3)
// of order 3; where it is refused in the first step or behind a rejection, F(t, y + e) in place of F(t, y) once more.
//   dense output: the cubic through (0, 0), (cᵢ, zᵢ); starting values: that of the last step, continued                 (4)
// L-stable, stiffly accurate; order 5, of stiff parts 3. κ of Newton's method: max(10ε/rtol, min(0.03, √rtol)).
// Step sizes: implicit_scheme.hpp with prediction. Options: jacobian=kept (default) or each-step.
// Cost: 3 evaluations, one real and one complex solve an iteration, 2 to 3 iterations; two more evaluations; n evaluations
// and LUs of n³/3 and 4n³/3 where the Jacobian is renewed. Fails as sdirk4 does.
#include <algorithm>
#include <cmath>
#include <complex>

#include "driftless/integrator/implicit/implicit_scheme.hpp"
#include "driftless/integrator/implicit/radau_coefficients.hpp"
#include "driftless/integrator/implicit/radau_residual.hpp"

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
                        .theta_J = renews_always ? -1 : 1e-3}),
        z_(Mat::Zero(form.size(), 3)),
        z_last_(Mat::Zero(form.size(), 3)),
        w_(form.size(), 3),
        F_(form.size(), 3),
        shift_(Vec::Zero(form.size())),
        stage_(form.size()),
        real_right_(form.size()),
        delta_(form.size()),
        slope_(form.size()),
        right_(form.size()),
        complex_delta_(form.size()) {
    if (!is_fixed())
      newton_.monitor.kappa = std::max(10 * std::numeric_limits<double>::epsilon() / control.rtol,
                                       std::min(0.03, std::sqrt(control.rtol)));
  }

  void interpolate(double t, VecRef y) const override {
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1;
    if (theta == 1) {
      y = y1_;
      return;
    }
    const auto weights = scheme_.cubic(theta);  // (4)
    y = y0_ + theta * shift_;
    for (int i = 0; i < 3; ++i) y += weights[i] * z_last_.col(i);
  }

 private:
  Status solve(double h, double) override {
    if (const Status status = renew_jacobian(); status != Status::ok) return status;
    if (const Status status = factor(h); status != Status::ok) return status;
    guess(h);
    if (const Status status = iterate(h); status != Status::ok) return status;
    y1_ = y0_ + z_.col(2);
    if (is_fixed()) return Status::ok;
    return estimate(h);
  }

  // (g/h − A)⁻¹ as c (I − cA)⁻¹, c = h/g.
  Status factor(double h) {
    if (h == h_factored_ && version_ == newton_.version()) return Status::ok;
    h_factored_ = 0;
    const int size = static_cast<int>(y0_.size());
    real_c_ = h / scheme_.g;
    complex_c_ = h / Complex(scheme_.a, scheme_.b);
    if (const Status status = real_.factor(newton_.jacobian(), size, real_c_); status != Status::ok)
      return status;
    if (const Status status = pair_.factor(newton_.jacobian(), size, complex_c_); status != Status::ok)
      return status;
    statistics_.factor_matrix(2);
    h_factored_ = h;
    version_ = newton_.version();
    return Status::ok;
  }

  void guess(double h) {
    z_.setZero();
    if (is_cold() || !knows_last_) {
      eta_ = 1;  // nothing was predicted: one iteration has looked at the start of the step alone
      return;
    }
    const auto end = scheme_.cubic(1);
    for (int i = 0; i < 3; ++i) {
      const auto ahead = scheme_.cubic(1 + scheme_.c[i] * h / h_last_);
      for (int j = 0; j < 3; ++j) z_.col(i) += (ahead[j] - end[j]) * z_last_.col(j);
    }
  }

  // (2)
  Status iterate(double h) {
    newton_.monitor.begin(eta_);
    while (true) {
      if (is_full()) {
        stage_ = y0_ + z_.col(2);
        const double t = left(t0_ + h);
        if (const Status status = newton_.evaluate(t, stage_, delta_); status != Status::ok) return status;
        if (const Status status = newton_.renew(t, stage_, delta_); status != Status::ok) return status;
        if (const Status status = factor(h); status != Status::ok) return status;
      }
      ++statistics_.newton_iterations;
      for (int i = 0; i < 3; ++i) {
        stage_ = y0_ + z_.col(i);
        const Status status = newton_.evaluate(left(t0_ + scheme_.c[i] * h), stage_, F_.col(i));
        if (status != Status::ok) {
          newton_.monitor.shrink = 0.5;
          return status;
        }
      }
      slope_ = F_.col(2);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) F_.col(i) -= scheme_.inverse(i, j) / h * z_.col(j);
      combine_stages(scheme_.T_inverse, F_, w_);
      real_right_ = w_.col(0);
      if (const Status status = divide(); status != Status::ok) return status;
      right_.real() = w_.col(1);
      right_.imag() = w_.col(2);
      right_ *= complex_c_;
      if (const Status status = pair_.solve(right_, complex_delta_); status != Status::ok) return status;
      w_.col(0) = delta_;
      w_.col(1) = complex_delta_.real();
      w_.col(2) = complex_delta_.imag();
      combine_stages(scheme_.T, w_, F_);
      z_ += F_;
      double sum = 0;
      for (int i = 0; i < 3; ++i) {
        const double size = newton_.norm(F_.col(i));
        sum += size * size;
      }
      const auto verdict = newton_.monitor.judge(std::sqrt(sum / 3));
      if (verdict == NewtonMonitor::Verdict::go_on) continue;
      iterations_ = newton_.monitor.count;
      note_theta(newton_.monitor.theta);
      const bool good = verdict == NewtonMonitor::Verdict::converged ||
                        (iterations_ > 1 && is_round_off(h, std::sqrt(sum / 3)));
      eta_ = good ? newton_.monitor.eta : 1;
      return good ? Status::ok : Status::not_converged;
    }
  }

  Status divide() {  // delta_ ← (g/h − A)⁻¹ real_right_, which is overwritten
    real_right_ *= real_c_;
    return real_.solve(real_right_, delta_);
  }

  // (5) of ode_newton.hpp for the last stage, evaluated last at stage_ with slope_.
  bool is_round_off(double h, double size) {
    if (newton_.tremor(left(t0_ + h), stage_, slope_, real_right_) != Status::ok) return false;
    if (divide() != Status::ok) return false;
    return size <= OdeNewton::kTremors * newton_.norm(delta_);
  }

  Status estimate(double h) {  // (3)
    stage_ = scheme_.e[0] * z_.col(0) + scheme_.e[1] * z_.col(1) + scheme_.e[2] * z_.col(2);
    real_right_ = scheme_.g / h * stage_ + k0_;
    if (const Status status = divide(); status != Status::ok) return status;
    err_ = newton_.norm(delta_);
    if (!(err_ < 1) && (is_first() || is_after_rejection())) {
      delta_ += y0_;
      if (const Status status = newton_.evaluate(t0_, delta_, slope_); status != Status::ok) return status;
      real_right_ = scheme_.g / h * stage_ + slope_;
      if (const Status status = divide(); status != Status::ok) return status;
      err_ = newton_.norm(delta_);
    }
    if (!std::isfinite(err_)) err_ = 1e10;
    if (!(err_ <= 1)) worst_ = newton_.worst(delta_);
    return Status::ok;
  }

  void accept_own(double h) override {
    z_last_.swap(z_);
    shift_ = y1_ - y0_ - z_last_.col(2);
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
    real_.keep(memory);
    pair_.keep(memory);
  }

  const RadauCoefficients scheme_;
  Mat z_, z_last_, w_, F_;  // size × 3
  Vec shift_;               // what settling changed
  Vec stage_, real_right_, delta_, slope_;
  Eigen::VectorXcd right_, complex_delta_;
  FormMatrix<double> real_;
  FormMatrix<Complex> pair_;
  double real_c_ = 0;
  Complex complex_c_ = 0;
  double h_factored_ = 0, h_last_ = 0, eta_ = 1;
  long version_ = -1;
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
      const bool each_step = options.choice("jacobian") == "each-step";
      if (form.as_residual() != nullptr) return make_radau_on_residual(form, statistics, control, each_step);
      return make_steps_of<Radau>(form, statistics, control, each_step);
    },
};

}  // namespace driftless
