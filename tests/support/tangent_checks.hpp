// Tangents of a system against differences of eighth order, along random directions at a random motion near a state.
//   f'(0) ≈ Σ wₖ (f(kh) − f(−kh))/h,   k = 1 … 4: error h⁸/630 f⁽⁹⁾ + ε|f|/h
#pragma once

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "driftless/system/descriptor_system.hpp"

namespace driftless::testing {

// ρ, r (by q alone) and σ of system/tangents/tangents.hpp at a motion.
inline MotionChange motion_residuals(const DescriptorSystem& system,
                                     const MotionPoint& at,
                                     const Vec& fixed_v,
                                     Terms& terms) {
  const Layout& layout = system.layout();
  MotionChange out{Vec(layout.nv), Vec(layout.m), Vec(layout.m)};
  system.evaluate(at.t, at.q, at.v, terms);
  mass_times(terms, at.a, out.rho);
  add_transposed_rows(terms, 1, at.lambda, out.rho);
  out.rho -= terms.f;
  velocity_residual(terms, fixed_v, out.r);
  velocity_residual(terms, at.a, out.sigma);
  out.sigma = terms.gamma - out.sigma - terms.nu;
  return out;
}

// The largest error of the tangents, relative to what changes, with differences over steps of `reach` units.
inline double tangent_error(
    const DescriptorSystem& system, const State& start, unsigned seed, double reach, int directions = 3) {
  const Layout& layout = system.layout();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index n) {
    return Vec::NullaryExpr(n, [&] { return normal(random); }).eval();
  };
  MotionPoint at{start.t, start.q, Vec(start.v + 0.5 * draw(layout.nv).cwiseProduct(layout.v_scale)),
                 draw(layout.nv).cwiseProduct(layout.v_scale), draw(layout.m)};
  system.retract(at.q, 0.03 * draw(layout.nv).cwiseProduct(layout.v_scale));
  Terms terms = system.make_terms();
  Tangents tangents = system.make_tangents({.dynamics = true, .velocity = true, .acceleration = true});
  system.tangents(at.t, at.q, at.v, at.a, at.lambda, terms, tangents);
  double worst = 0;
  for (int trial = 0; trial < directions; ++trial) {
    const Vec dq = draw(layout.nv).cwiseProduct(layout.v_scale),
              dv = draw(layout.nv).cwiseProduct(layout.v_scale);
    constexpr double kWeights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    MotionChange change{Vec::Zero(layout.nv), Vec::Zero(layout.m), Vec::Zero(layout.m)};
    for (int k = 1; k <= 4; ++k)
      for (const int sign : {1, -1}) {
        MotionPoint moved = at;
        system.retract(moved.q, sign * k * reach * dq);
        moved.v += sign * k * reach * dv;
        const MotionChange there = motion_residuals(system, moved, at.v, terms);
        const double weight = sign * kWeights[k - 1] / reach;
        change.rho += weight * there.rho;
        change.r += weight * there.r;
        change.sigma += weight * there.sigma;
      }
    const auto note = [&](const Vec& expected, const Vec& found) {
      const double size = 1 + expected.cwiseAbs().sum() / double(std::max<Eigen::Index>(expected.size(), 1));
      worst = std::max(worst, max_abs(expected - found) / std::max(size, max_abs(expected)));
    };
    note(change.rho, tangents.K * dq + tangents.C * dv);
    note(change.r, tangents.L * dq);
    note(change.sigma, tangents.S_q * dq + tangents.S_v * dv);
  }
  return worst;
}

// The same over the step that suits best: long ones are exact to round-off, short ones do not reach the next knot of a spline.
inline double worst_tangent_error(const DescriptorSystem& system, const State& start, unsigned seed) {
  double least = tangent_error(system, start, seed, 4e-3);
  for (const double reach : {1e-3, 2.5e-4, 5e-5})
    least = std::min(least, tangent_error(system, start, seed, reach));
  return least;
}

}  // namespace driftless::testing
