// The backward differentiation formulas: the past, and the choice of order and step.
// With s₀ = t₁ and the past s₁ = t₀, s₂, …:
//   ẏ₁ = Σ_{i≤k} wᵢ yᵢ,   w₀ = Σ_{j≥1} 1/(s₀ − sⱼ),   wᵢ = 1/(sᵢ − s₀) Π_{j≠0,i} (s₀ − sⱼ)/(sᵢ − sⱼ)                     (1)
//   p_k: the polynomial through s₁ … s_{k+1}                                                                             (2)
//   err_k = |y₁ − p_k| / (w₀ (s₀ − s_{k+1})): the leading error of (1), whose divided difference is that of y₁ − p_k,
//   sharpened by (4) of step_controller.hpp with p = k                                                                   (3)
//   order: after k + 1 steps of one size and order, the one of k − 1, k, k + 1 that allows the longest step,
//   h ← h min( err_{k−1}^(−1/k)/1.3, err_k^(−1/(k+1))/1.2, err_{k+1}^(−1/(k+2))/1.4 ), growth by at most 2 (order 1: 4), and
//   only if by a tenth at least. So each change of step has k + 1 equal ones behind it; the bounds of zero-stability for
//   steps that grow all the time (2.4, 1.5, 1.2 for k = 2, 3, 4) do not bind.                                            (4)
//   Differences y₁ − p_k count by what they are above round-off: values of one kind (positions, velocities) come out of one
//   solve, so each is known to 100 units in the last place of the largest, in their scales. Below that no step is too long, and of two
//   orders whose errors are both below it the higher is taken: low orders, sharpened, end right above it. Close to singular positions
//   corrections are made of round-off, and values known no better than these: up to 10⁴ units                       (6)
//   rejected   h ← h max(1/4, err_k^(−1/(k+1))/1.2), no higher order; three times in a row without err falling by a
//   factor of 4: order 1 anew                  (5)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "driftless/integrator/step_controller.hpp"
#include "driftless/math/memory.hpp"

namespace driftless {

class BdfHistory {
 public:
  static constexpr int kMaxOrder = 5;
  static constexpr int kPast = kMaxOrder + 2;  // for the predictor of order k + 1

  void resize(Eigen::Index size) {
    for (Vec& y : past_) y.setZero(size);
    count_ = 0;
  }
  int count() const { return count_; }
  void clear() { count_ = 0; }
  Vec& newest() { return past_[0]; }

  void push(double t, const Vec& y) {
    for (size_t j = kPast - 1; j > 0; --j) {
      past_[j].swap(past_[j - 1]);
      times_[j] = times_[j - 1];
    }
    past_[0] = y;
    times_[0] = t;
    count_ = std::min(count_ + 1, kPast);
  }

  // p_k at t (2), of the first entries
  void extrapolate(double t, int k, VecRef out) const {
    out.setZero();
    for (int i = 0; i <= k; ++i) {
      double weight = 1;
      for (int j = 0; j <= k; ++j)
        if (j != i) weight *= (t - times_[size_t(j)]) / (times_[size_t(i)] - times_[size_t(j)]);
      out += weight * past_[size_t(i)].head(out.size());
    }
  }

  double leading(double t1, int k) const {  // w₀ of (1)
    double sum = 0;
    for (int j = 0; j < k; ++j) sum += 1 / (t1 - times_[size_t(j)]);
    return sum;
  }

  void add_past(double t1, int k, double factor, Vec& out) const {  // factor · Σ_{i≥1} wᵢ yᵢ of (1)
    for (int i = 0; i < k; ++i) {
      const double si = times_[size_t(i)];
      double w = 1 / (si - t1);
      for (int j = 0; j < k; ++j)
        if (j != i) w *= (t1 - times_[size_t(j)]) / (si - times_[size_t(j)]);
      out += factor * w * past_[size_t(i)];
    }
  }

  double error_constant(double t1, int k) const {  // (3)
    return 1 / (leading(t1, k) * (t1 - times_[size_t(k)]));
  }

  void keep(Memory& memory) {
    memory(count_, 0, kPast);
    memory(times_);
    for (Vec& y : past_) memory(y);
  }

 private:
  std::array<Vec, kPast> past_;        // newest first
  std::array<double, kPast> times_{};  // of the past values
  int count_ = 0;                      // of them known
};

// (6): of differences of values y of one kind, the last of which were corrected by so much, in their scales.
inline void clear_round_off(ConstVec y, ConstVec scale, VecRef differences, double corrected = 0) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon(), kKnownTo = 100, kAtMost = 1e4, kSpread = 4;
  double largest = 0;
  for (Eigen::Index i = 0; i < y.size(); ++i)
    if (scale[i] > 0) largest = std::max(largest, std::abs(y[i]) / scale[i]);
  const double known = std::clamp(kSpread * corrected, kKnownTo * kUnit * largest, kAtMost * kUnit * largest);
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double above = std::abs(differences[i]) - known * scale[i];
    if (std::isfinite(above)) differences[i] = std::copysign(std::max(above, 0.0), differences[i]);
  }
}

class BdfControl {
 public:
  BdfControl(int highest, double rtol) : highest_(highest), rtol_(rtol) {}

  int order() const { return order_; }
  int highest() const { return highest_; }
  void set_order(int order) { order_ = order; }
  void forget() {
    order_ = 1;
    same_ = rejections_ = 0;
  }

  double sharpness(int k) const { return sharpening(rtol_, k); }

  // (4) behind a step from the newest of the past to (t1, y1); size(error) measures an error and may change it; `other` is work space.
  template <class Size>
  double accepted(double h,
                  double err,
                  bool after_rejection,
                  const BdfHistory& past,
                  double t1,
                  const Vec& y1,
                  Vec& other,
                  Size&& size) {
    rejections_ = 0;
    same_ = h != h_last_ ? 1 : same_ + 1;
    h_last_ = h;
    const bool ramps = past.count() <= order_ + 1;  // at the start there is no past to wait for
    if (after_rejection || (same_ <= order_ && !ramps)) return h;
    const auto factor = [](double error, int k, double bias) {
      return std::pow(std::max(error, 1e-10), -1.0 / (k + 1)) / bias;
    };
    const auto error_of = [&](int k) {
      past.extrapolate(t1, k, other);
      other = past.error_constant(t1, k) * (y1 - other);
      return sharpness(k) * size(other);
    };
    double best = factor(err, order_, 1.2);
    int order = order_;
    if (order_ > 1)
      if (const double f = factor(error_of(order_ - 1), order_ - 1, 1.3); f > best) {
        best = f;
        order = order_ - 1;
      }
    if (order_ < highest_ && past.count() >= order_ + 2) {
      const double higher = error_of(order_ + 1);
      const double f = factor(higher, order_ + 1, 1.4);
      if (f > best || (err == 0 && higher == 0)) {  // (6)
        best = f;
        order = order_ + 1;
      }
    }
    best = std::min(best, order_ == 1 ? 4.0 : 2.0);
    if (best < 1.1 && best > 0.9) return h;
    order_ = order;
    same_ = 0;
    return h * best;
  }

  void keep(Memory& memory) {
    memory(order_, 1, highest_);
    memory(same_, 0, std::numeric_limits<int>::max());
    memory(rejections_, 0, std::numeric_limits<int>::max());
    memory(h_last_);
  }

  double rejected(double h, double err) {  // (5)
    same_ = 0;
    const bool shorter_is_better = rejections_ > 0 && err < rejected_err_ / 4;
    if (!shorter_is_better) ++rejections_;
    rejected_err_ = err;
    if (rejections_ >= 3 && order_ > 1) {
      order_ = 1;
      rejections_ = 0;
      return h / 4;
    }
    return h * std::clamp(std::pow(err, -1.0 / (order_ + 1)) / 1.2, 0.25, 0.9);
  }

 private:
  const int highest_;
  const double rtol_;
  int order_ = 1;
  int same_ = 0;             // steps of one size and order
  int rejections_ = 0;       // in a row that a shorter step did not help against
  double rejected_err_ = 0;  // of the last one
  double h_last_ = 0;
};

}  // namespace driftless
