// Explicit Runge–Kutta schemes as data.
//   Yᵢ = y + h Σⱼ aᵢⱼ kⱼ,  kᵢ = F(t + cᵢ h, Yᵢ),  y₁ = y + h Σ bᵢ kᵢ,  error estimate h Σ eᵢ kᵢ                        (1)
// Every scheme is closed by one more stage, the derivative at the (stabilised) end of the step, which is the first stage
// of the next: for DOPRI5 that is its own seventh stage, for the others it costs nothing but one evaluation in a run.
#pragma once

#include <array>
#include <span>

namespace driftless {

struct Tableau {
  int order;
  int stages;  // before the closing one
  std::array<double, 6> c;
  std::array<std::array<double, 5>, 6> a;  // a[i][j], j < i
  std::array<double, 6> b;
  std::array<double, 7> e;  // error weights, the closing stage last; all zero: no estimate
  std::array<double, 7> d;  // weights of the dense output of order 4; all zero: cubic Hermite
  bool estimates() const { return e[0] != 0; }
  bool dense() const { return d[0] != 0; }
};

// Explicit Euler.                                                                García de Jalón & Bayo (7.8)
inline constexpr Tableau kEuler = {.order = 1, .stages = 1, .c = {0}, .a = {}, .b = {1}, .e = {}, .d = {}};

// Heun.                                                                  García de Jalón & Bayo (7.9)–(7.11)
inline constexpr Tableau kHeun = {
    .order = 2, .stages = 2, .c = {0, 1}, .a = {{{}, {1}}}, .b = {0.5, 0.5}, .e = {}, .d = {}};

// The classical scheme of order 4.                                      García de Jalón & Bayo (7.12)–(7.16)
inline constexpr Tableau kRk4 = {.order = 4,
                                 .stages = 4,
                                 .c = {0, 0.5, 0.5, 1},
                                 .a = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}},
                                 .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                                 .e = {},
                                 .d = {}};

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
          701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423}};

}  // namespace driftless
