// A flexible coupler between two rigid rockers: four-bar linkage with a thin beam of five nodes.
//   A. Hoitink, thesis 2011, §4.2.2, eqs. (4.41)–(4.47); after Armero & Romero 2001.
//
//   q = (x1, y1, …, x5, y5),   M = diag(2, 2, .2, .2, .2, .2, .2, .2, 2, 2)                                               (1)
//   g = 1 − x1² − y1²,   1 − (2 − x5)² − (1 − y5)²,   γ = 2 (ẋ1² + ẏ1²), 2 (ẋ5² + ẏ5²)                                    (2)
//   V = Σ ½ κ (l − l0)² over four springs + Σ ½ C (ν + ψ)/(ν − ψ) over three bending elements                              (3)
// A pulse F on node 3 along x rises from 0 to 10 N at 0.25 s and falls to 0 at 0.5 s; energy is constant from then on. The
// source has stiffnesses, lengths, start and pulse in figures only: κ = 1e4, C = 10, a straight stress-free coupler of
// length √5 between (0, 1) and (2, 2) and the pulse are our choice. Steps must end at the kinks of the pulse.
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
namespace thin_beam {
namespace {

constexpr double heavy = 2, light = 0.2;                                 // kg
constexpr double peak_force = 10, peak_time = 0.25, end_of_pulse = 0.5;  // N, s

double pulse(double t) {
  if (t <= 0 || t >= end_of_pulse) return 0;
  return peak_force * (1 - std::abs(t - peak_time) / peak_time);
}

Layout thin_beam_layout() {
  Layout layout;
  layout.nq = layout.nv = 10;
  layout.mh = layout.m = 2;
  for (int node = 1; node <= 5; ++node)
    for (const char* axis : {"x", "y"}) layout.q_names.push_back(axis + std::to_string(node));
  for (const std::string& name : layout.q_names) layout.v_names.push_back(name + "_dot");
  layout.q_units.assign(10, "m");
  layout.v_units.assign(10, "m/s");
  layout.row_names = {"rocker1", "rocker2"};
  layout.row_units = {"m^2", "m^2"};
  layout.q_scale = layout.v_scale = Vec::Ones(10);
  layout.length = 1;
  layout.mass = 2 * heavy + 3 * light;
  layout.mass_is_constant = true;
  layout.M.resize(10, 10);
  for (int i = 0; i < 10; ++i) layout.M.insert(i, i) = 0;
  layout.M.makeCompressed();
  layout.J.resize(2, 10);
  for (const int i : {0, 1}) layout.J.insert(0, i) = 0;
  for (const int i : {8, 9}) layout.J.insert(1, i) = 0;
  layout.J.makeCompressed();
  return layout;
}

class ThinBeam final : public ObservableSystem, public ElementPotential {
 public:
  ThinBeam(double kappa, double C) : ObservableSystem(thin_beam_layout()) {
    check_layout(layout_);
    for (int i = 0; i < 4; ++i) springs_.emplace_back(i, i + 1, kappa, std::sqrt(5.0) / 4);
    for (int i = 1; i < 4; ++i) bending_.emplace_back(i - 1, i + 1, i, C);
  }

  void position(double, ConstVec q, Terms& terms) const override {
    const double x = 2 - q[8], y = 1 - q[9];
    terms.g[0] = 1 - q[0] * q[0] - q[1] * q[1];  // (2)
    terms.g[1] = 1 - x * x - y * y;
    double* J = terms.J.valuePtr();
    J[0] = -2 * q[0];
    J[1] = -2 * q[1];
    J[2] = 2 * x;
    J[3] = 2 * y;
    terms.nu.setZero();
  }

  void mass(double, ConstVec, Terms& terms) const override {
    for (int i = 0; i < 10; ++i) terms.M.valuePtr()[i] = i < 2 || i > 7 ? heavy : light;  // (1)
  }

  void bias(double, ConstVec, ConstVec v, Terms& terms) const override {
    terms.gamma[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
    terms.gamma[1] = 2 * (v[8] * v[8] + v[9] * v[9]);
  }

  void force(double t, ConstVec q, ConstVec, Terms& terms) const override {
    discrete_gradient(q, q, terms.f);
    terms.f = -terms.f;
    terms.f[4] += pulse(t);
  }

  std::optional<double> potential_energy(double, ConstVec q, Terms&) const override {  // (3)
    double sum = 0;
    for (const auto& spring : springs_) sum += spring.energy(q);
    for (const auto& element : bending_) sum += element.energy(q);
    return sum;
  }
  double applied_power(double t, ConstVec, ConstVec v, Terms&) const override { return pulse(t) * v[4]; }
  bool exchanges_energy() const override { return true; }

  void discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const override {
    out.setZero();
    for (const auto& spring : springs_) spring.add(q0, q1, out);
    for (const auto& element : bending_) element.add(q0, q1, out);
  }

  std::vector<double> break_times(double t0, double t1) const override {
    std::vector<double> times;
    for (const double t : {0.0, peak_time, end_of_pulse})
      if (t > t0 && t < t1) times.push_back(t);
    return times;
  }

  std::vector<std::string> body_names() const override {
    return {"node1", "node2", "node3", "node4", "node5"};
  }
  void observe_poses(double, ConstVec q, Terms&, std::vector<Pose>& out) const override {
    out.assign(5, Pose{});
    for (int i = 0; i < 5; ++i) out[size_t(i)].position = {q[2 * i], q[2 * i + 1], 0};
  }

 private:
  std::vector<AxialSpring<2>> springs_;
  std::vector<Bending<2>> bending_;
};

// Node 1 turns about (0, 0), node 5 about (2, 1): (2).
std::shared_ptr<const Drawing> thin_beam_drawing(const std::vector<std::string>& nodes) {
  Drawing out = start_drawing(1);
  out.ground.points = {{"O", {0, 0, 0}}, {"Q", {2, 1, 0}}};
  for (size_t i = 0; i < nodes.size(); ++i) {
    out.bodies.push_back({nodes[i]});
    add_ball(out, i, Vec3::Zero(), i == 0 || i == 4 ? 0.06 : 0.03);
  }
  out.deforming.push_back({"beam", {{0}, {1}, {2}, {3}, {4}}, {{0, 1, 2, 3, 4}}, 0.01});
  out.deforming.push_back(
      {"rockers", {end_at(out, -1, "O"), {0}, end_at(out, -1, "Q"), {4}}, {{0, 1}, {2, 3}}, 0.025});
  for (const char* point : {"O", "Q"}) add_pin(out, point, end_at(out, -1, point), end_at(out, -1, point));
  return std::make_shared<const Drawing>(std::move(out));
}

ProblemInstance make_thin_beam(const Options& options) {
  ProblemInstance instance;
  instance.system = std::make_unique<ThinBeam>(options.number("kappa"), options.number("bending"));
  instance.drawing = thin_beam_drawing(instance.system->body_names());
  instance.start = {0, Vec(10), Vec::Zero(10)};
  instance.start.q << 0, 1, .5, 1.25, 1, 1.5, 1.5, 1.75, 2, 2;
  return instance;
}

// Positions, then velocities: ten coordinates with multipliers and eight without agree to 13 digits.
struct Snapshot {
  double t;
  std::array<double, 20> y;
};
constexpr std::array<Snapshot, 3> snapshots = {{
    {0.25, {0.025136423418867928, 0.9996840301903934,  0.5482901326285528,  1.198807552687427,
            1.0744771114718197,   1.3899151815266735,  1.53594039895838,    1.7053378531159253,
            2.010990102423453,    1.9999396070007038,  0.32972795249648046, -0.008290801069823422,
            0.6307645108441636,   -0.7714353966301043, 0.7257363934660961,  -0.9983073603019684,
            0.5110634635617164,   -0.6710621793240618, 0.10643543334373384, -0.0011698069620832631}},
    {0.5, {0.20826659534344566, 0.9780720961483613,   0.7656288746072933,  1.0193028176645256,
           1.3062214317734164,  1.1609604204152901,   1.7345031213325777,  1.5198936370483553,
           2.02090977479959,    1.9997813667586681,   0.9158736886240301,  -0.19502232570127023,
           0.930925061235654,   -0.5498882151638693,  0.9439155832817347,  -0.658584660033884,
           0.6633562864990685,  -0.34310402501046006, 0.05938190242814346, -0.0012419337349416802}},
    {1.0, {0.5738783525726857, 0.8189405573351831,   1.1327326929862542, 0.8303173771805515,
           1.6559833522322247, 1.0267466971308146,   2.0242904404922255, 1.4470943224215118,
           2.182051458481399,  1.9832890045478977,   0.5648576386585276, -0.39582796114807434,
           0.5442301699336969, 0.11664076278150763,  0.6141707976630383, -0.1069795931320116,
           0.6014233066148066, -0.10425950004613811, 0.5695708339542683, -0.10545343286688844}},
}};

std::vector<ReferenceValue> reference_values() {
  const Layout layout = thin_beam_layout();
  std::vector<ReferenceValue> values;
  for (const Snapshot& at : snapshots)
    for (size_t i = 0; i < 20; ++i)
      values.push_back({at.t, i < 10 ? layout.q_names[i] : layout.v_names[i - 10], at.y[i], 1e-12});
  return values;
}

}  // namespace
}  // namespace thin_beam

extern const ProblemRecord thin_beam_problem;
const ProblemRecord thin_beam_problem = {
    .name = "thin-beam",
    .summary = "four-bar linkage with a thin elastic beam as its coupler, struck by a pulse",
    .reference = "Hoitink 2011, sec. 4.2.2, eqs. (4.41)-(4.47); after Armero & Romero 2001",
    .t_end = 1,
    .integrator = {},
    .stabilization = {},
    .options =
        {{.name = "kappa", .default_value = "1e4", .unit = "N/m", .min = 0, .help = "axial stiffness"},
         {.name = "bending", .default_value = "10", .unit = "J", .min = 0, .help = "bending stiffness C"}},
    .values = thin_beam::reference_values(),
    .make = thin_beam::make_thin_beam,
    .difficulty =
        "a beam that is stiff along itself and soft across, struck by a pulse with a kink: high frequencies "
        "that nothing damps",
    .methods = {"lagrange/dopri5/pstab"},
    .inferred = "stiffnesses, free lengths, positions and the pulse; taken: the defaults of the problem",
};

}  // namespace driftless
