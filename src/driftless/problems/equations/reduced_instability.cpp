// Differentiating a constraint makes a stable solution unstable.                                            Chin 1995, Example 2.2
//   ẋ₁ = ½x₁ + e⁻ᵗ/x₂ − x₂λ,   ẋ₂ = −½x₂ − x₁λ,   0 = e⁻ᵗ + x₁x₂                                                        (1)
// solution x = (−e^{−t/2}, e^{−t/2}), λ = 0, asymptotically stable as a solution of (1), unstable as one of the differentiated equations, whose
// general solution has a part in e^{t/2}. (1) is quadratic in x, so x are positions here, and the equations those of one more
// differentiation, with the same solution and the same instability:
//   ẍ₁ = ½ẋ₁ − e⁻ᵗ/x₂ − e⁻ᵗẋ₂/x₂² − x₂λ,   ẍ₂ = −½ẋ₂ − x₁λ,   0 = e⁻ᵗ + x₁x₂                                             (2)
#include <cmath>

#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace reduced_instability {
namespace {

struct ReducedInstability {
  static constexpr int nq = 2, rows = 1;
  template <class S>
  void constraint(const S& t, const S* x, S* g) const {
    using std::exp;
    g[0] = exp(-t) + x[0] * x[1];
  }
  void mass(double, ConstVec, Mat& M) const { M.setIdentity(); }
  void force(double t, ConstVec x, ConstVec v, VecRef f) const {  // (2)
    const double e = std::exp(-t);
    f[0] = 0.5 * v[0] - e / x[1] - e * v[1] / (x[1] * x[1]);
    f[1] = -0.5 * v[1];
  }
  double potential(double, ConstVec) const { return 0; }
  double applied_power(double t, ConstVec x, ConstVec v) const {
    Vec2 f;
    force(t, x, v, f);
    return f.dot(v);
  }
  static Layout description() {
    Layout layout;
    layout.q_names = {"x1", "x2"};
    layout.v_names = {"x1_dot", "x2_dot"};
    layout.row_names = {"row"};
    return layout;
  }
};

ProblemInstance make_reduced_instability(const Options&) {
  ProblemInstance instance;
  instance.system = make_system(ReducedInstability{});
  instance.start = {0, Vec2(-1, 1), Vec2(0.5, -0.5)};
  return instance;
}

std::vector<ReferenceValue> reduced_instability_values() {
  std::vector<ReferenceValue> values;
  for (const double t : {1.0, 5.0}) {
    const double e = std::exp(-t / 2);
    values.push_back({t, "x1", -e, 1e-16});
    values.push_back({t, "x2", e, 1e-16});
    values.push_back({t, "x1_dot", e / 2, 1e-16});
    values.push_back({t, "x2_dot", -e / 2, 1e-16});
  }
  return values;
}

}  // namespace
}  // namespace reduced_instability

extern const ProblemRecord reduced_instability_problem;
const ProblemRecord reduced_instability_problem = {
    .name = "reduced-instability",
    .summary =
        "a stable solution that differentiating its constraint makes unstable; exact solution e^(-t/2)",
    .reference = "Chin 1995, Example 2.2",
    .t_end = 10,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = reduced_instability::reduced_instability_values(),
    .make = reduced_instability::make_reduced_instability,
    .difficulty =
        "without stabilisation errors grow like e^(t/2) off a constraint that falls like e^-t: the drift "
        "soon is all there is",
    .methods = {"projection-independent/dopri5", "lagrange/dop853/pstab"},
};

}  // namespace driftless
