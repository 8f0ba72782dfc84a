// The slider-crank in absolute planar coordinates as equations for JetSystem, with any number of rows said twice:
// crank 1 m, rod 2 m, slider on the x axis; masses 1, 2, 1; gravity on all bodies.
#pragma once

#include <cmath>

#include "driftless/math/types.hpp"
#include "driftless/system/state.hpp"

namespace driftless::testing {

struct SliderCrank {
  static constexpr int nq = 9;
  static constexpr bool time_dependent = false;
  bool redundant = false;        // two more rows: g6 + g7 and 2 g8
  double row_scale[2] = {1, 1};  // of these
  int rows = redundant ? 10 : 8;
  static constexpr double a = 1, l = 2, m[3] = {1, 2, 1}, I[3] = {1.0 / 12, 8.0 / 12, 0.1}, gravity = 9.81;

  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    using std::cos, std::sin;
    g[0] = q[0] - a / 2 * cos(q[2]);
    g[1] = q[1] - a / 2 * sin(q[2]);
    g[2] = q[3] - l / 2 * cos(q[5]) - q[0] - a / 2 * cos(q[2]);
    g[3] = q[4] - l / 2 * sin(q[5]) - q[1] - a / 2 * sin(q[2]);
    g[4] = q[6] - q[3] - l / 2 * cos(q[5]);
    g[5] = q[7] - q[4] - l / 2 * sin(q[5]);
    g[6] = q[7];
    g[7] = q[8];
    if (!redundant) return;
    g[8] = row_scale[0] * (g[5] + g[6]);
    g[9] = row_scale[1] * 2 * g[7];
  }
  void mass(double, ConstVec, Mat& M) const {
    for (int i = 0; i < 3; ++i) {
      M(3 * i, 3 * i) = M(3 * i + 1, 3 * i + 1) = m[i];
      M(3 * i + 2, 3 * i + 2) = I[i];
    }
  }
  void force(double, ConstVec, ConstVec, VecRef f) const {
    for (int i = 0; i < 3; ++i) f[3 * i + 1] = -m[i] * gravity;
  }
  double potential(double, ConstVec q) const { return gravity * (m[0] * q[1] + m[1] * q[4] + m[2] * q[7]); }

  // On the constraints at a crank angle and rate.
  static State at(double phi, double omega) {
    const double s = -a / l * std::sin(phi), c = std::sqrt(1 - s * s), rod = std::asin(s);
    const double rod_rate = -a / l * std::cos(phi) * omega / c;
    const double x = a * std::cos(phi), y = a * std::sin(phi), vx = -y * omega, vy = x * omega;
    State state{0, Vec(9), Vec(9)};
    state.q << x / 2, y / 2, phi, x + l / 2 * c, y + l / 2 * s, rod, x + l * c, 0, 0;
    state.v << vx / 2, vy / 2, omega, vx - l / 2 * s * rod_rate, vy + l / 2 * c * rod_rate, rod_rate,
        vx - l * s * rod_rate, 0, 0;
    return state;
  }
};

}  // namespace driftless::testing
