// One model, every coordinate set: the same motion. For mechanisms with every kind of topology, body poses, outputs,
// kinetic energy and joint reactions in all sets that can express the model agree with reference-point coordinates to the
// integration tolerance, and energy is conserved where nothing dissipates it.
#include <cmath>
#include <ostream>

#include "driftless/math/rotation.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct Mechanism {
  std::string model;
  double t_end;
  double tolerance = 1e-6;  // of poses, in characteristic lengths, at rtol 1e-9
};

const Mechanism mechanisms[] = {
    {"slider-crank", 1},
    {"four-bar", 0.5},
    {"double-pendulum-bars", 1},
    {"gear-and-rack", 0.5},
    {"quick-return", 0.5},
    {"spatial-double-pendulum", 1.5},
    {"spatial-four-bar", 0.5},
    {"universal-shaft", 0.7},
    {"spatial-slider-crank", 0.7},
    {"stewart-platform", 0.3},
    {"rolling-disc", 0.7},
    {"heavy-top", 1.5},
    {"hanging-chain", 0.3},
    {"five-link-suspension", 0.1},
    {"bricard", 1},
};

struct Case {
  Mechanism mechanism;
  std::string coordinates;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Mechanism& mechanism : mechanisms) {
    const bool planar = model_file(mechanism.model).space == Space::planar;
    for (const CoordinatesRecord* record : coordinates_records())
      if (record->compile != nullptr && record->method.name != "reference-point" &&
          !(planar && record->method.name == "euler-parameters"))
        all.push_back({mechanism, record->method.name});
  }
  return all;
}

void PrintTo(const Case& c, std::ostream* out) { *out << c.mechanism.model << " in " << c.coordinates; }

struct Motion {
  AssembledModel assembled;
  Results results;
};

Motion run_in(const Mechanism& mechanism, const std::string& coordinates) {
  Motion out{driftless::testing::assembled(model_file(mechanism.model), coordinates), {}};
  RunSetup setup;
  setup.t_end = mechanism.t_end;
  setup.rtol = 1e-9;
  setup.output_step = mechanism.t_end / 5;
  out.results = simulate(out.assembled.system(), out.assembled.start(), setup);
  return out;
}

class CoordinateSets : public ::testing::TestWithParam<Case> {};

TEST_P(CoordinateSets, AgreeOnMotionAndReactions) {
  const Mechanism& mechanism = GetParam().mechanism;
  const Motion reference = run_in(mechanism, "reference-point"),
               other = run_in(mechanism, GetParam().coordinates);
  ASSERT_TRUE(reference.results.good()) << reference.results.message;
  ASSERT_TRUE(other.results.good()) << other.results.message;
  const Trajectory &a = reference.results.trajectory, &b = other.results.trajectory;
  ASSERT_EQ(a.t, b.t);
  ASSERT_EQ(a.body_names, b.body_names);
  ASSERT_EQ(a.quantities.names, b.quantities.names);
  ASSERT_EQ(a.joint_names, b.joint_names);
  const double length = reference.assembled.system().layout().length;
  const double tolerance = mechanism.tolerance;

  ASSERT_EQ(a.poses.size(), b.poses.size());
  for (size_t i = 0; i < a.poses.size(); i += 7) {
    const Eigen::Map<const Vec3> ra(a.poses.data() + i), rb(b.poses.data() + i);
    EXPECT_LT((ra - rb).norm(), tolerance * length) << a.body_names[i / 7 % a.body_names.size()];
    const Quat pa = Eigen::Map<const Quat>(a.poses.data() + i + 3),
               pb = Eigen::Map<const Quat>(b.poses.data() + i + 3);
    EXPECT_LT((rotation_matrix<double>(pa) - rotation_matrix<double>(pb)).norm(), 3 * tolerance)
        << a.body_names[i / 7 % a.body_names.size()];
  }
  // Velocities: through rates among the outputs and the kinetic energy.
  for (size_t c = 0; c < a.quantities.columns(); ++c) {
    double size = 0;
    for (size_t r = 0; r < a.quantities.rows(); ++r) size = std::max(size, std::abs(a.quantities.at(r, c)));
    for (size_t r = 0; r < a.quantities.rows(); ++r)
      EXPECT_NEAR(a.quantities.at(r, c), b.quantities.at(r, c), 30 * tolerance * (size + length))
          << a.quantities.names[c] << " at " << a.t[r];
  }
  double kinetic = 0;
  for (size_t r = 0; r < a.energy.rows(); ++r) kinetic = std::max(kinetic, a.energy.at(r, 0));
  for (size_t r = 0; r < a.energy.rows(); ++r)
    EXPECT_NEAR(a.energy.at(r, 0), b.energy.at(r, 0), 10 * tolerance * kinetic);

  ASSERT_EQ(a.reactions.size(), b.reactions.size());
  double size = 0;
  for (const double x : a.reactions) size = std::max(size, std::abs(x));
  for (size_t i = 0; i < a.reactions.size(); ++i)
    EXPECT_NEAR(a.reactions[i], b.reactions[i], 100 * tolerance * size)
        << a.joint_names[i / 12 % a.joint_names.size()] << " component " << i % 12;
  if (other.results.energy) {
    EXPECT_LT(other.results.energy->max_relative_error, 1e-6);
  }
  EXPECT_LT(other.results.drift.position_max, 1e-8 * length);
}

INSTANTIATE_TEST_SUITE_P(Battery, CoordinateSets, ::testing::ValuesIn(cases()), [](const auto& of) {
  return plain(of.param.mechanism.model) + "_" + plain(of.param.coordinates);
});

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
