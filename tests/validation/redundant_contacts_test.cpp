// More contacts than it takes: forces are not unique, the motion is; what is feasible decides whether they hold.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "support/switching.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Housner: angular velocity behind and before an impact, r = 1 − 3/2 sin²α.
TEST(RedundantContacts, BlockRocksByHousnersRatio) {
  const Results results = run_model(model_file("rocking-block"), sharp(3, "dopri5", 1e-9));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto strikes = times_of(results, "left: closed");
  ASSERT_GE(strikes.size(), 2U);
  const Trajectory& path = results.trajectory;
  size_t k = 0;
  while (path.t[k] != strikes[0]) ++k;  // the records before and behind it
  ASSERT_EQ(path.t[k + 1], strikes[0]);
  const double before = path.v.data[3 * k + 2], behind = path.v.data[3 * k + 5];
  const double R = std::sqrt(0.1), alpha = std::atan(1.0 / 3);
  EXPECT_NEAR(before * before, 1.5 * 9.81 / R * (std::cos(alpha - 0.1) - std::cos(alpha)), 1e-7);
  EXPECT_NEAR(behind / before, 0.85, 1e-9);
  EXPECT_LT(results.energy->max_relative_error, 1e-6);
  EXPECT_LT(results.final.v.lpNorm<Eigen::Infinity>(), 1e-12);  // it stands
  EXPECT_NEAR(results.final.q[1], 0.3, 1e-10);
}

// Hops shorter and shorter: what was zero of a gap had been read off the normal force, which is its root when it is closed, so that a
// block of 567 N fell through by 2e-6 m, again and again, and never came to rest.
TEST(RedundantContacts, BlockComesToRestWithEveryScheme) {
  for (const char* integrator : {"radau-iia5", "bdf", "sdirk4", "adams", "dop853"})
    for (const double rtol : {1e-6, 1e-9, 1e-11}) {
      const Results results = run_model(model_file("rocking-block"), sharp(3, integrator, rtol));
      ASSERT_EQ(results.status, Status::ok) << results.message;
      EXPECT_LT(results.final.v.lpNorm<Eigen::Infinity>(), 1e-12) << integrator << " " << rtol;
      EXPECT_TRUE(results.warnings.empty()) << integrator << " " << rtol;
      EXPECT_LT(results.energy->max_relative_error, 1000 * rtol) << integrator << " " << rtol;
    }
}

Model pushed_block(double height, double coefficient) {
  return with(model_of(R"({ "driftless": 1, "gravity": [0, -10], "ground": { "points": { "O": [0, 0] } },
    "parameters": { "y": 0, "mu": 0.5 },
    "bodies": [ { "name": "b", "mass": 2, "inertia": 0.1, "points": { "L": [-0.1, -0.3], "R": [0.1, -0.3], "push": [0, "y - 0.3"] },
      "position": [0, 0.3] } ],
    "contacts": [
      { "name": "left", "type": "point-plane", "a": "ground.O", "normal": [0, 1], "b": "b.L", "friction": { "coefficient": "mu" } },
      { "name": "right", "type": "point-plane", "a": "ground.O", "normal": [0, 1], "b": "b.R", "friction": { "coefficient": "mu" } } ],
    "forces": [ { "name": "push", "type": "point-force", "at": "b.push", "force": ["4*t", 0] } ] })"),
              {{"y", height}, {"mu", coefficient}});
}

// On two corners with friction, pushed harder and harder: high up it tips where F y = m g b, low down it slides where F = μ m g,
// though the least forces would have let one corner go before.
TEST(RedundantContacts, BlockOnTwoCornersTipsOrSlides) {
  const Results tips = run_model(pushed_block(0.5, 0.5), sharp(1.2));
  ASSERT_EQ(tips.status, Status::ok) << tips.message;
  ASSERT_GE(times_of(tips, "left: open").size(), 1U);
  EXPECT_NEAR(times_of(tips, "left: open")[0], 2 / (0.5 * 4), 1e-6);
  const Results slides = run_model(pushed_block(0.2, 0.3), sharp(2));
  ASSERT_EQ(slides.status, Status::ok) << slides.message;
  const auto slips = times_of(slides, "slips +");
  ASSERT_GE(slips.size(), 2U);
  EXPECT_NEAR(slips[0], 6 / 4.0, 1e-6);
  EXPECT_NEAR(slips[1], slips[0], 1e-12);
  EXPECT_NEAR(slides.final.v[0], 4 * 0.25 / 4, 1e-6);  // (F − μ m g)/m over half a second
}

// Four corners in space, with friction and without: it stands for ever.
TEST(RedundantContacts, BlockStandsOnFourCorners) {
  for (const char* mu : {"0", "0.5"}) {
    SCOPED_TRACE(mu);
    std::string contacts;
    for (const char* corner : {"A", "B", "C", "D"})
      contacts += std::string(contacts.empty() ? "" : ", ") + R"({ "name": "floor_)" + corner +
                  R"(", "type": "point-plane", "a": "ground.O", "normal": [0, 0, 1], "b": "b.)" + corner +
                  R"(", "friction": { "coefficient": )" + mu + " } }";
    const Model model = model_of(R"({ "driftless": 1, "space": "spatial", "gravity": [0, 0, -9.81],
      "ground": { "points": { "O": [0, 0, 0] } },
      "bodies": [ { "name": "b", "mass": 3, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 0.2],
        "points": { "A": [0.1, 0.1, -0.2], "B": [-0.1, 0.1, -0.2], "C": [-0.1, -0.1, -0.2], "D": [0.1, -0.1, -0.2] } } ],
      "contacts": [ )" + contacts +
                                 "] }");
    const AssembledModel at = assembled(model);
    const Results results = simulate(at.system(), at.start(), sharp(10));
    ASSERT_EQ(results.status, Status::ok) << results.message;
    EXPECT_LT((results.final.q - at.start().q).lpNorm<Eigen::Infinity>(), 1e-13);
  }
}

// A box of 2 kg, 0.2 × 0.2 m and 0.4 m high, on four rough corners in space, g = 10.
Model box(const std::string& mu, const std::string& more) {
  std::string contacts;
  for (const char* corner : {"A", "B", "C", "D"})
    contacts += std::string(contacts.empty() ? "" : ", ") + R"({ "name": "floor_)" + corner +
                R"(", "type": "point-plane", "a": "ground.O", "normal": [0, 0, 1], "b": "b.)" + corner +
                R"(", "friction": { "coefficient": )" + mu + " } }";
  return model_of(R"({ "driftless": 1, "space": "spatial", "gravity": [0, 0, -10],
    "ground": { "points": { "O": [0, 0, 0] } },
    "bodies": [ { "name": "b", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 0.2],
      "points": { "A": [0.1, 0.1, -0.2], "B": [-0.1, 0.1, -0.2], "C": [-0.1, -0.1, -0.2], "D": [0.1, -0.1, -0.2],
                  "low": [0, 0, -0.2], "high": [0, 0, 0.2] } } ],
    "contacts": [ )" +
                  contacts + "], " + more + " }");
}

State started(const AssembledModel& at, const Vec3& velocity, double spin) {
  State start = at.start();
  start.v.head<3>() = velocity;
  start.v[5] = spin;
  return start;
}

// Pushed askew: the cone of friction has no edges, it holds until |F| = μ m g, and slides in the direction of the push from there.
TEST(RedundantContacts, BlockOnFourCornersHoldsUntilTheConeEnds) {
  const Model model = box("0.25", R"("forces": [
    { "name": "push", "type": "point-force", "at": "b.low", "force": ["6*t", "8*t", 0] } ])");
  const Results results = run_model(model, sharp(1, "dopri5", 1e-9));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto slips = times_of(results, "slips");
  ASSERT_EQ(slips.size(), 4U);
  for (const double t : slips) EXPECT_NEAR(t, 0.5, 1e-9);
  EXPECT_NEAR(results.final.v[0], 0.6 * 0.625, 1e-7);
  EXPECT_NEAR(results.final.v[1], 0.8 * 0.625, 1e-7);
  EXPECT_NEAR(results.final.q[0], 0.6 * 0.3125 / 3, 1e-7);
  EXPECT_LT(results.final.v.tail<4>().norm(), 1e-7);
  EXPECT_LT(results.energy->max_relative_error, 1e-7);
}

// Thrown along its diagonal it comes to rest behind v²/(2 μ g). The centre of pressure is so far ahead that the least forces would
// pull at the last corner: some distribution is inside all limits, and so it does not lift off.
TEST(RedundantContacts, BoxSlidesToRest) {
  const auto at = assembled(box("0.4", R"("outputs": [])"));
  for (const char* integrator : {"dopri5", "radau-iia5", "bdf"}) {
    SCOPED_TRACE(integrator);
    const State start = started(at, Vec3(1.2, 1.6, 0), 0);
    const Results results = simulate(at.system(), start, sharp(2, integrator, 1e-9));
    ASSERT_EQ(results.status, Status::ok) << results.message;
    const auto sticks = times_of(results, "sticks");
    ASSERT_EQ(sticks.size(), 4U);
    for (const double t : sticks) EXPECT_NEAR(t, 0.5, 1e-8);
    EXPECT_NEAR(results.final.q[0], 0.3, 1e-7);
    EXPECT_NEAR(results.final.q[1], 0.4, 1e-7);
    EXPECT_NEAR(results.final.q[2], 0.2, 1e-10);
    EXPECT_LT(results.final.v.lpNorm<Eigen::Infinity>(), 1e-13);
    EXPECT_LT(results.energy->max_relative_error, 1e-7);
  }
}

// Turning on the spot: by symmetry every corner carries a quarter, ω̇ = −μ m g r/I.
TEST(RedundantContacts, BoxSpinsToRest) {
  const auto at = assembled(box("0.25", R"("outputs": [])"));
  const Results results = simulate(at.system(), started(at, Vec3::Zero(), 3), sharp(1, "dopri5", 1e-9));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const double rate = 0.25 * 2 * 10 * 0.1 * std::sqrt(2.0) / 0.1;
  const auto sticks = times_of(results, "sticks");
  ASSERT_EQ(sticks.size(), 4U);
  EXPECT_NEAR(sticks[0], 3 / rate, 1e-7);
  std::vector<Pose> poses;
  at.system().poses(1, results.final.q, poses);
  EXPECT_NEAR(2 * std::atan2(poses[0].quaternion[3], poses[0].quaternion[0]), 4.5 / rate, 1e-6);
  EXPECT_LT(results.final.v.lpNorm<Eigen::Infinity>(), 1e-13);
  bool is_said = false;
  for (const std::string& notice : results.notices) is_said |= notice.find("not unique") != std::string::npos;
  EXPECT_TRUE(is_said);
}

// Turning while it slides: the load is shared as by feet of equal stiffness, N = α + β x + γ y. Reference: the three equations of motion
// with these forces, by the classical Runge–Kutta scheme with 4000 steps, beside this program.
TEST(RedundantContacts, BoxTurnsWhileItSlides) {
  const auto at = assembled(box("0.3", R"("outputs": [])"));
  const State start = started(at, Vec3(1, 0.5, 0), 4);
  const Results results = simulate(at.system(), start, sharp(0.2, "dopri5", 1e-9));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  EXPECT_NEAR(results.final.q[0], 0.1570076, 1e-7);
  EXPECT_NEAR(results.final.q[1], 0.06674172, 1e-8);
  EXPECT_NEAR(results.final.v[0], 0.58166643, 1e-7);
  EXPECT_NEAR(results.final.v[5], 3.49326118, 1e-7);
  const Results rest = simulate(at.system(), start, sharp(1, "dopri5", 1e-9));
  ASSERT_EQ(rest.status, Status::ok) << rest.message;
  EXPECT_LT(rest.final.v.lpNorm<Eigen::Infinity>(), 1e-12);
}

// A point alone comes to rest in space: behind where it does its friction goes on in the direction it had.
TEST(RedundantContacts, PointSlidesToRest) {
  const Model model = model_of(R"({ "driftless": 1, "space": "spatial", "gravity": [0, 0, -10],
    "ground": { "points": { "O": [0, 0, 0] } },
    "bodies": [ { "name": "b", "mass": 1, "inertia": [1, 1, 1], "points": { "f": [0, 0, 0] }, "velocity": [0.6, 0.8, 0] } ],
    "contacts": [ { "name": "floor", "type": "point-plane", "a": "ground.O", "normal": [0, 0, 1], "b": "b.f",
                    "friction": { "coefficient": 0.2 } } ] })");
  for (const char* integrator : {"dopri5", "radau-iia5", "bdf"}) {
    SCOPED_TRACE(integrator);
    const Results results = run_model(model, sharp(1, integrator));
    ASSERT_EQ(results.status, Status::ok) << results.message;
    ASSERT_EQ(times_of(results, "sticks").size(), 1U);
    EXPECT_NEAR(times_of(results, "sticks")[0], 0.5, 1e-9);
    EXPECT_NEAR(results.final.q[1], 0.2, 1e-9);
    EXPECT_EQ(results.final_mode[1], 0);
  }
}

// Pushed high up with F = 4 t it slides from μ m g = 4 N on, and tips where F (y − h) = m g (b − μ h).
TEST(RedundantContacts, BoxTipsWhileItSlides) {
  const Model model = box("0.2", R"("forces": [
    { "name": "push", "type": "point-force", "at": "b.high", "force": ["4*t", 0, 0] } ])");
  const Results results = run_model(model, sharp(1.52, "dopri5", 1e-9));
  ASSERT_EQ(results.status, Status::ok) << results.message;
  const auto slips = times_of(results, "slips"), opens = times_of(results, "open");
  ASSERT_EQ(slips.size(), 4U);
  EXPECT_NEAR(slips[0], 1, 1e-8);
  ASSERT_EQ(opens.size(), 2U);
  for (const double t : opens) EXPECT_NEAR(t, 1.5, 1e-6);
  EXPECT_GT(results.final.v[4], 0);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
