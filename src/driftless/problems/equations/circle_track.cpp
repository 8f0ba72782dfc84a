// A mass point on a circular track, driven along it by a force that follows the track.
//   C. Arévalo, P. Lötstedt 1995; as in A. Hoitink, thesis 2011, app. A.1.
//
//   M = diag(2, 2),   f = (4y, −4x),   g = 1 − x² − y²                                                    (1)
//   J = (−2x, −2y),   ν = 0,   γ = 2 (ẋ² + ẏ²)                                                            (2)
// From rest at (0, 1) the exact motion is
//   x = sin t²,   y = cos t²,   λ = −4 t²                                                                 (3)
// The force is tangential, not the gradient of anything: it does work at the rate f·v, kinetic energy grows
// as 4 t². The ever faster motion and its exact solution make this a test of order at every level,
// multipliers included.
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "driftless/problems/drawings.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {
namespace circle_track {
namespace {

constexpr double mass_of_point = 2, force_factor = 4;

Layout circle_track_layout() {
  Layout layout;
  layout.nq = layout.nv = 2;
  layout.mh = layout.m = 1;
  layout.q_names = {"x", "y"};
  layout.v_names = {"x_dot", "y_dot"};
  layout.row_names = {"track"};
  layout.q_units = {"m", "m"};
  layout.v_units = {"m/s", "m/s"};
  layout.row_units = {"m^2"};  // the published row is squared, not a distance
  layout.q_scale = Vec::Ones(2);
  layout.v_scale = Vec::Ones(2);
  layout.length = 1;
  layout.mass = mass_of_point;
  layout.M.resize(2, 2);
  layout.M.insert(0, 0) = 0;
  layout.M.insert(1, 1) = 0;
  layout.M.makeCompressed();
  layout.J.resize(1, 2);
  layout.J.insert(0, 0) = 0;
  layout.J.insert(0, 1) = 0;
  layout.J.makeCompressed();
  return layout;
}

class CircleTrack final : public ObservableSystem {
 public:
  CircleTrack() : ObservableSystem(circle_track_layout()) { check_layout(layout_); }

  void position(double, ConstVec q, Terms& terms) const override {
    terms.g[0] = 1 - q[0] * q[0] - q[1] * q[1];
    double* J = terms.J.valuePtr();
    J[0] = -2 * q[0];
    J[1] = -2 * q[1];
    terms.nu[0] = 0;
  }

  void mass(double, ConstVec, Terms& terms) const override {
    double* M = terms.M.valuePtr();
    M[0] = M[1] = mass_of_point;
  }

  void bias(double, ConstVec, ConstVec v, Terms& terms) const override {
    terms.gamma[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
  }

  void force(double, ConstVec q, ConstVec, Terms& terms) const override {
    terms.f[0] = force_factor * q[1];
    terms.f[1] = -force_factor * q[0];
  }

  // No part of f is conservative: the potential is known and zero, all of f·v is work done from outside.
  std::optional<double> potential_energy(double, ConstVec, Terms&) const override { return 0.0; }
  double applied_power(double, ConstVec q, ConstVec v, Terms&) const override {
    return force_factor * (q[1] * v[0] - q[0] * v[1]);
  }
  bool exchanges_energy() const override { return true; }

  std::vector<std::string> body_names() const override { return {"point"}; }
  void observe_poses(double, ConstVec q, Terms&, std::vector<Pose>& out) const override {
    out.assign(1, Pose{});
    out[0].position = {q[0], q[1], 0};
  }

  // Angle from the y axis towards x, and how far it is ahead of the exact t² of (3).
  std::vector<std::string> quantity_names() const override { return {"angle", "angle_error"}; }
  std::vector<std::string> quantity_units() const override { return {"rad", "rad"}; }
  void observe_quantities(
      double t, ConstVec q, ConstVec, const Reaction&, Terms&, VecRef out) const override {
    out[0] = std::atan2(q[0], q[1]);
    out[1] = std::remainder(out[0] - t * t, 2 * std::numbers::pi);
  }
};

std::shared_ptr<const Drawing> circle_track_drawing() {
  Drawing out = start_drawing(1);
  std::vector<Vec3> track;
  for (int i = 0; i <= 96; ++i)
    track.emplace_back(std::cos(2 * std::numbers::pi * i / 96), std::sin(2 * std::numbers::pi * i / 96), 0);
  add_ground_line(out, track);
  add_body(out, "point", {});
  return std::make_shared<const Drawing>(std::move(out));
}

ProblemInstance make_circle_track(const Options&) {
  ProblemInstance instance;
  instance.drawing = circle_track_drawing();
  instance.system = std::make_unique<CircleTrack>();
  instance.start.t = 0;
  instance.start.q = Vec2(0, 1);
  instance.start.v = Vec2(0, 0);
  return instance;
}

std::vector<ReferenceValue> reference_values() {
  std::vector<ReferenceValue> values;
  for (const double t : {0.25, 0.5, 1.0, 2.0, 5.0, 10.0}) {  // t² is exact in double
    const double s = std::sin(t * t), c = std::cos(t * t);   // (3)
    const double rounding = 2e-16;
    values.push_back({t, "x", s, rounding});
    values.push_back({t, "y", c, rounding});
    values.push_back({t, "x_dot", 2 * t * c, 2 * t * rounding});
    values.push_back({t, "y_dot", -2 * t * s, 2 * t * rounding});
  }
  return values;
}

}  // namespace
}  // namespace circle_track

extern const ProblemRecord circle_track_problem;
const ProblemRecord circle_track_problem = {
    .name = "circle-track",
    .summary = "a point on a circular track under a tangential force; exact solution x = sin t², y = cos t²",
    .reference = "Arévalo & Lötstedt 1995; Hoitink 2011, app. A.1",
    .t_end = 2,
    .integrator = {},
    .stabilization = {},
    .options = {},
    .values = circle_track::reference_values(),
    .make = circle_track::make_circle_track,
    .difficulty = "none: an exact solution against which orders are measured",
    .methods = {"lagrange/dop853/pstab", "projection-independent/dopri5"},
};

}  // namespace driftless
