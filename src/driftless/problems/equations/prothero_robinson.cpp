// The equation of Prothero and Robinson: a smooth solution that stiffness hides from schemes of low stage order.
//   v̇ = L (v − sin t) + cos t,   v = sin t                                                                             (1)
// Here v is the velocity of a point of unit mass on a line, without constraints; its position x = 1 − cos t is the integral,
// which nothing depends on. A. Prothero, A. Robinson, Math. Comp. 28 (1974); Hairer & Wanner IV.15.
#include <cmath>

#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace prothero_robinson {
namespace {

struct ProtheroRobinson {
  static constexpr int nq = 1;
  static constexpr bool time_dependent = false;
  double L;

  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double t, ConstVec, ConstVec v, VecRef f) const {
    f[0] = L * (v[0] - std::sin(t)) + std::cos(t);  // (1)
  }
  Layout description() const {
    Layout layout;
    layout.q_names = {"x"};
    layout.v_names = {"v"};
    layout.q_units = {"m"};
    layout.v_units = {"m/s"};
    layout.length = 1;
    return layout;
  }
};

ProblemInstance make_prothero_robinson(const Options& options) {
  ProblemInstance instance;
  instance.system = make_system(ProtheroRobinson{options.number("L")});
  instance.start.t = 0;
  instance.start.q = Vec::Zero(1);
  instance.start.v = Vec::Zero(1);
  return instance;
}

std::vector<ReferenceValue> reference_values() {
  std::vector<ReferenceValue> values;
  for (const double t : {0.5, 1.0, 2.0, 5.0}) {
    values.push_back({t, "x", 1 - std::cos(t), 2e-16});
    values.push_back({t, "v", std::sin(t), 2e-16});
  }
  return values;
}

}  // namespace
}  // namespace prothero_robinson

extern const ProblemRecord prothero_robinson_problem;
const ProblemRecord prothero_robinson_problem = {
    .name = "prothero-robinson",
    .summary = "a smooth solution next to an eigenvalue L; exact solution v = sin t",
    .reference = "Prothero & Robinson 1974; Hairer & Wanner, IV.15",
    .t_end = 5,
    .integrator = "sdirk4",
    .stabilization = "none",
    .options = {{.name = "L", .default_value = "-1e6", .unit = "1/s", .max = 0, .help = "the eigenvalue"}},
    .values = prothero_robinson::reference_values(),
    .make = prothero_robinson::make_prothero_robinson,
    .difficulty = "a smooth solution beside an eigenvalue of -1e6: schemes lose order there",
    .methods = {"lagrange/radau-iia5"},
};

}  // namespace driftless
