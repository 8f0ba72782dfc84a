// Explicit Runge–Kutta schemes as data.
//   Yᵢ = y + h Σⱼ aᵢⱼ kⱼ,  kᵢ = F(t + cᵢ h, Yᵢ),  y₁ = y + h Σ bᵢ kᵢ,  error estimate h Σ eᵢ kᵢ                        (1)
// Every scheme is closed by one more stage, the derivative at the (stabilised) end of the step, which is the first stage
// of the next: for DOPRI5 that is its own seventh stage, for the others it costs nothing but one evaluation in a run.
// Order p: Σ bᵢ φᵢ(τ) = 1/γ(τ) for all rooted trees τ of up to p vertices.       Hairer, Nørsett & Wanner II.2     (2)
//   φᵢ(τ) = Π over the branches σ of τ of Σⱼ aᵢⱼ φⱼ(σ),   γ(τ) = |τ| Π γ(σ)                                          (3)
#pragma once

#include <array>
#include <string>

#include "driftless/integrator/step_controller.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

inline constexpr int kMaxStages = 16;

// Stages made for dense output only, and only in steps that are asked for it; see explicit_rk.cpp (4).
struct DenseStages {
  std::array<double, 3> c;
  std::array<std::array<double, 16>, 3> a;  // on k₁ … k₁₃ and the ones before
  std::array<std::array<double, 16>, 4> d;
};

struct Tableau {
  int order = 0;
  int stages = 0;  // before the closing one
  std::array<double, kMaxStages> c = {};
  std::array<std::array<double, kMaxStages>, kMaxStages> a = {};  // a[i][j], j < i
  std::array<double, kMaxStages> b = {};
  std::array<double, kMaxStages + 1> e = {};  // error weights, the closing stage last; all zero: no estimate
  std::array<double, kMaxStages + 1> e_second = {};  // of a second estimate blended with the first (DOP853)
  std::array<double, kMaxStages + 1> d = {};  // weights of dense output of order 4; all zero: cubic Hermite
  ControllerGains gains = {};
  bool counts_correction = false;  // the error is that of the settled end: explicit_rk.cpp (1a)
  double stiff_beyond =
      0;  // h|Λ| at which stability limits the step; needs c = 1 in the last stage; 0: not watched
  const DenseStages* dense_stages = nullptr;
  constexpr bool estimates() const { return has(e); }
  constexpr bool blends() const { return has(e_second); }
  constexpr bool dense() const { return has(d); }

 private:
  static constexpr bool has(const std::array<double, kMaxStages + 1>& weights) {
    for (const double weight : weights)
      if (weight != 0) return true;
    return false;
  }
};

// A (stages + 1 square) and b (zero in the end) with the closing stage as the last one.
Mat stage_matrix(const Tableau& tableau);
Vec step_weights(const Tableau& tableau);
// Largest |Σ bᵢ φᵢ − θᵖ/γ| over the trees with p vertices: θ = 1 for a step, others for dense output.                 (2)
double order_residual(const Mat& A, const Vec& b, int p, double theta = 1);
// The order up to which (2) holds within `tolerance`, looked for up to kMostOrder.
inline constexpr int kMostOrder = 8;
int order_of(const Mat& A, const Vec& b, double tolerance = 1e-12);

// Explicit Euler.                                                                García de Jalón & Bayo (7.8)
inline constexpr Tableau kEuler = {.order = 1, .stages = 1, .c = {0}, .b = {1}};

// Heun, with Euler embedded.                                             García de Jalón & Bayo (7.9)–(7.11)
inline constexpr Tableau kHeun = {.order = 2,
                                  .stages = 2,
                                  .c = {0, 1},
                                  .a = {{{}, {1}}},
                                  .b = {0.5, 0.5},
                                  .e = {-0.5, 0.5},
                                  .gains = {.exponent = 2, .beta = 0.2}};

// The classical scheme of order 4.                                      García de Jalón & Bayo (7.12)–(7.16)
inline constexpr Tableau kRk4 = {.order = 4,
                                 .stages = 4,
                                 .c = {0, 0.5, 0.5, 1},
                                 .a = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}},
                                 .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

// The 3/8 rule of order 4.                                                       Hairer, Nørsett & Wanner II.1, table 1.2
inline constexpr Tableau kThreeEighths = {.order = 4,
                                          .stages = 4,
                                          .c = {0, 1.0 / 3, 2.0 / 3, 1},
                                          .a = {{{}, {1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}}},
                                          .b = {1.0 / 8, 3.0 / 8, 3.0 / 8, 1.0 / 8}};

// Bogacki & Shampine 3(2), FSAL.                                                         Bogacki & Shampine 1989
inline constexpr Tableau kBogackiShampine = {
    .order = 3,
    .stages = 3,
    .c = {0, 1.0 / 2, 3.0 / 4},
    .a = {{{}, {1.0 / 2}, {0, 3.0 / 4}}},
    .b = {2.0 / 9, 1.0 / 3, 4.0 / 9},
    .e = {2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8},
    .gains = {.exponent = 3, .beta = 0.4 / 3}};

// Fehlberg 4(5); the solution of order 5 is the one carried on (local extrapolation).     Hairer, Nørsett & Wanner II.4
inline constexpr Tableau kRkf45 = {.order = 5,
                                   .stages = 6,
                                   .c = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2},
                                   .a = {{{},
                                          {1.0 / 4},
                                          {3.0 / 32, 9.0 / 32},
                                          {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
                                          {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
                                          {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}}},
                                   .b = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55},
                                   .e = {1.0 / 360, 0, -128.0 / 4275, -2197.0 / 75240, 1.0 / 50, 2.0 / 55},
                                   .gains = {.exponent = 5, .beta = 0.08}};

// Dormand & Prince 5(4), FSAL, dense output of order 4.            Chin (4.9) corrected; Hairer, Nørsett & Wanner II.5
inline constexpr Tableau kDopri5 = {
    .order = 5,
    .stages = 6,
    .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1},
    .a = {{{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}}},
    .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    .e = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
    .d = {-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
          701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423},
    .stiff_beyond = 3};  // the real limit is 3.31; where one eigenvalue rules, PI control settles at 3.23

}  // namespace driftless
