// Four masses, two rigid bars and two elastic trusses, free in space.
//   A. Hoitink, thesis 2011, §4.2.1; after O. Gonzalez, Physica D 132 (1999).
//
// Masses 1, 3, 2.3, 1.7 kg at the corners of a unit square, numbered around it; bars 1–2 and 3–4, trusses 2–3 and 1–4:
//   q = (x1, y1, z1, …, z4),   M = diag,   g = |r2 − r1| − 1, |r4 − r3| − 1                                              (1)
//   V = ½ EA l0 ε² for each truss, ε Green's strain, l0 = 1 m; EA = 100 N (2–3), 1000 N (1–4)                              (2)
//   γ = −(|ṙ|² − (r·ṙ)²/l²)/l for a bar r of length l                                                                     (3)
// Mass 4 starts with ż = 2/1.7, the others at rest: energy 2/1.7 J, linear and angular momentum are constant too. Which truss
// is which stands only in a figure of the source; the stiff one on the moving mass is our choice (options k23, k14).
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/flexible/conserving_elements.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/element_potential.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {
namespace four_mass {
namespace {

constexpr std::array<double, 4> masses = {1, 3, 2.3, 1.7};

Layout four_mass_layout() {
  Layout layout;
  layout.nq = layout.nv = 12;
  layout.mh = layout.m = 2;
  for (int node = 1; node <= 4; ++node)
    for (const char* axis : {"x", "y", "z"}) layout.q_names.push_back(axis + std::to_string(node));
  for (const std::string& name : layout.q_names) layout.v_names.push_back(name + "_dot");
  layout.q_units.assign(12, "m");
  layout.v_units.assign(12, "m/s");
  layout.row_names = {"bar12", "bar34"};
  layout.row_units = {"m", "m"};
  layout.q_scale = layout.v_scale = Vec::Ones(12);
  layout.length = 1;
  layout.mass = masses[0] + masses[1] + masses[2] + masses[3];
  layout.mass_is_constant = true;
  layout.M.resize(12, 12);
  for (int i = 0; i < 12; ++i) layout.M.insert(i, i) = 0;
  layout.M.makeCompressed();
  layout.J.resize(2, 12);
  for (int i = 0; i < 12; ++i) layout.J.insert(i / 6, i) = 0;
  layout.J.makeCompressed();
  return layout;
}

class FourMass final : public ObservableSystem, public ElementPotential {
 public:
  FourMass(double k23, double k14)
      : ObservableSystem(four_mass_layout()), soft_(1, 2, k23, 1), stiff_(0, 3, k14, 1) {
    check_layout(layout_);
  }

  void position(double, ConstVec q, Terms& terms) const override {
    double* J = terms.J.valuePtr();
    for (int bar = 0; bar < 2; ++bar) {  // (1)
      const Vec3 r = q.segment<3>(6 * bar + 3) - q.segment<3>(6 * bar);
      const double length = r.norm();
      terms.g[bar] = length - 1;
      for (int k = 0; k < 3; ++k) {
        J[6 * bar + k] = -r[k] / length;
        J[6 * bar + 3 + k] = r[k] / length;
      }
    }
    terms.nu.setZero();
  }

  void mass(double, ConstVec, Terms& terms) const override {
    for (int i = 0; i < 12; ++i) terms.M.valuePtr()[i] = masses[size_t(i / 3)];
  }

  void bias(double, ConstVec q, ConstVec v, Terms& terms) const override {
    for (int bar = 0; bar < 2; ++bar) {  // (3)
      const Vec3 r = q.segment<3>(6 * bar + 3) - q.segment<3>(6 * bar);
      const Vec3 rate = v.segment<3>(6 * bar + 3) - v.segment<3>(6 * bar);
      const double length = r.norm(), along = r.dot(rate) / length;
      terms.gamma[bar] = -(rate.squaredNorm() - along * along) / length;
    }
  }

  void force(double, ConstVec q, ConstVec, Terms& terms) const override {
    discrete_gradient(q, q, terms.f);
    terms.f = -terms.f;
  }

  std::optional<double> potential_energy(double, ConstVec q, Terms&) const override {
    return soft_.energy(q) + stiff_.energy(q);  // (2)
  }

  void discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const override {
    out.setZero();
    soft_.add(q0, q1, out);
    stiff_.add(q0, q1, out);
  }
  bool strain_forces(const StrainRule& rule, const StrainedStep& step, VecRef out) const override {
    out.setZero();
    soft_.add_strained(rule, step, out);
    stiff_.add_strained(rule, step, out);
    return true;
  }

  std::vector<std::string> body_names() const override { return {"mass1", "mass2", "mass3", "mass4"}; }
  void observe_poses(double, ConstVec q, Terms&, std::vector<Pose>& out) const override {
    out.assign(4, Pose{});
    for (int i = 0; i < 4; ++i) out[size_t(i)].position = q.segment<3>(3 * i);
  }

 private:
  GreenTruss<3> soft_, stiff_;
};

std::shared_ptr<const Drawing> four_mass_drawing() {
  Drawing out = start_drawing(1);
  out.planar = false;
  for (size_t i = 0; i < 4; ++i) {
    out.bodies.push_back({"mass" + std::to_string(i + 1)});
    add_ball(out, i, Vec3::Zero(), 0.06 * std::cbrt(masses[i]));
  }
  out.deforming.push_back({"bars", {{0}, {1}, {2}, {3}}, {{0, 1}, {2, 3}}, 0.02});
  add_coil(out, "truss23", {1}, {2});
  add_coil(out, "truss14", {0}, {3});
  return std::make_shared<const Drawing>(std::move(out));
}

ProblemInstance make_four_mass(const Options& options) {
  ProblemInstance instance;
  instance.drawing = four_mass_drawing();
  instance.system = std::make_unique<FourMass>(options.number("k23"), options.number("k14"));
  instance.start = {0, Vec(12), Vec::Zero(12)};
  instance.start.q << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
  instance.start.v[11] = 2 / 1.7;
  return instance;
}

// Positions, then velocities: twelve coordinates with multipliers and ten without agree to 15 digits.
struct Snapshot {
  double t;
  std::array<double, 24> y;
};
constexpr std::array<Snapshot, 2> snapshots = {{
    {0.25, {0.0002773437385320535,  0.025785598873635414,  0.0026493123932300965, 0.9999415591412887,
            8.906313589902219e-06,  5.5166036140996e-08,   0.9818670977938779,    0.9999469124528317,
            0.0017715273063503751,  0.024472737595107406,  0.9848881079671069,    0.2901623584141504,
            0.004880774613910861,   0.22207688748166712,   0.035338860354120503,  -0.0009340186913564532,
            0.00020113707717970327, 1.490478358958309e-06, -0.14301445062757823,  -0.0009492198628914032,
            0.020970094199171688,   0.19226736347269907,   -0.12970417236973883,  1.1273090891486517}},
    {1.0, {0.05464610508871333,  0.3484488583255908,    0.12616223318772649,  0.9871836686832153,
           0.009885832140728345, 0.0006681305941048695, 0.7552821802545635,   0.9802364461346548,
           0.09238225000094583,  0.32156110251537934,   0.8043234230250106,   0.9760907058986963,
           0.17825217294813195,  0.5478120134324292,    0.29024321955072385,  -0.04518593669337671,
           0.038509527050810864, 0.003907538400997878,  -0.41243046549033596, -0.07129100569834078,
           0.24614781876713934,  0.5328798280939828,    -0.2937478126345165,  0.6658201071069778}},
}};

std::vector<ReferenceValue> reference_values() {
  const Layout layout = four_mass_layout();
  std::vector<ReferenceValue> values;
  for (const Snapshot& at : snapshots)
    for (size_t i = 0; i < 24; ++i)
      values.push_back({at.t, i < 12 ? layout.q_names[i] : layout.v_names[i - 12], at.y[i], 1e-14});
  return values;
}

}  // namespace
}  // namespace four_mass

extern const ProblemRecord four_mass_problem;
const ProblemRecord four_mass_problem = {
    .name = "four-mass",
    .summary = "four masses with two rigid bars and two elastic trusses, free in space",
    .reference = "Hoitink 2011, sec. 4.2.1; after Gonzalez 1999, Physica D 132",
    .t_end = 1,
    .integrator = {},
    .stabilization = {},
    .options =
        {{.name = "k23", .default_value = "100", .unit = "N", .min = 0, .help = "EA of the truss 2-3"},
         {.name = "k14", .default_value = "1000", .unit = "N", .min = 0, .help = "EA of the truss 1-4"}},
    .values = four_mass::reference_values(),
    .make = four_mass::make_four_mass,
    .difficulty =
        "free motion with stiff trusses: schemes that do not keep energy and momentum show it within seconds",
    .methods = {"lagrange/dop853/pstab"},
    .inferred =
        "which masses the trusses join and how their strain is measured; taken: 2-3 with EA = 100, 1-4 with "
        "1000, Green's strain",
};

}  // namespace driftless
