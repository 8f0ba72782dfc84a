// Laws of restitution with friction: Kane's double pendulum, by closed forms.
// T. R. Kane & D. A. Levinson, Dynamics: Theory and Applications (1985), problem 14.6
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/switching.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Two rods of 1 m and 1 kg at 20° and 30°, turning with −0.1 and −0.2 rad/s; the tip is about to meet a rough floor.
Model kane(const std::string& law) {
  return model_of(R"m({ "driftless": 1, "gravity": [0, 0],
    "parameters": { "a": "20*pi/180", "b": "30*pi/180" },
    "ground": { "points": { "O": [0, 0], "floor": [0, "-cos(a) - cos(b) - 1e-8"] } },
    "bodies": [
      { "name": "upper", "mass": 1, "inertia": 0.08333333333333333, "points": { "O": [0, 0.5], "E": [0, -0.5] },
        "position": ["0.5*sin(a)", "-0.5*cos(a)"], "angle": "a", "angular_velocity": -0.1,
        "velocity": ["-0.05*cos(a)", "-0.05*sin(a)"] },
      { "name": "lower", "mass": 1, "inertia": 0.08333333333333333, "points": { "O": [0, 0.5], "E": [0, -0.5] },
        "position": ["sin(a) + 0.5*sin(b)", "-cos(a) - 0.5*cos(b)"], "angle": "b", "angular_velocity": -0.2,
        "velocity": ["-0.1*cos(a) - 0.1*cos(b)", "-0.1*sin(a) - 0.1*sin(b)"] } ],
    "joints": [ { "name": "shoulder", "type": "revolute", "a": "ground.O", "b": "upper.O" },
                { "name": "elbow", "type": "revolute", "a": "upper.E", "b": "lower.O" } ],
    "contacts": [ { "name": "floor", "type": "point-plane", "a": "ground.floor", "normal": [0, 1], "b": "lower.E",
                    "restitution": 0.5, "impact": ")m" +
                  law + R"m(", "friction": { "coefficient": 0.5 } } ] })m");
}

struct Kane {
  Eigen::Matrix2d M, J, W;  // of the angular velocities; tangent first
  Vec2 v, u;
  Kane() {
    const double a = 20 * std::numbers::pi / 180, b = 30 * std::numbers::pi / 180;
    M << 4.0 / 3, 0.5 * std::cos(a - b), 0.5 * std::cos(a - b), 1.0 / 3;
    J << std::cos(a), std::cos(b), std::sin(a), std::sin(b);
    W = J * M.inverse() * J.transpose();
    v << -0.1, -0.2;
    u = J * v;
  }
  double energy_behind(const Vec2& p) const {
    const Vec2 w = v + M.inverse() * J.transpose() * p;
    return 0.5 * w.dot(M * w);
  }
  double before() const { return 0.5 * v.dot(M * v); }
};

bool says(const Results& results, const std::string& words) {
  return std::any_of(results.notices.begin(), results.notices.end(),
                     [&](const std::string& notice) { return notice.find(words) != std::string::npos; });
}

// Newton: the tip sticks with u_n⁺ = −e u_n⁻; the energy grows from 0.02318 to 0.03680 J.
TEST(ImpactLaws, NewtonsGainsEnergyWithFrictionAndSaysSo) {
  const Kane at;
  const Vec2 p = at.W.inverse() * (Vec2(0, -0.5 * at.u[1]) - at.u);
  ASSERT_LT(std::abs(p[0]), 0.5 * p[1]);  // inside the cone
  const double gain = at.energy_behind(p) - at.before();
  EXPECT_NEAR(gain, 0.0136190, 1e-6);
  const Results results = run_model(kane("newton"), sharp(0.01));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_EQ(times_of(results, "floor: impact").size(), 1U);
  EXPECT_NEAR(results.energy->lost, -gain, 1e-6);
  EXPECT_TRUE(says(results, "gains energy by Newton's law"));
  EXPECT_TRUE(says(results, "impacts gained 0.01362 J"));
}

// Poisson: the tip slips backwards through all of the compression; half of its normal impulse comes back, and in the expansion it
// sticks.
TEST(ImpactLaws, PoissonsDoesNot) {
  const Kane at;
  const Vec2 along(0.5, 1);
  const Vec2 compression = -at.u[1] / at.W.row(1).dot(along) * along;
  const Vec between = at.u + at.W * compression;
  ASSERT_LT(between[0], 0);
  const double back = 0.5 * compression[1];
  const Vec2 p = compression + (Vec2(-(between[0] + at.W(0, 1) * back) / at.W(0, 0), back));
  ASSERT_LT(std::abs(p[0] - compression[0]), 0.5 * back);  // inside the cone
  const double change = at.energy_behind(p) - at.before();
  EXPECT_NEAR(change, -0.0105506, 1e-6);
  const Results results = run_model(kane("poisson"), sharp(0.01));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_NEAR(results.energy->lost, -change, 1e-6);
  EXPECT_FALSE(says(results, "gain"));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
