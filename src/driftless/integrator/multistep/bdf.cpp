// Backward differentiation formulas of order 1 to 5 and step by error control, or both fixed, on ODE forms and on residual forms
// (stage_system.hpp).   Gear 1971; Gear, Gupta & Leimkuhler 1985; García de Jalón & Bayo table 7.3, (7.52)–(7.56); Hairer, Nørsett &
//                       Wanner III.5
//   R(t₁, U₁, U̇₁) = 0,   U̇₁ = Σ_{i≤k} wᵢ Uᵢ,   w, errors, orders and steps: bdf_history.hpp                              (1)
// solved for z, U₁ = p + z, about the predictor p = p_k, the polynomial through the k + 1 last values                     (2)
// Tested are q and v, on index 3 q alone: there v and λ lose orders where the step changes.
// Start: order 1, one more a step as long as that pays; fixed steps: k − 1 steps of sdirk4, on residual forms of rk4 on the index-1
// equations, projected. Behind an event: order 2 at once, with
//   y(t₀ − j h) = y₀ − j h F₀ + (j h)² Ḟ₀/2,  j = 1, 2,  Ḟ₀ by a difference along the motion                               (3)
// for a past: many short flights between events would be made of first steps of order 1, whose errors, h² ÿ/2, are small by the
// tolerance but not against a flight of a few nanometres. Multipliers of residual forms are taken as they are.
// Newton's method by newton.hpp to κ = min(0.03, 0.1/sharpness), a tenth of that on residual forms, a hundredth on index 3. One that
// fails there is tried again with tangents of the start of the step, then of the predictor. newton_tol, of residual forms, bounds its
// last correction besides by
//   |d| ≤ newton_tol · h |v|, in sizes of the coordinates; with fixed steps that alone, on index 3 a hundredth of it       (4)
// Dense output: the polynomial through y₁ and the k past values. Work: work_quadrature.hpp. L-stable to order 2, A(86°), A(73°),
// A(52°) for 3, 4, 5: lightly damped oscillations want order=2, or radau-iia5. Behind a change of y that redefines it the past is
// empty: order 1 again; also where a formulation moves y behind a step by more than the error of a step.
// Options: order (auto: 2 with --step, else up to 5), newton_tol (1e-8, of residual forms).
// On residual forms q̇ = v is needed (not quaternions with angular velocities). Fails there where J loses rank.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/keeps_base.hpp"
#include "driftless/integrator/implicit/dirk.hpp"
#include "driftless/integrator/implicit/implicit_scheme.hpp"
#include "driftless/integrator/multistep/bdf_history.hpp"
#include "driftless/integrator/multistep/work_quadrature.hpp"
#include "driftless/integrator/step_plan.hpp"

namespace driftless {
namespace {

constexpr double kMost = 0.03, kShare = 0.1;  // κ of Newton's method, and of the sharpened test
constexpr double kOfIndex2 = 0.1,
                 kOfIndex3 =
                     0.01;  // of it on residual forms: what is left of q is divided by h in v, h² in λ

int bdf_order(const Options& options, bool is_fixed) {
  const std::string& order = options.choice("order");
  if (order == "auto") return is_fixed ? 2 : BdfHistory::kMaxOrder;
  return order[0] - '0';
}

class Bdf final : public ImplicitScheme {
 public:
  Bdf(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
      : ImplicitScheme(form,
                       statistics,
                       control,
                       {.order = 1,
                        .k = 2,
                        .grow = 2,
                        .cut = 0.25,
                        .iterations = form.as_residual() != nullptr ? 10 : 4,
                        .predicts = false,
                        .theta_J = 0.1}),
        is_ode_(form.as_residual() == nullptr),
        tolerance_(is_ode_ || !(is_fixed() || options.given("newton_tol")) ? 0
                                                                           : options.number("newton_tol")),
        order_control_(bdf_order(options, control.step > 0), control.rtol) {
    if (is_ode_) starter_ = std::make_unique<DirkStages>(kSdirk4_15, ode(), newton_, form.size());
    newton_.monitor.is_plain = tolerance_ > 0 && is_fixed();
    if (auto* based = dynamic_cast<KeepsBase*>(&form)) based->keep_base();  // jumps of y would end the past
  }

  void interpolate(double t, VecRef y) const override {
    if (dense_ == 0) return Scheme::interpolate(t, y);  // first steps
    if (t1_ == t0_ || t == t1_) {
      y = y1_;
      return;
    }
    past_.extrapolate(t, dense_, y);  // it has moved on: y₁ is its newest
    for (Eigen::Index i = 0; i < y1_.size(); ++i)
      if (is_carried(i)) y[i] = y1_[i];
    const auto last = y1_.size() - 1;
    if (is_work(k1_[last])) y[last] = y0_[last] + quadrature_.work(t, t1_, k1_[last], dense_);
  }

 private:
  void size_own(int size) override {
    if (base_.size() == size) return;
    past_.resize(size);
    for (Vec* x : {&base_, &G_, &z_, &rate_, &other_, &end_value_}) x->resize(size);
  }

  // Constants a form carries (ode_stages.hpp) stay as they are to the last digit.
  bool is_carried(Eigen::Index i) const { return form_.scale()[i] == 0 && k0_[i] == 0; }

  // The last entry is the work, with this power at the end of the step; else it is a constant, or tested.
  bool is_work(double power) const {
    const auto last = y0_.size() - 1;
    return form_.scale()[last] == 0 && (k0_[last] != 0 || power != 0);
  }

  Status solve(double h, double t1) override {
    if (const Status status = renew_jacobian(); status != Status::ok) return status;
    if (const Status status = recall(h); status != Status::ok) return status;
    if (is_fixed()) {
      order_control_.set_order(order_control_.highest());
      if (past_.count() < order()) return first_step(h, t1);
    }
    is_started_ = true;
    order_used_ = order();
    const double w0 = predict(h, t1);
    set_accuracy(h);
    Status status = newton_step(t1, w0);
    // Tangents of residual forms are cheap beside a step made shorter, which costs the order its equal steps.
    if (!is_ode_ && !is_fixed() && asks_for_shorter_step(status) && !stages_->is_current()) {
      if (const Status renewed = stages_->renew_at_start(); renewed != Status::ok) return renewed;
      status = newton_step(t1, w0);
    }
    if (!is_ode_ && !is_fixed() && asks_for_shorter_step(status)) {
      if (const Status renewed = renew_at_predictor(t1, w0); renewed != Status::ok) return renewed;
      status = newton_step(t1, w0);
    }
    note_theta(newton_.monitor.theta);
    if (status != Status::ok) return status;
    end_value_ = base_ + z_;
    rate_ = w0 * (z_ - G_);  // (1)
    y1_ = end_value_.head(y1_.size());
    is_noted_ = false;
    if (!is_fixed() && !is_accurate(t1)) return Status::ok;
    const auto last = y1_.size() - 1;
    if (const Status ended = stages_->end(left(t1), end_value_, rate_, y1_, k1_); ended != Status::ok)
      return ended;
    const double power = stages_->work() >= 0 ? k1_[last] : rate_[last];  // if it is
    if (is_work(power)) y1_[last] = y0_[last] + quadrature_.work(t1, t1, power, order());
    return Status::ok;
  }

  Status newton_step(double t1, double w0) {
    stages_->factor(1 / w0);
    z_.setZero();
    return is_full() ? newton_.solve_fully(left(t1), base_, G_, 1 / w0, z_)
                     : newton_.solve(left(t1), base_, G_, 1 / w0, z_, eta_);
  }

  Status renew_at_predictor(double t1, double w0) {
    rate_ = -w0 * G_;
    if (const Status status = stages_->residual(left(t1), base_, rate_, other_); status != Status::ok)
      return status;
    return stages_->renew_at_last();
  }

  // The past as it is where the step begins.
  Status recall(double h) {
    const Vec& start = stages_->start();
    if (past_.count() > 0) {
      other_ = start - past_.newest();
      if (stages_->norm(other_) > (is_fixed() ? 1e-8 : 1))
        forget_own();  // moved too far for the past to hold
    }
    if (past_.count() == 0) {
      if (restarts_ > 1 && is_first() && !is_fixed() && order_control_.highest() > 1)
        if (const Status status = imagine_past(h); status != Status::ok) return status;
      past_.push(t0_, start);
    }
    past_.newest() = start;
    quadrature_.begin_step(t0_, k0_[k0_.size() - 1]);
    return Status::ok;
  }

  // p of (2), and G with U̇₁ = w₀ (z − G). Returns w₀.
  double predict(double h, double t1) {
    reach_ = std::min(order(), past_.count() - 1);
    if (reach_ == order() || order() > 1) {
      past_.extrapolate(t1, reach_, base_);
    } else {  // only at the start: as many values as the formula needs, not one more
      base_ = stages_->start();
      base_.head(y0_.size()) += h * k0_;
    }
    const double w0 = past_.leading(t1, order());
    G_ = -base_;
    past_.add_past(t1, order(), -1 / w0, G_);  // (1)
    for (Eigen::Index i = 0; i < y0_.size(); ++i)
      if (is_carried(i)) {
        base_[i] = y0_[i];
        G_[i] = 0;
      }
    return w0;
  }

  // κ of Newton's method: what it leaves counts as much as what the formula leaves.
  void set_accuracy(double h) {
    double kappa =
        is_fixed() ? newton_.fixed_tolerance : std::min(kMost, kShare / order_control_.sharpness(order()));
    if (!is_fixed() && !is_ode_) kappa *= stages_->velocities_follow() ? kOfIndex3 : kOfIndex2;
    if (tolerance_ > 0) {  // (4)
      double rate = 1;
      for (Eigen::Index i = 0; i < nv_; ++i)
        rate = std::max(rate, std::abs(y0_[nq_ + i]) / form_.scale()[nq_ + i]);
      double goal = tolerance_ * std::min(1.0, h * rate);
      if (is_fixed() && stages_->velocities_follow())
        goal *= kOfIndex3;  // tangents are a step old: g is θ|d|
      kappa = is_fixed() ? goal : std::min(kappa, goal / control_.atol);
    }
    newton_.monitor.kappa = kappa;
  }

  bool is_accurate(double t1) {
    // At the start y₁ − y₀ − hF₀ = h²ÿ/2 twice.
    other_ = z_;
    err_ = size_above_round_off(other_) * (reach_ == order() ? past_.error_constant(t1, order()) : 0.5) *
           order_control_.sharpness(order());
    if (!std::isfinite(err_)) err_ = 1e10;
    if (!(err_ <= 1)) worst_ = stages_->worst(z_);
    return err_ <= 1;
  }

  Status imagine_past(double h) {   // (3)
    constexpr double kPart = 1e-3;  // of the step
    y1_ = y0_ + kPart * h * k0_;
    if (const Status status = evaluate(t0_ + kPart * h, y1_, k1_); status != Status::ok) return status;
    k1_ = ((k1_ - k0_) / (kPart * h)).eval();
    end_value_ = stages_->start();
    for (const double j : {2.0, 1.0}) {
      end_value_.head(y0_.size()) = y0_ - j * h * k0_ + 0.5 * j * j * h * h * k1_;
      past_.push(t0_ - j * h, end_value_);
    }
    order_control_.set_order(2);
    return Status::ok;
  }

  Status first_step(double h, double t1) {
    is_started_ = false;
    Status status = Status::ok;
    if (starter_ != nullptr) {
      starter_->z.setZero();
      status = starter_->solve({t0_, h, left_of_limit_, is_full()}, y0_, k0_, y1_);
      note_theta(starter_->theta);
    } else {
      status = stages_->explicit_step(h, left(t1), y1_, k1_);
    }
    end_value_ = stages_->start();
    return status;
  }

  // What settling made of the end of the step: (6) of bdf_history.hpp.
  void note_corrections() {
    if (std::exchange(is_noted_, true)) return;
    const auto largest = [&](Eigen::Index first, Eigen::Index count) {
      double size = 0;
      for (Eigen::Index i = first; i < first + count; ++i)
        if (const double scale = form_.scale()[i]; scale > 0)
          size = std::max(size, std::abs(y1_[i] - end_value_[i]) / scale);
      return size;
    };
    corrected_q_ = largest(0, nq_);
    corrected_v_ = largest(nq_, nv_);
  }

  double next_step(double h) override {
    note_corrections();
    const int before = order();
    end_value_.head(y1_.size()) = y1_;
    const double next = order_control_.accepted(h, err_, is_after_rejection(), past_, t1_, end_value_, other_,
                                                [&](Vec& error) { return size_above_round_off(error); });
    if (order() != before) eta_ = 1;
    return next;
  }

  double step_after_rejection(double h) override { return order_control_.rejected(h, err_); }

  void accept_own(double) override {
    note_corrections();
    dense_ = is_started_ ? order_used_ : 0;
    end_value_.head(y1_.size()) = y1_;
    past_.push(t1_, end_value_);
  }

  double size_above_round_off(Vec& difference) {  // (6) of bdf_history.hpp
    const Vec& scale = form_.scale();
    clear_round_off(y1_.head(nq_), scale.head(nq_), difference.head(nq_), corrected_q_);
    clear_round_off(y1_.segment(nq_, nv_), scale.segment(nq_, nv_), difference.segment(nq_, nv_),
                    corrected_v_);
    return stages_->size_of_error(difference.head(stages_->velocities_follow() ? nq_ : y1_.size()), y1_);
  }

  void forget_own() override {
    if (nv_ == 0) {  // of the form: not known before it has been packed
      State state;
      form_.unpack(t1_, y1_, state);
      nq_ = state.q.size();
      nv_ = state.v.size();
    }
    past_.clear();
    corrected_q_ = corrected_v_ = 0;
    quadrature_.clear();
    order_control_.forget();
    if (is_first()) ++restarts_;
    eta_ = 1;
    if (starter_ != nullptr) starter_->forget();
  }

  void keep_own(Memory& memory) override {
    order_control_.keep(memory);
    past_.keep(memory);
    quadrature_.keep(memory);
    memory(eta_);
    memory(corrected_q_);
    memory(corrected_v_);
    memory(restarts_, 0, std::numeric_limits<int>::max());
    if (starter_ != nullptr) starter_->keep(memory);
    if (order() >= past_.count() + 1 && past_.count() > 0 && !is_fixed()) memory.refuse();  // no such past
  }

  int order() const { return order_control_.order(); }

  const bool is_ode_;
  const double tolerance_;  // of (4); 0: none
  BdfControl order_control_;
  BdfHistory past_;
  WorkQuadrature quadrature_;
  Eigen::Index nq_ = 0, nv_ = 0;
  int reach_ = 0, dense_ = 0;  // degrees of the predictor and of the dense output; 0: Hermite
  int order_used_ = 1;         // the order of the step at hand
  bool is_started_ = false;
  int restarts_ = 0;  // the start of the run is one
  double eta_ = 1;
  double corrected_q_ = 0, corrected_v_ = 0;  // by the last settling, in scales
  bool is_noted_ = true;
  std::unique_ptr<DirkStages> starter_;  // of ODE forms
  Vec base_, G_, z_, rate_, other_, end_value_;
};

}  // namespace

extern const IntegratorRecord bdf_integrator;
const IntegratorRecord bdf_integrator = {
    .method = {"bdf",
               "backward differentiation of variable order 1 to 5, or of one order with `step`",
               "Gear 1971; Garcia de Jalon & Bayo 1994, table 7.3 and (7.52)-(7.56)",
               {{.name = "order",
                 .kind = OptionKind::choice,
                 .default_value = "auto",
                 .choices = {"auto", "1", "2", "3", "4", "5"},
                 .help = "with `step` the order (auto: 2), else the highest (auto: 5); 1 and 2 are A-stable"},
                {.name = "newton_tol",
                 .default_value = "1e-8",
                 .min = 1e-15,
                 .max = 1e-2,
                 .help = "of residual forms: size of Newton's last increment against the way made in a step; "
                         "with error "
                         "control only if given"},
                realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .rows = {ResidualRows::position, ResidualRows::velocity, ResidualRows::both},
    .needs_vector_space = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      if (form.as_residual() == nullptr && options.given("newton_tol"))
        throw InputError(
            "integrator bdf",
            Complaint{"`option newton_tol`", "a residual form: index3, index2 or index2-ggl", "an ODE form",
                      "leave it out: there Newton's method follows rtol and atol"});
      return make_steps_of<Bdf>(form, statistics, control, options);
    },
};

}  // namespace driftless
