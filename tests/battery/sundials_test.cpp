// The integrators of SUNDIALS, where they are built in: figures measured with CVODE and IDA themselves, stabilizations that
// do not disturb them, ends of runs, discontinuities, failures in words.
#include <gmock/gmock.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"

#include "support/runs.hpp"
#include "support/spatial_mechanisms.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

bool is_built_in() {
  const auto records = integrator_records();
  return std::any_of(records.begin(), records.end(), [](const auto* r) { return r->method.name == "ida"; });
}

class Sundials : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_built_in()) GTEST_SKIP() << "built without SUNDIALS";
  }
};

RunSetup with(const std::string& integrator, double t_end, double tolerance) {
  RunSetup setup = figures_only(t_end);
  setup.integrator = integrator;
  setup.rtol = setup.atol = tolerance;
  return setup;
}

ProblemInstance mild_pendulum() {
  const ProblemRecord& record = *find_problem("spring-double-pendulum");
  return instantiate(record, Options("problem", record.options,
                                     {{"k1", "4"}, {"k2", "6"}, {"omega1", "1"}, {"omega2", "1"}}));
}

// Steps of CVODE as it was measured elsewhere, with the same norm and tolerances.
TEST_F(Sundials, CvodeTakesTheStepsItIsKnownToTake) {
  const auto pendulum = mild_pendulum();
  const Vec exact = Eigen::Vector2d(1.133765925575, 0.273614190065);
  const struct {
    const char* name;
    long steps[4];
    double error[4];
  } cases[] = {{"cvode-adams", {25, 50, 78, 131}, {2.1e-3, 2.1e-5, 1.9e-7, 8.5e-10}},
               {"cvode-bdf", {36, 71, 125, 230}, {3.4e-3, 3.1e-5, 9.8e-7, 2.8e-8}}};
  for (const auto& c : cases)
    for (int i = 0; i < 4; ++i) {
      const Results results =
          simulate(*pendulum.system, pendulum.start, with(c.name, 1, std::pow(10.0, -4 - 2 * i)));
      EXPECT_NEAR(results.statistics.accepted, c.steps[i], 2) << c.name;  // a last digit may tip a choice
      EXPECT_LT(max_difference(results.final.q, exact), 1.5 * c.error[i]) << c.name;
    }
}

TEST_F(Sundials, BdfAndImplicitTablesGoThroughStiffEquations) {
  const auto pendulum = problem("stiff-double-pendulum-angles");
  Vec exact = Eigen::Vector2d(4.640478222, 4.640496741);  // radau-iia5 at 1e-10
  const auto run = [&](const std::string& name, double tolerance, const char* table = nullptr) {
    RunSetup setup = with(name, 2, tolerance);
    if (table != nullptr) setup.options["table"] = table;
    return simulate(*pendulum.system, pendulum.start, setup);
  };
  const long steps[] = {69, 103, 125, 193, 257};  // measured with CVODE
  for (int i = 0; i < 5; ++i) {
    const Results results = run("cvode-bdf", std::pow(10.0, -2 - i));
    EXPECT_NEAR(static_cast<double>(results.statistics.accepted), steps[i], 0.1 * steps[i]);
    EXPECT_LT(max_difference(results.final.q, exact), 100 * std::pow(10.0, -2 - i));
    EXPECT_GT(results.statistics.newton_iterations, results.statistics.accepted);
  }
  EXPECT_LT(run("ida", 1e-6).statistics.accepted, 500);
  for (const char* table : {"SDIRK_5_3_4", "ESDIRK547L2SA_7_4_5", "TRBDF2_3_3_2"}) {
    const Results results = run("arkode", 1e-5, table);
    EXPECT_TRUE(results.good()) << table;
    EXPECT_LT(max_difference(results.final.q, exact), 1e-3) << table;
    EXPECT_LT(results.statistics.accepted, 5000) << table;
  }
}

// Projection moves y behind every step; the history of the solver goes on, so the steps stay as they were.
TEST_F(Sundials, StabilizationsTakeTheDriftAndNothingElse) {
  const auto andrews = problem("andrews");
  const Results exact = simulate(*andrews.system, andrews.start, with("dopri5", 0.03, 1e-10));
  for (const char* name : {"cvode-adams", "cvode-bdf", "arkode", "ida"}) {
    RunSetup setup = with(name, 0.03, 1e-7);
    setup.stabilization = "none";
    const Results plain_run = simulate(*andrews.system, andrews.start, setup);
    setup.stabilization = "pstab";
    const Results settled = simulate(*andrews.system, andrews.start, setup);
    ASSERT_TRUE(settled.good()) << settled.message;
    EXPECT_GT(plain_run.drift.position_max, 1e-10) << name;
    EXPECT_LT(settled.drift.position_max, 1e-15) << name;
    EXPECT_LT(static_cast<double>(settled.statistics.accepted),
              1.15 * static_cast<double>(plain_run.statistics.accepted))
        << name;
    EXPECT_LT(max_difference(settled.final.q, exact.final.q), 5e-5) << name;
  }
}

TEST_F(Sundials, IdaHoldsBothLevelsOfTheStabilisedForm) {
  const auto pendulum = problem("double-pendulum");
  const auto exact = simulate(*pendulum.system, pendulum.start, with("dop853", 1, 1e-12));
  double before = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    RunSetup setup = with("ida", 1, tolerance);
    setup.formulation = "index2-ggl";
    const Results results = simulate(*pendulum.system, pendulum.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    const double error = max_difference(results.final.q, exact.final.q);
    EXPECT_LT(error, 200 * tolerance);
    EXPECT_LT(error, before / 10);
    before = error;
    EXPECT_LT(results.drift.position_max, 10 * tolerance);
    EXPECT_LT(max_difference(results.final_reaction.lambda, exact.final_reaction.lambda), 1e4 * tolerance);
  }
}

// Large and sparse, so KLU.
TEST_F(Sundials, IdaUsesKluOnLargeMechanisms) {
  const auto chain = assembled(model_file("hanging-chain"), "euler-parameters");
  ASSERT_GT(2 * chain.system().layout().nv + 2 * chain.system().layout().m, 100);
  RunSetup setup = with("", 0.2, 1e-8);
  const Results expected = simulate(chain.system(), chain.start(), setup);
  setup = with("ida", 0.2, 1e-6);
  setup.formulation = "index2-ggl";
  const Results results = simulate(chain.system(), chain.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(max_difference(results.final.q, expected.final.q), 1e-4);
}

// Output between steps, driven rows, work, a known discontinuity: what others do, these do.
TEST_F(Sundials, FollowsEveryFormulation) {
  const auto crank = assembled(model_file("slider-crank"));
  RunSetup setup = with("dopri5", 0.5, 1e-10);
  setup.record = true;
  setup.output_step = 0.0173;
  const Results exact = simulate(crank.system(), crank.start(), setup);
  for (const auto* formulation : formulation_records())
    for (const char* name : {"cvode-adams", "cvode-bdf", "arkode", "ida"}) {
      for (const auto* record : integrator_records()) {
        if (record->method.name != name || !fits(*formulation, *record)) continue;
        SCOPED_TRACE(formulation->method.name + " " + name);
        setup.integrator = name;
        setup.formulation = formulation->method.name;
        setup.rtol = setup.atol = 1e-7;
        const Results results = simulate(crank.system(), crank.start(), setup);
        ASSERT_TRUE(results.good()) << results.message;
        EXPECT_EQ(results.final.t, 0.5);
        // Penalties hold the constraints to their own stiffness only.
        EXPECT_LT(max_difference(results.final.q, exact.final.q), 2e-5);
        ASSERT_EQ(results.trajectory.size(), exact.trajectory.size());
        double between = 0;
        for (size_t i = 0; i < exact.trajectory.size(); ++i)
          between = std::max(between, std::abs(results.trajectory.q.at(i, 0) - exact.trajectory.q.at(i, 0)));
        EXPECT_LT(between, 2e-5);
      }
    }
}

// Momenta are based anew behind every step: slopes that ARKODE has from before then are of other variables.
TEST_F(Sundials, RecordsBetweenStepsFollowTheMotionWhereYChangesBehindThem) {
  const auto top = assembled(heavy_top(), "natural");
  RunSetup setup = with("dop853", 0.3, 1e-9);
  setup.record = true;
  setup.output_step = 0.01;
  const Results truth = simulate(top.system(), top.start(), setup);
  for (const char* formulation :
       {"canonical-lagrange", "canonical-augmented", "canonical-independent", "lagrange"}) {
    RunSetup other = with("arkode", 0.3, 1e-6);
    other.record = true;
    other.output_step = 0.01;
    other.formulation = formulation;
    const Results results = simulate(top.system(), top.start(), other);
    ASSERT_TRUE(results.good()) << formulation << ": " << results.message;
    ASSERT_EQ(results.trajectory.size(), truth.trajectory.size());
    double worst = 0;
    for (size_t i = 0; i < truth.trajectory.q.data.size(); ++i)
      worst = std::max(worst, std::abs(results.trajectory.q.data[i] - truth.trajectory.q.data[i]));
    EXPECT_LT(worst, 2e-3 * std::max(1.0, top.system().layout().length)) << formulation;
  }
}

TEST_F(Sundials, GoesOnFromACheckpoint) {
  const auto andrews = problem("andrews");
  for (const char* name : {"cvode-adams", "cvode-bdf", "arkode", "ida"}) {
    const Results whole = simulate(*andrews.system, andrews.start, with(name, 0.02, 1e-8));
    const Results half = simulate(*andrews.system, andrews.start, with(name, 0.01, 1e-8));
    RunSetup setup = with(name, 0.02, 1e-8);
    setup.checkpoint = half.checkpoint;
    const Results rest = simulate(*andrews.system, half.final, setup);
    ASSERT_TRUE(rest.good()) << rest.message;
    EXPECT_EQ(rest.final.t, 0.02);
    EXPECT_LT(max_difference(rest.final.q, whole.final.q), 1e-5) << name;  // its history starts anew
  }
}

TEST_F(Sundials, RefusesInWords) {
  const auto track = problem("circle-track");
  RunSetup setup = fixed(1, "cvode-bdf", 0.01);
  try {
    simulate(*track.system, track.start, setup);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("leave `step` out"));
  }
  setup = with("arkode", 1, 1e-6);
  setup.options["table"] = "RK4";
  try {
    simulate(*track.system, track.start, setup);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("DORMAND_PRINCE_7_4_5"));
  }
  // An iteration that cannot go on ends the run with a status, and SUNDIALS' own words as a notice.
  const auto singular = problem("singular-slider-crank");
  setup = with("cvode-bdf", 10, 1e-6);
  setup.max_steps = 20;
  const Results results = simulate(*singular.system, singular.start, setup);
  EXPECT_EQ(results.status, Status::too_many_steps);
}

// Where the road begins to rise, behind rest: ARKODE begins with the step it had, whose stages fold the strut, and gives up.
TEST_F(Sundials, StagesThatFailShortenTheStep) {
  const auto car = assembled(model_file("bump-stop"));
  for (const double rtol : {2e-6, 1e-6, 1e-7}) {
    RunSetup setup = figures_only(0.3);
    setup.integrator = "arkode";
    setup.rtol = rtol;
    const Results results = simulate(car.system(), car.start(), setup);
    EXPECT_TRUE(results.good()) << rtol << ": " << results.message;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
