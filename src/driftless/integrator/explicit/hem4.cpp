// Half-explicit Runge–Kutta of order 4 on index 2.              Brasey & Hairer 1993; Hairer & Wanner VII.6
//   Qᵢ = q₀ + h Σ_{j<i} aᵢⱼ T(Qⱼ)Vⱼ,   Vᵢ = v₀ + h Σ_{j<i} aᵢⱼ Kⱼ,   i = 2 … 6, a₆ⱼ = bⱼ, (Q₆, V₆) = (q₁, v₁)              (1)
//   M(Qᵢ)Kᵢ + J(Qᵢ)ᵀΛᵢ = f(Qᵢ, Vᵢ),   J(Qᵢ₊₁)Vᵢ₊₁ = ν(Qᵢ₊₁): one linear system for Kᵢ and Λᵢ, since Qᵢ₊₁ is known           (2)
// Positions and velocities are explicit, the multipliers alone implicit, and every stage moves along the constraints: J v = ν
// holds to round-off, with no Newton iteration and no derivatives of M, J or f. The coefficients are those of Radau IIA in
// the last stages; all 192 conditions of order 4 for index 2 hold (tests/battery/integrator_test.cpp). Λ is of order 2 only
// and is not used further: accelerations and multipliers at the end of a step come from the index-1 equations there, which
// closes the step and gives the slopes of the cubic Hermite output.
//   error control: a step of h against two of h/2, which are carried on:  e = (y(h/2, h/2) − y(h)) / 15                    (3)
// by step_controller.hpp with k = 5, β = 0, sharpened by (4) there with p = 4. (V₅ at c = 1 is an embedded solution, but of order 2: its error would force
// steps as short as those of a method of order 2.)
// g drifts like h⁴ t, as the formulation index2 lets it. Cost: 6 evaluations and factorisations a fixed step, 16 a pair of
// controlled ones. No options. Fails where forces are stiff, like any explicit scheme, and where J loses rank.
#include "driftless/integrator/explicit/hem4.hpp"

#include <array>
#include <cmath>

#include "driftless/formulation/residual/residual_form.hpp"
#include "driftless/integrator/step_controller.hpp"
#include "driftless/integrator/step_loop.hpp"

namespace driftless {

HalfExplicitTableau hem4_tableau() {
  const double s = std::sqrt(6.0);
  HalfExplicitTableau out;
  out.c << 0, 0.3, (4 - s) / 10, (4 + s) / 10, 1, 1;
  out.a.setZero();
  out.a(1, 0) = 0.3;
  out.a.row(2).head(2) << (1 + s) / 30, (11 - 4 * s) / 30;
  out.a.row(3).head(3) << (-79 - 31 * s) / 150, (-1 - 4 * s) / 30, (24 + 11 * s) / 25;
  out.a.row(4).head(4) << (14 + 5 * s) / 6, (-8 + 7 * s) / 6, (-9 - 7 * s) / 4, (9 - s) / 4;
  out.a.row(5) << 0, 0, (16 - s) / 36, (16 + s) / 36, 1.0 / 9;
  return out;
}

namespace {

class Hem4 final : public Scheme {
 public:
  Hem4(ResidualForm& form, Statistics& statistics, const StepControl& control)
      : Scheme(form, statistics, control),
        dae_(form),
        system_(form.system()),
        nq_(system_.layout().nq),
        nv_(system_.layout().nv),
        even_(system_.make_terms()),
        odd_(system_.make_terms()),
        k_(form.size(), 5),
        stage_(form.size()),
        next_(form.size()),
        middle_(form.size()),
        error_(form.size()),
        r_(system_.layout().m),
        lambda_(system_.layout().m),
        sharpness_(sharpening(control.rtol, 4)) {}

 private:
  StepPolicy& policy() override { return controller_; }
  int exponent() const override { return 4; }
  void forget() override {}
  void keep(Memory&) override {}

  Status attempt(double h, double t1) override {
    const double t_end = left(t1);
    if (is_fixed()) return step(t0_, y0_, h, t_end, y1_);
    if (const Status status = step(t0_, y0_, h, t_end, error_); status != Status::ok) return status;
    if (const Status status = step(t0_, y0_, h / 2, t_end, middle_); status != Status::ok) return status;
    if (const Status status = step(t0_ + h / 2, middle_, h / 2, t_end, y1_); status != Status::ok)
      return status;
    error_ = (y1_ - error_) / 15;  // (3)
    return Status::ok;
  }

  double error(double) override { return sharpness_ * weighted(error_); }

  // (1) and (2), from (t0, y0) to y1; nothing later than `latest`.
  Status step(double t0, const Vec& y0, double h, double latest, Vec& y1) {
    Terms *here = &even_, *ahead = &odd_;
    double t = t0;
    stage_ = y0;
    system_.position(t, stage_.head(nq_), *here);
    for (int i = 0; i < 5; ++i) {
      const double t_next = std::min(t0 + scheme_.c[i + 1] * h, latest), weight = h * scheme_.a(i + 1, i);
      const auto q = stage_.head(nq_), v = stage_.segment(nq_, nv_);
      auto k = k_.col(i);
      ++statistics_.evaluations;
      system_.kinematics(t, q, v, k.head(nq_));
      system_.mass(t, q, *here);
      system_.force(t, q, v, *here);
      next_ = y0;
      for (int j = 0; j < i; ++j) next_ += h * scheme_.a(i + 1, j) * k_.col(j);
      next_.head(nq_) += weight * k.head(nq_);
      system_.position(t_next, next_.head(nq_), *ahead);
      velocity_residual(*ahead, next_.segment(nq_, nv_), r_);
      r_ /= -weight;
      if (const Status status = dae_.solve_ahead(*here, *ahead, r_, k.segment(nq_, nv_), lambda_);
          status != Status::ok)
        return status;
      next_.segment(nq_, nv_) += weight * k.segment(nq_, nv_);
      if (dae_.integrates_work()) {
        k[k.size() - 1] = system_.applied_power(t, q, v, *here) - lambda_.dot(here->nu);
        next_[k.size() - 1] += weight * k[k.size() - 1];
      }
      if (!std::isfinite(k.sum())) return Status::not_finite;
      stage_.swap(next_);
      std::swap(here, ahead);
      t = t_next;
    }
    y1 = stage_;
    return Status::ok;
  }

  const HalfExplicitTableau scheme_ = hem4_tableau();
  ResidualForm& dae_;
  const DescriptorSystem& system_;
  const int nq_, nv_;
  Terms even_, odd_;  // at Qᵢ and at Qᵢ₊₁, in turn
  Mat k_;             // a column per stage: T V, K, power
  Vec stage_, next_, middle_, error_;
  Vec r_, lambda_;
  StepController controller_{{.exponent = 5, .beta = 0}};
  const double sharpness_;  // (4) there
};

}  // namespace

extern const IntegratorRecord hem4_integrator;
const IntegratorRecord hem4_integrator = {
    .method = {"hem4",
               "half-explicit Runge-Kutta of order 4: velocities on the constraints without iteration",
               "Brasey & Hairer 1993; Hairer & Wanner, VII.6",
               {realtime_clock()}},
    .order = 4,
    .adaptive = true,
    .dense_output = true,
    .takes_ode = false,
    .rows = {ResidualRows::velocity},
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options&)
        -> std::unique_ptr<Integrator> {
      return make_steps_of<Hem4>(*form.as_residual(), statistics, control);
    },
};

}  // namespace driftless
