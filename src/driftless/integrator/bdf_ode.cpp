// Backward differentiation formulas on ODE forms: order 1 to 5 and step by error control, or both fixed.
//                                              Gear 1971; García de Jalón & Bayo table 7.3; Hairer, Nørsett & Wanner III.5
// With s₀ = t₁ and the past s₁ = t₀, s₂, …:
//   Σ_{i≤k} wᵢ yᵢ = F(t₁, y₁),   w₀ = Σ_{j≥1} 1/(s₀ − sⱼ),   wᵢ = 1/(sᵢ − s₀) Π_{j≠0,i} (s₀ − sⱼ)/(sᵢ − sⱼ)              (1)
// solved as z = G + F(t₁, p + z)/w₀ about the predictor p = p_k, the polynomial through s₁ … s_{k+1}                     (2)
//   err_k = |y₁ − p_k| / (w₀ (s₀ − s_{k+1})): the leading error of (1), whose divided difference is that of y₁ − p_k      (3)
//   order: after k + 1 steps of one size and order, the one of k − 1, k, k + 1 that allows the longest step,
//   h ← h min( err_{k−1}^(−1/k)/1.3, err_k^(−1/(k+1))/1.2, err_{k+1}^(−1/(k+2))/1.4 ), growth by at most 2 (order 1: 4), and
//   only if by a tenth at least. So each change of step has k + 1 equal ones behind it; the bounds of zero-stability for
//   steps that grow all the time (2.4, 1.5, 1.2 for k = 2, 3, 4) do not bind.                                            (4)
//   rejected   h ← h max(1/4, err_k^(−1/(k+1))/1.2), no higher order; three times in a row: order 1 anew                  (5)
// Start: order 1, one more a step as long as that pays; fixed steps: k − 1 steps of sdirk4.
// Dense output: the polynomial through y₁ and the k past values. L-stable to order 2, A(86°), A(73°), A(52°) for 3, 4, 5:
// lightly damped oscillations want order=2, or radau-iia5. Behind a change of y that redefines it, and in a resumed run, the
// past is empty: order 1 again; also where a formulation moves y behind a step by more than the error of a step (canonical-*
// based anew: there one-step schemes serve better).
#include "driftless/integrator/bdf_ode.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/integrator/dirk.hpp"
#include "driftless/integrator/implicit_scheme.hpp"

namespace driftless {
namespace {

constexpr int kMaxOrder = 5;
constexpr int kPast = kMaxOrder + 2;  // for the predictor of order k + 1

class BdfOnOde final : public ImplicitScheme {
 public:
  BdfOnOde(OdeForm& form, Statistics& statistics, const StepControl& control, int order)
      : ImplicitScheme(
            form,
            statistics,
            control,
            {.order = 1, .k = 2, .grow = 2, .cut = 0.25, .iterations = 4, .predicts = false, .theta_J = 0.1}),
        highest_(order),
        past_(Mat::Zero(form.size(), kPast)),
        starter_(kSdirk4_15, newton_, form.size()),
        base_(form.size()),
        G_(form.size()),
        z_(form.size()),
        other_(form.size()) {
    newton_.monitor.kappa = 0.03;
  }

  void interpolate(double t, VecRef y) const override {
    if (dense_ == 0) return ImplicitScheme::interpolate(t, y);  // sdirk4 steps at the start
    if (t1_ == t0_ || t == t1_) {
      y = y1_;
      return;
    }
    // past_ has moved on: y₁ is its newest.
    y.setZero();
    for (int i = 0; i <= dense_; ++i) y += lagrange(t, 0, dense_ + 1, i) * past_.col(i);
    for (Eigen::Index i = 0; i < y1_.size(); ++i)
      if (is_carried(i)) y[i] = y1_[i];
  }

 private:
  // Constants a form carries (ode_newton.hpp) stay as they are to the last digit.
  bool is_carried(Eigen::Index i) const { return form_.scale()[i] == 0 && k0_[i] == 0; }

  // The weight of value i in the polynomial through the values first … first + count − 1, at t.
  double lagrange(double t, int first, int count, int i) const {
    double weight = 1;
    for (int j = first; j < first + count; ++j)
      if (j != i) weight *= (t - times_[size_t(j)]) / (times_[size_t(i)] - times_[size_t(j)]);
    return weight;
  }

  // p_k at t (2)
  void predict(double t, int k, Vec& out) const {
    out.setZero();
    for (int i = 0; i <= k; ++i) out += lagrange(t, 0, k + 1, i) * past_.col(i);
  }

  Status attempt(double h, double t1) override {
    if (const Status status = prepare(); status != Status::ok) return status;
    if (count_ > 0) {
      other_ = y0_ - past_.col(0);
      if (newton_.norm(other_) > (is_fixed() ? 1e-8 : 1)) forget();  // moved too far for the past to hold
    }
    if (count_ == 0) remember(t0_, y0_);
    past_.col(0) = y0_;
    if (is_fixed()) {
      order_ = highest_;
      if (count_ < order_) return first_step(h);
    }
    is_started_ = true;
    const int reach = std::min(order_, count_ - 1);  // degree of the predictor
    if (reach == order_) {
      predict(t1, reach, base_);
    } else {  // only at the start: as many values as the formula needs, not one more
      base_ = past_.col(0);
      if (order_ == 1) base_ += h * k0_;
      if (order_ > 1) predict(t1, reach, base_);
    }
    const double w0 = leading(t1, order_);
    G_ = -base_;
    for (int i = 0; i < order_; ++i) {  // (1)
      const double si = times_[size_t(i)];
      double w = 1 / (si - t1);
      for (int j = 0; j < order_; ++j)
        if (j != i) w *= (t1 - times_[size_t(j)]) / (si - times_[size_t(j)]);
      G_ -= w / w0 * past_.col(i);
    }
    for (Eigen::Index i = 0; i < y0_.size(); ++i)
      if (is_carried(i)) {
        base_[i] = y0_[i];
        G_[i] = 0;
      }
    newton_.factor(1 / w0);
    z_.setZero();
    const Status status = is_full() ? newton_.solve_fully(left(t1), base_, G_, 1 / w0, z_)
                                    : newton_.solve(left(t1), base_, G_, z_, eta_);
    note_theta(newton_.monitor.theta);
    if (status != Status::ok) return status;
    y1_ = base_ + z_;
    if (is_fixed()) return Status::ok;
    err_ = reach == order_ ? error(t1, order_, z_) : newton_.norm(z_) / 2;  // y₁ − y₀ − hF₀ = h²ÿ/2 twice
    if (!std::isfinite(err_)) err_ = 1e10;
    if (!(err_ <= 1)) worst_ = newton_.worst(z_);
    return Status::ok;
  }

  double leading(double t1, int k) const {  // w₀
    double sum = 0;
    for (int j = 0; j < k; ++j) sum += 1 / (t1 - times_[size_t(j)]);
    return sum;
  }

  // (3), with the difference y₁ − p_k
  double error(double t1, int k, const Vec& difference) const {
    return newton_.norm(difference) / (leading(t1, k) * (t1 - times_[size_t(k)]));
  }

  Status first_step(double h) {
    starter_.z.setZero();
    is_started_ = false;
    const Status status = starter_.solve({t0_, h, left_of_limit(), is_full()}, y0_, k0_, y1_);
    note_theta(starter_.theta);
    return status;
  }

  double next_step(double h) override {  // (4)
    rejections_ = 0;
    const bool changed = h != h_last_;
    same_ = changed ? 1 : same_ + 1;
    h_last_ = h;
    const double t1 = t1_;
    const bool ramps = count_ <= order_ + 1;  // at the start there is no past to wait for
    if (is_after_rejection()) return h;
    if (same_ <= order_ && !ramps) return h;
    const auto factor = [](double err, int k, double bias) {
      return std::pow(std::max(err, 1e-10), -1.0 / (k + 1)) / bias;
    };
    double best = factor(err_, order_, 1.2);
    int order = order_;
    if (order_ > 1) {
      predict(t1, order_ - 1, other_);
      other_ = y1_ - other_;
      if (const double f = factor(error(t1, order_ - 1, other_), order_ - 1, 1.3); f > best) {
        best = f;
        order = order_ - 1;
      }
    }
    if (order_ < highest_ && count_ >= order_ + 2) {
      predict(t1, order_ + 1, other_);
      other_ = y1_ - other_;
      if (const double f = factor(error(t1, order_ + 1, other_), order_ + 1, 1.4); f > best) {
        best = f;
        order = order_ + 1;
      }
    }
    best = std::min(best, order_ == 1 ? 4.0 : 2.0);
    if (best < 1.1 && best > 0.9) return h;
    if (order != order_) eta_ = 1;
    order_ = order;
    same_ = 0;
    return h * best;
  }

  double step_after_rejection(double h) override {  // (5)
    same_ = 0;
    if (++rejections_ >= 3 && order_ > 1) {
      order_ = 1;
      return h / 4;
    }
    return h * std::clamp(std::pow(err_, -1.0 / (order_ + 1)) / 1.2, 0.25, 0.9);
  }

  void accept(double) override {
    dense_ = is_started_ ? order_used() : 0;
    remember(t1_, y1_);
  }
  int order_used() const { return std::min(order_, count_); }

  void remember(double t, const Vec& y) {
    for (int j = kPast - 1; j > 0; --j) {
      past_.col(j).swap(past_.col(j - 1));
      times_[size_t(j)] = times_[size_t(j - 1)];
    }
    past_.col(0) = y;
    times_[0] = t;
    count_ = std::min(count_ + 1, kPast);
  }

  void forget() override {
    count_ = 0;
    order_ = 1;
    same_ = 0;
    rejections_ = 0;
    eta_ = 1;
    starter_.forget();
  }

  const int highest_;
  int order_ = 1;
  int same_ = 0;  // steps of one size and order
  int rejections_ = 0;
  int dense_ = 0;  // degree of the dense output; 0: Hermite
  bool is_started_ = false;
  double h_last_ = 0, eta_ = 1;
  Mat past_;                           // size × 7, newest first
  std::array<double, kPast> times_{};  // of the past values
  int count_ = 0;                      // of them known
  DirkStages starter_;
  Vec base_, G_, z_, other_;
};

}  // namespace

std::unique_ptr<Integrator> make_bdf_on_ode(OdeForm& form,
                                            Statistics& statistics,
                                            const StepControl& control,
                                            int order) {
  return std::make_unique<BdfOnOde>(form, statistics, control, order);
}

}  // namespace driftless
