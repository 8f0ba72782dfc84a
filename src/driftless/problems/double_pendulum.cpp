// Rigid double pendulum in six redundant coordinates with a singular mass matrix.
//   A. Hoitink, thesis 2011, §4.1.1, eqs. (4.1)–(4.14), after Géradin & Cardona 2001.
//
// Two point masses at the ends of two massless bars; the angles of the bars, from the downward vertical, are
// coordinates without inertia of their own:
//   q = (x1, y1, θ1, x2, y2, θ2),   M = diag(m1, m1, 0, m2, m2, 0),   f = (0, −m1 g, 0, 0, −m2 g, 0)      (1)
//   bar1   x1 − L1 sin θ1 = 0,         y1 + L1 cos θ1 = 0
//   bar2   x2 − x1 − L2 sin θ2 = 0,    y2 − y1 + L2 cos θ2 = 0                                            (2)
// with γ = −d²/ds² g(q + s v): (−L1 sin θ1 θ̇1², L1 cos θ1 θ̇1², −L2 sin θ2 θ̇2², L2 cos θ2 θ̇2²)         (3)
// M is singular but the KKT matrix is regular, since J has full rank on the coordinates without mass: the
// problem methods that need M⁻¹ fail on. Energy m1 g y1 + m2 g y2 + kinetic is −10 throughout. The motion is
// chaotic: compare up to t = 2.
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {
namespace double_pendulum {
namespace {

constexpr double m1 = 1, m2 = 1, L1 = 1, L2 = 1, gravity = 10;  // kg, m, m/s²

struct BarAngles final : Scratch {  // filled by position()
  double s1 = 0, c1 = 1, s2 = 0, c2 = 1;
};

const BarAngles& angles_of(const Terms& terms) { return static_cast<const BarAngles&>(*terms.scratch); }

Layout double_pendulum_layout() {
  Layout layout;
  layout.nq = layout.nv = 6;
  layout.mh = layout.m = 4;
  layout.q_names = {"x1", "y1", "theta1", "x2", "y2", "theta2"};
  layout.q_units = {"m", "m", "rad", "m", "m", "rad"};
  for (const std::string& name : layout.q_names) layout.v_names.push_back(name + "_dot");
  for (const std::string& unit : layout.q_units) layout.v_units.push_back(unit + "/s");
  layout.row_names = {"bar1.x", "bar1.y", "bar2.x", "bar2.y"};
  layout.row_units = {"m", "m", "m", "m"};
  layout.q_scale = Vec::Ones(6);
  layout.v_scale = Vec::Ones(6);
  layout.length = L1;
  layout.mass = m1 + m2;
  layout.M.resize(6, 6);
  for (int i = 0; i < 6; ++i) layout.M.insert(i, i) = 0;
  layout.M.makeCompressed();
  const std::vector<Eigen::Triplet<double>> entries = {{0, 0, 0.}, {0, 2, 0.}, {1, 1, 0.}, {1, 2, 0.},
                                                       {2, 0, 0.}, {2, 3, 0.}, {2, 5, 0.}, {3, 1, 0.},
                                                       {3, 4, 0.}, {3, 5, 0.}};
  layout.J.resize(4, 6);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  return layout;
}

class DoublePendulum final : public ObservableSystem {
 public:
  DoublePendulum() : ObservableSystem(double_pendulum_layout()) { check_layout(layout_); }

  void position(double, ConstVec q, Terms& terms) const override {
    BarAngles& at = static_cast<BarAngles&>(*terms.scratch);
    at.s1 = std::sin(q[2]);
    at.c1 = std::cos(q[2]);
    at.s2 = std::sin(q[5]);
    at.c2 = std::cos(q[5]);
    double* g = terms.g.data();  // (2)
    g[0] = q[0] - L1 * at.s1;
    g[1] = q[1] + L1 * at.c1;
    g[2] = q[3] - q[0] - L2 * at.s2;
    g[3] = q[4] - q[1] + L2 * at.c2;
    double* J = terms.J.valuePtr();  // ∂(2)/∂q in the order of the pattern
    J[0] = 1;
    J[1] = -L1 * at.c1;
    J[2] = 1;
    J[3] = -L1 * at.s1;
    J[4] = -1;
    J[5] = 1;
    J[6] = -L2 * at.c2;
    J[7] = -1;
    J[8] = 1;
    J[9] = -L2 * at.s2;
    terms.nu.setZero();
  }

  void mass(double, ConstVec, Terms& terms) const override {
    double* M = terms.M.valuePtr();
    M[0] = M[1] = m1;
    M[3] = M[4] = m2;
    M[2] = M[5] = 0;  // the angles carry no mass
  }

  void bias(double, ConstVec, ConstVec v, Terms& terms) const override {
    const BarAngles& at = angles_of(terms);
    const double a1 = L1 * v[2] * v[2], a2 = L2 * v[5] * v[5];
    double* gamma = terms.gamma.data();  // (3)
    gamma[0] = -a1 * at.s1;
    gamma[1] = a1 * at.c1;
    gamma[2] = -a2 * at.s2;
    gamma[3] = a2 * at.c2;
  }

  void force(double, ConstVec, ConstVec, Terms& terms) const override {
    terms.f.setZero();
    terms.f[1] = -m1 * gravity;
    terms.f[4] = -m2 * gravity;
  }

  std::optional<double> potential_energy(double, ConstVec q, Terms&) const override {
    return gravity * (m1 * q[1] + m2 * q[4]);
  }

  // The bars, by their middles; their x axis points from the upper to the lower end.
  std::vector<std::string> body_names() const override { return {"bar1", "bar2"}; }
  void observe_poses(double, ConstVec q, Terms&, std::vector<Pose>& out) const override {
    out.assign(2, Pose{});
    const auto place = [](Pose& pose, double x, double y, double theta) {
      const double half = (theta - std::numbers::pi / 2) / 2;
      pose.position = {x, y, 0};
      pose.quaternion = {std::cos(half), 0, 0, std::sin(half)};
    };
    place(out[0], q[0] / 2, q[1] / 2, q[2]);
    place(out[1], (q[0] + q[3]) / 2, (q[1] + q[4]) / 2, q[5]);
  }

  std::vector<std::string> quantity_names() const override { return {"elbow"}; }
  std::vector<std::string> quantity_units() const override { return {"rad"}; }
  void observe_quantities(double, ConstVec q, ConstVec, const Reaction&, Terms&, VecRef out) const override {
    out[0] = q[5] - q[2];
  }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<BarAngles>(); }
};

ProblemInstance make_double_pendulum(const Options&) {
  ProblemInstance instance;
  instance.system = std::make_unique<DoublePendulum>();
  instance.drawing = double_pendulum_drawing("bar1", "bar2", L1, L2, gravity, 0.06);
  instance.start.t = 0;
  instance.start.q.resize(6);
  instance.start.q << L1, 0, std::numbers::pi / 2, L1, -L2, 0;  // first bar level, second hanging
  instance.start.v = Vec::Zero(6);
  return instance;
}

// Positions, then velocities: three formulations in quadruple precision agree to 24 digits.
struct Snapshot {
  double t;
  std::array<double, 12> y;
};
constexpr std::array<Snapshot, 3> snapshots = {{
    {0.25,
     {0.9507494804901314, -0.30996036092982165, 1.2556449870822806, 0.9999351421016868, -1.308750013805658,
      0.04920551513177553, -0.7962276709226773, -2.4422898534854864, -2.5688048256691496,
      -0.0027506482263535163, -2.4032148668529034, 0.7944385691337996}},
    {1.0,
     {-0.7594190674791659, -0.6506017829279859, -0.8624197334245309, -1.2657068930766926, -1.5129663448458144,
      -0.5308746774296466, 1.5229190105358321, -1.777636897369878, 2.340785178426727, -3.9634329205232626,
      1.4433595492621385, -6.361986766777492}},
    {2.0,
     {0.7365656384378981, -0.6763660697230247, 0.8279785525034966, -0.17231999603857245, -1.093411515019222,
      -1.1406041847221486, -0.14691163540479377, -0.15998742008185032, -0.2172072816499426,
      1.4497207606275677, -3.639599209782391, 3.828437437791434}},
}};

std::vector<ReferenceValue> reference_values() {
  const Layout layout = double_pendulum_layout();
  std::vector<ReferenceValue> values;
  for (const Snapshot& at : snapshots)
    for (size_t i = 0; i < 12; ++i) {
      const std::string& name = i < 6 ? layout.q_names[i] : layout.v_names[i - 6];
      values.push_back({at.t, name, at.y[i], 2e-16 * std::abs(at.y[i])});
    }
  return values;
}

}  // namespace
}  // namespace double_pendulum

extern const ProblemRecord double_pendulum_problem;
const ProblemRecord double_pendulum_problem = {
    .name = "double-pendulum",
    .summary = "rigid double pendulum in six redundant coordinates, mass matrix singular",
    .reference = "Hoitink 2011, sec. 4.1.1, eqs. (4.1)-(4.14); after Géradin & Cardona 2001",
    .t_end = 2,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = double_pendulum::reference_values(),
    .make = double_pendulum::make_double_pendulum,
    .difficulty =
        "the mass matrix is singular and the motion chaotic: digits are lost to time, whatever the method",
    .methods = {"lagrange/dop853/pstab"},
};

}  // namespace driftless
