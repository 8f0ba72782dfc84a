// Coefficients of the GSSSS families U0 and V0: generalized single step, single solve.     Hoitink 2011, table 2.1, (2.10)–(2.13)
// Principal roots r1, r2 and spurious root r3 of the amplification matrix at ω h → ∞, 0 ≤ r3 ≤ r1 ≤ r2 ≤ 1. With
// D12 = (1+r1)(1+r2), D = D12 (1+r3), G = (3 + r1 + r2 − r1 r2) / (2 D12):
//        W1Λ1      W2Λ2           W3Λ3   W1Λ4      W2Λ5       W1Λ6                              λ3            λ5
//   U0   1/(1+r3)  1/(2(1+r3))    1/D    1/(1+r3)  G/(1+r3)   (2 + r1 + r2 + r3 − r1 r2 r3)/D   1/D12         G
//   V0   G         1/D12          1/D    G         2/D        (2 + r1 + r2 + r3 − r1 r2 r3)/D   1/(2(1+r3))   1/(1+r3)     (1)
// and λ1 = 1, λ2 = ½, λ4 = 1, W1 = W1Λ1 in both. A step, with D = a₁ − a:
//   q̃ = q + W1Λ1 h v + W2Λ2 h² a + W3Λ3 h² D,   ṽ = v + W1Λ4 h a + W2Λ5 h D,   ã = a + W1Λ6 D
//   q₁ = q + h v + ½ h² a + λ3 h² D,             v₁ = v + h a + λ5 h D                                                   (2)
// Written for an increment d of a₁, v₁ or q₁ each of these is  P₁ q + P₂ v + P₃ a + C d                        Hoitink (2.15)–(2.27)  (3)
#pragma once

#include <array>

namespace driftless {

enum class GssssFamily { U0, V0 };
enum class GssssUnknown { acceleration, velocity, displacement };  // a-, v- and d-form

struct GssssCoefficients {  // (1)
  double W1L1, W2L2, W3L3, W1L4, W2L5, W1L6, l3, l5;
  double W1() const { return W1L1; }
  // q̃ is the middle of the step: q̃ = (q + q₁)/2 whatever v, a and D are.
  bool is_midpoint() const;
};

GssssCoefficients gssss_coefficients(GssssFamily family, double r1, double r2, double r3);

// (3): predictor weights of q, v and a, and the weight of d.
struct GssssWeights {
  std::array<double, 3> P;
  double C;
};
struct GssssStep {
  GssssWeights end, middle, rate, acceleration;  // q₁, q̃, ṽ, ã
  double velocity;                               // ∂v₁/∂d
};
GssssStep gssss_step(const GssssCoefficients& c, GssssUnknown unknown, double h);

}  // namespace driftless
