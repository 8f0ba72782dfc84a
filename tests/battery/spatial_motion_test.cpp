// What must not matter for the motion of any spatial joint: where the world's origin is and how its axes lie, which of
// the two bodies comes first, which of the absolute sets describes it.
#include "support/runs.hpp"
#include "support/spatial_samples.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct Final {
  std::unique_ptr<DescriptorSystem> system;
  Results results;
  std::vector<Pose> poses;
};

Final run(const Model& model, const std::string& coordinates) {
  CompiledModel compiled = compile(model, coordinates, "sample");
  const Assembly start = assemble(compiled, 0, "sample");
  RunSetup setup = figures_only(0.4);
  setup.rtol = 1e-10;
  Final out{std::move(compiled.system), {}, {}};
  out.results = simulate(*out.system, start.state, setup);
  EXPECT_TRUE(out.results.good()) << out.results.message;
  out.system->poses(0.4, out.results.final.q, out.poses);
  return out;
}

// Distance of positions and of attitudes, after `turn` and `shift` of the first.
double apart(const Final& a, const Final& b, const Eigen::Quaterniond& turn, const Vec3& shift) {
  double most = 0;
  for (size_t i = 0; i < a.poses.size(); ++i) {
    most = std::max(most, (turn * a.poses[i].position + shift - b.poses[i].position).norm());
    const Mat3 R = turn.toRotationMatrix() * rotation_matrix<double>(a.poses[i].quaternion);
    most = std::max(most, (R - rotation_matrix<double>(b.poses[i].quaternion)).norm());
  }
  return most;
}
double apart(const Final& a, const Final& b) {
  return apart(a, b, Eigen::Quaterniond::Identity(), Vec3::Zero());
}

class SpatialMotion : public ::testing::TestWithParam<const JointRecord*> {
 protected:
  // An example whose bodies stand where the joint closes.
  SpatialSample closed_sample() {
    Random random(5);
    SpatialSample sample = spatial_sample(GetParam()->element.type, is_driver(GetParam()), random);
    const CompiledModel compiled = compile(sample.model, "reference-point", "sample");
    sample.model = drawn_at(sample.model, *compiled.system, assemble(compiled, 0, "sample").state);
    return sample;
  }
};

TEST_P(SpatialMotion, IsTheSameInATurnedAndShiftedWorld) {
  const Model model = closed_sample().model;
  const Final original = run(model, "reference-point");
  EXPECT_LT(original.results.drift.position_max, 1e-8);
  Random random(9);
  for (int round = 0; round < 2; ++round) {
    const Quat p = random.quaternion();
    const Eigen::Quaterniond turn(p[0], p[1], p[2], p[3]);
    const Vec3 shift = random.vector(5);
    // round-off of the larger coordinates, amplified by the motion
    EXPECT_LT(apart(original, run(moved(model, turn, shift), "reference-point"), turn, shift), 1e-10);
  }
}

TEST_P(SpatialMotion, IsTheSameInEulerParameters) {
  const Model model = closed_sample().model;
  // tolerance of the integration
  EXPECT_LT(apart(run(model, "reference-point"), run(model, "euler-parameters")), 1e-8);
}

TEST_P(SpatialMotion, IsTheSameFromTheOtherBody) {
  const SpatialSample sample = closed_sample();
  const SpatialSample other = reversed(sample);
  if (other.removed < 0) GTEST_SKIP() << "its bodies play different parts";
  EXPECT_LT(apart(run(sample.model, "reference-point"), run(other.model, "reference-point")), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Spatial,
                         SpatialMotion,
                         ::testing::ValuesIn(spatial_records()),
                         [](const auto& test) {
                           return plain(test.param->element.type) + (is_driver(test.param) ? "_driver" : "");
                         });

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
