// What is recorded never changes what is computed or checked: final state, statistics and status are the same to the last
// bit without records, with one at every step, and with any number between steps.
#include <algorithm>

#include <fmt/format.h>

#include "driftless/integrator/choices.hpp"

#include "support/hinged_linkages.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct Mechanism {
  std::string name;
  AssembledModel model;
  double t_end;
};

const std::vector<Mechanism>& mechanisms() {
  static const std::vector<Mechanism> all = [] {
    std::vector<Mechanism> list;
    list.push_back({"slider-crank", assembled(model_file("slider-crank")), 0.2});
    list.push_back({"slider-crank", assembled(model_file("slider-crank"), "relative"), 0.2});
    list.push_back({"bricard", assembled(model_file("bricard"), "natural"), 0.05});
    return list;
  }();
  return all;
}

class Records : public ::testing::TestWithParam<const FormulationRecord*> {};

TEST_P(Records, ChangeNothing) {
  const FormulationRecord& formulation = *GetParam();
  for (const std::string integrator : {"", "radau-iia5", "adams", "bdf", "generalized-alpha"}) {
    if (!integrator.empty()) {
      const auto fitting = fitting_integrators(formulation);
      if (std::find(fitting.begin(), fitting.end(), integrator) == fitting.end()) continue;
    }
    for (const auto& [name, model, t_end] : mechanisms()) {
      RunSetup setup = figures_only(t_end);
      setup.formulation = formulation.method.name;
      setup.integrator = integrator;
      setup.rtol = 1e-4;
      const Results expected = simulate(model.system(), model.start(), setup);
      setup.record = true;
      for (const double output_step : {0.0, t_end / 3.3, t_end / 20, t_end / 77}) {
        setup.output_step = output_step;
        const Results found = simulate(model.system(), model.start(), setup);
        const std::string where =
            fmt::format("{} {} {} {}", setup.formulation, integrator, name, output_step);
        EXPECT_EQ(found.status, expected.status) << where << ": " << found.message;
        EXPECT_EQ(found.message, expected.message) << where;
        EXPECT_EQ(found.final.t, expected.final.t) << where;
        EXPECT_EQ(found.final.q, expected.final.q) << where;
        EXPECT_EQ(found.final.v, expected.final.v) << where;
        EXPECT_EQ(found.final_reaction.lambda, expected.final_reaction.lambda) << where;
        const Statistics &a = found.statistics, &b = expected.statistics;
        EXPECT_EQ(a.accepted, b.accepted) << where;
        EXPECT_EQ(a.rejected, b.rejected) << where;
        EXPECT_EQ(a.evaluations, b.evaluations) << where;
        EXPECT_EQ(a.factorizations, b.factorizations) << where;
        EXPECT_EQ(a.stabilizations, b.stabilizations) << where;
        EXPECT_EQ(a.newton_iterations, b.newton_iterations) << where;
        EXPECT_EQ(found.drift.position_max, expected.drift.position_max) << where;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         Records,
                         ::testing::ValuesIn(formulation_records().begin(), formulation_records().end()),
                         [](const auto& of) { return plain(of.param->method.name); });

// The watch over the rows must not live on what records happen to factor. Whether a step ends within its reach of the singular
// position, 1e-5 rad, is chance: so several tolerances, of which one at least must end there.
TEST(RecordsOfSingularRuns, GuardDoesNotDependOnThem) {
  const ProblemRecord* record = find_problem("singular-slider-crank");
  const ProblemInstance problem = instantiate(
      *record, Options("singular-slider-crank", record->options, {{"theta1", "1.0471975511965976"}}));
  RunSetup setup;
  setup.formulation = "index2";
  setup.integrator = "radau-iia5";
  setup.t_end = 3;
  int stopped = 0;
  for (const double rtol : {1e-7, 1e-8, 1e-9}) {
    setup.rtol = rtol;
    setup.output_step = 0;
    const Results expected = simulate(*problem.system, problem.start, setup);
    for (const double output_step : {0.5, 0.01}) {
      setup.output_step = output_step;
      const Results results = simulate(*problem.system, problem.start, setup);
      EXPECT_EQ(results.status, expected.status) << rtol << " " << output_step;
      EXPECT_EQ(results.final.t, expected.final.t) << rtol << " " << output_step;
    }
    if (expected.status == Status::ok) continue;
    ++stopped;
    EXPECT_EQ(expected.status, Status::singular) << rtol;
    const double passes = expected.final.t < 2 ? 0.9688 : 2.9063;
    EXPECT_NEAR(expected.final.t, passes, 1e-3) << rtol;
  }
  EXPECT_GT(stopped, 0);
}

// Records between steps are the motion, also of a turned linkage with rows too many, in coordinates of joints: velocities there had been
// 0.6 rad/s off.
TEST(RecordsBetweenSteps, AreTheMotion) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Vec3(0.3, 0.8, -0.5).normalized()));
  for (const Model& linkage : {bennett(), six_bar()}) {
    const AssembledModel model = assembled(moved_linkage(linkage, turn, Vec3(1, 2, 3)), "relative");
    const auto run = [&](const std::string& formulation, double rtol) {
      RunSetup setup;
      setup.t_end = 0.5;
      setup.output_step = 0.5 / 53;
      setup.formulation = formulation;
      setup.rtol = rtol;
      const Results results = simulate(model.system(), model.start(), setup);
      EXPECT_TRUE(results.good()) << formulation << ": " << results.message;
      return results.trajectory;
    };
    const Trajectory expected = run("lagrange", 1e-11);
    for (const char* formulation : {"projection-dependent", "projection-independent", "partitioned",
                                    "canonical-independent", "penalty", "lagrange"}) {
      const Trajectory found = run(formulation, 1e-7);
      ASSERT_EQ(found.v.data.size(), expected.v.data.size()) << formulation;
      for (size_t i = 0; i < found.v.data.size(); ++i)
        ASSERT_NEAR(found.v.data[i], expected.v.data[i], 1e-4) << linkage.name << " " << formulation;
    }
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
