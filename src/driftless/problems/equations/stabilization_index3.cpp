// A linear problem of index 3 on which directions of stabilisation differ.        Chin 1995, Example 2.3 and table 2.2
// Equations (1)–(4) of linear_dae.hpp, index 3: x is the position, held by one holonomic row g = G(t) x + r(t).
#include "driftless/problems/equations/linear_dae.hpp"

namespace driftless {
namespace stabilization_index3 {
namespace {

struct IndexThree : LinearDae {
  static constexpr int rows = 1;
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    S G[2], r;
    row(t, G, r);
    g[0] = G[0] * q[0] + G[1] * q[1] + r;
  }
  static Layout description() {
    Layout layout;
    layout.q_names = {"x1", "x2"};
    layout.v_names = {"x1_dot", "x2_dot"};
    layout.row_names = {"row"};
    return layout;
  }
};

}  // namespace
}  // namespace stabilization_index3

extern const ProblemRecord stabilization_index3_problem;
const ProblemRecord stabilization_index3_problem = {
    .name = "stabilization-index3",
    .summary = "linear DAE of index 3 whose multiplier acts far from the normal; exact solution e^t",
    .reference = "Chin 1995, Example 2.3 and table 2.2",
    .t_end = 1,
    .integrator = {},
    .stabilization = {},
    .options = linear_dae_options(),
    .values = linear_dae_values(stabilization_index3::IndexThree::description()),
    .make = make_linear_dae<stabilization_index3::IndexThree>,
    .difficulty = "the same with second derivatives",
    .methods = {"lagrange/dop853/pstab"},
};

}  // namespace driftless
