// A researcher's own DAE: a bead on a parabolic wire that turns about its vertical axis at constant speed Ω.
//
//   m r̈ = −m g e_z − Jᵀλ     z = (x² + y²)/(2p)     on the bowl the wire sweeps                         (1)
//                            y cos Ωt = x sin Ωt     in the turning plane: the drive works on the bead  (2)
//
// At the speed Ω² = g/p the centrifugal force balances gravity everywhere along the wire: the bead glides at
// constant speed relative to it. Its arc length s = p/2 (ρ √(1 + ρ²) + asinh ρ), ρ = √(x² + y²)/p, grows
// linearly in time: the known solution this program compares with.
#include <cmath>
#include <cstdio>

#include "driftless/driftless.hpp"

using namespace driftless;

struct Bead {
  static constexpr int nq = 3, rows = 2;  // x, y, z on two constraints
  double m = 0.1, p = 0.5, gravity = 9.81;
  double omega = std::sqrt(gravity / p);

  // Written once for any scalar: values, Jacobian and accelerations of the constraints come from it by jets.
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::cos, std::sin;
    g[0] = q[2] - (q[0] * q[0] + q[1] * q[1]) / (2 * p);   // (1)
    g[1] = q[1] * cos(omega * t) - q[0] * sin(omega * t);  // (2)
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal().setConstant(m); }
  void force(double, ConstVec, ConstVec, VecRef f) const { f[2] = -m * gravity; }
  double potential(double, ConstVec q) const { return m * gravity * q[2]; }

  Layout description() const {
    Layout names;
    names.q_names = {"bead.x", "bead.y", "bead.z"};
    names.row_names = {"bowl", "plane"};
    return names;
  }
};

double arc_length(const Bead& bead, const Vec& q) {
  const double rho = std::hypot(q[0], q[1]) / bead.p;
  return bead.p / 2 * (rho * std::sqrt(1 + rho * rho) + std::asinh(rho));
}

int main() {
  const Bead bead;
  const auto system = make_system(bead);

  // A rough start, neither on the bowl nor turning with the wire: assembly corrects it as little as it can.
  const State guess{0.0, Vec3(0.1, 0, 0), Vec3(0.3, 0, 0)};
  const Assembly start = assemble(*system, guess, "bead");

  Setup setup;
  setup.t_end = 2;
  setup.rtol = 1e-9;
  const Results results = simulate(*system, start.state, setup);
  if (!results.good()) {
    std::fprintf(stderr, "%s\n", results.message.c_str());
    return 1;
  }

  // Speed along the wire: horizontal part outwards times √(1 + ρ²).
  const Vec &q0 = start.state.q, &v0 = start.state.v, &q = results.final.q;
  const double r0 = std::hypot(q0[0], q0[1]), outwards = (q0[0] * v0[0] + q0[1] * v0[1]) / r0;
  const double speed = outwards * std::hypot(1, r0 / bead.p);
  const double expected = arc_length(bead, q0) + speed * setup.t_end, found = arc_length(bead, q);

  std::printf("start      assembly moved %s by %.3g\n", start.report.moved_most.c_str(),
              start.report.moved_length);
  std::printf("end        x = %.9f  y = %.9f  z = %.9f  at t = %g\n", q[0], q[1], q[2], results.final.t);
  std::printf("steps      %ld, %ld evaluations\n", results.statistics.steps(),
              results.statistics.evaluations);
  std::printf("drift      |g| %.1e  |Jv - nu| %.1e\n", results.drift.position_max,
              results.drift.velocity_max);
  std::printf("energy     %.6f J -> %.6f J, the drive did %.6f J; balance off by %.1e\n",
              results.energy->initial, results.energy->final, results.energy->work,
              results.energy->max_relative_error);
  std::printf("arc length %.10f m, exact %.10f m\n", found, expected);

  const bool good = std::abs(found - expected) < 1e-7 && results.drift.position_max < 1e-9 &&
                    results.energy->max_relative_error < 1e-6;
  std::puts(good ? "good: the bead is where theory says" : "OFF: the bead is not where theory says");
  return good ? 0 : 1;
}
