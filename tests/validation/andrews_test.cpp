// Andrews' squeezing mechanism: reference values, Chin's Table 4.3 and Figs. 4.3/4.4, and the JSON mechanism of seven
// bodies against the seven-angle equations.
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

double largest_angle_error(const Results& results, double t) {
  double worst = 0;
  int compared = 0;
  const auto& names = results.trajectory.q.names;
  for (const ReferenceValue& reference : find_problem("andrews")->values)
    for (size_t i = 0; i < names.size(); ++i)
      if (reference.t == t && reference.name == names[i]) {
        worst = std::max(worst, std::abs(results.final.q[static_cast<Eigen::Index>(i)] - reference.value));
        ++compared;
      }
  EXPECT_EQ(compared, 7);
  return worst;
}

TEST(Andrews, ReachesTheReferenceAt003) {
  const auto andrews = problem("andrews");
  RunSetup setup = figures_only(0.03);
  setup.rtol = 1e-10;
  const Results results = simulate(*andrews.system, andrews.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(largest_angle_error(results, 0.03), 1e-8);
  EXPECT_LT(results.energy->max_relative_error, 1e-10);
}

// As a DAE, by schemes that keep the constraints themselves.
TEST(Andrews, ReachesTheReferenceAsADae) {
  const auto andrews = problem("andrews");
  for (const char* formulation : {"index3", "index2", "index2-ggl"})
    for (const char* integrator : {"radau-iia5", "bdf"}) {
      RunSetup setup = figures_only(0.03);
      setup.formulation = formulation;
      setup.integrator = integrator;
      setup.rtol = 1e-8;
      const Results results = simulate(*andrews.system, andrews.start, setup);
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_LT(largest_angle_error(results, 0.03), integrator == std::string("bdf") ? 1e-4 : 1e-6)
          << formulation << " " << integrator;
    }
}

// Chin, Table 4.3: evaluations RKSTAB needs on [0, 0.3] with atol = rtol/10.
TEST(Andrews, NeedsNoMoreThanRkstabInTable43) {
  struct Row {
    double rtol;
    long published;
    double error;
  };
  const Row rows[] = {{1e-4, 10712, 3e-1},
                      {1e-5, 16550, 5e-2},
                      {1e-6, 25688, 3e-4},
                      {1e-7, 39230, 2e-4},
                      {1e-8, 59852, 3e-5}};
  const auto andrews = problem("andrews");
  for (const Row& row : rows) {
    RunSetup setup = figures_only(0.3);
    setup.rtol = row.rtol;
    const Results results = simulate(*andrews.system, andrews.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LE(static_cast<double>(results.statistics.evaluations), 1.05 * static_cast<double>(row.published))
        << row.rtol;
    EXPECT_LT(largest_angle_error(results, 0.3), row.error) << row.rtol;
  }
}

// Figs. 4.3 and 4.4: the drifts of B(20,100) and of PStab are orders of magnitude apart.
TEST(Andrews, DriftOfBaumgarteAndPstabDifferByOrdersOfMagnitude) {
  const auto andrews = problem("andrews");
  for (const double rtol : {1e-5, 1e-6}) {
    RunSetup setup = figures_only(0.3);
    setup.rtol = rtol;
    const Results pstab = simulate(*andrews.system, andrews.start, setup);
    setup.formulation = "baumgarte";
    setup.options = {{"alpha", "10"}, {"beta", "10"}};  // γ1 = 20, γ2 = 100
    const Results baumgarte = simulate(*andrews.system, andrews.start, setup);
    ASSERT_TRUE(pstab.good() && baumgarte.good()) << baumgarte.message;
    EXPECT_GT(baumgarte.drift.position_max, 1e5 * pstab.drift.position_max) << rtol;
    EXPECT_GT(baumgarte.drift.velocity_max, 1e3 * pstab.drift.velocity_max) << rtol;
  }
}

// At 1e-4 the drift of B(20,100) comes to a quarter of the mechanism: such a run cannot be right and says so.
TEST(Andrews, HopelessDriftFailsLoudly) {
  const auto andrews = problem("andrews");
  RunSetup setup = figures_only(0.3);
  setup.rtol = 1e-4;
  setup.formulation = "baumgarte";
  const Results results = simulate(*andrews.system, andrews.start, setup);
  EXPECT_EQ(results.status, Status::drift_exceeded);
  EXPECT_NE(results.message.find("loop"), std::string::npos) << results.message;
}

TEST(Andrews, SevenBodiesMoveLikeSevenAngles) {
  const auto angles = problem("andrews");
  const auto bodies = assembled(model_file("andrews-bodies"));
  for (const double rtol : {1e-6, 1e-9}) {
    RunSetup setup = figures_only(0.03);
    setup.rtol = rtol;
    const Results a = simulate(*angles.system, angles.start, setup),
                  b = simulate(bodies.system(), bodies.start(), setup);
    ASSERT_TRUE(a.good() && b.good()) << b.message;
    const Vec& q = a.final.q;
    const double expected[] = {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
    for (int i = 0; i < 7; ++i)
      EXPECT_NEAR(b.final.q[3 * i + 2], expected[i], 2e3 * rtol) << "body " << i + 1;
    EXPECT_LT(b.drift.position_max, 1e-12);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
