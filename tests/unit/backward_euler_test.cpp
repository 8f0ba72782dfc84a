// Backward Euler: its amplification to the last digits on linear equations, damping of what is stiff, resumed runs,
// counts, and what it says when Newton's method fails.
#include <Eigen/LU>

#include "driftless/system/user/jet_system.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// q̈ = −k q − c q̇, one free coordinate.
struct Oscillator {
  static constexpr int nq = 1;
  double k = 4, c = 0.5;
  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double, ConstVec q, ConstVec v, VecRef f) const { f[0] = -k * q[0] - c * v[0]; }
};

TEST(BackwardEuler, HasItsAmplificationMatrix) {
  const Oscillator oscillator;
  const JetSystem<Oscillator> system(oscillator);
  const State start{0, Vec::Constant(1, 1.0), Vec::Constant(1, -0.3)};
  const Results results = simulate(system, start, fixed(1, "backward-euler", 0.1));
  ASSERT_TRUE(results.good()) << results.message;
  Eigen::Matrix2d A;
  A << 0, 1, -oscillator.k, -oscillator.c;
  const Eigen::Matrix2d step = (Eigen::Matrix2d::Identity() - 0.1 * A).inverse();
  Vec2 y(1, -0.3);
  for (int i = 0; i < 10; ++i) y = step * y;
  EXPECT_NEAR(results.final.q[0], y[0], 1e-13);
  EXPECT_NEAR(results.final.v[0], y[1], 1e-13);
  EXPECT_EQ(results.statistics.accepted, 10);
  // Linear: one Jacobian (1 evaluation), two or three residuals a step, one slope at every end, one at the start.
  EXPECT_LE(results.statistics.newton_iterations, 30);
  EXPECT_EQ(results.statistics.evaluations, results.statistics.newton_iterations + 1 + 10 + 1);
}

TEST(BackwardEuler, DampsStiffMotionWithLargeSteps) {
  const JetSystem<Oscillator> system(Oscillator{1e8, 0});
  const State start{0, Vec::Constant(1, 1.0), Vec::Zero(1)};
  const Results results = simulate(system, start, fixed(1, "backward-euler", 0.1));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(std::abs(results.final.q[0]), 1e-20);  // 1/(1 + h²k) twice a step
}

TEST(BackwardEuler, ContinuedRunEqualsTheUninterruptedOne) {
  const auto andrews = problem("andrews");
  RunSetup setup = fixed(0.004, "backward-euler", 1e-5);
  const Results whole = simulate(*andrews.system, andrews.start, setup);
  setup.t_end = 0.001237;
  const Results first = simulate(*andrews.system, andrews.start, setup);
  ASSERT_TRUE(first.checkpoint);
  setup.t_end = 0.004;
  setup.checkpoint = first.checkpoint;
  const Results second = simulate(*andrews.system, first.final, setup);
  ASSERT_TRUE(whole.good() && second.good()) << second.message;
  EXPECT_LT(max_difference(whole.final.q, second.final.q), 1e-9);  // newton_tol and its sum
}

// A force without a solution at the end of the step: √ of a negative number.
struct Cliff {
  static constexpr int nq = 1;
  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double, ConstVec q, ConstVec, VecRef f) const { f[0] = -1 + 0 * std::sqrt(q[0]); }
};

TEST(BackwardEuler, SaysWhereItEnds) {
  const JetSystem<Cliff> system{Cliff()};
  const State start{0, Vec::Constant(1, 0.1), Vec::Zero(1)};
  const Results results = simulate(system, start, fixed(1, "backward-euler", 0.01));
  EXPECT_FALSE(results.good());
  EXPECT_NE(results.message.find("at t = 0.4"), std::string::npos) << results.message;
  EXPECT_GT(results.final.q[0], 0);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
