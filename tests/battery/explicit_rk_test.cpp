// Explicit Runge–Kutta schemes as data: order conditions of all rooted trees, embedded and dense formulas, stability; the
// orders seen on the double pendulum with springs; tableaus of the user's.
#include "driftless/integrator/explicit/explicit_rk.hpp"

#include <filesystem>
#include <fstream>

#include <Eigen/LU>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/explicit/tableau_dop853.hpp"
#include "driftless/system/user/jet_system.hpp"
#include "driftless/system/user_system.hpp"

#include "support/order_problem.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct Scheme {
  const char* name;
  const Tableau* tableau;
  std::vector<int> embedded;  // orders of b − e, b − e_second
  double real_limit;          // |R(−x)| ≤ 1 up to here
};
const Scheme schemes[] = {{"euler", &kEuler, {}, 2},
                          {"heun", &kHeun, {1}, 2},
                          {"bogacki-shampine", &kBogackiShampine, {2}, 2.513},
                          {"rk4", &kRk4, {}, 2.785},
                          {"three-eighths", &kThreeEighths, {}, 2.785},
                          {"rkf45", &kRkf45, {4}, 3.678},
                          {"dopri5", &kDopri5, {4}, 3.307},
                          {"dop853", &kDop853, {5, 3}, 6.0}};

TEST(Tableau, EverySchemeMeetsTheConditionsOfAllTreesUpToItsOrderAndNoMore) {
  for (const Scheme& scheme : schemes) {
    const Tableau& t = *scheme.tableau;
    const Mat A = stage_matrix(t);
    for (int i = 0; i < t.stages; ++i)
      EXPECT_NEAR(A.row(i).sum(), t.c[size_t(i)], scheme.tableau == &kDop853 ? 1e-14 : 1e-15) << scheme.name;
    for (int p = 1; p <= t.order; ++p)
      EXPECT_LE(order_residual(A, step_weights(t), p), 4e-15) << scheme.name << p;
    EXPECT_GT(order_residual(A, step_weights(t), t.order + 1), 1e-5) << scheme.name;
    EXPECT_EQ(order_of(A, step_weights(t)), t.order) << scheme.name;
  }
}

TEST(Tableau, EmbeddedSolutionsHaveTheOrdersTheControllersAssume) {
  for (const Scheme& scheme : schemes) {
    const Tableau& t = *scheme.tableau;
    EXPECT_EQ(t.estimates(), !scheme.embedded.empty());
    for (size_t which = 0; which < scheme.embedded.size(); ++which) {
      Vec b = step_weights(t);
      for (int i = 0; i <= t.stages; ++i) b[i] -= (which == 0 ? t.e : t.e_second)[size_t(i)];
      EXPECT_EQ(order_of(stage_matrix(t), b), scheme.embedded[which]) << scheme.name;
    }
  }
}

TEST(Tableau, DenseOutputOfDop853HasOrderSeven) {
  const DenseStages& more = kDop853Dense;
  Mat A = Mat::Zero(16, 16);
  A.topLeftCorner(13, 13) = stage_matrix(kDop853);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 16; ++j) A(13 + i, j) = more.a[size_t(i)][size_t(j)];
    EXPECT_NEAR(A.row(13 + i).sum(), more.c[size_t(i)], 1e-15);
  }
  for (const double theta : {0.1, 0.35, 0.7, 0.95}) {
    const double rest = 1 - theta;
    Vec b = Vec::Zero(16);
    for (int i = 0; i < 16; ++i) {  // y(θ) = θ(r₂ + (1−θ)(r₃ + θ(r₄ + (1−θ)(…)))), weights of h kᵢ
      const double r2 = i < 12 ? kDop853.b[size_t(i)] : 0, r3 = (i == 0 ? 1 : 0) - r2;
      const double r4 = r2 - (i == 12 ? 1 : 0) - r3;
      const auto d = [&](size_t row) { return more.d[row][size_t(i)]; };
      b[i] =
          theta *
          (r2 + rest * (r3 + theta * (r4 + rest * (d(0) + theta * (d(1) + rest * (d(2) + theta * d(3)))))));
    }
    for (int p = 1; p <= 7; ++p) EXPECT_LE(order_residual(A, b, p, theta), 1e-14) << theta << " " << p;
  }
}

TEST(Tableau, RealStabilityLimits) {
  for (const Scheme& scheme : schemes) {
    const Tableau& t = *scheme.tableau;
    const Mat A = stage_matrix(t).topLeftCorner(t.stages, t.stages);
    const Vec b = step_weights(t).head(t.stages);
    const auto R = [&](double z) {
      const Mat I = Mat::Identity(t.stages, t.stages);
      return 1 + z * b.dot((I - z * A).partialPivLu().solve(Vec::Ones(t.stages)));
    };
    double limit = 0;
    while (std::abs(R(-limit - 1e-3)) <= 1 + 1e-12) limit += 1e-3;
    EXPECT_NEAR(limit, scheme.real_limit, scheme.tableau == &kDop853 ? 0.5 : 0.005) << scheme.name;
  }
}

TEST(ExplicitRk, OrdersOnTheSpringDoublePendulum) {
  struct Case {
    const char* name;
    int order;
    double h;
  };
  for (const Case& c :
       {Case{"euler", 1, 1.0 / 512}, Case{"heun", 2, 1.0 / 256}, Case{"runge-kutta", 3, 1.0 / 64},
        Case{"rk4", 4, 1.0 / 128}, Case{"rkf45", 5, 1.0 / 32}, Case{"dopri5", 5, 1.0 / 32},
        Case{"dop853", 8, 1.0 / 8}}) {
    const double coarse = order_problem_error(c.name, c.h), fine = order_problem_error(c.name, c.h / 2);
    EXPECT_NEAR(order(coarse, fine), c.order, c.order == 8 ? 0.3 : 0.2)
        << c.name << " " << coarse << " " << fine;
  }
}

TEST(ExplicitRk, AdaptiveErrorFollowsTheTolerance) {
  for (const char* name : {"heun", "runge-kutta", "rkf45", "dopri5", "dop853"})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      if (name == std::string("heun") && rtol < 1e-6) continue;
      RunSetup setup = figures_only(1);
      setup.integrator = name;
      setup.rtol = rtol;
      EXPECT_LT(order_problem_error(setup), 30 * rtol) << name;
    }
}

TEST(ExplicitRk, Dop853CountsTwelveEvaluationsAStepAndFourWhereOutputIsAskedFor) {
  const auto track = problem("circle-track");
  RunSetup setup = figures_only(2);
  setup.integrator = "dop853";
  setup.rtol = 1e-9;
  const Results without = simulate(*track.system, track.start, setup);
  EXPECT_EQ(without.statistics.evaluations, 12 * without.statistics.steps() + 2);
  setup.record = true;
  setup.output_step = 0.003;
  const Results recorded = simulate(*track.system, track.start, setup);
  EXPECT_EQ(recorded.statistics.evaluations,
            without.statistics.evaluations + 4 * without.statistics.accepted);
  EXPECT_EQ(max_difference(without.final.q, recorded.final.q), 0);
  const Trajectory& trajectory = recorded.trajectory;
  for (size_t i = 0; i < trajectory.size(); ++i)
    EXPECT_NEAR(trajectory.q.at(i, 0), std::sin(trajectory.t[i] * trajectory.t[i]), 3e-8);
}

TEST(ExplicitRk, StiffnessIsRemarkedOn) {
  UserEquations equations;
  equations.nq = 1;
  equations.mass = [](double, ConstVec, Mat& M) { M(0, 0) = 1; };
  equations.force = [](double t, ConstVec, ConstVec v, VecRef f) { f[0] = -2000 * (v[0] - std::cos(t)); };
  const auto stiff = make_system(std::move(equations));
  RunSetup setup = figures_only(2);
  setup.rtol = 1e-4;
  const auto notices = [&](const DescriptorSystem& system, const State& start) {
    std::string all;
    for (const auto& notice : simulate(system, start, setup).notices) all += notice;
    return all;
  };
  for (const char* name : {"dopri5", "dop853"}) {
    setup.integrator = name;
    EXPECT_NE(notices(*stiff, {0, Vec::Zero(1), Vec::Ones(1)}).find("stiff"), std::string::npos) << name;
    const auto track = problem("circle-track");
    EXPECT_EQ(notices(*track.system, track.start).find("stiff"), std::string::npos) << name;
  }
}

// ---- tableaus of the user's -----------------------------------------------------------------------------------------
const std::vector<double> c3 = {0, 0.5, 0.75, 1}, b3 = {2.0 / 9, 1.0 / 3, 4.0 / 9, 0};
const std::vector<double> b2 = {7.0 / 24, 1.0 / 4, 1.0 / 3, 1.0 / 8};
const std::vector<std::vector<double>> A3 = {{}, {0.5}, {0, 0.75}, {2.0 / 9, 1.0 / 3, 4.0 / 9}};

TEST(UserTableau, IsRecognisedWithItsOrderAndItsClosingStage) {
  const Tableau t = make_tableau("mine", c3, A3, b3, b2);
  EXPECT_EQ(t.order, 3);
  EXPECT_EQ(t.stages, 3);
  EXPECT_EQ(t.gains.exponent, 3);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(t.e[i], kBogackiShampine.e[i], 1e-16);
}

TEST(UserTableau, MistakesAreExplained) {
  const auto complaint = [](auto&& attempt) {
    try {
      attempt();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  auto implicit = A3, uneven = A3;
  implicit[1] = {0.25, 0.25};
  uneven[2] = {0.1, 0.75};
  EXPECT_NE(complaint([&] { make_tableau("mine", c3, implicit, b3); }).find("A[1][1]"), std::string::npos);
  EXPECT_NE(complaint([&] { make_tableau("mine", c3, uneven, b3); }).find("c[2] = 0.75"), std::string::npos);
  EXPECT_NE(complaint([&] { make_tableau("mine", c3, A3, b3, {}, 4); }).find("at most 3"), std::string::npos);
  EXPECT_NE(complaint([&] {
              make_tableau("mine", c3, A3, {1, 1}, {}, 0);
            }).find("c: expected 2"),
            std::string::npos);
  EXPECT_NE(complaint([&] {
              make_tableau("mine", {0, 0.5}, {{}, {0.5}}, {1, 1});
            }).find("sum to 1"),
            std::string::npos);
  EXPECT_NE(complaint([&] { make_tableau("mine", c3, A3, b3, b3); }).find("differ"), std::string::npos);
  EXPECT_NE(complaint([&] { read_tableau("no-such.json"); }).find("three-eighths"), std::string::npos);
}

TEST(UserTableau, FileRunsLikeTheSchemeInTheLibrary) {
  const auto path = std::filesystem::temp_directory_path() / "driftless_tableau_test.json";
  std::ofstream(path) << R"({"comment": "Bogacki-Shampine", "c": [0, "1/2", "3/4", 1],
    "A": [[], ["1/2"], [0, "3/4"], ["2/9", "1/3", "4/9"]],
    "b": ["2/9", "1/3", "4/9", 0], "b_hat": ["7/24", "1/4", "1/3", "1/8"], "order": 3})";
  RunSetup setup = figures_only(1);
  setup.integrator = "runge-kutta";
  const auto track = problem("circle-track");
  const Results builtin = simulate(*track.system, track.start, setup);
  setup.options["tableau"] = path.string();
  const Results mine = simulate(*track.system, track.start, setup);
  EXPECT_EQ(mine.statistics.evaluations, builtin.statistics.evaluations);
  EXPECT_LT(max_difference(mine.final.q, builtin.final.q), 1e-14);
  std::ofstream(path) << R"({"c": [0], "A": [[]], "b": [1]})";  // Euler: no estimate
  EXPECT_THROW(simulate(*track.system, track.start, setup), InputError);
  setup.step = 0.01;
  EXPECT_TRUE(simulate(*track.system, track.start, setup).good());
  std::ofstream(path) << "{";
  EXPECT_THROW(simulate(*track.system, track.start, setup), InputError);
  std::filesystem::remove(path);
}

// ---- auto ----------------------------------------------------------------------------------------------------------
std::string told(const Results& results) {
  std::string text;
  for (const std::string& notice : results.notices) text += notice + '\n';
  return text;
}

TEST(Auto, IsDopri5WhereNothingIsStiff) {
  const auto andrews = problem("andrews");
  RunSetup setup = figures_only(0.03);
  const Results plain_run = simulate(*andrews.system, andrews.start, setup);
  setup.integrator = "auto";
  const Results found = simulate(*andrews.system, andrews.start, setup);
  EXPECT_EQ(max_difference(found.final.q, plain_run.final.q), 0);
  EXPECT_EQ(found.statistics.evaluations, plain_run.statistics.evaluations);
  EXPECT_NE(told(found).find("auto took dopri5: nothing was stiff"), std::string::npos) << told(found);
}

TEST(Auto, LeavesDopri5WhereStabilityLimitsTheSteps) {
  const auto pendulum = problem("stiff-double-pendulum");
  RunSetup setup = figures_only(0.05);
  setup.formulation = "partitioned";
  setup.integrator = "dopri5";
  const Results plain_run = simulate(*pendulum.system, pendulum.start, setup);
  setup.integrator = "auto";
  const Results found = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(found.good()) << found.message;
  EXPECT_LT(max_difference(found.final.q, plain_run.final.q), 1e-6);
  EXPECT_LT(20 * found.statistics.evaluations, plain_run.statistics.evaluations);
  EXPECT_NE(told(found).find("then radau-iia5"), std::string::npos) << told(found);
}

// v̇ = −c(t) (v − cos t) − sin t with v = cos t: stiff until the damper lets go at t = 1.
struct FadingDamper {
  static constexpr int nq = 1;
  static constexpr bool time_dependent = false;
  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double t, ConstVec, ConstVec v, VecRef f) const {
    const double c = 1 + 5e3 * (1 - std::tanh(20 * (t - 1)));
    f[0] = -c * (v[0] - std::cos(t)) - std::sin(t);
  }
};

TEST(Auto, ComesBackAndGoesOnFromACheckpoint) {
  const JetSystem<FadingDamper> system{FadingDamper()};
  const State start{0, Vec::Zero(1), Vec::Ones(1)};
  RunSetup setup = figures_only(6);
  setup.integrator = "auto";
  setup.rtol = 1e-7;
  const Results whole = simulate(system, start, setup);
  ASSERT_TRUE(whole.good()) << whole.message;
  EXPECT_NEAR(whole.final.v[0], std::cos(6.0), 1e-5);
  const std::string remark = told(whole);
  const size_t radau = remark.find("then radau-iia5"), back = remark.find("then dopri5");
  ASSERT_NE(radau, std::string::npos) << remark;
  ASSERT_NE(back, std::string::npos) << remark;
  EXPECT_LT(radau, back);

  setup.t_end = 0.8;  // in the stiff part
  const Results half = simulate(system, start, setup);
  setup.t_end = 6;
  setup.checkpoint = half.checkpoint;
  const Results rest = simulate(system, half.final, setup);
  ASSERT_TRUE(rest.good()) << rest.message;
  EXPECT_NEAR(rest.final.v[0], std::cos(6.0), 1e-5);
  EXPECT_NE(told(rest).find("auto took radau-iia5 to t"), std::string::npos) << told(rest);
}

TEST(Auto, SaysWhatItStandsFor) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = figures_only(0.1);
  setup.integrator = "auto";
  setup.formulation = "index3";
  const Results alpha = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_NE(told(alpha).find("generalized-alpha"), std::string::npos);
  EXPECT_EQ(alpha.provenance.integrator, "generalized-alpha");
  setup.formulation = "index2-ggl";
  setup.step = 0.01;
  const Results bdf = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_EQ(bdf.provenance.integrator, "bdf");
  setup.formulation = "lagrange";
  EXPECT_NE(told(simulate(*pendulum.system, pendulum.start, setup)).find("auto is dopri5"),
            std::string::npos);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
