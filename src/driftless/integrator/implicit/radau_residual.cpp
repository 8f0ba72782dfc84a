// Radau IIA of three stages on residual forms: index3, index2, index2-ggl.  Hairer & Wanner VI.1, VI.2, VII.4, IV.8; García de
// Jalón & Bayo (7.57)–(7.60), sign of the constraint force corrected
// Stages i = 1, 2, 3 at t + cᵢh, with U = (q, v, λ, μ) = u + zᵢ and derivatives Σⱼ (A⁻¹)ᵢⱼ zⱼ/h:
//   Q̇ᵢ = Vᵢ − W⁻¹J_hᵀμᵢ,   M(Qᵢ) V̇ᵢ + J(Qᵢ)ᵀλᵢ = f(tᵢ, Qᵢ, Vᵢ),   the rows of the form at Qᵢ, Vᵢ;   u₁ = u + z₃          (1)
// Newton: tangent at the start of the step for all stages; the eigenvectors of A⁻¹ (radau_coefficients.hpp) uncouple them into
// one real system with 1/c = g/h and one complex with (a + ib)/h, each of size nv + λ + μ (first_order_system.hpp)       (2)
// converged when η|ΔZ| ≤ κ = max(10ε/rtol, min(0.03, √rtol)), by (2), (3) of ode_newton.hpp; fixed steps: to round-off
//   e: the real system with r₁ = v − W⁻¹J_hᵀμ + F_q, r₂ = −ρ(t, q, v, −F_v, λ), r₃ = 0, F = g/h (e₁z₁ + e₂z₂ + e₃z₃)      (3)
// of order 3. Where it is refused in the first step or behind a rejection, once more with u + e in place of u.
//   tested: q and v; on index 3, where v is of index 2, q and h·v by the measure of q. Multipliers take no part.          (4)
//   step sizes: (3) of step_controller.hpp, k = 4, factors 0.2 … 8. The tangent is kept while θ ≤ 0.02, h within [1, 1.2]   (5)
//   dense output: the cubic through (0, 0), (cᵢ, zᵢ); starting values: that of the last step, continued, or Taylor's        (6)
// Orders of q, v, λ: index3 5, 3, 2; index2 and index2-ggl 5, 5, 3. Needs q̇ = v. Option: jacobian=kept or each-step.
// Cost: three residuals, a real and a complex solve an iteration; 4 nv forces where the tangent is renewed. A fixed step whose
// iteration fails is tried with a new tangent, then with one for every iterate; then the run ends. Fails where J loses rank.
#include "driftless/integrator/implicit/radau_residual.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "driftless/integrator/first_order_system.hpp"
#include "driftless/integrator/implicit/ode_newton.hpp"
#include "driftless/integrator/implicit/radau_coefficients.hpp"
#include "driftless/integrator/implicit/residual_scheme.hpp"
#include "driftless/integrator/step_controller.hpp"
#include "driftless/integrator/step_plan.hpp"
#include "driftless/math/newton_lu.hpp"

namespace driftless {
namespace {

using Complex = std::complex<double>;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kExponent = 4, kGrow = 8, kCut = 0.2;  // (5)
constexpr double kSlow = 0.02;  // θ behind which the tangent is renewed: 1e-3 and 0.1 cost up to a fifth more
constexpr int kIterations = 10, kFixedStepIterations = 50;
constexpr double kFixedStepTolerance = 1e-14, kRoundOffOfZ = 1e-10;  // of |ΔZ|, in sizes of the coordinates

class RadauOnResidual final : public ResidualScheme {
 public:
  RadauOnResidual(OdeForm& form, Statistics& statistics, const StepControl& control, bool renews_always)
      : ResidualScheme(form, statistics, control),
        theta_J_(renews_always ? -1 : kSlow),
        weight_(2 * nv_),
        magnitude_(form.size()),
        dynamics_(nv_),
        slip_(nv_) {
    monitor_.most = adaptive() ? kIterations : kFixedStepIterations;
    monitor_.recalls = adaptive();
    monitor_.exactly = control.realtime;
    monitor_.kappa = adaptive()
                         ? std::max(10 * kEpsilon / control.rtol, std::min(0.03, std::sqrt(control.rtol)))
                         : kFixedStepTolerance;
  }

  std::string remark() const override { return monitor_.remark(); }
  void interpolate(double t, VecRef y) const override {
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1;
    if (theta == 1) {
      y = y1_;
      return;
    }
    const Eigen::Vector3d weights = scheme_.cubic(theta);  // (6)
    y = y0_ + theta * shift_;
    for (int i = 0; i < 3; ++i) {
      y.head(2 * nv_) += weights[i] * z_last_.col(i).head(2 * nv_);
      if (form_.integrates_work()) y[y.size() - 1] += weights[i] * z_last_(z_last_.rows() - 1, i);
    }
  }

 private:
  void begin_own() override {
    const bool index3 = form_.position_rows() > 0 && form_.slips() == 0;
    test(index3 ? Tested::positions_and_ways : Tested::positions_and_velocities);  // (4)
    real_.size(form_);
    pair_.size(form_);
    const int n = real_.unknowns(), all = real_.components();
    W_.size(n);
    complex_W_.size(n);
    lu_.size(n);
    complex_lu_.size(n);
    right_.resize(n);
    x_.resize(n);
    complex_right_.resize(n);
    complex_x_.resize(n);
    r_.resize(all);
    d_.resize(all);
    complex_r_.resize(all);
    complex_d_.resize(all);
    R_.resize(all, 3);
    w_.resize(all, 3);
    z_.setZero(all + (form_.integrates_work() ? 1 : 0), 3);
    z_last_ = z_;
    shift_.setZero(y1_.size());
    rows_.resize(form_.rows());
    stage_ = start_ = form_.make_point();
    knows_tangent_ = knows_last_ = false;
    wants_tangent_ = is_cold_ = true;
    h_factored_ = 0;
    eta_ = err_old_ = 1;
  }

  Status step(double h, double t1) override {
    start_ = point_;
    work_start_ = work_;
    weigh(h);
    Status status = Status::not_converged;
    const int rungs = adaptive() || control_.realtime > 0 ? 1 : 3;
    for (int rung = 0; rung < rungs && asks_for_shorter_step(status); ++rung) {
      if (rung > 0) {
        is_cold_ = true;
        knows_tangent_ = false;
      }
      if (!knows_tangent_ || (wants_tangent_ && !is_current_)) renew(start_);
      if (status = factor(h); status == Status::ok) {
        guess(h);
        status = iterate(h, rung == 2);
      }
    }
    if (status != Status::ok) return status;
    finish(h, t1);
    return Status::ok;
  }

  // 1/sc of q and v, (4); with fixed steps their sizes.
  void weigh(double h) {
    const Vec& scale = form_.scale();
    const bool as_ways = form_.position_rows() > 0 && form_.slips() == 0;
    form_.magnitudes(y0_, magnitude_);
    double coarsest = 0;
    tested_ = 0;
    for (int i = 0; i < 2 * nv_; ++i) {
      const bool is_way = as_ways && i >= nv_;
      const int k = is_way ? i - nv_ : i;
      const double size = scale[k] + magnitude_[k];
      const double sc = adaptive() ? control_.atol * scale[k] + control_.rtol * magnitude_[k] : size;
      weight_[i] = scale[k] > 0 ? (is_way ? h : 1) / sc : 0;
      if (scale[k] == 0) continue;
      ++tested_;
      coarsest = std::max(coarsest, size / sc);
    }
    tested_ = std::max(tested_, 1);
    monitor_.floor = adaptive() ? 1e-13 * coarsest : kRoundOffOfZ;
  }
  double size_of(ConstVec d) const {
    return std::sqrt(d.head(2 * nv_).cwiseProduct(weight_).squaredNorm() / tested_);
  }

  void renew(const DaePoint& at) {
    ++statistics_.jacobians;
    form_.tangent(at, tangent_);
    knows_tangent_ = is_current_ = true;
    wants_tangent_ = false;
    h_factored_ = 0;
  }

  Status factor(double h) {  // (2)
    if (h == h_factored_) return Status::ok;
    real_.fill(form_, tangent_, h / scheme_.g, W_);
    pair_.fill(form_, tangent_, h / Complex(scheme_.a, scheme_.b), complex_W_);
    statistics_.factor_matrix(2);
    h_factored_ = 0;
    if (const Status status = lu_.factor(W_); status != Status::ok) return status;
    if (const Status status = complex_lu_.factor(complex_W_); status != Status::ok) return status;
    h_factored_ = h;
    return Status::ok;
  }

  void guess(double h) {  // (6)
    z_.setZero();
    if (is_cold_ || !knows_last_) {
      for (int i = 0; i < 3; ++i) {
        const double c = scheme_.c[i] * h;
        z_.col(i).head(nv_) = c * start_.v + 0.5 * c * c * start_.a;
        z_.col(i).segment(nv_, nv_) = c * start_.a;
      }
      return;
    }
    const Eigen::Vector3d end = scheme_.cubic(1);
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d ahead = scheme_.cubic(1 + scheme_.c[i] * h / h_last_);
      for (int j = 0; j < 3; ++j) z_.col(i) += (ahead[j] - end[j]) * z_last_.col(j);
    }
  }

  // The residuals of stage i, (1); leaves the terms of the form there.
  void evaluate(int i, double h) {
    const int m = form_.multipliers(), slips = form_.slips();
    const auto z = z_.col(i);
    stage_.t = std::min(start_.t + scheme_.c[i] * h, left_of_limit_);
    stage_.q = start_.q + z.head(nv_);
    stage_.v = start_.v + z.segment(nv_, nv_);
    stage_.lambda = start_.lambda + z.segment(2 * nv_, m);
    stage_.mu = start_.mu + z.segment(2 * nv_ + m, slips);
    auto r1 = R_.col(i).head(nv_);
    r1.setZero();
    stage_.a.setZero();
    for (int j = 0; j < 3; ++j) {
      r1 += scheme_.inverse(i, j) / h * z_.col(j).head(nv_);
      stage_.a += scheme_.inverse(i, j) / h * z_.col(j).segment(nv_, nv_);
    }
    ++statistics_.evaluations;
    form_.residual(stage_, dynamics_, slip_, rows_);
    r1 += slip_ - stage_.v;
    R_.col(i).segment(nv_, nv_) = dynamics_;
    R_.col(i).tail(rows_.size()) = rows_;
  }

  Status iterate(double h, bool fully) {  // (2)
    const int n = real_.components();
    monitor_.begin(eta_);
    while (true) {
      if (fully) {
        evaluate(2, h);
        renew(stage_);
        if (const Status status = factor(h); status != Status::ok) return status;
      }
      ++statistics_.newton_iterations;
      for (int i = 0; i < 3; ++i) evaluate(i, h);
      combine_stages(scheme_.T_inverse, R_, w_);
      r_ = w_.col(0);
      if (const Status status = solve(r_, d_); status != Status::ok) return fail(status);
      complex_r_.real() = w_.col(1);
      complex_r_.imag() = w_.col(2);
      pair_.reduce(complex_r_, complex_right_);
      if (const Status status = complex_lu_.solve(complex_right_, complex_x_); status != Status::ok)
        return fail(status);
      pair_.expand(complex_r_, complex_x_, complex_d_);
      w_.col(0) = d_;
      w_.col(1) = complex_d_.real();
      w_.col(2) = complex_d_.imag();
      combine_stages(scheme_.T, w_, R_);
      z_.topRows(n) -= R_;
      double sum = 0;
      for (int i = 0; i < 3; ++i) {
        const double size = size_of(R_.col(i));
        sum += size * size;
      }
      if (!std::isfinite(sum)) return fail(Status::not_finite);
      const auto verdict = monitor_.judge(std::sqrt(sum / 3));
      if (verdict == NewtonMonitor::Verdict::go_on) continue;
      if (verdict == NewtonMonitor::Verdict::failed) return fail(Status::not_converged);
      eta_ = monitor_.eta;
      return Status::ok;
    }
  }
  Status solve(const Vec& r, Vec& d) {
    real_.reduce(r, right_);
    if (const Status status = lu_.solve(right_, x_); status != Status::ok) return status;
    real_.expand(r, x_, d);
    return Status::ok;
  }
  Status fail(Status status) {
    eta_ = 1;
    is_cold_ = true;
    if (!is_current_) wants_tangent_ = true;
    return status;
  }

  // The end of the step into point_; work along the collocation polynomial.
  void finish(double h, double t1) {
    if (form_.integrates_work()) {
      Eigen::Vector3d powers;
      for (int i = 0; i < 3; ++i) {
        evaluate(i, h);
        powers[i] = form_.power(stage_);
      }
      z_.row(z_.rows() - 1) = h * (scheme_.A * powers).transpose();
      work_ = work_start_ + z_(z_.rows() - 1, 2);
      power_ = powers[2];
    } else {
      evaluate(2, h);
    }
    point_ = stage_;
    point_.t = t1;
  }

  void estimate(double h, Vec& error) override {  // (3)
    z_error_ = scheme_.g / h * Eigen::Vector3d(scheme_.e);
    stage_ = start_;
    judge_at_start(error);
    if (norm(h, error) < 1 || !(is_first() || is_after_rejection())) return;
    const int m = form_.multipliers();
    stage_.q = start_.q + d_.head(nv_);
    stage_.v = start_.v + d_.segment(nv_, nv_);
    stage_.lambda = start_.lambda + d_.segment(2 * nv_, m);
    stage_.mu = start_.mu + d_.tail(form_.slips());
    judge_at_start(error);
  }
  // (3) with stage_ in place of u; e in d_.
  void judge_at_start(Vec& error) {
    r_.setZero();
    stage_.a.setZero();
    for (int i = 0; i < 3; ++i) {
      r_.head(nv_) += z_error_[i] * z_.col(i).head(nv_);
      stage_.a -= z_error_[i] * z_.col(i).segment(nv_, nv_);
    }
    ++statistics_.evaluations;
    form_.residual(stage_, dynamics_, slip_, rows_);
    r_.head(nv_) += stage_.v - slip_;
    r_.segment(nv_, nv_) = -dynamics_;
    if (solve(r_, d_) != Status::ok)
      d_.setConstant(std::numeric_limits<double>::infinity());  // as bad as can be
    error = d_.head(2 * nv_);
  }

  double next_step(double h, double error) override {  // (5)
    const double err = std::max(error, 1e-10);
    wants_tangent_ = monitor_.theta > theta_J_;
    double quotient = newton_quotient(err, kExponent, monitor_.count, kIterations);
    if (!is_first() && h_old_ > 0)
      quotient = std::max(quotient, predicted_quotient(err, err_old_, kExponent, h_old_ / h));
    double next = h / std::clamp(quotient, 1 / kGrow, 1 / kCut);
    if (is_after_rejection()) next = std::min(next, h);
    if (!wants_tangent_ && next >= h && next <= 1.2 * h) next = h;
    err_old_ = std::max(error, 1e-2);
    h_old_ = h;
    return next;
  }
  double step_after_rejection(double h, double error) override {
    is_cold_ = true;
    if (!is_current_) wants_tangent_ = true;
    if (is_first()) return h / 10;
    return h /
           std::clamp(newton_quotient(error, kExponent, monitor_.count, kIterations), 1 / kGrow, 1 / kCut);
  }
  std::span<const double> stage_times() const override { return {scheme_.c.data(), 3}; }
  double step_after_failure(double h, Status status) override {
    return h * (status == Status::not_converged ? monitor_.shrink : 0.5);
  }

  void accept_own(double h) override {
    if (!adaptive()) wants_tangent_ = control_.realtime > 0 || monitor_.theta > std::max(theta_J_, 0.1);
    z_last_.swap(z_);
    shift_.head(2 * nv_) =
        y1_.head(2 * nv_) - y0_.head(2 * nv_) - z_last_.col(2).head(2 * nv_);  // by settling
    h_last_ = h;
    knows_last_ = true;
    is_cold_ = is_current_ = false;
    if (!adaptive()) return;
    point_.t = std::min(t1_, left_of_limit_);
    form_.residual(point_, dynamics_, slip_,
                   rows_);  // leaves the terms where the step ends; the estimate did not
    point_.t = t1_;
  }

  void keep_own(Memory& memory) override {  // factors follow from the tangent
    for (double* x : {&err_old_, &h_old_, &h_last_, &eta_}) memory(*x);
    for (bool* x : {&knows_tangent_, &is_current_, &wants_tangent_, &knows_last_, &is_cold_}) memory(*x);
    if (knows_last_) memory(z_last_);
    if (knows_tangent_) keep_tangent(memory, tangent_);
    lu_.keep(memory);
    complex_lu_.keep(memory);
  }

  const RadauCoefficients scheme_;
  const double theta_J_;
  NewtonMonitor monitor_;
  Vec weight_, magnitude_;
  int tested_ = 1;
  DaePoint start_, stage_;
  double work_start_ = 0;
  Mat z_, z_last_;  // zᵢ in columns: q, v, λ, μ, W
  Mat R_, w_;
  Vec shift_;  // what settling changed
  Vec dynamics_, slip_, rows_;
  FirstOrderSystem<double> real_;
  FirstOrderSystem<Complex> pair_;
  SparseAssembly<double> W_;
  SparseAssembly<Complex> complex_W_;
  NewtonLu<double> lu_;
  NewtonLu<Complex> complex_lu_;
  Vec right_, x_, r_, d_;
  Eigen::VectorXcd complex_right_, complex_x_, complex_r_, complex_d_;
  Eigen::Vector3d z_error_;
  double h_factored_ = 0, h_last_ = 0, h_old_ = 0;
  double eta_ = 1, err_old_ = 1;
  bool knows_tangent_ = false, is_current_ = false, wants_tangent_ = true;
  bool knows_last_ = false, is_cold_ = true;
};

}  // namespace

std::unique_ptr<Integrator> make_radau_on_residual(OdeForm& form,
                                                   Statistics& statistics,
                                                   const StepControl& control,
                                                   bool renews_always) {
  return make_steps_of<RadauOnResidual>(form, statistics, control, renews_always);
}

}  // namespace driftless
