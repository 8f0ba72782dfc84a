// Backward differentiation formulas; here on residual forms (on ODE forms: bdf_ode.cpp), of variable order and step, or both
// fixed.                          Gear 1971; Gear, Gupta & Leimkuhler 1985; García de Jalón & Bayo (7.52)–(7.56)
//   Σ wᵢ qᵢ = v₁ − W⁻¹J_hᵀμ,   a₁ = Σ wᵢ vᵢ,   w of (1) of bdf_history.hpp: for any spacing                          (1)
//   M a₁ + J₁ᵀλ₁ = f₁,   the rows of the form                                                                        (2)
// Newton's equations with c = 1/w₀: first_order_system.hpp. Errors, orders and steps: bdf_history.hpp; tested are q and v, on
// index3 q alone: there v and λ lose orders where the step changes                                                     (3)
// Order k in q, v and λ with constant steps. Start: order 1, one more a step as long as that pays; with fixed steps the first
// k − 1 are rk4 steps of the index-1 equations, projected, so that k values are known. Dense output: the polynomial through
// the end and the k past values. Work: work_quadrature.hpp. Orders 1 and 2 are A-stable, 3 to 5 A(86°), A(73°), A(52°). Behind a discontinuity and in a
// resumed run the past is empty. Options: order (auto: 2 with --step, else up to 5), newton_tol (1e-8; atol without --step).
// Needs q̇ = v (not quaternions with angular velocities). Fails where J loses rank.
#include <algorithm>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/first_order_system.hpp"
#include "driftless/integrator/multistep/bdf_history.hpp"
#include "driftless/integrator/multistep/bdf_ode.hpp"
#include "driftless/integrator/multistep/work_quadrature.hpp"
#include "driftless/integrator/structural/newton_scheme.hpp"
#include "driftless/math/nan_safe.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

int bdf_order(const Options& options, bool is_fixed) {
  const std::string& order = options.choice("order");
  if (order == "auto") return is_fixed ? 2 : BdfHistory::kMaxOrder;
  return order[0] - '0';
}

class Bdf final : public NewtonScheme {
 public:
  Bdf(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
      : NewtonScheme(form, statistics, control, options),
        order_control_(bdf_order(options, control.step > 0), control.rtol),
        past_(form.size()),
        projection_(make_projection(form_.system(), nullptr)),
        base_(form.size()),
        sum_(form.size()),
        other_(form.size()),
        k_(form.size(), 4),
        dynamics_(nv_),
        slip_(nv_) {}

  void interpolate(double t, VecRef y) const override {
    if (dense_ == 0) return Scheme::interpolate(t, y);  // rk4 steps at the start
    if (t1_ == t0_ || t == t1_)
      y = y1_;
    else
      past_.extrapolate(t, dense_, y);  // it has moved on: y₁ is its newest
    const auto last = y1_.size() - 1;
    if (form_.integrates_work() && t != t1_)
      y[last] = y0_[last] + quadrature_.work(t, t1_, k1_[last], dense_);
  }

 private:
  void begin_own() override {
    const bool index3 = form_.position_rows() > 0 && form_.slips() == 0;
    test(index3 ? Tested::positions : Tested::positions_and_velocities);  // (3)
    projection_->drop_rows(form_.dropped_rows());
    past_.clear();
    quadrature_.clear();
    order_control_.forget();
    dense_ = 0;
    system_.size(form_);
    r_.resize(system_.components());
    d_.resize(system_.components());
    x_.resize(system_.unknowns());
    rows_.resize(form_.rows());
    lambda_before_ = point_.lambda;
    size_newton(system_.unknowns());
  }

  int order() const override { return order_control_.order(); }

  void keep_own(Memory& memory) override {
    order_control_.keep(memory);
    past_.keep(memory);
    quadrature_.keep(memory);
    NewtonScheme::keep_own(memory);
  }

  Status step(double h, double t1) override {
    if (past_.count() == 0) past_.push(t0_, y0_);
    quadrature_.begin_step(t0_, k0_[k0_.size() - 1]);
    is_started_ = true;
    lambda_before_ = point_.lambda;
    if (!adaptive()) {
      order_control_.set_order(order_control_.highest());
      if (past_.count() < order()) return first_step(h, t1);
    }
    reach_ = std::min(order(), past_.count() - 1);
    if (reach_ == order() || order() > 1)
      past_.extrapolate(t1, reach_, base_);
    else
      base_ = y0_ + h * k0_;  // the very first
    order_used_ = order();
    w0_ = past_.leading(t1, order());
    sum_.setZero();
    past_.add_past(t1, order(), 1, sum_);
    if (const Status status = newton(1 / w0_, t1); status != Status::ok) return status;
    if (form_.integrates_work()) {
      power_ = form_.power(point_);
      work_ = y0_[y0_.size() - 1] + quadrature_.work(t1, t1, power_, order());
    }
    return Status::ok;
  }

  // An rk4 step of the index-1 equations, put back on the constraints.
  Status first_step(double h, double t1) {
    constexpr double kNodes[] = {0, 0.5, 0.5, 1};
    is_started_ = false;
    for (int i = 0; i < 4; ++i) {
      base_ = y0_;
      if (i > 0) base_ += h * kNodes[i] * k_.col(i - 1);
      const double t = i == 3 ? t1 : t0_ + kNodes[i] * h;
      ++statistics_.evaluations;
      if (const Status status = form_.derivative(t, base_, k_.col(i)); status != Status::ok) return status;
    }
    base_ = y0_ + h / 6 * (k_.col(0) + 2 * k_.col(1) + 2 * k_.col(2) + k_.col(3));
    point_.t = t1;
    point_.q = base_.head(nq_);
    point_.v = base_.segment(nq_, nv_);
    if (const Status status = projection_->settle(t1, point_.q, point_.v); status != Status::ok)
      return status;
    if (form_.integrates_work()) work_ = base_[base_.size() - 1];
    if (const Status status = form_.complete(point_); status != Status::ok) return status;
    if (form_.integrates_work()) power_ = form_.power(point_);
    return Status::ok;
  }

  void predict(double, double t1) override {
    point_.t = t1;
    point_.q = base_.head(nq_);
    point_.v = base_.segment(nq_, nv_);
    point_.lambda = lambda_before_;
    point_.mu.setZero();
    set_acceleration();
  }

  void set_acceleration() { point_.a = w0_ * point_.v + sum_.segment(nq_, nv_); }  // (1)

  void fill_matrix(double c, SparseAssembly<double>& W) override { system_.fill(form_, tangent_, c, W); }

  void fill_residual(double, Vec& r) override {
    form_.residual(point_, dynamics_, slip_, rows_);
    r_.head(nv_) = w0_ * point_.q + sum_.head(nq_) - point_.v + slip_;
    r_.segment(nv_, nv_) = dynamics_;
    r_.tail(rows_.size()) = rows_;
    system_.reduce(r_, r);
  }

  double correct(double c, const Vec& d) override {
    const int m = form_.multipliers();
    x_ = -d;
    system_.expand(r_, x_, d_);
    point_.q -= d_.head(nv_);
    point_.v -= d_.segment(nv_, nv_);
    point_.lambda -= d_.segment(2 * nv_, m);
    point_.mu -= d_.tail(form_.slips());
    set_acceleration();
    const auto& scale = form_.system().layout().v_scale.array();
    return max_or_nan((d_.head(nv_).array() / scale).abs().maxCoeff<Eigen::PropagateNaN>(),
                      c * (d_.segment(nv_, nv_).array() / scale).abs().maxCoeff<Eigen::PropagateNaN>());
  }

  double counted(double h) override { return order_control_.sharpness(order()) * norm(h, d_.head(tested())); }

  void estimate(double, Vec& error) override {
    const double constant = reach_ == order() ? past_.error_constant(point_.t, order())
                                              : 0.5;  // at the start y₁ − y₀ − hẏ₀ = h²ÿ/2 twice
    error = (y1_ - base_).head(error.size());
    clear_round_off_of(error);
    error *= order_control_.sharpness(order()) * constant;
  }

  void clear_round_off_of(VecRef differences) const {  // (6) of bdf_history.hpp
    const Layout& layout = form_.system().layout();
    clear_round_off(y1_.head(nq_), layout.q_scale, differences.head(nq_));
    if (differences.size() > nq_)
      clear_round_off(y1_.segment(nq_, nv_), layout.v_scale, differences.segment(nq_, nv_));
  }

  double next_step(double h, double error) override {
    return order_control_.accepted(h, error, is_after_rejection(), past_, t1_, y1_, other_, [&](Vec& e) {
      clear_round_off_of(e);
      return norm(h, e.head(tested()));
    });
  }
  double step_after_rejection(double h, double error) override { return order_control_.rejected(h, error); }

  void accept_own(double) override {
    dense_ = is_started_ ? order_used_ : 0;
    past_.push(t1_, y1_);
  }

  BdfControl order_control_;
  BdfHistory past_;
  WorkQuadrature quadrature_;
  std::unique_ptr<Stabilization> projection_;
  FirstOrderSystem<double> system_;
  int reach_ = 0, dense_ = 0;  // degrees of the predictor and of the dense output; 0: Hermite
  int order_used_ = 1;         // the order of the step at hand
  bool is_started_ = false;
  double w0_ = 1;
  Vec base_;  // predicted
  Vec sum_;   // Σ_{i>0} wᵢ yᵢ
  Vec other_;
  Mat k_;  // slopes of a first step
  Vec dynamics_, slip_, rows_, lambda_before_;
  Vec r_, d_, x_;
};

}  // namespace

extern const IntegratorRecord bdf_integrator;
const IntegratorRecord bdf_integrator = {
    .method = {"bdf",
               "backward differentiation of variable order 1 to 5, or of one order with --step",
               "Gear 1971; Garcia de Jalon & Bayo 1994, table 7.3 and (7.52)-(7.56)",
               {{.name = "order",
                 .kind = OptionKind::choice,
                 .default_value = "auto",
                 .choices = {"auto", "1", "2", "3", "4", "5"},
                 .help = "with --step the order (auto: 2), else the highest (auto: 5); 1 and 2 are A-stable"},
                newton_tolerance("1e-8"),
                realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .rows = {ResidualRows::position, ResidualRows::velocity, ResidualRows::both},
    .needs_vector_space = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      if (form.as_residual() != nullptr) return make_steps_of<Bdf>(form, statistics, control, options);
      if (options.given("newton_tol"))
        throw InputError(
            "integrator bdf",
            Complaint{"--option newton_tol", "a residual form: index3, index2 or index2-ggl", "an ODE form",
                      "leave it out: there Newton's method follows rtol and atol"});
      return make_bdf_on_ode(form, statistics, control, bdf_order(options, control.step > 0));
    },
};

}  // namespace driftless
