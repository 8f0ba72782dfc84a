// How slots that are not rigid bodies move with their coordinates: points and sections of floating-frame bodies, of cables, point
// masses. Everything a joint, force or output needs of a slot is its frame, twist and bias, and where a force F and a moment M on
// it go: f ← f + J_rᵀ F + J_ωᵀ M.
//   floating   r = R + A u, u = u0 + U η, section turned by ϑ = S_θ η: R_slot = A E, E = exp(ϑ~), t = |ϑ|
//     ω_slot = A (ω + τ),  τ = T ϑ̇,  T = 1 + c1ϑ~ + c2ϑ~²,  c1 = (1−cos t)/t², c2 = (t−sin t)/t³                        (1)
//     bias   b_r = A (ω×(ω×u) + 2ω×u̇ + β×u),   b_ω = A (ω×τ + τ' + β),   β = ω̇ for v̇ = 0
//     τ' = (ϑ·ϑ̇)(d1 ϑ×ϑ̇ + d2 ϑ×(ϑ×ϑ̇)) + c2 ϑ̇×(ϑ×ϑ̇)
//     d1 = (t sin t − 2(1−cos t))/t⁴,   d2 = (3 sin t − 2t − t cos t)/t⁵                                                  (2)
//     f_R = F,  f_ω = u×AᵀF + AᵀM,  f_η = UᵀAᵀF + (T S_θ)ᵀAᵀM        plane: ϑ a number, T = 1, τ' = 0                      (3)
//   cable      r = Σ h_i q_i, r' = Σ h'_i q_i, ω = r'×ṙ'/|r'|², b_ω = −2 (r'·ṙ')/|r'|² ω,  f_i = h_i F + h'_i M×r'/|r'|²    (4)
// docs/theory/flexible.md
#pragma once

#include <cmath>
#include <vector>

#include "driftless/constraints/frame.hpp"
#include "driftless/constraints/plane_attitude.hpp"

namespace driftless {

// (1), (2): coefficients from x = t², by series below t = 0.1, where their closed forms cancel. On any scalar.
template <class S>
struct SectionTurn {
  S c0, c1, c2, d1, d2;
  explicit SectionTurn(const S& x) {
    using std::cos;
    using std::sin;
    using std::sqrt;
    if (x < 0.01) {
      c0 = 1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0))));
      c1 =
          (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0 * (1.0 - x / 132.0))))) / 2.0;
      c2 = (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0 * (1.0 - x / 156.0))))) /
           6.0;
      d1 = -(1.0 - x / 15.0 * (1.0 - 3.0 * x / 112.0 * (1.0 - 2.0 * x / 135.0 * (1.0 - 5.0 * x / 528.0)))) /
           12.0;
      d2 = -(1.0 - x / 21.0 * (1.0 - x / 48.0 * (1.0 - 2.0 * x / 165.0 * (1.0 - 5.0 * x / 624.0)))) / 60.0;
    } else {
      const S t = sqrt(x), s = sin(t), c = cos(t);
      c0 = s / t;
      c1 = (1.0 - c) / x;
      c2 = (t - s) / (x * t);
      d1 = (t * s - 2.0 * (1.0 - c)) / (x * x);
      d2 = (3.0 * s - 2.0 * t - t * c) / (x * x * t);
    }
  }
};

// What one worker keeps of a slot between stages.
template <int D>
struct SlotState {
  static constexpr int kSpin = D == 2 ? 1 : 3;
  VecOf<double, D> u = VecOf<double, D>::Zero();      // floating: place in the frame
  Mat turn_rates;                                     // floating in space: T S_θ
  VecOf<double, D> slope = VecOf<double, D>::Zero();  // cable: r'
  TwistOf<double, D> bias;
};

}  // namespace driftless
