// Generalized-α, fixed step, on index 3 (or index 2).          Chung & Hulbert 1993; Arnold & Brüls 2007; Brüls & Cardona 2010
//   (1−αm) s₁ + αm s = (1−αf) a₁ + αf a                                                                              (1)
//   q₁ = q ⊕ (h v + h²[(½−β) s + β s₁]),   v₁ = v + h[(1−γ) s + γ s₁]                                                (2)
//   M(q₁) a₁ + J(q₁)ᵀλ₁ = f(t₁, q₁, v₁),   g(t₁, q₁) = 0                                                              (3)
//   αm = (2ρ−1)/(ρ+1), αf = ρ/(ρ+1), γ = ½ − αm + αf, β = ¼(1 − αm + αf)²                                             (4)
// The local increment is the unknown, so quaternions need no special care: incremental rotations. With β' = (1−αm)/(h²β(1−αf)),
// γ' = γ/(hβ), Newton's equations, scaled by σ = βh²/m̄ (m̄ the mean of diag M) so that they stay regular as h → 0:
//   [ σ(β'M + γ'C + K)  Jᵀ ] [dq ]     [ σ ρ ]
//   [ ∂rows             0  ] [dλ̃] = − [rows ],    λ̃ = σλ, velocity rows times h                                       (5)
// Order 2 in q, v, a and λ; ρ∞ = 0 … 1 is the damping of what the step cannot resolve. J v = ν holds to O(h²) only.
// Options: rho_inf (0.8), newton_tol (1e-8). Never with ρ∞ = 1 on constraints: the multipliers then oscillate undamped.
#include "driftless/integrator/residual_scheme.hpp"

namespace driftless {
namespace {

class GeneralizedAlpha final : public ResidualScheme {
 public:
  GeneralizedAlpha(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
      : ResidualScheme(form, statistics, control, options),
        rho_(options.number("rho_inf")),
        am_((2 * rho_ - 1) / (rho_ + 1)),  // (4)
        af_(rho_ / (rho_ + 1)),
        gamma_(0.5 - am_ + af_),
        beta_(0.25 * (1 - am_ + af_) * (1 - am_ + af_)),
        s_(nv_),
        s1_(nv_),
        increment_(nv_),
        q_before_(nq_),
        v_before_(nv_),
        a_before_(nv_),
        dynamics_(nv_),
        slip_(nv_) {}

 private:
  void begin() override {
    s_ = point_.a;
    rows_.resize(form_.rows());
    size_newton(nv_ + form_.multipliers());
    lambda_before_ = point_.lambda;
  }

  Status step(double h, double t1) override {
    q_before_ = point_.q;
    v_before_ = point_.v;
    a_before_ = point_.a;
    lambda_before_ = point_.lambda;
    if (const Status status = newton(h, t1); status != Status::ok) return status;
    s_ = s1_ + (1 - af_) / (1 - am_) * point_.a;
    if (form_.integrates_work()) {
      const double power = form_.power(point_);
      work_ += 0.5 * h * (power_ + power);
      power_ = power;
    }
    return Status::ok;
  }

  // The trial state with a₁ = 0; corrections then add to all three levels.
  void predict(double h, double t1) override {
    s1_ = (af_ * a_before_ - am_ * s_) / (1 - am_);  // (1)
    increment_ = h * v_before_ + h * h * ((0.5 - beta_) * s_ + beta_ * s1_);
    point_.t = t1;
    point_.v = v_before_ + h * ((1 - gamma_) * s_ + gamma_ * s1_);  // (2)
    point_.a.setZero();
    point_.lambda = lambda_before_;
    move();
    // Accelerations go on as they were: the iteration starts nearer its end.
    const double beta1 = (1 - am_) / (h * h * beta_ * (1 - af_));
    shift(h, a_before_ / beta1);
  }

  void move() {
    point_.q = q_before_;
    form_.system().retract(point_.q, increment_);
  }

  template <class Increment>
  void shift(double h, const Increment& dq) {
    increment_ += dq;
    point_.v += gamma_ / (h * beta_) * dq;
    point_.a += (1 - am_) / (h * h * beta_ * (1 - af_)) * dq;
    move();
  }

  void fill_matrix(double h, Mat& W) override {  // (5)
    mass_ = tangent_.M.diagonal().mean();
    const double sigma = beta_ * h * h / mass_, beta1 = (1 - am_) / (h * h * beta_ * (1 - af_)),
                 gamma1 = gamma_ / (h * beta_);
    W.setZero();
    W.topLeftCorner(nv_, nv_) = sigma * (beta1 * tangent_.M + gamma1 * tangent_.C + tangent_.K);
    W.topRightCorner(nv_, form_.multipliers()) = tangent_.J.transpose();
    W.bottomLeftCorner(form_.rows(), nv_) = tangent_.rows_q + gamma1 * tangent_.rows_v;
    W.bottomLeftCorner(form_.rows(), nv_).bottomRows(form_.velocity_rows()) *= h;
  }

  void fill_residual(double h, Vec& r) override {
    form_.residual(point_, dynamics_, slip_, rows_);
    r.head(nv_) = beta_ * h * h / mass_ * dynamics_;
    r.tail(rows_.size()) = rows_;
    r.tail(form_.velocity_rows()) *= h;
  }

  double correct(double h, const Vec& d) override {
    shift(h, d.head(nv_));
    point_.lambda += mass_ / (beta_ * h * h) * d.tail(form_.multipliers());
    const Layout& layout = form_.system().layout();
    const double move = (d.head(nv_).array() / layout.v_scale.array()).abs().maxCoeff();
    return form_.multipliers() > 0 ? move + max_abs(d.tail(form_.multipliers())) / layout.length : move;
  }

  double rho_, am_, af_, gamma_, beta_;
  double mass_ = 1;  // m̄
  Vec s_, s1_;       // algorithmic accelerations; s1_ without its share of a₁
  Vec increment_;    // of q
  Vec q_before_, v_before_, a_before_, lambda_before_;
  Vec dynamics_, slip_, rows_;
};

}  // namespace

extern const IntegratorRecord generalized_alpha_integrator;
const IntegratorRecord generalized_alpha_integrator = {
    .method = {"generalized-alpha",
               "generalized-alpha with constraints at position level, fixed step, damping chosen by rho_inf",
               "Chung & Hulbert 1993; Arnold & Bruls 2007; Garcia de Jalon & Bayo 1994, 7.1.4",
               {{.name = "rho_inf",
                 .default_value = "0.8",
                 .min = 0,
                 .max = 1,
                 .help = "spectral radius at infinity: 0 damps most, 1 not at all"},
                newton_tolerance("1e-8")}},
    .order = 2,
    .adaptive = false,
    .dense_output = true,
    .form = FormKind::residual,
    .formulations = {"index3", "index2"},
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return std::make_unique<GeneralizedAlpha>(form, statistics, control, options);
    },
};

}  // namespace driftless
