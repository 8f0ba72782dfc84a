// A skate on an incline: one nonholonomic row, exact solution. Every stabilization and both formulations serve it.
//   x = a/(2ω²) sin²(ωt),  y = a/(2ω²) (ωt − sin(2ωt)/2),  φ = ωt     (a: acceleration down the slope, along x)
// And a bead on a wire that must also roll: holonomic and nonholonomic rows together.
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct Skate {
  static constexpr int nq = 3, nonholonomic_rows = 1;
  double a = 4;
  template <class S>
  void nonholonomic(const S&, const S* q, S* A, S* b) const {
    using std::cos, std::sin;
    A[0] = sin(q[2]);
    A[1] = -cos(q[2]);
    A[2] = 0.0;
    b[0] = 0.0;
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal() << 1, 1, 0.3; }
  void force(double, ConstVec, ConstVec, VecRef f) const { f << a, 0, 0; }
  double potential(double, ConstVec q) const { return -a * q[0]; }
};

State skate_at(double t, double a, double omega) {
  State state{t, Vec(3), Vec(3)};
  const double c = a / (2 * omega * omega);
  state.q << c * std::pow(std::sin(omega * t), 2), c * (omega * t - std::sin(2 * omega * t) / 2), omega * t;
  state.v << c * omega * std::sin(2 * omega * t), c * omega * (1 - std::cos(2 * omega * t)), omega;
  return state;
}

TEST(Nonholonomic, SkateFollowsItsExactSolution) {
  const Skate skate;
  const JetSystem<Skate> system(skate);
  const State start = skate_at(0, skate.a, 2), end = skate_at(2, skate.a, 2);
  for (const char* formulation : {"lagrange", "baumgarte"})
    for (const char* stabilization :
         {"none", "pstab", "s-both", "s-seq", "s-full", "velocity-only", "projection"}) {
      RunSetup setup = figures_only(2);
      setup.rtol = 1e-10;
      setup.formulation = formulation;
      setup.stabilization = stabilization;
      const Results results = simulate(system, start, setup);
      ASSERT_TRUE(results.good()) << formulation << " " << stabilization << ": " << results.message;
      EXPECT_LT(max_difference(results.final.q, end.q), 1e-8) << formulation << " " << stabilization;
      EXPECT_LT(results.energy->max_relative_error, 1e-8) << formulation << " " << stabilization;
      if (std::string(stabilization) != "none") {
        EXPECT_LT(results.drift.velocity_max, 1e-12) << formulation << " " << stabilization;
      }
    }
}

TEST(Nonholonomic, EveryStabilizedFieldServesTheSkate) {
  for (const char* field : {"full", "both", "transpose", "p1p2", "p1i", "two-step"}) {
    const Skate skate;
    const JetSystem<Skate> system(skate);
    RunSetup setup = figures_only(2);
    setup.rtol = 1e-10;
    setup.formulation = "stabilized-field";
    setup.options["field"] = field;
    const Results results = simulate(system, skate_at(0, skate.a, 2), setup);
    ASSERT_TRUE(results.good()) << field << ": " << results.message;
    EXPECT_LT(max_difference(results.final.q, skate_at(2, skate.a, 2).q), 1e-8) << field;
    EXPECT_LT(results.drift.velocity_max, 1e-8) << field;
  }
}

TEST(Nonholonomic, OrderFourWithRk4) {
  const Skate skate;
  const JetSystem<Skate> system(skate);
  std::vector<double> errors;
  for (const double h : {0.02, 0.01}) {
    RunSetup setup = fixed(2, "rk4", h);
    const Results results = simulate(system, skate_at(0, skate.a, 2), setup);
    ASSERT_TRUE(results.good()) << results.message;
    errors.push_back(max_difference(results.final.q, skate_at(2, skate.a, 2).q));
    EXPECT_LT(results.drift.velocity_max, 1e-13);
  }
  EXPECT_GT(order(errors[0], errors[1]), 3.8);
}

// A wheel (x, y, φ) on a parabola y = x²/2 that turns by its path along x: ẋ = ρ φ̇.
struct WheelOnWire {
  static constexpr int nq = 3, rows = 1, nonholonomic_rows = 1;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    g[0] = q[1] - 0.5 * q[0] * q[0];
  }
  template <class S>
  void nonholonomic(const S&, const S*, S* A, S* b) const {
    A[0] = 1.0;
    A[1] = 0.0;
    A[2] = -0.4;
    b[0] = 0.0;
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal() << 1, 1, 0.08; }
  void force(double, ConstVec, ConstVec, VecRef f) const { f << 0, -9.81, 0; }
  double potential(double, ConstVec q) const { return 9.81 * q[1]; }
};

TEST(Nonholonomic, MixedRowsHoldBothLevels) {
  const JetSystem<WheelOnWire> system{WheelOnWire()};
  const State start{0, Vec3(1, 0.5, 0), Vec3::Zero()};
  Vec reference;
  for (const char* stabilization : {"projection", "pstab", "s-both", "s-seq", "s-full"}) {
    RunSetup setup = figures_only(3);
    setup.rtol = 1e-9;
    setup.stabilization = stabilization;
    const Results results = simulate(system, start, setup);
    ASSERT_TRUE(results.good()) << stabilization << ": " << results.message;
    EXPECT_LT(results.drift.position_max, 1e-12) << stabilization;
    EXPECT_LT(results.drift.velocity_max, 1e-9) << stabilization;
    EXPECT_LT(results.energy->max_relative_error, 1e-7) << stabilization;
    // The row that cannot be integrated in general can here: x − ρφ keeps its value, to the tolerance.
    EXPECT_NEAR(results.final.q[0] - 0.4 * results.final.q[2], 1, 1e-6) << stabilization;
    if (reference.size() == 0) reference = results.final.q;
    EXPECT_LT(max_difference(results.final.q, reference), 1e-6) << stabilization;
  }
}

TEST(Nonholonomic, StabilizedFieldsHoldMixedRows) {
  const JetSystem<WheelOnWire> system{WheelOnWire()};
  const State start{0, Vec3(1, 0.5, 0), Vec3::Zero()};
  RunSetup setup = figures_only(3);
  setup.rtol = 1e-9;
  const Results reference = simulate(system, start, setup);
  for (const char* field : {"full", "both", "transpose", "p1p2", "p1i", "two-step"}) {
    setup.formulation = "stabilized-field";
    setup.options["field"] = field;
    const Results results = simulate(system, start, setup);
    ASSERT_TRUE(results.good()) << field << ": " << results.message;
    EXPECT_LT(max_difference(results.final.q, reference.final.q), 1e-5) << field;
    EXPECT_LT(results.drift.position_max, 1e-7) << field;
    EXPECT_LT(results.drift.velocity_max, 1e-6) << field;
  }
}

// A long run keeps its promise: the drift is that of the last step, whatever came before.
TEST(LongRun, HundredSecondsOfAChaoticPendulumDoNotDrift_full) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = figures_only(100);
  setup.rtol = 1e-8;
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(results.drift.position_max, 1e-14);
  EXPECT_LT(results.drift.velocity_max, 1e-9);
  EXPECT_LT(results.energy->max_relative_error, 1e-4);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
