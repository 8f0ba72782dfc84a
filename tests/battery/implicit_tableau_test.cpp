// Implicit tableaus of the user's, the Rosenbrock scheme where it is stiff, real-time mode of every scheme with fixed steps,
// Chin's estimate, failures counted apart.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/implicit/implicit_rk.hpp"

#include "support/order_problem.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

const double s3 = std::sqrt(3.0), s6 = std::sqrt(6.0);
const TableauNumbers gauss2 = {
    {0.5 - s3 / 6, 0.5 + s3 / 6}, {{0.25, 0.25 - s3 / 6}, {0.25 + s3 / 6, 0.25}}, {0.5, 0.5}, {}, 4};
const TableauNumbers radau3 = {{(4 - s6) / 10, (4 + s6) / 10, 1},
                               {{(88 - 7 * s6) / 360, (296 - 169 * s6) / 1800, (-2 + 3 * s6) / 225},
                                {(296 + 169 * s6) / 1800, (88 + 7 * s6) / 360, (-2 - 3 * s6) / 225},
                                {(16 - s6) / 36, (16 + s6) / 36, 1.0 / 9}},
                               {(16 - s6) / 36, (16 + s6) / 36, 1.0 / 9},
                               {},
                               5};
// An explicit first stage before two coupled ones; explicit last one behind two coupled ones.
const TableauNumbers lobatto3a = {{0, 0.5, 1},
                                  {{}, {5.0 / 24, 1.0 / 3, -1.0 / 24}, {1.0 / 6, 2.0 / 3, 1.0 / 6}},
                                  {1.0 / 6, 2.0 / 3, 1.0 / 6},
                                  {0.5, 0, 0.5},
                                  4};
const TableauNumbers lobatto3b = {{0, 0.5, 1},
                                  {{1.0 / 6, -1.0 / 6}, {1.0 / 6, 1.0 / 3}, {1.0 / 6, 5.0 / 6}},
                                  {1.0 / 6, 2.0 / 3, 1.0 / 6},
                                  {},
                                  4};
// TR-BDF2: an explicit stage, then two with one diagonal.
const double d2 = 1 - std::sqrt(0.5), w2 = std::sqrt(2.0) / 4;
const TableauNumbers trbdf2 = {
    {0, 2 * d2, 1}, {{0}, {d2, d2}, {w2, w2, d2}}, {w2, w2, d2}, {(1 - w2) / 3, w2 + 1.0 / 3, d2 / 3}, 2};

struct Written {  // a tableau as a file
  std::filesystem::path path;
  Written(const std::string& name, const TableauNumbers& t)
      : path(std::filesystem::temp_directory_path() / ("driftless_" + name + ".json")) {
    const auto list = [](const std::vector<double>& x) {
      std::string text;
      for (const double value : x) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
      return "[" + text + "]";
    };
    std::string rows;
    for (const auto& row : t.A) rows += (rows.empty() ? "" : ", ") + list(row);
    std::ofstream file(path);
    file << fmt::format(R"({{"c": {}, "A": [{}], "b": {})", list(t.c), rows, list(t.b));
    if (!t.b_hat.empty()) file << fmt::format(R"(, "b_hat": {})", list(t.b_hat));
    file << fmt::format(R"(, "order": {}}})", t.order);
  }
  ~Written() { std::filesystem::remove(path); }
};

TEST(ImplicitTableau, ShowsItsOrder) {
  const std::pair<const char*, const TableauNumbers*> schemes[] = {{"gauss2", &gauss2},
                                                                   {"radau3", &radau3},
                                                                   {"lobatto3a", &lobatto3a},
                                                                   {"lobatto3b", &lobatto3b},
                                                                   {"trbdf2", &trbdf2}};
  for (const auto& [name, numbers] : schemes) {
    EXPECT_FALSE(numbers->is_explicit());
    const ImplicitTableau tableau = make_implicit_tableau(name, *numbers);
    EXPECT_EQ(tableau.order, numbers->order) << name;
    const Written file(name, *numbers);
    RunSetup setup = figures_only(1);
    setup.integrator = "runge-kutta";
    setup.options["tableau"] = file.path.string();
    setup.step = 1.0 / 16;
    const double coarse = order_problem_error(setup);
    setup.step /= 2;
    EXPECT_NEAR(order(coarse, order_problem_error(setup)), tableau.order, 0.4) << name;
  }
}

TEST(ImplicitTableau, IsTheSameSchemeAsInTheLibrary) {
  const Written file("as_in_the_library", radau3);
  const auto track = problem("circle-track");
  RunSetup setup = fixed(1, "radau-iia5", 0.05);
  const Vec own = simulate(*track.system, track.start, setup).final.q;
  setup.integrator = "runge-kutta";
  setup.options["tableau"] = file.path.string();
  EXPECT_LT(max_difference(simulate(*track.system, track.start, setup).final.q, own), 1e-12);
}

TEST(ImplicitTableau, ErrorFollowsTheTolerance) {
  for (const auto& [name, numbers] :
       {std::pair{"lobatto_steps", &lobatto3a}, std::pair{"trbdf2_steps", &trbdf2}}) {
    const Written file(name, *numbers);
    RunSetup setup = figures_only(1);
    setup.integrator = "runge-kutta";
    setup.options["tableau"] = file.path.string();
    setup.rtol = 1e-4;
    const double loose = order_problem_error(setup);
    setup.rtol = 1e-6;
    const double tight = order_problem_error(setup);
    EXPECT_LT(tight, 1e-3) << name;
    EXPECT_LT(tight, loose / 4) << name;
  }
}

TEST(ImplicitTableau, MistakesAreExplained) {
  const auto complaint = [](const TableauNumbers& numbers) {
    try {
      make_implicit_tableau("mine", numbers);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  TableauNumbers wrong = gauss2;
  wrong.A[0][0] = 0.26;
  EXPECT_NE(complaint(wrong).find("A[0]"), std::string::npos);
  wrong = gauss2;
  wrong.order = 5;
  EXPECT_NE(complaint(wrong).find("at most 4"), std::string::npos);
  wrong = gauss2;
  wrong.b_hat = gauss2.b;
  EXPECT_NE(complaint(wrong).find("differ"), std::string::npos);
}

// ---- rosenbrock4 -----------------------------------------------------------------------------------------------------
TEST(Rosenbrock4, PassesStiffnessWithFewerStepsThanSdirk4) {
  const auto pendulum = problem("stiff-double-pendulum");
  RunSetup setup = figures_only(2);
  setup.rtol = setup.atol = 1e-4;
  for (const char* formulation : {"partitioned", "lagrange"}) {
    setup.formulation = formulation;
    setup.integrator = "sdirk4";
    const Results sdirk = simulate(*pendulum.system, pendulum.start, setup);
    setup.integrator = "rosenbrock4";
    const Results results = simulate(*pendulum.system, pendulum.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_TRUE(results.warnings.empty()) << formulation << ": " << results.warnings.front();
    EXPECT_EQ(results.statistics.newton_iterations > 0,
              formulation == std::string("partitioned"));  // positions only
    EXPECT_LT(results.statistics.accepted, sdirk.statistics.accepted) << formulation;
    EXPECT_LT(max_difference(results.final.q, sdirk.final.q), 1e-3) << formulation;
  }
}

// Order 4 with forces of time, and with the matrices of every kind of form.
TEST(Rosenbrock4, ShowsItsOrderOnEveryFormulation) {
  for (const char* formulation : {"lagrange", "baumgarte", "partitioned", "projection-independent", "penalty",
                                  "stabilized-field", "canonical-lagrange"}) {
    const auto error = [&](double h) {
      const auto track = problem("circle-track");
      RunSetup setup = fixed(1, "rosenbrock4", h);
      setup.formulation = formulation;
      const Results results = simulate(*track.system, track.start, setup);
      EXPECT_TRUE(results.good()) << results.message;
      return std::hypot(results.final.q[0] - std::sin(1.0), results.final.q[1] - std::cos(1.0));
    };
    const double coarse = error(0.05);
    EXPECT_GT(order(coarse, error(0.025)), 3.6) << formulation << ' ' << coarse;
  }
}

// ---- real time -------------------------------------------------------------------------------------------------------
class InRealTime : public ::testing::TestWithParam<const IntegratorRecord*> {};

std::string formulation_of(const IntegratorRecord& integrator) {
  for (const auto* formulation : formulation_records())
    if (fits(*formulation, integrator) && (formulation->kind == FormKind::ode) == integrator.takes_ode)
      return formulation->method.name;
  return fitting_formulations(integrator).front();
}

TEST_P(InRealTime, EveryStepDoesTheSameWork) {
  const IntegratorRecord& record = *GetParam();
  const auto& options = record.method.options;
  const bool offers =
      std::any_of(options.begin(), options.end(), [](const auto& o) { return o.name == "realtime"; });
  const bool is_own = record.method.name != "auto" && record.method.name.find("cvode") == std::string::npos &&
                      record.method.name != "arkode" && record.method.name != "ida";
  EXPECT_EQ(offers, is_own);
  if (!offers) return;
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = fixed(0.5, record.method.name, 0.005);
  setup.formulation = formulation_of(record);
  setup.options["realtime"] = "2";
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  const Statistics& s = results.statistics;
  if (record.order == 1) return;  // the first steps of multistep schemes are others
  EXPECT_NE(results.notices.back().find("real time: 100 steps"), std::string::npos);
  setup.options.erase("realtime");
  const Results usual = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_LE(s.newton_iterations, 12 * s.accepted);
  EXPECT_LT(max_difference(results.final.q, usual.final.q), 1e-3);
  setup.options["realtime"] = "2";
  setup.step = 0;
  EXPECT_THROW(simulate(*pendulum.system, pendulum.start, setup), InputError);
}

INSTANTIATE_TEST_SUITE_P(All,
                         InRealTime,
                         ::testing::ValuesIn(integrator_records().begin(), integrator_records().end()),
                         [](const auto& test) { return plain(test.param->method.name); });

// ---- Chin's estimate -------------------------------------------------------------------------------------------------
// Steps of the manipulator with the parabola as printed in his table 4.6, for rtol 1e-4 … 1e-8.
TEST(ChinsEstimate, TakesHisSteps) {
  const auto manipulator = problem("manipulator-parabola");
  const int printed[] = {119, 175, 263, 381, 596};
  RunSetup setup = figures_only(10);
  setup.stabilization = "pstab";
  setup.options["estimate"] = "chin";
  for (int k = 0; k < 5; ++k) {
    setup.rtol = std::pow(10.0, -4 - k);
    setup.atol = setup.rtol / 10;
    const Results results = simulate(*manipulator.system, manipulator.start, setup);
    ASSERT_TRUE(results.good());
    EXPECT_NEAR(static_cast<double>(results.statistics.steps()), printed[k], 0.051 * printed[k])
        << setup.rtol;
  }
}

// ---- failures --------------------------------------------------------------------------------------------------------
TEST(Failures, AreCountedApart) {
  const auto andrews = problem("andrews");
  RunSetup setup = figures_only(0.03);
  for (const char* integrator : {"dopri5", "radau-iia5", "bdf"}) {
    setup.integrator = integrator;
    const Statistics s = simulate(*andrews.system, andrews.start, setup).statistics;
    EXPECT_EQ(s.rejected, s.error_test_failures + s.convergence_failures) << integrator;
    EXPECT_GT(s.error_test_failures, 0) << integrator;
  }
  setup.formulation = "index3";
  for (const char* integrator : {"bdf", "generalized-alpha", "gssss"}) {
    setup.integrator = integrator;
    const Statistics s = simulate(*andrews.system, andrews.start, setup).statistics;
    EXPECT_GE(s.evaluations, s.newton_iterations) << integrator;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
