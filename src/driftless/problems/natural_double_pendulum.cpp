// Double pendulum in natural coordinates.                               García de Jalón & Bayo 1994, Example 5.1, table 5.1
// Two elements of mass m = 1 kg and length L = 1 m in a vertical plane, described by their lower ends:
//   q = (x1, y1, x2, y2),   g = (x1² + y1² − L², (x2 − x1)² + (y2 − y1)² − L²)                                      (1)
//   uniform bars   M = m/6 [4 1; 1 2] ⊗ I₂,   f = −m g (0, 1, 0, ½)                                                 (2)
//   tip masses     M = m I₄,                  f = −m g (0, 1, 0, 1)                                                 (3)
// The book says neither which of the two nor where it starts; here: bars, level, at rest. Reference for that start:
// quadruple precision, confirmed by the angles in 80 bits.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace natural_double_pendulum {
namespace {

constexpr double mass_of_bar = 1, bar_length = 1, gravity = 9.81;  // kg, m, m/s²

struct NaturalDoublePendulum {
  static constexpr int nq = 4, rows = 2;
  static constexpr bool time_dependent = false;
  bool tips = false;

  template <class S>
  void constraint(const S&, const S* q, S* g) const {  // (1)
    const S x = q[2] - q[0], y = q[3] - q[1];
    g[0] = q[0] * q[0] + q[1] * q[1] - bar_length * bar_length;
    g[1] = x * x + y * y - bar_length * bar_length;
  }
  void mass(double, ConstVec, Mat& M) const {
    const double m = mass_of_bar;
    for (int i = 0; i < 2; ++i) {
      M(i, i) = tips ? m : m * 4 / 6;
      M(i + 2, i + 2) = tips ? m : m * 2 / 6;
      M(i, i + 2) = M(i + 2, i) = tips ? 0 : m / 6;
    }
  }
  void force(double, ConstVec, ConstVec, VecRef f) const {
    f[1] = -mass_of_bar * gravity;
    f[3] = -mass_of_bar * gravity * (tips ? 1 : 0.5);
  }
  double potential(double, ConstVec q) const {
    return mass_of_bar * gravity * (q[1] + (tips ? 1 : 0.5) * q[3]);
  }

  static Layout description() {
    Layout layout;
    layout.q_names = {"x1", "y1", "x2", "y2"};
    layout.v_names = {"x1_dot", "y1_dot", "x2_dot", "y2_dot"};
    layout.row_names = {"bar1", "bar2"};
    layout.q_units = {"m", "m", "m", "m"};
    layout.v_units = {"m/s", "m/s", "m/s", "m/s"};
    layout.row_units = {"m^2", "m^2"};
    layout.length = bar_length;
    layout.mass = 2 * mass_of_bar;
    layout.mass_is_constant = true;
    return layout;
  }

  // The elements, by their middles; their x axis points from the upper to the lower end.
  std::vector<std::string> body_names() const { return {"bar1", "bar2"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    out.assign(2, Pose{});
    const auto place = [](Pose& pose, double x0, double y0, double x1, double y1) {
      const double half = std::atan2(y1 - y0, x1 - x0) / 2;
      pose.position = {(x0 + x1) / 2, (y0 + y1) / 2, 0};
      pose.quaternion = {std::cos(half), 0, 0, std::sin(half)};
    };
    place(out[0], 0, 0, q[0], q[1]);
    place(out[1], q[0], q[1], q[2], q[3]);
  }

  // Angles from the downward vertical.
  std::vector<std::string> quantity_names() const { return {"theta1", "theta2"}; }
  std::vector<std::string> quantity_units() const { return {"rad", "rad"}; }
  void quantities(double, ConstVec q, ConstVec, const Reaction&, VecRef out) const {
    out[0] = std::atan2(q[0], -q[1]);
    out[1] = std::atan2(q[2] - q[0], q[1] - q[3]);
  }
};

ProblemInstance make_natural_double_pendulum(const Options& options) {
  NaturalDoublePendulum equations;
  equations.tips = options.choice("masses") == "tips";
  const double a1 = options.number("theta1"), a2 = options.number("theta2");
  const double w1 = options.number("omega1") * bar_length, w2 = options.number("omega2") * bar_length;
  // cos(π/2) is not quite zero in double; a bar within round-off of level is level.
  const auto cosine = [](double angle) { return std::abs(std::cos(angle)) < 1e-15 ? 0 : std::cos(angle); };
  const double s1 = std::sin(a1), c1 = cosine(a1), s2 = std::sin(a2), c2 = cosine(a2);
  ProblemInstance instance;
  instance.drawing = double_pendulum_drawing("bar1", "bar2", bar_length, bar_length, gravity);
  instance.system = make_system(equations);
  instance.start = {0, Vec(4), Vec(4)};
  instance.start.q << s1, -c1, s1 + s2, -c1 - c2;
  instance.start.q *= bar_length;
  instance.start.v << w1 * c1, w1 * s1, w1 * c1 + w2 * c2, w1 * s1 + w2 * s2;
  return instance;
}

OptionSpec at_start(const char* name, const char* value, const char* unit, const char* help) {
  return {.name = name, .default_value = value, .unit = unit, .help = help};
}

struct Snapshot {
  double t;
  std::array<double, 8> y;  // positions, velocities
};
constexpr std::array<Snapshot, 3> snapshots = {{
    {0.5,
     {0.4332923176951477, -0.9012534423936295, 1.2966885362267435, -1.4057799231905652, -2.1759036777737992,
      -1.0461012444180258, -5.17738465508491, -6.182535949909645}},
    {1.0,
     {-0.9348073501443469, -0.3551552028565884, -1.6621151358161277, -1.0414666371932246, -1.2098424254571807,
      3.1844376282177738, -1.5640103336006332, 3.559761517840562}},
    {2.0,
     {-0.0826638714224079, -0.9965774853775594, 0.31352477645018156, -1.9147466175623054, -0.9578559102077476,
      0.0794520034461835, 9.967397324752147, 4.7936829170089155}},
}};

std::vector<ReferenceValue> reference_values() {
  const Layout layout = NaturalDoublePendulum::description();
  std::vector<ReferenceValue> values;
  for (const Snapshot& at : snapshots)
    for (size_t i = 0; i < 8; ++i)
      values.push_back({at.t, i < 4 ? layout.q_names[i] : layout.v_names[i - 4], at.y[i], 2e-15});
  return values;
}

}  // namespace
}  // namespace natural_double_pendulum

extern const ProblemRecord natural_double_pendulum_problem;
const ProblemRecord natural_double_pendulum_problem = {
    .name = "natural-double-pendulum",
    .summary = "double pendulum of two bars in natural coordinates, from level",
    .reference = "Garcia de Jalon & Bayo 1994, Example 5.1",
    .t_end = 2,
    .integrator = {},
    .stabilization = {},
    .options =
        {{.name = "masses",
          .kind = OptionKind::choice,
          .default_value = "bars",
          .choices = {"bars", "tips"},
          .help = "uniform bars, or point masses at the lower ends"},
         natural_double_pendulum::at_start(
             "theta1", "1.5707963267948966", "rad", "angle of the upper bar from the downward vertical"),
         natural_double_pendulum::at_start("theta2", "1.5707963267948966", "rad", "angle of the lower bar"),
         natural_double_pendulum::at_start("omega1", "0", "rad/s", "rate of theta1 at the start"),
         natural_double_pendulum::at_start("omega2", "0", "rad/s", "rate of theta2 at the start")},
    .values = natural_double_pendulum::reference_values(),
    .make = natural_double_pendulum::make_natural_double_pendulum,
    .difficulty =
        "chaotic from about two seconds on; few unknowns, so that penalties and multipliers can be compared "
        "by eye",
    .methods = {"lagrange/dop853/pstab", "projection-independent/dopri5"},
    .inferred =
        "start, gravity, duration and where the unit masses are; taken: level, at rest, 9.81 m/s^2, uniform "
        "bars (option masses)",
};

}  // namespace driftless
