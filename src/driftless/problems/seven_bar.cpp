// Andrews' mechanism in the redundant coordinates of Hoitink 2011, appendix A.2: centres of mass and absolute angles of its seven bodies,
//   q = (x₁, y₁, β, x₂, y₂, θ, x₃, y₃, γ, x₄, y₄, φ, x₅, y₅, δ, x₆, y₆, Ω, x₇, y₇, ε),   M = diag(mᵢ, mᵢ, Iᵢ)             (A.9) (1)
// 14 rows say where the centres are, six close the loops, (A.17). Two corrections of the source: its M has no Iᵢ, and its torque of the
// spring on body 3 has F_x and F_y exchanged. Its t_b = 0.009416 is 0.00916 in Hairer & Wanner, which is taken. The motion is that of the problem andrews.
#include <array>
#include <cmath>

#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {
namespace andrews {
std::shared_ptr<const Drawing> drawing();  // andrews.cpp: the same bodies in the same frames
}
namespace seven_bar {
namespace {

constexpr std::array<double, 7> kMass = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
constexpr std::array<double, 7> kInertia = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7,
                                            1.169e-5, 5.667e-7, 1.912e-5};
constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
constexpr double c0 = 4530, l0 = 0.07785, mom = 0.033;
constexpr double ra = 0.00092, rr = 0.007, da = 0.0115, d = 0.028;
constexpr double sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ss = 0.035;
constexpr double e = 0.02, ea = 0.01421, ta = 0.02308, tb = 0.00916, zt = 0.04;
constexpr double zf = 0.02, fa = 0.01421, u = 0.04, ua = 0.01228, ub = 0.00449;

// The centres as functions of the absolute angles (β, θ, γ, φ, δ, Ω, ε).
template <class S>
void centres(const S* angle, S* xy) {
  using std::cos, std::sin;
  S s[7], c[7];
  for (int i = 0; i < 7; ++i) {
    s[i] = sin(angle[i]);
    c[i] = cos(angle[i]);
  }
  xy[0] = ra * c[0];
  xy[1] = ra * s[0];
  xy[2] = rr * c[0] - da * c[1];
  xy[3] = rr * s[0] - da * s[1];
  xy[4] = xb + sa * s[2] + sb * c[2];
  xy[5] = yb - sa * c[2] + sb * s[2];
  xy[6] = xa + zt * c[4] + (e - ea) * s[3];
  xy[7] = ya + zt * s[4] - (e - ea) * c[3];
  xy[8] = xa + ta * c[4] - tb * s[4];
  xy[9] = ya + ta * s[4] + tb * c[4];
  xy[10] = xa + u * s[6] + (zf - fa) * c[5];
  xy[11] = ya - u * c[6] + (zf - fa) * s[5];
  xy[12] = xa + ua * s[6] - ub * c[6];
  xy[13] = ya - ua * c[6] - ub * s[6];
}

struct SevenBar {
  static constexpr int nq = 21, rows = 20;
  static constexpr bool time_dependent = false;

  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    using std::cos, std::sin;
    S angle[7], xy[14], s[7], c[7];
    for (int i = 0; i < 7; ++i) {
      angle[i] = q[3 * i + 2];
      s[i] = sin(angle[i]);
      c[i] = cos(angle[i]);
    }
    centres(angle, xy);
    for (int i = 0; i < 7; ++i) {
      g[2 * i] = q[3 * i] - xy[2 * i];
      g[2 * i + 1] = q[3 * i + 1] - xy[2 * i + 1];
    }
    const S px = rr * c[0] - d * c[1], py = rr * s[0] - d * s[1];
    g[14] = px - ss * s[2] - xb;
    g[15] = py + ss * c[2] - yb;
    g[16] = px - e * s[3] - zt * c[4] - xa;
    g[17] = py + e * c[3] - zt * s[4] - ya;
    g[18] = px - zf * c[5] - u * s[6] - xa;
    g[19] = py - zf * s[5] + u * c[6] - ya;
  }
  void mass(double, ConstVec, Mat& M) const {
    for (int i = 0; i < 7; ++i) {
      M(3 * i, 3 * i) = M(3 * i + 1, 3 * i + 1) = kMass[size_t(i)];
      M(3 * i + 2, 3 * i + 2) = kInertia[size_t(i)];
    }
  }
  // Where the spring takes hold of body 3: from its centre, and its vector from C.
  static void spring(ConstVec q, Vec2& arm, Vec2& vector) {
    const double s = std::sin(q[8]), c = std::cos(q[8]);
    arm = Vec2((sd - sb) * c + (sc - sa) * s, (sd - sb) * s - (sc - sa) * c);
    vector = Vec2(q[6], q[7]) + arm - Vec2(xc, yc);
  }
  void force(double, ConstVec q, ConstVec, VecRef f) const {
    Vec2 arm, vector;
    spring(q, arm, vector);
    const Vec2 F = -c0 * (1 - l0 / vector.norm()) * vector;
    f[2] = mom;
    f[6] = F.x();
    f[7] = F.y();
    f[8] = arm.x() * F.y() - arm.y() * F.x();
  }
  double potential(double, ConstVec q) const {
    Vec2 arm, vector;
    spring(q, arm, vector);
    const double stretch = vector.norm() - l0;
    return 0.5 * c0 * stretch * stretch - mom * q[2];
  }

  Layout description() const {
    Layout layout;
    const char* angles[] = {"beta", "theta", "gamma", "phi", "delta", "Omega", "epsilon"};
    for (int i = 0; i < 7; ++i) {
      const std::string number = std::to_string(i + 1);
      for (const std::string& name : {"x" + number, "y" + number, std::string(angles[i])}) {
        layout.q_names.push_back(name);
        layout.v_names.push_back(name + "_dot");
        const bool is_angle = name == angles[i];
        layout.q_units.emplace_back(is_angle ? "rad" : "m");
        layout.v_units.emplace_back(is_angle ? "rad/s" : "m/s");
      }
      layout.row_names.push_back("centre" + number + ".x");
      layout.row_names.push_back("centre" + number + ".y");
    }
    for (const char* loop : {"loop1", "loop2", "loop3"})
      for (const char* axis : {".x", ".y"}) layout.row_names.push_back(std::string(loop) + axis);
    layout.row_units.assign(rows, "m");
    layout.q_scale = Vec::Constant(nq, zt);
    for (int i = 0; i < 7; ++i) layout.q_scale[3 * i + 2] = 1;
    layout.v_scale = layout.q_scale;
    layout.length = zt;
    layout.mass = 0.21;
    return layout;
  }
  std::vector<std::string> body_names() const { return {"K1", "K2", "K3", "K4", "K5", "K6", "K7"}; }
  void poses(double, ConstVec q, std::vector<Pose>& out) const {
    out.assign(7, Pose{});
    for (int i = 0; i < 7; ++i) {
      Pose& pose = out[size_t(i)];
      pose.position = {q[3 * i], q[3 * i + 1], 0};
      pose.quaternion = {std::cos(q[3 * i + 2] / 2), 0, 0, std::sin(q[3 * i + 2] / 2)};
    }
  }
};

ProblemInstance make_seven_bar(const Options&) {
  const double angle[7] = {-0.0617138900142764496, -0.0617138900142764496, 0.455279819163070380,
                           0.710033369709728435,   0.487364979543842550,   1.007879054383935308,
                           1.230547444549821192};
  double xy[14];
  centres(angle, xy);
  ProblemInstance instance;
  instance.drawing = andrews::drawing();
  instance.system = make_system(SevenBar{});
  instance.start = {0, Vec::Zero(21), Vec::Zero(21)};
  for (int i = 0; i < 7; ++i) instance.start.q.segment<3>(3 * i) << xy[2 * i], xy[2 * i + 1], angle[i];
  return instance;
}

// As of the problem andrews, whose Θ, Φ, Ω are relative: θ = β + Θ, φ = Φ + δ, Ω = Ω + ε.
std::vector<ReferenceValue> seven_bar_values() {
  struct At {
    double t, q[7], v[7];
  };
  const At table[] = {{0.03,
                       {15.810771195153707, -15.756371058411839, 0.0408222401196458, -0.5347301163420796,
                        0.524409965879954, 0.5347301163420796, 1.048080741041938},
                       {1139.9203022591062, -1424.3792951775401, 11.032911910618594, 19.29337410503204,
                        0.5735699148295025, -19.29337410503204, 0.3231791492491309}},
                      {0.05,
                       {33.82586776695452, -33.58343151746387, 0.11339507381259901, -0.40785286560188444,
                        0.5260604449169958, 0.40785286560188444, 1.056902429434963},
                       {1144.5355026538475, -1336.0337226511924, -190.93706860429464, -334.3170608708647,
                        0.8758650829430151, 334.3170608708647, -39.617288978352995}}};
  std::vector<ReferenceValue> values;
  for (const At& at : table) {
    const auto add = [&](const char* name, double q, double v) {
      values.push_back({at.t, name, q, 1e-14});
      values.push_back({at.t, std::string(name) + "_dot", v, 1e-12});
    };
    add("beta", at.q[0], at.v[0]);
    add("theta", at.q[0] + at.q[1], at.v[0] + at.v[1]);
    add("gamma", at.q[2], at.v[2]);
    add("phi", at.q[3] + at.q[4], at.v[3] + at.v[4]);
    add("delta", at.q[4], at.v[4]);
    add("Omega", at.q[5] + at.q[6], at.v[5] + at.v[6]);
    add("epsilon", at.q[6], at.v[6]);
  }
  return values;
}

}  // namespace
}  // namespace seven_bar

extern const ProblemRecord seven_bar_problem;
const ProblemRecord seven_bar_problem = {
    .name = "seven-bar",
    .summary = "Andrews' mechanism in 21 redundant coordinates with 20 constraints",
    .reference = "Hoitink 2011, appendix A.2, (A.9)-(A.17)",
    .t_end = 0.03,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = seven_bar::seven_bar_values(),
    .make = seven_bar::make_seven_bar,
    .difficulty =
        "fast turns of a light crank against heavy links; three times the coordinates of the problem andrews "
        "for the same motion",
    .methods = {"lagrange/dop853/pstab", "projection-independent/dopri5"},
};

}  // namespace driftless
