// Collocation of the equations of motion beyond the end of the step: wilson-theta and the family it belongs to.
//                                     Wilson 1968; Hilber & Hughes 1978; García de Jalón & Bayo (7.37)–(7.42), corrected
// With H = θh, θ ≥ 1, equilibrium holds at t + H:
//   q_θ = q ⊕ (H v + H²[(½−β) a + β a_θ]),   v_θ = v + H[(1−γ) a + γ a_θ],   ρ(t + H, q_θ, v_θ, a_θ) = 0               (1)
//   a₁ = a + (a_θ − a)/θ;   q₁ and v₁ as in (1) with h and a₁ in place of H and a_θ                                    (2)
// Newton's equations for the increment of q_θ, scaled by σ = βH²/m̄ (m̄ the mean of diag M):
//   σ (M/(βH²) + γ/(βH) C + K) dq = −σ ρ                                                                              (3)
// wilson-theta is β = 1/6, γ = ½: linear acceleration. Order 2 if γ = ½; unconditionally stable if besides
//   θ/(2(θ+1)) ≥ β ≥ (2θ²−1)/(4(2θ³−1));   for β = 1/6: θ ≥ (1+√3)/2 = 1.366                                           (4)
// Local error:  e = c h² (a₁ − a),   c = max(|β − 1/6|, θ/4 − 1/6), plus |γ−½| h · 1 s for γ ≠ ½, sharpened by (4) of
// step_controller.hpp: at loose tolerances Newton's method on penalties bounds the step, and errors would hardly fall     (5)
// A step that ends at a discontinuity takes t there in place of t + H, which it must not see: one error of O(h²) in v.
// No constraint rows: for unconstrained systems, or constraints by penalty. Options: theta (1.4 | 1.287), beta (0.2), gamma
// (1/2), newton_tol (1e-8), realtime (0). Wilson's scheme overshoots in the first steps; both are here for comparison.
#include <algorithm>
#include <cmath>

#include "driftless/integrator/step_controller.hpp"
#include "driftless/integrator/structural/newton_scheme.hpp"

namespace driftless {
namespace {

struct CollocationParameters {
  double theta, beta, gamma;
};

class Collocation final : public NewtonScheme {
 public:
  Collocation(const CollocationParameters& parameters,
              OdeForm& form,
              Statistics& statistics,
              const StepControl& control,
              const Options& options)
      : NewtonScheme(form, statistics, control, options),
        theta_(parameters.theta),
        beta_(parameters.beta),
        gamma_(parameters.gamma),
        q_before_(nq_),
        v_before_(nv_),
        a_before_(nv_),
        increment_(nv_),
        dynamics_(nv_),
        slip_(nv_) {}

 private:
  void begin_own() override { size_newton(nv_); }

  Status step(double h, double t1) override {
    q_before_ = point_.q;
    v_before_ = point_.v;
    a_before_ = point_.a;
    if (const Status status = newton(h, t1); status != Status::ok) return status;
    increment_ = (point_.a - a_before_) / theta_;  // of a; (2)
    point_.a = a_before_ + increment_;
    go(h);
    point_.t = t1;
    form_.residual(point_, dynamics_, slip_, rows_);  // the terms where the step ends
    if (form_.integrates_work()) {
      const double power = form_.power(point_);
      work_ += 0.5 * h * (power_ + power);
      power_ = power;
    }
    return Status::ok;
  }

  // q and v a time H from where the step began, with the acceleration of point_ there.
  void go(double H) {
    increment_ = H * v_before_ + H * H * ((0.5 - beta_) * a_before_ + beta_ * point_.a);
    point_.q = q_before_;
    form_.system().retract(point_.q, increment_);
    point_.v = v_before_ + H * ((1 - gamma_) * a_before_ + gamma_ * point_.a);
  }

  void estimate(double h, Vec& error) override {  // (5)
    const double c = std::max(std::abs(beta_ - 1.0 / 6), theta_ / 4 - 1.0 / 6);
    error = sharpening(control_.rtol, order()) * (c * h * h + std::abs(gamma_ - 0.5) * h) *
            (point_.a - a_before_);
  }
  double reach() const override { return theta_; }
  int order() const override { return gamma_ != 0.5 ? 1 : 2; }

  void predict(double h, double t1) override {
    point_.t = std::min(t1 + (theta_ - 1) * h, left_of_limit_);
    point_.a = a_before_;
    go(theta_ * h);
  }

  void fill_matrix(double h, SparseAssembly<double>& W) override {  // (3)
    mass_ = tangent_.mean_mass();
    const double H = theta_ * h;
    W.assemble([&](SparseAssembly<double>& out) {
      out.add_block(tangent_.M, 0, 0, 1 / mass_);
      out.add_block(tangent_.C, 0, 0, gamma_ * H / mass_);
      out.add_block(tangent_.K, 0, 0, beta_ * H * H / mass_);
    });
  }

  void fill_residual(double h, Vec& r) override {
    form_.residual(point_, dynamics_, slip_, rows_);
    r = beta_ * theta_ * theta_ * h * h / mass_ * dynamics_;
  }

  double correct(double h, const Vec& d) override {
    const double H = theta_ * h;
    point_.a += d / (beta_ * H * H);
    go(H);
    return (d.array() / form_.system().layout().v_scale.array()).abs().maxCoeff<Eigen::PropagateNaN>();
  }

  double theta_, beta_, gamma_;
  double mass_ = 1;  // m̄
  Vec q_before_, v_before_, a_before_, increment_;
  Vec dynamics_, slip_, rows_;
};

CollocationParameters wilson_parameters(const Options& options) {
  return {options.number("theta"), 1.0 / 6, 0.5};
}
CollocationParameters collocation_parameters(const Options& options) {
  return {options.number("theta"), options.number("beta"), options.number("gamma")};
}

template <CollocationParameters (*parameters)(const Options&)>
std::unique_ptr<Integrator> make_collocation(OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control,
                                             const Options& options) {
  return make_steps_of<Collocation>(parameters(options), form, statistics, control, options);
}

}  // namespace

extern const IntegratorRecord wilson_theta_integrator, collocation_integrator;

const IntegratorRecord wilson_theta_integrator = {
    .method = {"wilson-theta",
               "Wilson's theta method with error control: linear acceleration, equilibrium beyond the step",
               "Wilson 1968; Garcia de Jalon & Bayo 1994, (7.37)-(7.39)",
               {{.name = "theta",
                 .default_value = "1.4",
                 .min = 1,
                 .max = 3,
                 .help = "where equilibrium holds, in steps; unconditionally stable from 1.366 on"},
                newton_tolerance("1e-8"),
                realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .takes_ode = false,
    .rows = {ResidualRows::none},
    .make = &make_collocation<&wilson_parameters>,
};

const IntegratorRecord collocation_integrator = {
    .method = {"collocation",
               "Hilber's collocation family with error control: Newmark and Wilson are members",
               "Hilber & Hughes 1978; Garcia de Jalon & Bayo 1994, (7.40)-(7.42)",
               {{.name = "theta",
                 .default_value = "1.287",
                 .min = 1,
                 .max = 3,
                 .help = "where equilibrium holds, in steps"},
                {.name = "beta",
                 .default_value = "0.2",
                 .min = 0.01,
                 .max = 1,
                 .help = "stable if theta/(2(theta+1)) >= beta >= (2 theta^2-1)/(4(2 theta^3-1))"},
                {.name = "gamma",
                 .default_value = "0.5",
                 .min = 0.5,
                 .max = 1,
                 .help = "0.5: order 2; above: damping, but order 1"},
                newton_tolerance("1e-8"),
                realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .takes_ode = false,
    .rows = {ResidualRows::none},
    .make = &make_collocation<&collocation_parameters>,
};

}  // namespace driftless
