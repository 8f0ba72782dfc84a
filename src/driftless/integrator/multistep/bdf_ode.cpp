// Backward differentiation formulas on ODE forms: order 1 to 5 and step by error control, or both fixed.
//                                              Gear 1971; García de Jalón & Bayo table 7.3; Hairer, Nørsett & Wanner III.5
//   Σ_{i≤k} wᵢ yᵢ = F(t₁, y₁),   w of bdf_history.hpp, as are errors, orders and steps                                     (1)
// solved as z = G + F(t₁, p + z)/w₀ about the predictor p = p_k, the polynomial through the k + 1 last values               (2)
// Start: order 1, one more a step as long as that pays; fixed steps: k − 1 steps of sdirk4. Behind an event: order 2 at once, with
//   y(t₀ − j h) = y₀ − j h F₀ + (j h)² Ḟ₀/2,  j = 1, 2,  Ḟ₀ by a difference along the motion                               (3)
// for a past: many short flights between events would be made of first steps of order 1, whose errors, h² ÿ/2, are small by the
// tolerance but not against a flight of a few nanometres.
// Dense output: the polynomial through y₁ and the k past values. Work: work_quadrature.hpp. L-stable to order 2, A(86°), A(73°), A(52°) for 3, 4, 5:
// lightly damped oscillations want order=2, or radau-iia5. Behind a change of y that redefines it the
// past is empty: order 1 again; also where a formulation moves y behind a step by more than the error of a step (canonical-*
// based anew: there one-step schemes serve better).
#include "driftless/integrator/multistep/bdf_ode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/formulation/keeps_base.hpp"
#include "driftless/integrator/implicit/dirk.hpp"
#include "driftless/integrator/implicit/implicit_scheme.hpp"
#include "driftless/integrator/multistep/bdf_history.hpp"
#include "driftless/integrator/multistep/work_quadrature.hpp"

namespace driftless {
namespace {

constexpr double kMost = 0.03, kShare = 0.1;  // κ of Newton's method, and of the sharpened test

class BdfOnOde final : public ImplicitScheme {
 public:
  BdfOnOde(OdeForm& form, Statistics& statistics, const StepControl& control, int order)
      : ImplicitScheme(
            form,
            statistics,
            control,
            {.order = 1, .k = 2, .grow = 2, .cut = 0.25, .iterations = 4, .predicts = false, .theta_J = 0.1}),
        order_control_(order, control.rtol),
        past_(form.size()),
        starter_(kSdirk4_15, ode(), newton_, form.size()),
        base_(form.size()),
        G_(form.size()),
        z_(form.size()),
        other_(form.size()) {
    if (auto* based = dynamic_cast<KeepsBase*>(&form)) based->keep_base();  // jumps of y would end the past
  }

  void interpolate(double t, VecRef y) const override {
    if (dense_ == 0) return Scheme::interpolate(t, y);  // sdirk4 steps at the start
    if (t1_ == t0_ || t == t1_) {
      y = y1_;
      return;
    }
    // past_ has moved on: y₁ is its newest.
    past_.extrapolate(t, dense_, y);
    for (Eigen::Index i = 0; i < y1_.size(); ++i)
      if (is_carried(i)) y[i] = y1_[i];
    const auto last = y1_.size() - 1;
    if (is_work(k1_[last])) y[last] = y0_[last] + quadrature_.work(t, t1_, k1_[last], dense_);
  }

 private:
  // Constants a form carries (ode_stages.hpp) stay as they are to the last digit.
  bool is_carried(Eigen::Index i) const { return form_.scale()[i] == 0 && k0_[i] == 0; }

  // The last entry is the work, with this power at the end of the step; else it is a constant, or tested.
  bool is_work(double power) const {
    const auto last = y0_.size() - 1;
    return form_.scale()[last] == 0 && (k0_[last] != 0 || power != 0);
  }

  Status solve(double h, double t1) override {
    if (const Status status = renew_jacobian(); status != Status::ok) return status;
    if (past_.count() > 0) {
      other_ = y0_ - past_.newest();
      if (stages_->norm(other_) > (is_fixed() ? 1e-8 : 1))
        forget_own();  // moved too far for the past to hold
    }
    if (past_.count() == 0) {
      if (restarts_ > 1 && is_first() && !is_fixed() && order_control_.highest() > 1)
        if (const Status status = imagine_past(h); status != Status::ok) return status;
      past_.push(t0_, y0_);
    }
    past_.newest() = y0_;
    quadrature_.begin_step(t0_, k0_[k0_.size() - 1]);
    if (is_fixed()) {
      order_control_.set_order(order_control_.highest());
      if (past_.count() < order()) return first_step(h);
    }
    is_started_ = true;
    const int reach = std::min(order(), past_.count() - 1);  // degree of the predictor
    if (reach == order() || order() > 1)
      past_.extrapolate(t1, reach, base_);
    else  // only at the start: as many values as the formula needs, not one more
      base_ = y0_ + h * k0_;
    const double w0 = past_.leading(t1, order());
    G_ = -base_;
    past_.add_past(t1, order(), -1 / w0, G_);  // (1)
    for (Eigen::Index i = 0; i < y0_.size(); ++i)
      if (is_carried(i)) {
        base_[i] = y0_[i];
        G_[i] = 0;
      }
    stages_->factor(1 / w0);
    // What Newton's method leaves counts as much as what the formula leaves.
    if (!is_fixed()) newton_.monitor.kappa = std::min(kMost, kShare / order_control_.sharpness(order()));
    z_.setZero();
    const Status status = is_full() ? newton_.solve_fully(left(t1), base_, G_, 1 / w0, z_)
                                    : newton_.solve(left(t1), base_, G_, 1 / w0, z_, eta_);
    note_theta(newton_.monitor.theta);
    if (status != Status::ok) return status;
    y1_ = base_ + z_;
    const auto last = y1_.size() - 1;
    const double power = w0 * (z_[last] - G_[last]);  // if it is: (2)
    if (is_work(power)) y1_[last] = y0_[last] + quadrature_.work(t1, t1, power, order());
    if (is_fixed()) return Status::ok;
    // At the start y₁ − y₀ − hF₀ = h²ÿ/2 twice.
    other_ = z_;
    err_ = size_above_round_off(other_) * (reach == order() ? past_.error_constant(t1, order()) : 0.5) *
           order_control_.sharpness(order());
    if (!std::isfinite(err_)) err_ = 1e10;
    if (!(err_ <= 1)) worst_ = stages_->worst(z_);
    return Status::ok;
  }

  Status imagine_past(double h) {   // (3)
    constexpr double kPart = 1e-3;  // of the step
    other_ = y0_ + kPart * h * k0_;
    if (const Status status = evaluate(t0_ + kPart * h, other_, z_); status != Status::ok) return status;
    z_ = ((z_ - k0_) / (kPart * h)).eval();
    for (const double j : {2.0, 1.0}) {
      other_ = y0_ - j * h * k0_ + 0.5 * j * j * h * h * z_;
      past_.push(t0_ - j * h, other_);
    }
    order_control_.set_order(2);
    return Status::ok;
  }

  Status first_step(double h) {
    starter_.z.setZero();
    is_started_ = false;
    const Status status = starter_.solve({t0_, h, left_of_limit_, is_full()}, y0_, k0_, y1_);
    note_theta(starter_.theta);
    return status;
  }

  double next_step(double h) override {
    const int before = order();
    const double next = order_control_.accepted(h, err_, is_after_rejection(), past_, t1_, y1_, other_,
                                                [&](Vec& error) { return size_above_round_off(error); });
    if (order() != before) eta_ = 1;
    return next;
  }

  double step_after_rejection(double h) override { return order_control_.rejected(h, err_); }

  void accept_own(double) override {
    dense_ = is_started_ ? std::min(order(), past_.count()) : 0;
    past_.push(t1_, y1_);
  }

  double size_above_round_off(Vec& difference) {  // (6) of bdf_history.hpp
    const Vec& scale = form_.scale();
    clear_round_off(y1_.head(nq_), scale.head(nq_), difference.head(nq_));
    clear_round_off(y1_.segment(nq_, nv_), scale.segment(nq_, nv_), difference.segment(nq_, nv_));
    return stages_->norm(difference);
  }

  void forget_own() override {
    if (nv_ == 0) {  // of the form: not known before it has been packed
      State state;
      form_.unpack(t1_, y1_, state);
      nq_ = state.q.size();
      nv_ = state.v.size();
    }
    past_.clear();
    quadrature_.clear();
    order_control_.forget();
    if (is_first()) ++restarts_;
    eta_ = 1;
    starter_.forget();
  }

  void keep_own(Memory& memory) override {
    order_control_.keep(memory);
    past_.keep(memory);
    quadrature_.keep(memory);
    memory(eta_);
    memory(restarts_, 0, std::numeric_limits<int>::max());
    starter_.keep(memory);
    if (order() >= past_.count() + 1 && past_.count() > 0 && !is_fixed()) memory.refuse();  // no such past
  }

  int order() const { return order_control_.order(); }

  BdfControl order_control_;
  BdfHistory past_;
  WorkQuadrature quadrature_;
  Eigen::Index nq_ = 0, nv_ = 0;
  int dense_ = 0;  // degree of the dense output; 0: Hermite
  bool is_started_ = false;
  int restarts_ = 0;  // the start of the run is one
  double eta_ = 1;
  DirkStages starter_;
  Vec base_, G_, z_, other_;
};

}  // namespace

std::unique_ptr<Integrator> make_bdf_on_ode(OdeForm& form,
                                            Statistics& statistics,
                                            const StepControl& control,
                                            int order) {
  return make_steps_of<BdfOnOde>(form, statistics, control, order);
}

}  // namespace driftless
