// Diagonally implicit Runge–Kutta schemes as data.
//   kᵢ = F(t + cᵢh, y + h Σ_{j≤i} aᵢⱼ kⱼ),  aᵢᵢ = γ,   y₁ = y + h Σ bᵢ kᵢ,   ŷ = y + h Σ b̂ᵢ kᵢ                         (1)
// A first stage at the start of the step, k₀ = F(t, y), adds its weight `a0` to each stage and to y₁.
#pragma once

#include <array>
#include <cmath>

namespace driftless {

struct DirkTableau {
  // How the error is estimated: from b̂; by comparing with the explicit Adams formula of the same order; by two half steps.
  enum class Estimate { embedded, adams, doubling };

  int order;
  int stages;
  double gamma;
  double a0 = 0;
  std::array<double, 5> c;
  std::array<std::array<double, 5>, 5> a;  // a[i][j], j ≤ i
  std::array<double, 5> b;
  Estimate estimate;
  double k;                          // exponent 1/k of the step controller
  std::array<double, 5> b_hat = {};  // embedded
  std::array<std::array<double, 4>, 5> dense =
      {};  // bᵢ(θ): coefficients of θ, θ², θ³, θ⁴; zero: cubic Hermite
  bool has_dense() const { return dense[0][0] != 0; }
};

// Backward Euler.                                                     Hairer & Wanner IV.3; used by Chin, tables 2.1, 2.2
inline constexpr DirkTableau kBackwardEuler = {.order = 1,
                                               .stages = 1,
                                               .gamma = 1,
                                               .c = {1},
                                               .a = {{{1}}},
                                               .b = {1},
                                               .estimate = DirkTableau::Estimate::doubling,
                                               .k = 2};

// Trapezoidal rule.                                                                   García de Jalón & Bayo (7.19)
inline constexpr DirkTableau kTrapezoidal = {.order = 2,
                                             .stages = 1,
                                             .gamma = 0.5,
                                             .a0 = 0.5,
                                             .c = {1},
                                             .a = {{{0.5}}},
                                             .b = {0.5},
                                             .estimate = DirkTableau::Estimate::adams,
                                             .k = 3};

// Implicit midpoint rule.                                                             García de Jalón & Bayo (7.35)
inline constexpr DirkTableau kMidpoint = {.order = 2,
                                          .stages = 1,
                                          .gamma = 0.5,
                                          .c = {0.5},
                                          .a = {{{0.5}}},
                                          .b = {1},
                                          .estimate = DirkTableau::Estimate::doubling,
                                          .k = 3};

// Nørsett's two stages: c = (γ, 1 − γ).                      García de Jalón & Bayo §7.1.2 (γ of order 3 corrected)
constexpr DirkTableau norsett(int order, double gamma) {
  return {.order = order,
          .stages = 2,
          .gamma = gamma,
          .c = {gamma, 1 - gamma},
          .a = {{{gamma}, {1 - 2 * gamma, gamma}}},
          .b = {0.5, 0.5},
          .estimate = DirkTableau::Estimate::embedded,
          .k = 2,
          .b_hat = {1, 0}};
}
inline constexpr double kRoot2 = 1.4142135623730950488, kRoot3 = 1.7320508075688772935;
inline constexpr DirkTableau kNorsett2 = norsett(2, 1 - kRoot2 / 2);
inline constexpr DirkTableau kNorsett3 = norsett(3, (3 + kRoot3) / 6);

// Order 4(3), stiffly accurate, L-stable, γ = 4/15.                              Negrut, Haug & German, section 4
inline constexpr DirkTableau kSdirk4_15 = {
    .order = 4,
    .stages = 5,
    .gamma = 4.0 / 15,
    .c = {4.0 / 15, 23.0 / 30, 17.0 / 30, 2881.0 / 28965 + 4.0 / 15, 1},
    .a = {{{4.0 / 15},
           {1.0 / 2, 4.0 / 15},
           {51069.0 / 144200, -7809.0 / 144200, 4.0 / 15},
           {12047244770625658.0 / 141474406359725325.0, -3057890203562191.0 / 47158135453241775.0,
            2239631894905804.0 / 28294881271945065.0, 4.0 / 15},
           {181513.0 / 86430, -89074.0 / 116015, 83636.0 / 34851, -69863904375173.0 / 23297141763930.0,
            4.0 / 15}}},
    .b = {181513.0 / 86430, -89074.0 / 116015, 83636.0 / 34851, -69863904375173.0 / 23297141763930.0,
          4.0 / 15},
    .estimate = DirkTableau::Estimate::embedded,
    .k = 4,
    .b_hat = {33665407.0 / 11668050, -2284766.0 / 15662025, 11244716.0 / 4704885,
              -96203066666797.0 / 23297141763930.0, 0},
    .dense = {{{849539929.0 / 125366715, -7054050029.0 / 501466860, 4063087307.0 / 250733430,
                -75936575.0 / 11143708},
               {1065780116.0 / 336559515, -66126791681.0 / 4711833210.0, 36510106373.0 / 2355916605.0,
                -1695466275.0 / 314122214},
               {-2538044012.0 / 1314335763, 29300917481.0 / 2628671526.0, -697702121.0 / 101102751,
                24861625.0 / 292074614},
               {-91731306444602149.0 / 15018890723813540.0, 1565719960952002103.0 / 120151125790508320.0,
                -3556701507835682257.0 / 180226688685762480.0, 235790677266208875.0 / 24030225158101664.0},
               {-227373.0 / 251420, 55235497.0 / 14079520, -8230811.0 / 1624560, 6517125.0 / 2815904}}}};

// The same with γ = 1/4.                                                             Hairer & Wanner (IV.6.16)
inline constexpr DirkTableau kSdirk1_4 = {.order = 4,
                                          .stages = 5,
                                          .gamma = 0.25,
                                          .c = {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1},
                                          .a = {{{1.0 / 4},
                                                 {1.0 / 2, 1.0 / 4},
                                                 {17.0 / 50, -1.0 / 25, 1.0 / 4},
                                                 {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4},
                                                 {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}}},
                                          .b = {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4},
                                          .estimate = DirkTableau::Estimate::embedded,
                                          .k = 4,
                                          .b_hat = {59.0 / 48, -17.0 / 96, 225.0 / 32, -85.0 / 12, 0},
                                          .dense = {{{11.0 / 3, -463.0 / 72, 217.0 / 36, -20.0 / 9},
                                                     {11.0 / 2, -385.0 / 16, 661.0 / 24, -10},
                                                     {-125.0 / 18, 20125.0 / 432, -8875.0 / 216, 250.0 / 27},
                                                     {0, -85.0 / 4, 85.0 / 6, 0},
                                                     {-11.0 / 9, 557.0 / 108, -359.0 / 54, 80.0 / 27}}}};

}  // namespace driftless
