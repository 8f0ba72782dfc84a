// A linear problem of index 2 on which directions of stabilisation differ.                        Chin 1995, Example 2.3
// Equations (1)–(4) of linear_dae.hpp, index 2: x is the velocity, held by one nonholonomic row G(t) v + r(t) = 0; the
// positions are its integral, which nothing depends on, started so that they, too, are eᵗ.
#include "driftless/problems/equations/linear_dae.hpp"

namespace driftless {
namespace stabilization_index2 {
namespace {

struct IndexTwo : LinearDae {
  static constexpr int nonholonomic_rows = 1;
  template <class S>
  void nonholonomic(const S& t, const S*, S* A, S* b) const {
    row(t, A, b[0]);
  }
  static Layout description() {
    Layout layout;
    layout.q_names = {"X1", "X2"};
    layout.v_names = {"x1", "x2"};
    layout.row_names = {"row"};
    return layout;
  }
};

}  // namespace
}  // namespace stabilization_index2

extern const ProblemRecord stabilization_index2_problem;
const ProblemRecord stabilization_index2_problem = {
    .name = "stabilization-index2",
    .summary = "linear DAE of index 2 whose multiplier acts far from the normal; exact solution e^t",
    .reference = "Chin 1995, Example 2.3 and table 2.1",
    .t_end = 1,
    .integrator = {},
    .stabilization = {},
    .options = linear_dae_options(),
    .values = linear_dae_values(stabilization_index2::IndexTwo::description()),
    .make = make_linear_dae<stabilization_index2::IndexTwo>,
    .difficulty =
        "the multiplier acts far from the normal: Baumgarte's corrections are a thousand times as long as "
        "they need be",
    .methods = {"lagrange/dop853/pstab"},
};

}  // namespace driftless
