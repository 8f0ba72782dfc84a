// A field with an invariant manifold that no linear correction makes stable.                                Chin 1995, Example 2.1
//   ż = (−z₂, z₁) + z/(2r²) (3/2 h^⅓ − γ h),   r² = z·z,   h = r² − 1                                                    (1)
// so that ḣ = 3/2 h^⅓ − γ h. For γ = 0, h = t^{3/2} beside h = 0: the circle is left although it is invariant, since the field does not
// fall to zero with |h| (condition (2.32) of the source). With γ > 0 it is left for h = (3/(2γ))^{3/2}. The field is lost in the scan of
// the source, which says h = c t^{3/2}; (1) is the simplest one that turns and does so. Start on h = 1, where h = (1 + t)^{3/2}, since h = 0
// has two solutions. As a mechanical system z is a velocity without any row.
#include <cmath>

#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace unstable_manifold {
namespace {

struct UnstableManifold {
  static constexpr int nq = 2;
  double gamma = 0;
  Vec2 field(ConstVec z) const {  // (1)
    const double r2 = z[0] * z[0] + z[1] * z[1], h = r2 - 1;
    const double out = (1.5 * std::cbrt(h) - gamma * h) / (2 * r2);
    return {-z[1] + z[0] * out, z[0] + z[1] * out};
  }
  void mass(double, ConstVec, Mat& M) const { M.setIdentity(); }
  void force(double, ConstVec, ConstVec v, VecRef f) const { f = field(v); }
  double potential(double, ConstVec) const { return 0; }
  double applied_power(double, ConstVec, ConstVec v) const { return v.dot(field(v)); }
  static Layout description() {
    Layout layout;
    layout.q_names = {"Z1", "Z2"};
    layout.v_names = {"z1", "z2"};
    return layout;
  }
  std::vector<std::string> quantity_names() const { return {"h"}; }
  std::vector<std::string> quantity_units() const { return {""}; }
  void quantities(double, ConstVec, ConstVec v, const Reaction&, VecRef out) const {
    out[0] = v[0] * v[0] + v[1] * v[1] - 1;
  }
};

ProblemInstance make_unstable_manifold(const Options& options) {
  UnstableManifold equations;
  equations.gamma = options.number("gamma");
  ProblemInstance instance;
  instance.system = make_system(equations);
  instance.start = {0, Vec2::Zero(), Vec2(std::sqrt(2.0), 0)};
  return instance;
}

std::vector<ReferenceValue> unstable_manifold_values() {
  std::vector<ReferenceValue> values;
  for (const double t : {1.0, 3.0}) {
    const double h = std::pow(1 + t, 1.5), r = std::sqrt(1 + h);
    values.push_back({t, "h", h, 1e-15});
    values.push_back({t, "z1", r * std::cos(t), 1e-15});
    values.push_back({t, "z2", r * std::sin(t), 1e-15});
  }
  return values;
}

}  // namespace
}  // namespace unstable_manifold

extern const ProblemRecord unstable_manifold_problem;
const ProblemRecord unstable_manifold_problem = {
    .name = "unstable-manifold",
    .summary =
        "a field whose invariant circle no linear correction makes stable; exact solution h = (1 + t)^(3/2)",
    .reference = "Chin 1995, Example 2.1",
    .t_end = 3,
    .integrator = {},
    .stabilization = {},
    .options = {{.name = "gamma",
                 .default_value = "0",
                 .min = 0,
                 .help = "gain of the correction towards the circle; the reference values are of 0"}},
    .values = unstable_manifold::unstable_manifold_values(),
    .make = unstable_manifold::make_unstable_manifold,
    .difficulty = "the field is not Lipschitz on the circle: solutions that start there are not unique",
    .inferred =
        "the field itself is lost in the scan; taken is the simplest one with h = c t^(3/2), as the text "
        "says",
};

}  // namespace driftless
