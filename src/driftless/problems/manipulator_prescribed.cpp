// Two-link manipulator whose tip is led up and down.                                      Chin 1995, section 4.4.3, case II
//   g = y − sin² ωt,   ω = 0.5 1/s unless said otherwise                                                                              (1)
// The arm itself: two_arm.hpp. A rheonomic constraint: it does the work −λν on the arm. Reference: quadruple precision,
// confirmed in absolute coordinates by a second program to the digits given.
#include "driftless/problems/two_arm.hpp"

namespace driftless {
namespace manipulator_prescribed {
namespace {

struct Prescribed {
  static constexpr bool time_dependent = true;
  double omega = 0.5;
  explicit Prescribed(const Options& options) : omega(options.number("omega")) {}
  template <class S>
  S residual(const S& t, const S&, const S& y) const {
    using std::sin;
    const S height = sin(omega * t);
    return y - height * height;  // (1)
  }
};

}  // namespace
}  // namespace manipulator_prescribed

extern const ProblemRecord manipulator_prescribed_problem;
const ProblemRecord manipulator_prescribed_problem = {
    .name = "manipulator-prescribed",
    .summary = "two-link manipulator whose tip is led up and down; rheonomic",
    .reference = "Chin 1995, section 4.4.3, case II",
    .t_end = 10,
    .integrator = {},
    .stabilization = {},
    .options = {{.name = "omega",
                 .default_value = "0.5",
                 .unit = "1/s",
                 .min = 0,
                 .help = "how fast the tip is led up and down; the reference values are of 0.5"}},
    .values = {{1, "theta1", -0.20642744756529702, 1e-15},
               {1, "theta2", 0.6562584530951424, 1e-15},
               {1, "theta1_dot", -5.1419763981015665, 2e-15},
               {1, "theta2_dot", 11.19796745297128, 3e-15},
               {1, "tip_x", 1.8792900019653438, 1e-15},
               {1, "tip_y", 0.22984884706593015, 1e-15},
               {5, "theta1", 3.8209681742893684, 4e-14},
               {5, "theta2", -2.085524577121453, 4e-14},
               {5, "theta1_dot", 2.4417740544603053, 4e-14},
               {5, "theta2_dot", -11.106296466727086, 1e-13},
               {5, "tip_x", -0.9418696171376151, 4e-14},
               {5, "tip_y", 0.35816890726838685, 4e-14}},
    .make = make_two_arm<manipulator_prescribed::Prescribed>,
    .difficulty = "the constraint depends on time: velocities on it, too, and it does work",
    .methods = {"lagrange/dop853/pstab"},
};

}  // namespace driftless
