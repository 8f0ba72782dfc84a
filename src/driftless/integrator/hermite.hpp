// Dense output of schemes without one of their own: the cubic of Hermite through values y and slopes k at both ends.
//   y(θ) = y₀ + θ Δ + θ(1−θ) [(1−θ)(h k₀ − Δ) − θ (h k₁ − Δ)],   Δ = y₁ − y₀: exact where y is constant                (1)
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

inline void interpolate_hermite(
    double t0, double t1, const Vec& y0, const Vec& y1, const Vec& k0, const Vec& k1, double t, VecRef y) {
  const double h = t1 - t0, theta = h > 0 ? (t - t0) / h : 1, rest = 1 - theta;
  y = y0 + theta * (y1 - y0) + theta * rest * (rest * (h * k0 - (y1 - y0)) - theta * (h * k1 - (y1 - y0)));
}

}  // namespace driftless
