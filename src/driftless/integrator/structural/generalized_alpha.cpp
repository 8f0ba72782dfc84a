// Newmark's family: newmark, hht-alpha and generalized-alpha are one step with different parameters.
//                     Newmark 1959; Hilber, Hughes & Taylor 1977; Chung & Hulbert 1993; Arnold & Brüls 2007; Brüls & Cardona 2010
//   (1−αm) s₁ + αm s = (1−αf) a₁ + αf a                                                                              (1)
//   q₁ = q ⊕ (h v + h²[(½−β) s + β s₁]),   v₁ = v + h[(1−γ) s + γ s₁]                                                (2)
//   M(q₁) a₁ + J(q₁)ᵀλ₁ = f(t₁, q₁, v₁),   g(t₁, q₁) = 0                                                              (3)
//   generalized-alpha  αm = (2ρ−1)/(ρ+1), αf = ρ/(ρ+1), γ = ½ − αm + αf, β = ¼(1 − αm + αf)²                          (4)
//   hht-alpha          αm = 0, αf = −α, γ and β as in (4): order 2 for M(q) too, which García de Jalón & Bayo (7.36) lose
//   newmark            αm = αf = 0, so s = a; β and γ are options                          García de Jalón & Bayo (7.28)–(7.33)
// The local increment is the unknown, so quaternions need no special care: incremental rotations. With β' = (1−αm)/(h²β(1−αf)),
// γ' = γ/(hβ), Newton's equations, scaled by σ = βh²/m̄ (m̄ the mean of diag M) so that they stay regular as h → 0:
//   [ σ(β'M + γ'C + K)  Jᵀ ] [dq ]     [ σ ρ ]
//   [ ∂rows             0  ] [dλ̃] = − [rows ],    λ̃ = σλ, velocity rows times h                                       (5)
// Error control: s stands for the acceleration at t + (αm−αf) h, so it is moved when the step changes,
//   s ← s + (αm−αf)(h' − h) ṡ,   ṡ = (s₁ − s)/h of the last step                                                      (6)
//   e = c h² (s₁ − s),   c = max(|β + (αm−αf)/2 − 1/6|, 1/12): velocities err so much even where β = 1/6                 (7)
//   newmark with γ ≠ ½ has order 1; the error (γ−½) h (s₁ − s) of v over one second is added to e then
// energy = constant (newmark as the trapezoidal rule): energy_constraint.hpp.
// Order 2 in q, v, a and λ. J v = ν holds to O(h²) only; project = velocity makes it exact (a and s are kept), project =
// acceleration solves a₁ and λ₁ from the index-1 equations besides. Options: rho_inf (0.8) | alpha (−0.1) | beta (1/4), gamma (1/2);
// newton_tol (1e-8), project (none), realtime (0). Without damping (newmark with γ = ½, ρ∞ = 1, α = 0) accelerations and
// multipliers of constrained systems oscillate and grow: use project = acceleration or another member.
#include <cmath>
#include <limits>
#include <memory>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/structural/energy_constraint.hpp"
#include "driftless/integrator/structural/newton_scheme.hpp"

namespace driftless {
namespace {

struct Parameters {
  double am, af, gamma, beta;
  bool keeps_energy = false;
};

Parameters from_alphas(double am, double af) {  // (4)
  return {am, af, 0.5 - am + af, 0.25 * (1 - am + af) * (1 - am + af)};
}

enum class Projection { none, velocity, acceleration };

class GeneralizedAlpha final : public NewtonScheme {
 public:
  GeneralizedAlpha(const Parameters& parameters,
                   OdeForm& form,
                   Statistics& statistics,
                   const StepControl& control,
                   const Options& options)
      : NewtonScheme(form, statistics, control, options),
        am_(parameters.am),
        af_(parameters.af),
        gamma_(parameters.gamma),
        beta_(parameters.beta),
        projection_(options.choice("project") == "none"       ? Projection::none
                    : options.choice("project") == "velocity" ? Projection::velocity
                                                              : Projection::acceleration),
        s_(nv_),
        s_dot_(nv_),
        s0_(nv_),
        s1_(nv_),
        increment_(nv_),
        q_before_(nq_),
        v_before_(nv_),
        a_before_(nv_),
        dynamics_(nv_),
        slip_(nv_) {
    if (parameters.keeps_energy) energy_ = std::make_unique<EnergyConstraint>(form_);
  }

 private:
  void begin_own() override {
    if (energy_) energy_->begin(point_, work_);
    s_ = point_.a;
    s_dot_.setZero();
    h_of_s_ = 0;
    rows_.resize(form_.rows());
    size_newton(nv_ + form_.multipliers());
    lambda_before_ = point_.lambda;
  }

  Status step(double h, double t1) override {
    q_before_ = point_.q;
    v_before_ = point_.v;
    a_before_ = point_.a;
    lambda_before_ = point_.lambda;
    s0_ = s_ + (am_ - af_) * (h - h_of_s_) * s_dot_;  // (6)
    if (energy_) energy_->open(h, work_, power_);
    if (const Status status = newton(h, t1); status != Status::ok) return status;
    if (energy_) energy_->leave_out_of(point_);
    if (projection_ != Projection::none)
      if (const Status status = form_.project_velocity(point_); status != Status::ok) return status;
    if (projection_ == Projection::acceleration)
      if (const Status status = form_.complete(point_); status != Status::ok) return status;
    s1_ += (1 - af_) / (1 - am_) * point_.a;
    if (form_.integrates_work()) {
      const double power = form_.power(point_);
      work_ += 0.5 * h * (power_ + power);
      power_ = power;
    }
    return Status::ok;
  }

  void accept_own(double h) override {
    s_dot_ = (s1_ - s0_) / h;
    s_ = s1_;
    h_of_s_ = h;
  }

  void estimate(double h, Vec& error) override {  // (7)
    const double c = std::max(std::abs(beta_ + 0.5 * (am_ - af_) - 1.0 / 6), 1.0 / 12);
    error = (c * h * h + std::abs(velocity_defect()) * h) * (s1_ - s0_);
  }
  double velocity_defect() const { return gamma_ - 0.5 + am_ - af_; }
  int order() const override { return std::abs(velocity_defect()) > 1e-9 ? 1 : 2; }

  void keep_own(Memory& memory) override {
    memory(s_);
    memory(s_dot_);
    memory(h_of_s_);
    if (energy_) energy_->keep(memory);
    NewtonScheme::keep_own(memory);
  }

  // The trial state with a₁ = 0; corrections then add to all three levels.
  void predict(double h, double t1) override {
    s1_ = (af_ * a_before_ - am_ * s0_) / (1 - am_);  // (1)
    increment_ = h * v_before_ + h * h * ((0.5 - beta_) * s0_ + beta_ * s1_);
    point_.t = t1;
    point_.v = v_before_ + h * ((1 - gamma_) * s0_ + gamma_ * s1_);  // (2)
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

  void fill_matrix(double h, SparseAssembly<double>& W) override {  // (5)
    mass_ = tangent_.mean_mass();
    const double sigma = beta_ * h * h / mass_, beta1 = (1 - am_) / (h * h * beta_ * (1 - af_)),
                 gamma1 = gamma_ / (h * beta_);
    W.assemble([&](SparseAssembly<double>& out) {
      out.add_block(tangent_.M, 0, 0, sigma * beta1);
      out.add_block(tangent_.C, 0, 0, sigma * gamma1);
      out.add_block(tangent_.K, 0, 0, sigma);
      out.add_transposed(tangent_.J, 0, nv_, 1.0);
      form_.add_rows(tangent_, out, nv_, 0, 0, h, h * gamma1);
    });
  }

  void fill_residual(double h, Vec& r) override {
    form_.residual(point_, dynamics_, slip_, rows_);
    if (energy_) energy_->add(point_, projection_ != Projection::none, dynamics_);
    r.head(nv_) = beta_ * h * h / mass_ * dynamics_;
    r.tail(rows_.size()) = rows_;
    r.tail(form_.velocity_rows()) *= h;
  }

  double correct(double h, const Vec& d) override {
    if (!energy_) return move_by(h, d);
    // (3) of energy_constraint.hpp
    border_.setZero(d.size());
    border_.head(nv_) = -beta_ * h * h / mass_ * energy_->direction();
    along_.resize(d.size());
    if (solve_again(border_, along_) != Status::ok) return std::numeric_limits<double>::infinity();
    along_ *= energy_->correct(d.head(nv_), along_.head(nv_));
    along_ += d;
    return move_by(h, along_);
  }
  bool is_settled() const override { return !energy_ || energy_->holds(); }

  double move_by(double h, const Vec& d) {
    shift(h, d.head(nv_));
    point_.lambda += mass_ / (beta_ * h * h) * d.tail(form_.multipliers());
    // λ̃ by the displacements it stands for: multipliers of short rows are large, and so is their round-off.
    dynamics_.setZero();
    for (int i = 0; i < form_.multipliers(); ++i)
      for (SparseRows::InnerIterator e(tangent_.J, i); e; ++e) dynamics_[e.col()] += e.value() * d[nv_ + i];
    return ((d.head(nv_).cwiseAbs() + dynamics_.cwiseAbs()).array() / form_.system().layout().v_scale.array())
        .maxCoeff<Eigen::PropagateNaN>();
  }

  std::string remark() const override {
    const bool undamped = beta_ == 0.25 && gamma_ == 0.5;
    if (!undamped || form_.multipliers() == 0 || projection_ == Projection::acceleration)
      return NewtonScheme::remark();
    const std::string own = NewtonScheme::remark();
    return (own.empty() ? own : own + "\n") +
           "without damping the accelerations and multipliers of a constrained system oscillate and may grow "
           "without bound; use project=acceleration, hht-alpha, or generalized-alpha with rho_inf below 1";
  }

  double am_, af_, gamma_, beta_;
  Projection projection_;
  double mass_ = 1;                           // m̄
  std::unique_ptr<EnergyConstraint> energy_;  // energy=constant
  Vec border_, along_;
  Vec s_, s_dot_;  // algorithmic acceleration where the step begins, as the last step left it, and its rate
  double h_of_s_ = 0;  // the step it was made with; 0: it is the acceleration itself
  Vec s0_, s1_;        // at both ends of the step at hand; until Newton is done, s1_ lacks its share of a₁
  Vec increment_;      // of q
  Vec q_before_, v_before_, a_before_, lambda_before_;
  Vec dynamics_, slip_, rows_;
};

Parameters generalized_parameters(const Options& options) {
  const double rho = options.number("rho_inf");
  return from_alphas((2 * rho - 1) / (rho + 1), rho / (rho + 1));
}
Parameters hht_parameters(const Options& options) { return from_alphas(0, -options.number("alpha")); }
Parameters newmark_parameters(const Options& options) {
  Parameters out{0, 0, options.number("gamma"), options.number("beta")};
  out.keeps_energy = options.choice("energy") == "constant";
  if (out.keeps_energy && (out.gamma != 0.5 || out.beta != 0.25))
    throw InputError(
        "integrator newmark",
        Complaint{"`option energy`", "'free' unless beta=0.25 and gamma=0.5, the trapezoidal rule",
                  "'constant'", "leave beta and gamma out"});
  return out;
}

template <Parameters (*parameters)(const Options&)>
std::unique_ptr<Integrator> make_alpha(OdeForm& form,
                                       Statistics& statistics,
                                       const StepControl& control,
                                       const Options& options) {
  return make_steps_of<GeneralizedAlpha>(parameters(options), form, statistics, control, options);
}

// Behind the options of a member, those all have.
std::vector<OptionSpec> with_common(std::vector<OptionSpec> options) {
  options.push_back(newton_tolerance("1e-8"));
  options.push_back(
      {.name = "project",
       .kind = OptionKind::choice,
       .default_value = "none",
       .choices = {"none", "velocity", "acceleration"},
       .help = "what else is put on the constraints behind a step, at least change in kinetic energy"});
  options.push_back(realtime_iterations());
  return options;
}

}  // namespace

extern const IntegratorRecord generalized_alpha_integrator, hht_alpha_integrator, newmark_integrator;

const IntegratorRecord generalized_alpha_integrator = {
    .method =
        {"generalized-alpha",
         "generalized-alpha with error control, constraints at position level, damping chosen by rho_inf",
         "Chung & Hulbert 1993; Arnold & Bruls 2007; Garcia de Jalon & Bayo 1994, 7.1.4",
         with_common({{.name = "rho_inf",
                       .default_value = "0.8",
                       .min = 0,
                       .max = 1,
                       .help = "spectral radius at infinity: 0 damps most, 1 not at all"}})},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .takes_ode = false,
    .rows = {ResidualRows::position, ResidualRows::velocity, ResidualRows::none},
    .make = &make_alpha<&generalized_parameters>,
};

const IntegratorRecord hht_alpha_integrator = {
    .method = {"hht-alpha", "Hilber-Hughes-Taylor in the generalized-alpha form, with error control",
               "Hilber, Hughes & Taylor 1977; Garcia de Jalon & Bayo 1994, (7.36)",
               with_common(
                   {{.name = "alpha",
                     .default_value = "-0.1",
                     .min = -1.0 / 3,
                     .max = 0,
                     .help = "damping: 0 none, -1/3 most; the radius at infinity is (1+alpha)/(1-alpha)"}})},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .takes_ode = false,
    .rows = {ResidualRows::position, ResidualRows::velocity, ResidualRows::none},
    .make = &make_alpha<&hht_parameters>,
};

const IntegratorRecord newmark_integrator = {
    .method = {"newmark", "Newmark's scheme with error control; the trapezoidal rule by default: no damping",
               "Newmark 1959; Garcia de Jalon & Bayo 1994, (7.28)-(7.33); Hughes, Caughey & Liu 1978",
               with_common(
                   {{.name = "beta",
                     .default_value = "0.25",
                     .min = 0.01,
                     .max = 1,
                     .help = "unconditionally stable if 2 beta >= gamma"},
                    {.name = "gamma",
                     .default_value = "0.5",
                     .min = 0.5,
                     .max = 1,
                     .help = "0.5: order 2; above: damping, but order 1"},
                    {.name = "energy",
                     .kind = OptionKind::choice,
                     .default_value = "free",
                     .choices = {"free", "constant"},
                     .help = "constant: a multiplier holds the energy, less the work done (trapezoidal "
                             "rule only)"}})},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .takes_ode = false,
    .rows = {ResidualRows::position, ResidualRows::velocity, ResidualRows::none},
    .make = &make_alpha<&newmark_parameters>,
};

}  // namespace driftless
