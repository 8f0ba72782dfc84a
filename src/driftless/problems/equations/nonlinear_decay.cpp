// A decay whose rate falls with it.                                                        García de Jalón & Bayo 1994, Example 7.1
//   ẏ + A(y) y = 0,   A = a + b y                                                                                     (1)
//   y(t) = a y₀ e^{−at} / (a + b y₀ (1 − e^{−at}))                                                                   (2)
// The trapezoidal rule takes y to y₁ with y₁ (2 + h A₁) = y (2 − h A): it grows unless h < 4/(A − A₁), so that a scheme which is stable for every
// linear equation is not for this one. a = 1, b = 0.9, y₀ = 1: up to h = 2.22; from there on the step has no solution at all. As a mechanical system y is a velocity.
#include <cmath>

#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace nonlinear_decay {
namespace {

constexpr double kA = 1, kB = 0.9;

struct NonlinearDecay {
  static constexpr int nq = 1;
  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double, ConstVec, ConstVec v, VecRef f) const { f[0] = -(kA + kB * v[0]) * v[0]; }  // (1)
  double potential(double, ConstVec) const { return 0; }
  double applied_power(double, ConstVec, ConstVec v) const { return -(kA + kB * v[0]) * v[0] * v[0]; }
  static Layout description() {
    Layout layout;
    layout.q_names = {"Y"};
    layout.v_names = {"y"};
    return layout;
  }
};

ProblemInstance make_nonlinear_decay(const Options&) {
  ProblemInstance instance;
  instance.system = make_system(NonlinearDecay{});
  instance.start = {0, Vec::Zero(1), Vec::Ones(1)};
  return instance;
}

std::vector<ReferenceValue> nonlinear_decay_values() {
  std::vector<ReferenceValue> values;
  for (const double t : {1.0, 5.0}) {
    const double e = std::exp(-kA * t);
    values.push_back({t, "y", kA * e / (kA + kB * (1 - e)), 1e-16});  // (2)
    values.push_back({t, "Y", std::log(1 + kB / kA * (1 - e)) / kB, 1e-16});
  }
  return values;
}

}  // namespace
}  // namespace nonlinear_decay

extern const ProblemRecord nonlinear_decay_problem;
const ProblemRecord nonlinear_decay_problem = {
    .name = "nonlinear-decay",
    .summary = "a decay whose rate falls with it: the trapezoidal rule is not stable for every step",
    .reference = "Garcia de Jalon & Bayo 1994, Example 7.1",
    .t_end = 5,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = nonlinear_decay::nonlinear_decay_values(),
    .make = nonlinear_decay::make_nonlinear_decay,
    .difficulty =
        "none for small steps; A-stable schemes meet a limit of stability that linear analysis does not show",
    .methods = {"lagrange/dop853", "lagrange/radau-iia5"},
    .inferred = "A(y) is left open in the source; taken: 1 + 0.9 y",
};

}  // namespace driftless
