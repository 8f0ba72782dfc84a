// Two-link manipulator whose tip slides along a parabola.                                  Chin 1995, section 4.4.3, case I
//   g = y − x² + β,   β = 4 cos² 70°: the tip starts on it                                                      (1)
// The arm itself: two_arm.hpp. The constraint does no work: energy 276.55 J is kept. Reference: quadruple precision,
// confirmed in absolute coordinates by a second program to the digits given.
#include "driftless/problems/two_arm.hpp"

namespace driftless {
namespace manipulator_parabola {
namespace {

struct Parabola {
  static constexpr bool time_dependent = false;
  static constexpr double beta = 0.4679111137620439;
  explicit Parabola(const Options&) {}
  template <class S>
  static S residual(const S&, const S& x, const S& y) {
    return y - x * x + beta;  // (1)
  }
};

}  // namespace
}  // namespace manipulator_parabola

extern const ProblemRecord manipulator_parabola_problem;
const ProblemRecord manipulator_parabola_problem = {
    .name = "manipulator-parabola",
    .summary = "two-link manipulator whose tip slides along a parabola",
    .reference = "Chin 1995, section 4.4.3, case I",
    .t_end = 10,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = {{1, "theta1", -2.881752902530238, 5e-16},
               {1, "theta2", -1.7001203700034873, 3e-16},
               {1, "theta1_dot", -3.451257412993965, 5e-16},
               {1, "theta2_dot", 4.05468945335478, 1e-15},
               {1, "tip_x", -1.0965766442240106, 3e-16},
               {1, "tip_y", 0.7345692228955484, 2e-16},
               {5, "theta1", 0.8456629405542492, 1e-15},
               {5, "theta2", -2.598207374690357, 1e-15},
               {5, "theta1_dot", 2.7784267365058306, 1e-15},
               {5, "theta2_dot", 0.6285699506915802, 1e-15},
               {5, "tip_x", 0.48248611290233034, 1e-15},
               {5, "tip_y", -0.23511826461844368, 1e-15}},
    .make = make_two_arm<manipulator_parabola::Parabola>,
    .difficulty =
        "the tip runs up a parabola at speed: Baumgarte's parameters that hold it cost a third more steps",
    .methods = {"lagrange/dop853/pstab", "projection-independent/dopri5"},
};

}  // namespace driftless
