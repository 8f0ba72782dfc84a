// History of F as modified divided differences on unequal steps.     Hairer, Nørsett & Wanner III.5; Shampine & Gordon 1975
// For the step t_n → t_{n+1} = t_n + h:
//   β₀ = 1,  βⱼ = βⱼ₋₁ (t_{n+1} − t_{n−j+1})/(t_n − t_{n−j}),   Φ*ⱼ = βⱼ Φⱼ(n)                                         (1)
//   c₀q = 1/q,  c₁q = 1/(q(q+1)),  cⱼq = cⱼ₋₁,q − cⱼ₋₁,q₊₁ h/(t_{n+1} − t_{n−j+1}),   gⱼ = cⱼ₁                           (2)
//   predictor  y₀ + h Σ_{j<k} gⱼ Φ*ⱼ                                                                                 (3)
//   Φ₀(n+1) = F_{n+1},  Φⱼ₊₁(n+1) = Φⱼ(n+1) − Φ*ⱼ                                                                    (4)
// Φⱼ(n+1) = F[t_{n+1} … t_{n+1−j}] Π (t_{n+1} − t_{n+1−i}), i = 1 … j, so the polynomial through F is Newton's          (5)
#pragma once

#include <algorithm>
#include <array>

#include "driftless/math/memory.hpp"

namespace driftless {

class AdamsDifferences {
 public:
  static constexpr int kMost = 12;  // order of a predictor

  explicit AdamsDifferences(Eigen::Index size)
      : phi_(size, kMost + 2), star_(Mat::Zero(size, kMost + 2)), new_(size, kMost + 2) {}

  // Number of values of F the differences stand for.
  int known() const { return known_; }
  double time(int j) const { return times_[size_t(j)]; }  // t_{n−j}
  double g(int j) const { return g_[size_t(j)]; }

  void forget() { known_ = 0; }
  void keep(int most) { known_ = std::min(known_, most); }
  void keep(Memory& memory) {  // Φ(n) is made from Φ* and F by the next push()
    memory(known_, 0, kMost + 2);
    memory(times_);
    memory(star_);
  }

  // F at t_n, behind the step prepare() was last called for: (4).
  void push(double t, const Vec& F) {
    const int kept = std::min(known_, kMost + 1);
    update(F, kept);
    phi_.leftCols(kept + 1) = new_.leftCols(kept + 1);
    for (size_t j = times_.size() - 1; j > 0; --j) times_[j] = times_[j - 1];
    times_[0] = t;
    known_ = kept + 1;
  }

  // (1) and (2) for a step to t1.
  void prepare(double t1) {
    const double h = t1 - times_[0];
    double beta = 1;
    star_.col(0) = phi_.col(0);
    for (int j = 1; j < known_; ++j) {
      beta *= (t1 - time(j - 1)) / (time(0) - time(j));
      star_.col(j) = beta * phi_.col(j);
    }
    std::array<double, kMost + 3> c;
    for (size_t q = 0; q < c.size(); ++q) c[q] = 1.0 / static_cast<double>(q + 1);
    g_[0] = 1;
    for (int j = 1; j <= std::min(known_, kMost + 1); ++j) {
      const double ratio = j == 1 ? 1 : h / (t1 - time(j - 1));
      for (size_t q = 0; q + size_t(j) < c.size(); ++q) c[q] -= ratio * c[q + 1];
      g_[size_t(j)] = c[0];
    }
  }

  // (3) with k differences, k ≤ known().
  void predict(double h, int k, const Vec& y0, Vec& out) const {
    out = y0;
    for (int j = 0; j < k; ++j) out += h * g(j) * star_.col(j);
  }

  // (4) up to Φ_count(n+1), count ≤ known(), for a trial value of F_{n+1}.
  void update(const Vec& F, int count) {
    new_.col(0) = F;
    for (int j = 0; j < count; ++j) new_.col(j + 1) = new_.col(j) - star_.col(j);
  }
  auto difference(int j) const { return new_.col(j); }  // of update()

 private:
  Mat phi_, star_, new_;                      // Φ(n), Φ*(n), Φ(n+1) on trial
  std::array<double, kMost + 2> times_ = {};  // t_n, t_{n−1}, …
  std::array<double, kMost + 2> g_ = {};
  int known_ = 0;
};

}  // namespace driftless
