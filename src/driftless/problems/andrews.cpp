// Andrews' squeezing mechanism: seven bodies in a plane, one motor, one spring, one degree of freedom.
//   E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, sec. VII.7; data and t = 0 values also
//   in the IVP test set (CWI/Bari). The same mechanism: Chin 1995 §4.4.1, IFToMM benchmark A03.
//
// Coordinates: relative angles q = (β, Θ, γ, Φ, δ, Ω, ε), v = q̇. Absolute angles of the bodies K1 … K7:
//   β, β+Θ, γ, Φ+δ, δ, Ω+ε, ε                                                                             (1)
// K1 is the crank about the origin O. Its pin carries K2, whose far end is the coupler point
//   P = rr (cos β, sin β) − d (cos(β+Θ), sin(β+Θ)),                                                       (2)
// and three chains from the ground must meet it there:
//   loop1   K3 from B:       P − B − ss (sin γ, −cos γ) = 0
//   loop2   K5, K4 from A:   P − A − zt (cos δ, sin δ) − e (sin(Φ+δ), −cos(Φ+δ)) = 0                      (3)
//   loop3   K7, K6 from A:   P − A − u (sin ε, −cos ε) − zf (cos(Ω+ε), sin(Ω+ε)) = 0
// J is the gradient of (3), ν = 0, and γ collects the centripetal terms:
//   γ = − d²/ds² g(q + s v).                                                                              (4)
// Mass matrix, with e' = e − ea and f' = zf − fa: blocks (β,Θ), (γ), (Φ,δ), (Ω,ε)
//   M11 = m1 ra² + m2 (rr² − 2 da rr cos Θ + da²) + I1 + I2
//   M12 = m2 (da² − da rr cos Θ) + I2    M22 = m2 da² + I2
//   M33 = m3 (sa² + sb²) + I3                                                                             (5)
//   M44 = m4 e'² + I4    M45 = m4 (e'² + zt e' sin Φ) + I4
//   M55 = m4 (zt² + 2 zt e' sin Φ + e'²) + m5 (ta² + tb²) + I4 + I5
//   M66 = m6 f'² + I6    M67 = m6 (f'² − u f' sin Ω) + I6
//   M77 = m6 (f'² − 2 u f' sin Ω + u²) + m7 (ua² + ub²) + I6 + I7
// Forces: the constant motor torque mom on β, the gyroscopic terms of (5), a spring c0, l0 from C to
//   D = B + sd (cos γ, sin γ) + sc (sin γ, −cos γ)                                                        (6)
// on K3. There is no gravity and no friction, so ½ vᵀMv + ½ c0 (|D − C| − l0)² − mom β is constant.
//
// The equations are written out: this is the problem integrators are timed on. Sines and cosines of (1) are
// found once in position(); those of Θ, Φ, Ω follow from them by the addition theorem. Patterns of M (13
// entries) and J (22) are the true ones, values go straight to their places.
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {
namespace andrews {

std::shared_ptr<const Drawing> drawing();  // seven_bar.cpp has the same bodies

namespace {

// Hairer–Wanner, table VII.7.1: kg, kg m², m, N/m, N m.
constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706,
                 m7 = 0.05498;
constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                 I7 = 1.912e-5;
constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
constexpr double c0 = 4530, l0 = 0.07785, mom = 0.033;
constexpr double ra = 0.00092, rr = 0.007, da = 0.0115, d = 0.028;               // K1, K2
constexpr double sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ss = 0.035;  // K3
constexpr double e = 0.02, ea = 0.01421, ta = 0.02308, tb = 0.00916, zt = 0.04;  // K4, K5
constexpr double zf = 0.02, fa = 0.01421, u = 0.04, ua = 0.01228, ub = 0.00449;  // K6, K7
constexpr double e_rest = e - ea, f_rest = zf - fa;                              // e', f' of (5)

constexpr int n = 7, rows = 6;

struct SinCos {
  double s = 0, c = 1;
  SinCos() = default;
  explicit SinCos(double angle) : s(std::sin(angle)), c(std::cos(angle)) {}  // one sincos call
  SinCos(double sine, double cosine) : s(sine), c(cosine) {}
  SinCos minus(const SinCos& b) const { return {s * b.c - c * b.s, c * b.c + s * b.s}; }
};

// Absolute angles (1); filled by position().
struct Angles final : Scratch {
  SinCos beta, beta_Theta, gamma, Phi_delta, delta, Omega_epsilon, epsilon;
};

const Angles& angles_of(const Terms& terms) { return static_cast<const Angles&>(*terms.scratch); }

Vec2 coupler_point(ConstVec q) {  // (2)
  return {rr * std::cos(q[0]) - d * std::cos(q[0] + q[1]), rr * std::sin(q[0]) - d * std::sin(q[0] + q[1])};
}

Vec2 spring_vector(const SinCos& gamma) {  // D − C of (6)
  return {xb + sd * gamma.c + sc * gamma.s - xc, yb + sd * gamma.s - sc * gamma.c - yc};
}

SparseRows pattern(int height, const std::vector<std::pair<int, int>>& entries) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (const auto& [row, column] : entries) triplets.emplace_back(row, column, 0.0);
  SparseRows matrix(height, n);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

Layout andrews_layout() {
  Layout layout;
  layout.nq = layout.nv = n;
  layout.mh = layout.m = rows;
  layout.q_names = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  for (const std::string& name : layout.q_names) layout.v_names.push_back(name + "_dot");
  layout.row_names = {"loop1.x", "loop1.y", "loop2.x", "loop2.y", "loop3.x", "loop3.y"};
  layout.q_units.assign(n, "rad");
  layout.v_units.assign(n, "rad/s");
  layout.row_units.assign(rows, "m");
  layout.q_scale = Vec::Ones(n);
  layout.v_scale = Vec::Ones(n);
  layout.length = zt;  // the longest links are 0.04 m
  layout.mass = m1 + m2 + m3 + m4 + m5 + m6 + m7;
  layout.M = pattern(n, {{0, 0},
                         {0, 1},
                         {1, 0},
                         {1, 1},
                         {2, 2},
                         {3, 3},
                         {3, 4},
                         {4, 3},
                         {4, 4},
                         {5, 5},
                         {5, 6},
                         {6, 5},
                         {6, 6}});
  layout.J = pattern(rows, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2},                    // loop1
                            {2, 0}, {2, 1}, {2, 3}, {2, 4}, {3, 0}, {3, 1}, {3, 3}, {3, 4},    // loop2
                            {4, 0}, {4, 1}, {4, 5}, {4, 6}, {5, 0}, {5, 1}, {5, 5}, {5, 6}});  // loop3
  return layout;
}

class Andrews final : public ObservableSystem {
 public:
  Andrews() : ObservableSystem(andrews_layout()) { check_layout(layout_); }

  void evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    Andrews::position(t, q, terms);
    Andrews::mass(t, q, terms);
    Andrews::bias(t, q, v, terms);
    Andrews::force(t, q, v, terms);
  }

  void position(double, ConstVec q, Terms& terms) const override {
    Angles& at = static_cast<Angles&>(*terms.scratch);
    at.beta = SinCos(q[0]);
    at.beta_Theta = SinCos(q[0] + q[1]);
    at.gamma = SinCos(q[2]);
    at.Phi_delta = SinCos(q[3] + q[4]);
    at.delta = SinCos(q[4]);
    at.Omega_epsilon = SinCos(q[5] + q[6]);
    at.epsilon = SinCos(q[6]);

    const double px = rr * at.beta.c - d * at.beta_Theta.c;  // (2)
    const double py = rr * at.beta.s - d * at.beta_Theta.s;
    double* g = terms.g.data();  // (3)
    g[0] = px - ss * at.gamma.s - xb;
    g[1] = py + ss * at.gamma.c - yb;
    g[2] = px - e * at.Phi_delta.s - zt * at.delta.c - xa;
    g[3] = py + e * at.Phi_delta.c - zt * at.delta.s - ya;
    g[4] = px - zf * at.Omega_epsilon.c - u * at.epsilon.s - xa;
    g[5] = py - zf * at.Omega_epsilon.s + u * at.epsilon.c - ya;

    double* J = terms.J.valuePtr();  // ∂(3)/∂q in the order of the pattern
    const double x_Theta = d * at.beta_Theta.s, y_Theta = -d * at.beta_Theta.c;
    J[0] = J[6] = J[14] = -py;  // ∂px/∂β
    J[1] = J[7] = J[15] = x_Theta;
    J[3] = J[10] = J[18] = px;  // ∂py/∂β
    J[4] = J[11] = J[19] = y_Theta;
    J[2] = -ss * at.gamma.c;
    J[5] = -ss * at.gamma.s;
    J[8] = -e * at.Phi_delta.c;
    J[9] = J[8] + zt * at.delta.s;
    J[12] = -e * at.Phi_delta.s;
    J[13] = J[12] - zt * at.delta.c;
    J[16] = zf * at.Omega_epsilon.s;
    J[17] = J[16] - u * at.epsilon.c;
    J[20] = -zf * at.Omega_epsilon.c;
    J[21] = J[20] - u * at.epsilon.s;

    terms.nu.setZero();
  }

  void mass(double, ConstVec, Terms& terms) const override {
    const Angles& at = angles_of(terms);
    const double cos_Theta = at.beta_Theta.minus(at.beta).c;
    const double sin_Phi = at.Phi_delta.minus(at.delta).s;
    const double sin_Omega = at.Omega_epsilon.minus(at.epsilon).s;
    double* M = terms.M.valuePtr();  // (5) in the order of the pattern
    M[0] = m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2 - 2 * m2 * da * rr * cos_Theta;
    M[1] = M[2] = m2 * da * da + I2 - m2 * da * rr * cos_Theta;
    M[3] = m2 * da * da + I2;
    M[4] = m3 * (sa * sa + sb * sb) + I3;
    M[5] = m4 * e_rest * e_rest + I4;
    M[6] = M[7] = m4 * e_rest * e_rest + I4 + m4 * zt * e_rest * sin_Phi;
    M[8] = m4 * (zt * zt + e_rest * e_rest) + m5 * (ta * ta + tb * tb) + I4 + I5 +
           2 * m4 * zt * e_rest * sin_Phi;
    M[9] = m6 * f_rest * f_rest + I6;
    M[10] = M[11] = m6 * f_rest * f_rest + I6 - m6 * u * f_rest * sin_Omega;
    M[12] =
        m6 * (f_rest * f_rest + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7 - 2 * m6 * u * f_rest * sin_Omega;
  }

  void bias(double, ConstVec, ConstVec v, Terms& terms) const override {
    const Angles& at = angles_of(terms);
    const auto square = [](double x) { return x * x; };
    const double beta2 = square(v[0]), beta_Theta2 = square(v[0] + v[1]), gamma2 = square(v[2]);
    const double Phi_delta2 = square(v[3] + v[4]), delta2 = square(v[4]);
    const double Omega_epsilon2 = square(v[5] + v[6]), epsilon2 = square(v[6]);
    const double px = rr * at.beta.c * beta2 - d * at.beta_Theta.c * beta_Theta2;  // −P̈ at v̇ = 0
    const double py = rr * at.beta.s * beta2 - d * at.beta_Theta.s * beta_Theta2;
    double* gamma = terms.gamma.data();  // (4)
    gamma[0] = px - ss * at.gamma.s * gamma2;
    gamma[1] = py + ss * at.gamma.c * gamma2;
    gamma[2] = px - e * at.Phi_delta.s * Phi_delta2 - zt * at.delta.c * delta2;
    gamma[3] = py + e * at.Phi_delta.c * Phi_delta2 - zt * at.delta.s * delta2;
    gamma[4] = px - zf * at.Omega_epsilon.c * Omega_epsilon2 - u * at.epsilon.s * epsilon2;
    gamma[5] = py - zf * at.Omega_epsilon.s * Omega_epsilon2 + u * at.epsilon.c * epsilon2;
  }

  void force(double, ConstVec, ConstVec v, Terms& terms) const override {
    const Angles& at = angles_of(terms);
    const double sin_Theta = at.beta_Theta.minus(at.beta).s;
    const double cos_Phi = at.Phi_delta.minus(at.delta).c;
    const double cos_Omega = at.Omega_epsilon.minus(at.epsilon).c;
    // Torque of the spring on K3: F·∂D/∂γ with F = −c0 (l − l0)/l (D − C).
    const double x = sd * at.gamma.c + sc * at.gamma.s, y = sd * at.gamma.s - sc * at.gamma.c;  // D − B
    const double dx = xb + x - xc, dy = yb + y - yc;
    const double pull = c0 * (l0 / std::sqrt(dx * dx + dy * dy) - 1);
    double* f = terms.f.data();
    f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sin_Theta;
    f[1] = m2 * da * rr * v[0] * v[0] * sin_Theta;
    f[2] = pull * (dy * x - dx * y);
    f[3] = m4 * zt * e_rest * v[4] * v[4] * cos_Phi;
    f[4] = -m4 * zt * e_rest * v[3] * (v[3] + 2 * v[4]) * cos_Phi;
    f[5] = -m6 * u * f_rest * v[6] * v[6] * cos_Omega;
    f[6] = m6 * u * f_rest * v[5] * (v[5] + 2 * v[6]) * cos_Omega;
  }

  std::optional<double> potential_energy(double, ConstVec q, Terms& terms) const override {
    const double stretch = spring_vector(angles_of(terms).gamma).norm() - l0;
    return 0.5 * c0 * stretch * stretch - mom * q[0];
  }

  // The seven bodies at their centres of mass.
  std::vector<std::string> body_names() const override { return {"K1", "K2", "K3", "K4", "K5", "K6", "K7"}; }

  void observe_poses(double, ConstVec q, Terms&, std::vector<Pose>& out) const override {
    const SinCos beta(q[0]), beta_Theta(q[0] + q[1]), gamma(q[2]), Phi_delta(q[3] + q[4]), delta(q[4]);
    const SinCos Omega_epsilon(q[5] + q[6]), epsilon(q[6]);
    out.clear();
    const auto place = [&out](double x, double y, double angle) {
      Pose pose;
      pose.position = {x, y, 0};
      pose.quaternion = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
      out.push_back(pose);
    };
    place(ra * beta.c, ra * beta.s, q[0]);
    place(rr * beta.c - da * beta_Theta.c, rr * beta.s - da * beta_Theta.s, q[0] + q[1]);
    place(xb + sa * gamma.s + sb * gamma.c, yb - sa * gamma.c + sb * gamma.s, q[2]);
    place(xa + zt * delta.c + e_rest * Phi_delta.s, ya + zt * delta.s - e_rest * Phi_delta.c, q[3] + q[4]);
    place(xa + ta * delta.c - tb * delta.s, ya + ta * delta.s + tb * delta.c, q[4]);
    place(xa + u * epsilon.s + f_rest * Omega_epsilon.c, ya - u * epsilon.c + f_rest * Omega_epsilon.s,
          q[5] + q[6]);
    place(xa + ua * epsilon.s - ub * epsilon.c, ya - ua * epsilon.c - ub * epsilon.s, q[6]);
  }

  std::vector<std::string> quantity_names() const override {
    return {"crank_turns", "coupler.x", "coupler.y", "spring_length"};
  }
  std::vector<std::string> quantity_units() const override { return {"", "m", "m", "m"}; }
  void observe_quantities(double, ConstVec q, ConstVec, const Reaction&, Terms&, VecRef out) const override {
    out[0] = q[0] / (2 * std::numbers::pi);
    out.segment<2>(1) = coupler_point(q);
    out[3] = spring_vector(SinCos(q[2])).norm();
  }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Angles>(); }
};

}  // namespace

// Points in the frames of poses(): (2), (3), (6).
std::shared_ptr<const Drawing> drawing() {
  Drawing out = start_drawing(zt);
  out.ground.points = {{"O", {0, 0, 0}}, {"A", {xa, ya, 0}}, {"B", {xb, yb, 0}}, {"C", {xc, yc, 0}}};
  add_body(out, "K1", {{"O", {-ra, 0, 0}}, {"pin", {rr - ra, 0, 0}}});
  add_body(out, "K2", {{"pin", {da, 0, 0}}, {"P", {da - d, 0, 0}}});
  add_body(out, "K3", {{"B", {-sb, sa, 0}}, {"P", {-sb, sa - ss, 0}}, {"D", {sd - sb, sa - sc, 0}}});
  add_body(out, "K4", {{"E", {0, e_rest, 0}}, {"P", {0, e_rest - e, 0}}});
  add_body(out, "K5", {{"A", {-ta, -tb, 0}}, {"E", {zt - ta, -tb, 0}}, {"center", {0, 0, 0}}});
  add_body(out, "K6", {{"H", {-f_rest, 0, 0}}, {"P", {zf - f_rest, 0, 0}}});
  add_body(out, "K7", {{"A", {ub, ua, 0}}, {"H", {ub, ua - u, 0}}, {"center", {0, 0, 0}}});
  const auto pin = [&](const char* name, int a, const char* at_a, int b, const char* at_b) {
    add_pin(out, name, end_at(out, a, at_a), end_at(out, b, at_b));
  };
  pin("O", -1, "O", 0, "O");
  pin("crank", 0, "pin", 1, "pin");
  pin("B", -1, "B", 2, "B");
  pin("A5", -1, "A", 4, "A");
  pin("A7", -1, "A", 6, "A");
  pin("E", 4, "E", 3, "E");
  pin("H", 6, "H", 5, "H");
  pin("loop1", 1, "P", 2, "P");
  pin("loop2", 1, "P", 3, "P");
  pin("loop3", 1, "P", 5, "P");
  add_coil(out, "spring", end_at(out, -1, "C"), end_at(out, 2, "D"));
  return std::make_shared<const Drawing>(std::move(out));
}

namespace {

ProblemInstance make_andrews(const Options&) {
  ProblemInstance instance;
  instance.drawing = drawing();
  instance.system = std::make_unique<Andrews>();
  instance.start.t = 0;
  instance.start.q.resize(n);  // Θ = 0 and β chosen; the rest closes the loops to 30 digits
  instance.start.q << -0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449,
      0.222668390165885884674473185609, 0.487364979543842550225598953530, -0.222668390165885884674473185609,
      1.23054744454982119249735015568;
  instance.start.v = Vec::Zero(n);
  return instance;
}

// Angles, then rates. 0.03 and 0.05: two formulations in quadruple precision that agree to 14 digits, one of
// them with itself to 19. 0.3: the 7-angle equations by extrapolation of order 28 and 30 in quadruple
// precision (tolerances 1e-23 and 1e-25 agree to 17 digits); the same program meets the values at 0.03 and
// 0.05 to the last bit.
constexpr std::array<double, 2 * n> at_0_03 = {
    15.810771195153707, -15.756371058411839, 0.0408222401196458, -0.5347301163420796, 0.524409965879954,
    0.5347301163420796, 1.048080741041938,   1139.9203022591062, -1424.3792951775401, 11.032911910618594,
    19.29337410503204,  0.5735699148295025,  -19.29337410503204, 0.3231791492491309};
constexpr std::array<double, 2 * n> at_0_05 = {
    33.82586776695452,   -33.58343151746387, 0.11339507381259901, -0.40785286560188444, 0.5260604449169958,
    0.40785286560188444, 1.056902429434963,  1144.5355026538475,  -1336.0337226511924,  -190.93706860429464,
    -334.3170608708647,  0.8758650829430151, 334.3170608708647,   -39.617288978352995};
constexpr std::array<double, 2 * n> at_0_3 = {
    636.7370199576304,   -636.4577474098257, 0.16329117621471556, -0.3202289703246234, 0.5249797166010965,
    0.3202289703246234,  1.069889197432745,  3618.2589778447673,  -3973.915709566815,  -699.1098660289338,
    -1232.2860637740582, 26.712398506072887, 1232.2860637740582,  -217.33731331564155};

std::vector<ReferenceValue> reference_values() {
  const Layout layout = andrews_layout();
  std::vector<ReferenceValue> values;
  const auto add = [&](double t, const std::array<double, 2 * n>& at) {
    for (size_t i = 0; i < 2 * n; ++i) {
      const std::string& name = i < n ? layout.q_names[i] : layout.v_names[i - n];
      values.push_back({t, name, at[i], 2e-16 * std::abs(at[i])});
    }
  };
  add(0.03, at_0_03);
  add(0.05, at_0_05);
  add(0.3, at_0_3);
  return values;
}

}  // namespace
}  // namespace andrews

extern const ProblemRecord andrews_problem;
const ProblemRecord andrews_problem = {
    .name = "andrews",
    .summary =
        "Andrews' squeezing mechanism: seven bodies, seven relative angles, three loops, one degree of "
        "freedom",
    .reference = "Hairer & Wanner, Solving ODEs II, sec. VII.7; IVP test set (CWI/Bari)",
    .t_end = 0.03,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = andrews::reference_values(),
    .make = andrews::make_andrews,
    .difficulty =
        "seven bodies on three loops with a light crank that turns fast: errors of a time step become phase "
        "errors of the crank",
    .methods = {"lagrange/dop853/pstab", "projection-independent/dopri5", "lagrange/adams/pstab"},
};

}  // namespace driftless
