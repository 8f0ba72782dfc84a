// The linear equations of Chin 1995, Example 2.3: what both of its problems share. With x ∈ ℝ², a parameter ν and
//   B = (2 − t) ν, ν − 1,   G = t + 2, t² − 4,   G B = 4 − t² > 0                                                  (1)
//   e₀ = (1 + ν) eᵗ, (1 + (ν − 1)/(2 − t)) eᵗ,   r = −(t² + t − 2) eᵗ                                                (2)
//   index 2:  ẋ = e₀ + B y,   0 = G x + r          index 3:  ẍ = e₀ + B y,   0 = G x + r                             (3)
// the solution of both is x = (eᵗ, eᵗ), y = −eᵗ/(2 − t). The multiplier acts along B, far from the normal Gᵀ for large ν:
// Baumgarte's corrections, which go along B, are then far longer than they need be. As a mechanical system:
//   M(t) = GᵀG/(G B) + I − B Bᵀ/(BᵀB),   M B = Gᵀ,   f = M e₀,   λ = −y                                              (4)
// M is positive definite since G B > 0, with a condition number of order ν². Since e₀ = (1, 1) eᵗ + B eᵗ/(2 − t),
//   f = M (1, 1)ᵀ eᵗ + Gᵀ eᵗ/(2 − t)                                                                                 (5)
// which does not lose the digits that M e₀ would. Scales are 1 and rows have no unit, so weight=identity and rows=raw are the plain
// Gᵀ of the source.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "driftless/math/jet.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {

struct LinearDae {
  static constexpr int nq = 2;
  double nu = 1000;

  template <class S>
  static void row(const S& t, S* G, S& r) {
    using std::exp;
    G[0] = t + 2.0;
    G[1] = t * t - 4.0;
    r = -(t * t + t - 2.0) * exp(t);
  }

  // Upper triangle of M: 11, 12, 22.
  template <class S>
  void mass_entries(const S& t, S* M) const {  // (4)
    S G[2], r;
    row(t, G, r);
    const S B[2] = {(2.0 - t) * nu, S(nu - 1)};
    const S GB = 4.0 - t * t, BB = B[0] * B[0] + B[1] * B[1];
    M[0] = G[0] * G[0] / GB + B[1] * B[1] / BB;  // 1 − B₁²/BB, without cancellation
    M[1] = G[0] * G[1] / GB - B[0] * B[1] / BB;
    M[2] = G[1] * G[1] / GB + B[0] * B[0] / BB;
  }
  void mass(double t, ConstVec, Mat& M) const {
    double entries[3];
    mass_entries(t, entries);
    M << entries[0], entries[1], entries[1], entries[2];
  }
  void force(double t, ConstVec, ConstVec, VecRef f) const {
    double M[3], G[2], r;
    mass_entries(t, M);
    row(t, G, r);
    const double e = std::exp(t), lambda = e / (2 - t);
    f[0] = (M[0] + M[1]) * e + G[0] * lambda;  // (5)
    f[1] = (M[1] + M[2]) * e + G[1] * lambda;
  }

  // There is no potential: all of f, and what the change of M takes, comes from outside.
  double potential(double, ConstVec) const { return 0; }
  double applied_power(double t, ConstVec q, ConstVec v) const {
    Vec2 f;
    force(t, q, v, f);
    Dual<double, 1> M[3];
    mass_entries(Dual<double, 1>::variable(t, 0), M);
    return f.dot(v) + (M[0].d[0] * v[0] * v[0] + 2 * M[1].d[0] * v[0] * v[1] + M[2].d[0] * v[1] * v[1]) / 2;
  }
};

inline std::vector<OptionSpec> linear_dae_options() {
  return {{.name = "nu",
           .default_value = "1000",
           .min = 1,
           .help = "how far the direction of the multiplier is from the normal of the constraint"}};
}

inline std::vector<ReferenceValue> linear_dae_values(const Layout& layout) {
  std::vector<ReferenceValue> values;
  for (const double t : {0.5, 1.0})
    for (const auto& names : {layout.q_names, layout.v_names})
      for (const std::string& name : names) values.push_back({t, name, std::exp(t), 5e-16});
  return values;
}

template <class E>
ProblemInstance make_linear_dae(const Options& options) {
  E equations;
  equations.nu = options.number("nu");
  ProblemInstance instance;
  instance.system = make_system(equations);
  instance.start = {0, Vec2::Ones(), Vec2::Ones()};
  return instance;
}

}  // namespace driftless
