// bdf at tolerances where round-off is near: Newton's method and the error test must not ask for what cannot be had, which
// ended in steps too small for the resolution of time.
#include "driftless/integrator/multistep/bdf_history.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Results run_bdf(const DescriptorSystem& system,
                const State& start,
                const std::string& formulation,
                double t_end,
                double rtol) {
  RunSetup setup = figures_only(t_end);
  setup.formulation = formulation;
  setup.integrator = "bdf";
  setup.rtol = rtol;
  setup.max_steps = 100'000;
  return simulate(system, start, setup);
}

TEST(BdfRoundOff, WhatNewtonLeavesDoesNotFailTheErrorTest) {
  const ProblemRecord& record = *find_problem("spring-double-pendulum");
  const ProblemInstance stiff = instantiate(record, Options("problem", record.options, {{"k1", "1e4"}}));
  for (const double rtol : {1e-9, 1e-10, 1e-11}) {
    const Results results = run_bdf(*stiff.system, stiff.start, "index2", 0.05, rtol);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(results.energy->max_relative_error, 100 * rtol);
    EXPECT_LT(results.statistics.rejected, results.statistics.accepted / 10);
  }
}

TEST(BdfRoundOff, HeavyTopWithEulerParameters) {
  const AssembledModel top = assembled(model_file("heavy-top"), "euler-parameters");
  const Results results = run_bdf(top.system(), top.start(), "index2-ggl", 0.2, 1e-10);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(results.statistics.accepted, 1000);  // 7600 steps were made to t = 0.09
  EXPECT_LT(results.energy->max_relative_error, 1e-9);
}

// Close to a singular position three times in every turn of its crank, which makes 100 turns.
TEST(BdfRoundOff, AndrewsMechanism_full) {
  const ProblemInstance andrews = problem("andrews");
  const Results results = run_bdf(*andrews.system, andrews.start, "lagrange", 0.3, 1e-8);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(results.energy->max_relative_error, 1e-6);
}

// At 1e-10 the steps stayed at order 1 and 1 ns: the difference of a longer step was above round-off and at once above the tolerance.
TEST(BdfRoundOff, OrdersRiseWhereErrorsAreBelowIt) {
  const ProblemInstance andrews = problem("andrews");
  for (const char* formulation : {"index3", "lagrange"}) {
    const Results results = run_bdf(*andrews.system, andrews.start, formulation, 0.03, 1e-10);
    ASSERT_TRUE(results.good()) << formulation << ": " << results.message;
    EXPECT_LT(results.statistics.steps(), 20'000) << formulation;
    EXPECT_LT(results.energy->max_relative_error, 1e-8) << formulation;
  }
}

TEST(BdfRoundOff, DifferencesCountByWhatIsAboveIt) {
  const Vec y = Vec::Map(std::array{1000.0, 1e-3, 5.0}.data(), 3);
  const Vec scale = Vec::Map(std::array{1.0, 2.0, 0.0}.data(), 3);  // the last is not tested
  const double unit = 1000 * 100 * std::numeric_limits<double>::epsilon();
  Vec differences = Vec::Map(std::array{-3 * unit, unit, 7.0}.data(), 3);
  clear_round_off(y, scale, differences);
  EXPECT_DOUBLE_EQ(differences[0], -2 * unit);
  EXPECT_EQ(differences[1], 0);
  EXPECT_EQ(differences[2], 7);
}

// A shorter step that helps is no reason to begin at order 1 again.
TEST(BdfRoundOff, RejectionsThatHelpKeepTheOrder) {
  BdfControl control(5, 1e-8);
  control.set_order(5);
  double h = 1;
  for (const double err : {1e4, 1e3, 1e2, 2.0}) h = control.rejected(h, err);
  EXPECT_EQ(control.order(), 5);
  for (const double err : {2.0, 2.0, 2.0}) h = control.rejected(h, err);
  EXPECT_EQ(control.order(), 1);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
