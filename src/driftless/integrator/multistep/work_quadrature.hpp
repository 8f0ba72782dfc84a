// The work W of multistep methods. Steps and orders are chosen for the motion, and W is not tested: where nothing moves but in a
// straight line, a formula of order 1 makes one long step of what is a parabola for W. Powers at the ends of steps are known, so
//   W(t) = W₀ + ∫ p dt from t₀ to t,   p: the polynomial through the power at t₁, at t₀ and before, of degree k            (1)
// by Gauss's formula with five nodes: one order above the method's at least, exact for powers that are linear in a first step.
#pragma once

#include <algorithm>
#include <array>

#include "driftless/math/memory.hpp"

namespace driftless {

class WorkQuadrature {
 public:
  void clear() { count_ = 0; }

  // The power where a step begins; the same step may say so again.
  void begin_step(double t, double power) {
    if (count_ == 0 || times_[0] != t) {
      std::move_backward(times_.begin(), times_.end() - 1, times_.end());
      std::move_backward(powers_.begin(), powers_.end() - 1, powers_.end());
      count_ = std::min(count_ + 1, kMost);
    }
    times_[0] = t;
    powers_[0] = power;
  }

  // (1): work since the beginning of the step that ends at t1, up to t.
  double work(double t, double t1, double power, int degree) const {
    constexpr std::array<double, 5> kNodes = {-0.906179845938663993, -0.538469310105683091, 0,
                                              0.538469310105683091, 0.906179845938663993};
    constexpr std::array<double, 5> kWeights = {0.236926885056189088, 0.478628670499366468,
                                                0.568888888888888889, 0.478628670499366468,
                                                0.236926885056189088};
    const double half = 0.5 * (t - times_[0]), middle = times_[0] + half;
    double sum = 0;
    for (size_t i = 0; i < kNodes.size(); ++i)
      sum += kWeights[i] * power_at(middle + half * kNodes[i], t1, power, std::clamp(degree, 1, count_));
    return half * sum;
  }

  void keep(Memory& memory) {
    memory(count_, 0, kMost);
    memory(times_);
    memory(powers_);
  }

 private:
  static constexpr int kMost = 8;

  double power_at(double t, double t1, double power, int degree) const {  // Neville
    std::array<double, kMost + 1> x{}, y{};
    x[0] = t1;
    y[0] = power;
    std::copy_n(times_.begin(), degree, x.begin() + 1);
    std::copy_n(powers_.begin(), degree, y.begin() + 1);
    for (int k = 1; k <= degree; ++k)
      for (int i = 0; i + k <= degree; ++i) {
        const auto a = size_t(i), b = size_t(i + k);
        y[a] = ((t - x[b]) * y[a] + (x[a] - t) * y[a + 1]) / (x[a] - x[b]);
      }
    return y[0];
  }

  std::array<double, kMost> times_{}, powers_{};  // newest first
  int count_ = 0;
};

}  // namespace driftless
