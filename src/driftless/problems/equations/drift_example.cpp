// The smallest DAE that drifts.                                                                            Chin 1995, Example 3.1
//   ż = 3t² + y,   0 = z − t³                                                                                           (1)
// solution z = t³, y = 0. Baumgarte's ż = 3t² − γ(z − t³) is attracted to the constraint, yet explicit Euler with step h drifts:
//   z − t³ = −h³ (n + 1)(3n/2 + 1) for γ = 0,   −h³ (3n + 1) for γ = 1/h,   after n + 1 steps                            (2)
// (a digit of the first is lost in print). As a mechanical system z is a velocity, bound by a nonholonomic row.
#include <cmath>

#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace drift_example {
namespace {

struct DriftExample {
  static constexpr int nq = 1, nonholonomic_rows = 1;
  template <class S>
  void nonholonomic(const S& t, const S*, S* A, S* b) const {  // (1)
    A[0] = 1.0;
    b[0] = -t * t * t;
  }
  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double t, ConstVec, ConstVec, VecRef f) const { f[0] = 3 * t * t; }
  double potential(double, ConstVec) const { return 0; }
  double applied_power(double t, ConstVec, ConstVec v) const { return 3 * t * t * v[0]; }
  static Layout description() {
    Layout layout;
    layout.q_names = {"Z"};
    layout.v_names = {"z"};
    layout.row_names = {"row"};
    return layout;
  }
};

ProblemInstance make_drift_example(const Options&) {
  ProblemInstance instance;
  instance.system = make_system(DriftExample{});
  instance.start = {0, Vec::Zero(1), Vec::Zero(1)};
  return instance;
}

}  // namespace
}  // namespace drift_example

extern const ProblemRecord drift_example_problem;
const ProblemRecord drift_example_problem = {
    .name = "drift-example",
    .summary =
        "the smallest DAE that drifts although Baumgarte's stabilisation attracts; exact solution z = t^3",
    .reference = "Chin 1995, Example 3.1",
    .t_end = 2,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = {{1, "z", 1, 1e-16}, {1, "Z", 0.25, 1e-16}, {2, "z", 8, 1e-16}, {2, "Z", 4, 1e-16}},
    .make = drift_example::make_drift_example,
    .difficulty =
        "stable equations that a scheme makes drift: explicit Euler leaves the constraint quadratically in "
        "time without, and "
        "linearly with Baumgarte's term, however large",
    .methods = {"lagrange/euler/velocity-only", "baumgarte/dopri5"},
};

}  // namespace driftless
