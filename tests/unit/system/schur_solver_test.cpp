// The Schur complement against the KKT kernel: the same x and y, dropped rows, dependent rows, singular masses; and the
// same trajectories in runs.
#include "driftless/system/kernels/schur_solver.hpp"

#include <random>

#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"
#include "support/slider_crank.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Vec random_vector(Eigen::Index size, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Vec::NullaryExpr(size, [&] { return uniform(random); });
}

void expect_same(const DescriptorSystem& system, const State& state, const std::vector<int>& dropped) {
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  system.evaluate(state.t, state.q, state.v, terms);
  const auto kkt = make_kkt_motion_solver(layout), schur = make_schur_motion_solver(layout);
  kkt->drop_rows(dropped);
  schur->drop_rows(dropped);
  ASSERT_EQ(kkt->factor(terms), Status::ok);
  ASSERT_EQ(schur->factor(terms), Status::ok);
  std::mt19937 random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const Vec r1 = random_vector(layout.nv, random), r2 = random_vector(layout.m, random);
    Vec x(layout.nv), y(layout.m), x2(layout.nv), y2(layout.m);
    ASSERT_EQ(kkt->solve(r1, r2, x, y), Status::ok);
    ASSERT_EQ(schur->solve(r1, r2, x2, y2), Status::ok);
    EXPECT_LT(max_difference(x, x2), 1e-10 * max_abs(x));
    EXPECT_LT(max_difference(y, y2), 1e-10 * max_abs(y));
    for (const int row : dropped) EXPECT_EQ(y2[row], 0);
    ASSERT_EQ(kkt->project(r2, x), Status::ok);
    ASSERT_EQ(schur->project(r2, x2), Status::ok);
    EXPECT_LT(max_difference(x, x2), 1e-10 * max_abs(x));
  }
}

TEST(SchurSolver, AgreesWithTheKktSolver) {
  for (const char* name : {"andrews", "circle-track", "manipulator-parabola", "natural-double-pendulum"}) {
    const auto p = problem(name);
    expect_same(*p.system, p.start, {});
  }
  for (const char* coordinates : {"reference-point", "natural"})
    for (const char* name : {"slider-crank", "stewart-platform", "hanging-chain"}) {
      const auto model = assembled(model_file(name), coordinates);
      expect_same(model.system(), model.start(), {});
    }
}

TEST(SchurSolver, DropsRowsAndNamesDependentOnes) {
  const auto system = make_system(SliderCrank{.redundant = true, .row_scale = {1e3, 1e-3}});
  const State state = SliderCrank::at(0.7, 2);
  expect_same(*system, state, {8, 9});
  Terms terms = system->make_terms();
  system->evaluate(0, state.q, state.v, terms);
  const auto schur = make_schur_motion_solver(system->layout());
  EXPECT_EQ(schur->factor(terms), Status::singular);
  EXPECT_EQ(schur->dependent_row(), 8);
}

// A choice that leaves dependent rows in is changed for one that does not.
TEST(SchurSolver, ChangesABadChoice) {
  const auto system = make_system(SliderCrank{.redundant = true});
  const State state = SliderCrank::at(0.7, 2);
  Terms terms = system->make_terms();
  system->evaluate(0, state.q, state.v, terms);
  const auto schur = make_schur_motion_solver(system->layout());
  schur->drop_rows(std::vector<int>{0, 1});  // independent: the redundant ones stay in
  EXPECT_EQ(schur->factor(terms), Status::ok);
  EXPECT_NE(schur->dropped_rows(), (std::vector<int>{0, 1}));
}

TEST(SchurSolver, SaysThatTheMassIsSingular) {
  const auto p = problem("double-pendulum");  // angles without mass
  RunSetup setup = figures_only(0.1);
  setup.options["solver"] = "schur";
  const Results results = simulate(*p.system, p.start, setup);
  EXPECT_EQ(results.status, Status::singular);
  EXPECT_NE(results.message.find("solver=kkt"), std::string::npos) << results.message;
}

TEST(SchurSolver, RunsTheSameMotion) {
  for (const char* coordinates : {"reference-point", "natural", "relative"}) {
    const auto model = assembled(model_file("slider-crank"), coordinates);
    RunSetup setup = fixed(1, "rk4", 0.01);
    setup.stabilization = "none";
    const Results kkt = simulate(model.system(), model.start(), setup);
    setup.options["solver"] = "schur";
    const Results schur = simulate(model.system(), model.start(), setup);
    ASSERT_TRUE(kkt.good() && schur.good()) << schur.message;
    EXPECT_LT(max_difference(kkt.final.q, schur.final.q), 1e-12) << coordinates;
    EXPECT_LT(max_difference(kkt.final.v, schur.final.v), 1e-11) << coordinates;
    EXPECT_LT(max_difference(kkt.final_reaction.lambda, schur.final_reaction.lambda), 1e-9) << coordinates;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
