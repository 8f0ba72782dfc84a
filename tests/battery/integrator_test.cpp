// Every integrator: observed order of positions, velocities, accelerations and multipliers on the circle track (exact
// solution), order of the dense output, errors that follow the tolerance, order conditions of the tableaus, exactness where a
// scheme must be exact, counting of evaluations.
#include <functional>

#include <Eigen/LU>
#include <fmt/format.h>

#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/explicit/hem4.hpp"
#include "driftless/integrator/explicit/tableau.hpp"

#include "support/order_problem.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

class EveryIntegrator : public ::testing::TestWithParam<const IntegratorRecord*> {};

// The formulation an integrator is tried with: the first that fits, if there is one of its own kind.
std::string formulation_for(const std::string& integrator) {
  for (const auto* record : integrator_records())
    for (const bool own_kind : {true, false})
      if (record->method.name == integrator)
        for (const auto* formulation : formulation_records())
          if (fits(*formulation, *record) &&
              (!own_kind || (formulation->kind == FormKind::ode) == record->rows.empty()))
            return formulation->method.name;
  return "none fits";
}

// Errors at t = 1, of positions, velocities, accelerations and multipliers, and the largest ones of output between steps: of
// the position, and of the constraint.
struct Errors {
  double position, velocity, acceleration, multiplier, between, off;
};
Errors circle_track_errors(const std::string& integrator, const std::string& stabilization, double h) {
  const auto track = problem("circle-track");
  RunSetup setup = fixed(1, integrator, h);
  setup.formulation = formulation_for(integrator);
  setup.stabilization = stabilization;
  setup.record = true;
  setup.output_step = 1.0 / 97;
  const Results results = simulate(*track.system, track.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  Errors errors{};
  const State& end = results.final;
  errors.position = std::hypot(end.q[0] - std::sin(1.0), end.q[1] - std::cos(1.0));
  errors.velocity = std::hypot(end.v[0] - 2 * std::cos(1.0), end.v[1] + 2 * std::sin(1.0));
  const double s = std::sin(1.0), c = std::cos(1.0);
  const Reaction& reaction = results.final_reaction;
  errors.acceleration = std::hypot(reaction.vdot[0] - (2 * c - 4 * s), reaction.vdot[1] + 2 * s + 4 * c);
  errors.multiplier = std::abs(reaction.lambda[0] + 4);
  const Trajectory& trajectory = results.trajectory;
  for (size_t i = 0; i < trajectory.size(); ++i) {
    const double t = trajectory.t[i];
    errors.between = std::max(errors.between, std::abs(trajectory.q.at(i, 0) - std::sin(t * t)));
    errors.off = std::max(
        errors.off, std::abs(std::pow(trajectory.q.at(i, 0), 2) + std::pow(trajectory.q.at(i, 1), 2) - 1));
  }
  return errors;
}

TEST_P(EveryIntegrator, ShowsItsOrderOnAConstrainedProblem) {
  const IntegratorRecord& record = *GetParam();
  EXPECT_FALSE(record.method.reference.empty());
  if (!record.takes_step) GTEST_SKIP() << "its order and step are its own: tests/battery/sundials_test.cpp";
  const bool is_multistep = record.rows.empty() && record.needs_smooth;
  // Radau at longer steps gains from a term of higher order that cancels here; the drift of rosenbrock4 changes its sign there.
  const double h = record.order >= 8                                                           ? 0.125
                   : record.method.name == "radau-iia5" || record.method.name == "rosenbrock4" ? 0.025
                   : record.order >= 4 && !is_multistep                                        ? 0.05
                                                                                               : 0.0125;
  const double least =
      record.order - (record.order >= 8 ? 0.3 : 0.2);  // order 8: at h/4 errors are round-off
  for (const char* stabilization : {"pstab", "none"}) {
    const Errors coarse = circle_track_errors(record.method.name, stabilization, h);
    const Errors fine = circle_track_errors(record.method.name, stabilization, h / 2);
    EXPECT_GT(order(coarse.position, fine.position), least) << stabilization;
    EXPECT_LT(order(coarse.position, fine.position), record.order + 0.6) << stabilization;
    EXPECT_GT(order(coarse.velocity, fine.velocity), least) << stabilization;
    if (record.order < 8) {  // order 8 is seen by its conditions
      EXPECT_GT(order(coarse.acceleration, fine.acceleration), least) << stabilization;
      EXPECT_GT(order(coarse.multiplier, fine.multiplier), least) << stabilization;
    }
    const double between = std::min(record.order, 4) - 0.2;
    EXPECT_GT(order(coarse.between, fine.between), between) << stabilization;
    // Output lies on the constraint; where nothing holds it there, as nearly as the order says.
    if (stabilization == std::string("none") && fine.off > 1e-9) {
      EXPECT_GT(order(coarse.off, fine.off), between - 0.1);  // in the largest of two small numbers
      EXPECT_LT(fine.off, 10 * fine.between);
    } else {
      EXPECT_LT(coarse.off, stabilization == std::string("none") ? 1e-6 : 1e-9);
    }
  }
}

TEST_P(EveryIntegrator, EndsExactlyAtTheEnd) {
  if (!GetParam()->takes_step) GTEST_SKIP() << "tests/battery/sundials_test.cpp";
  const auto track = problem("circle-track");
  for (const double step : {0.1, 0.07}) {
    RunSetup setup = fixed(1, GetParam()->method.name, step);
    setup.formulation = formulation_for(setup.integrator);
    const Results results = simulate(*track.system, track.start, setup);
    EXPECT_EQ(results.final.t, 1.0);
    EXPECT_EQ(results.statistics.accepted, step == 0.1 ? 10 : 15);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry,
                         EveryIntegrator,
                         ::testing::ValuesIn(integrator_records().begin(), integrator_records().end()),
                         [](const auto& test) { return plain(test.param->method.name); });

TEST(Integrator, Dopri5CountsSixEvaluationsAStepAndTwo) {
  const auto andrews = problem("andrews");
  for (const double rtol : {1e-4, 1e-6}) {
    RunSetup setup = figures_only(0.03);
    setup.rtol = rtol;
    const Results results = simulate(*andrews.system, andrews.start, setup);
    EXPECT_EQ(results.statistics.evaluations, 6 * results.statistics.steps() + 2);
  }
}

TEST(Integrator, AdaptiveErrorFollowsTheTolerance) {
  const auto track = problem("circle-track");
  double before = 1;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    RunSetup setup = figures_only(2);
    setup.rtol = rtol;
    const Results results = simulate(*track.system, track.start, setup);
    const double error = std::hypot(results.final.q[0] - std::sin(4.0), results.final.q[1] - std::cos(4.0));
    EXPECT_LT(error, 100 * rtol);
    EXPECT_LT(error, before / 20);
    before = error;
  }
}

// ---- error against tolerance --------------------------------------------------------------------------------------------
struct ShortRun {
  std::string name;
  std::shared_ptr<const DescriptorSystem> system;
  State start;
  double t_end;
  State end;  // by order 8 at 1e-13
};

std::vector<ShortRun> short_runs(bool all) {
  std::vector<ShortRun> runs;
  const auto add = [&](const char* name, double t_end) {
    auto instance = problem(name);
    runs.push_back({name, std::move(instance.system), instance.start, t_end, {}});
  };
  add("circle-track", 1);
  add("natural-double-pendulum", 0.5);
  if (all) {
    auto pendulum = order_problem();
    runs.push_back({"spring-double-pendulum", std::move(pendulum.system), pendulum.start, 1, {}});
    add("andrews", 0.01);
    add("manipulator-prescribed", 1);  // rheonomic
    auto crank = assembled(model_file("slider-crank"));
    runs.push_back({"slider-crank", std::move(crank.compiled.system), crank.start(), 2, {}});
  }
  for (ShortRun& run : runs) {
    RunSetup setup = figures_only(run.t_end);
    setup.integrator = "dop853";
    setup.rtol = 1e-13;
    run.end = simulate(*run.system, run.start, setup).final;
  }
  return runs;
}

// Largest error of q and v at the end, in parts of scale + size.
double relative_error(const ShortRun& run, const RunSetup& setup) {
  const Results results = simulate(*run.system, run.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  const Layout& layout = run.system->layout();
  Vec q(layout.nq), v(layout.nv);
  run.system->magnitudes(run.end.q, run.end.v, q, v);
  return std::max(max_abs((results.final.q - run.end.q).cwiseQuotient(q + layout.q_scale)),
                  max_abs((results.final.v - run.end.v).cwiseQuotient(v + layout.v_scale)));
}

// Slope of the straight line through (−k, log₁₀ error), k from `first` on.
double slope_of(const std::vector<double>& errors, int first) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < errors.size(); ++i) {
    const double at = -double(first) - double(i), value = std::log10(errors[i]);
    n += 1;
    x += at;
    y += value;
    xx += at * at;
    xy += at * value;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void expect_errors_follow_tolerances(const IntegratorRecord& record, bool all) {
  const std::string& name = record.method.name;
  const bool is_runge_kutta = name == "radau-iia5" || (record.rows.empty() && !record.needs_smooth &&
                                                       record.order > 2 && name != "norsett3");
  // SUNDIALS has a control of its own, without local extrapolation: k/(k + 1) at order k.
  const bool is_foreign = name.starts_with("cvode") || name == "ida";
  const double least = is_foreign ? 0.7 : record.order <= 2 && name != "bdf" ? 0.6 : 0.8;
  const int first = all ? 3 : 4, last = all ? 9 : 7;
  for (const ShortRun& run : short_runs(all)) {
    SCOPED_TRACE(run.name);
    std::vector<double> errors;
    for (int k = first; k <= last; ++k) {
      RunSetup setup = figures_only(run.t_end);
      setup.integrator = name;
      setup.formulation = record.takes_ode && !record.rows.empty() ? "lagrange" : formulation_for(name);
      if (name == "newmark")
        setup.options["project"] = "acceleration";  // undamped: see generalized_alpha.cpp
      setup.rtol = std::pow(10, -k);
      errors.push_back(relative_error(run, setup));
      if (is_runge_kutta) {
        EXPECT_LT(errors.back(), 10 * setup.rtol);
      }
    }
    EXPECT_GT(slope_of(errors, first), least - (all ? 0 : 0.1));  // four tolerances scatter more than seven
  }
}

class EveryAdaptiveIntegrator : public ::testing::TestWithParam<const IntegratorRecord*> {};

TEST_P(EveryAdaptiveIntegrator, ErrorFollowsTheTolerance) {
  expect_errors_follow_tolerances(*GetParam(), false);
}
TEST_P(EveryAdaptiveIntegrator, ErrorFollowsTheToleranceOnSixProblems_full) {
  expect_errors_follow_tolerances(*GetParam(), true);
}

std::vector<const IntegratorRecord*> adaptive_records() {
  std::vector<const IntegratorRecord*> adaptive;
  for (const IntegratorRecord* record : integrator_records())
    if (record->adaptive) adaptive.push_back(record);
  return adaptive;
}
INSTANTIATE_TEST_SUITE_P(Registry,
                         EveryAdaptiveIntegrator,
                         ::testing::ValuesIn(adaptive_records()),
                         [](const auto& test) { return plain(test.param->method.name); });

TEST(Integrator, OutputDoesNotDisturbTheSteps) {
  const auto andrews = problem("andrews");
  RunSetup without = figures_only(0.02), recorded = without;
  recorded.record = true;
  recorded.output_step = 1.7e-4;
  const Results a = simulate(*andrews.system, andrews.start, without),
                b = simulate(*andrews.system, andrews.start, recorded);
  EXPECT_EQ(a.statistics.evaluations, b.statistics.evaluations);
  EXPECT_EQ(max_difference(a.final.q, b.final.q), 0);
  EXPECT_EQ(b.trajectory.size(), 119u);  // 0, 117 multiples, and the end
}

// ---- order conditions (rooted trees up to order 5) -----------------------------------------------------------------
double sum(const Tableau& t, auto&& term) {
  double total = 0;
  for (size_t i = 0; i < size_t(t.stages); ++i) total += t.b[i] * term(i);
  return total;
}

class EveryTableau : public ::testing::TestWithParam<const Tableau*> {};

TEST_P(EveryTableau, MeetsItsOrderConditions) {
  const Tableau& t = *GetParam();
  const auto c = [&](size_t i) { return t.c[i]; };
  const auto inner = [&](size_t i, auto&& f) {
    double total = 0;
    for (size_t j = 0; j < i; ++j) total += t.a[i][j] * f(j);
    return total;
  };
  for (size_t i = 0; i < size_t(t.stages); ++i)
    EXPECT_NEAR(inner(i, [](size_t) { return 1.0; }), c(i), 1e-15);
  const auto ac = [&](size_t i) { return inner(i, c); };
  const auto ac2 = [&](size_t i) { return inner(i, [&](size_t j) { return c(j) * c(j); }); };
  const auto aac = [&](size_t i) { return inner(i, ac); };
  struct Condition {
    int order;
    double left, right;
  };
  const Condition conditions[] = {
      {1, sum(t, [](size_t) { return 1.0; }), 1},
      {2, sum(t, c), 1.0 / 2},
      {3, sum(t, [&](size_t i) { return c(i) * c(i); }), 1.0 / 3},
      {3, sum(t, ac), 1.0 / 6},
      {4, sum(t, [&](size_t i) { return std::pow(c(i), 3); }), 1.0 / 4},
      {4, sum(t, [&](size_t i) { return c(i) * ac(i); }), 1.0 / 8},
      {4, sum(t, ac2), 1.0 / 12},
      {4, sum(t, aac), 1.0 / 24},
      {5, sum(t, [&](size_t i) { return std::pow(c(i), 4); }), 1.0 / 5},
      {5, sum(t, [&](size_t i) { return c(i) * c(i) * ac(i); }), 1.0 / 10},
      {5, sum(t, [&](size_t i) { return ac(i) * ac(i); }), 1.0 / 20},
      {5, sum(t, [&](size_t i) { return c(i) * ac2(i); }), 1.0 / 15},
      {5, sum(t, [&](size_t i) { return inner(i, [&](size_t j) { return std::pow(c(j), 3); }); }), 1.0 / 20},
      {5, sum(t, [&](size_t i) { return c(i) * aac(i); }), 1.0 / 30},
      {5, sum(t, [&](size_t i) { return inner(i, [&](size_t j) { return c(j) * ac(j); }); }), 1.0 / 40},
      {5, sum(t, [&](size_t i) { return inner(i, ac2); }), 1.0 / 60},
      {5, sum(t, [&](size_t i) { return inner(i, aac); }), 1.0 / 120}};
  for (const Condition& condition : conditions)
    if (condition.order <= t.order) {
      EXPECT_NEAR(condition.left, condition.right, 1e-15) << condition.order;
    }
}

INSTANTIATE_TEST_SUITE_P(
    All,
    EveryTableau,
    ::testing::Values(&kEuler, &kHeun, &kBogackiShampine, &kRk4, &kThreeEighths, &kRkf45, &kDopri5),
    [](const auto& test) { return fmt::format("order{}_{}", test.param->order, test.index); });

TEST(Tableau, EmbeddedSolutionOfDopri5HasOrderFour) {
  // b̂ = b − e, closing stage included (c = 1, a = b).
  const Tableau& t = kDopri5;
  std::array<double, 7> c{}, bh{}, ac{};
  for (size_t i = 0; i < 6; ++i) {
    c[i] = t.c[i];
    bh[i] = t.b[i] - t.e[i];
    for (size_t j = 0; j < i; ++j) ac[i] += t.a[i][j] * t.c[j];
  }
  c[6] = 1;
  bh[6] = -t.e[6];
  for (size_t j = 0; j < 6; ++j) ac[6] += t.b[j] * t.c[j];
  double s1 = 0, s2 = 0, s3 = 0, s31 = 0, s4 = 0, s41 = 0;
  for (size_t i = 0; i < 7; ++i) {
    s1 += bh[i];
    s2 += bh[i] * c[i];
    s3 += bh[i] * c[i] * c[i];
    s31 += bh[i] * ac[i];
    s4 += bh[i] * std::pow(c[i], 3);
    s41 += bh[i] * c[i] * ac[i];
  }
  EXPECT_NEAR(s1, 1, 1e-15);
  EXPECT_NEAR(s2, 1.0 / 2, 1e-15);
  EXPECT_NEAR(s3, 1.0 / 3, 1e-15);
  EXPECT_NEAR(s31, 1.0 / 6, 1e-15);
  EXPECT_NEAR(s4, 1.0 / 4, 1e-15);
  EXPECT_NEAR(s41, 1.0 / 8, 1e-15);
}

// ---- hem4 ----------------------------------------------------------------------------------------------------------
// Conditions of order for half-explicit schemes on y' = f(y, z), 0 = g(y): trees of f-nodes, which have children of both
// kinds, and g-nodes, whose children are f-nodes.                 Hairer, Lubich & Roche 1989, 5; Brasey & Hairer 1993
struct IndexTwoTree {
  Vec weight;    // per stage
  double gamma;  // Σ bᵢ weightᵢ = 1/γ
};
using IndexTwoForest = std::vector<std::vector<IndexTwoTree>>;  // by order
// All products of trees of the forest with `total` vertices: times[] elementwise, after `through` was applied.
void multiply_out(const IndexTwoForest& forest,
                  const Mat& through,
                  int total,
                  const IndexTwoTree& so_far,
                  int count,
                  std::pair<int, size_t> from,
                  const std::function<void(const IndexTwoTree&, int)>& take) {
  if (total == 0) {
    take(so_far, count);
    return;
  }
  for (int p = from.first; p <= total && p < static_cast<int>(forest.size()); ++p)
    for (size_t i = p == from.first ? from.second : 0; i < forest[size_t(p)].size(); ++i) {
      const IndexTwoTree& child = forest[size_t(p)][i];
      const IndexTwoTree product{so_far.weight.cwiseProduct(through * child.weight),
                                 so_far.gamma * child.gamma};
      multiply_out(forest, through, total - p, product, count + 1, {p, i}, take);
    }
}

TEST(Hem4, MeetsTheConditionsOfOrderFourForIndexTwo) {
  const HalfExplicitTableau scheme = hem4_tableau();
  Mat A = scheme.a.topRows(5);
  const Mat ahead = scheme.a.bottomRows(5), inverse = ahead.inverse(), one = Mat::Identity(5, 5);
  const Vec b = scheme.a.row(5);
  EXPECT_LT((scheme.a.rowwise().sum() - scheme.c).lpNorm<Eigen::Infinity>(), 1e-15);
  const IndexTwoTree leaf{Vec::Ones(5), 1};
  IndexTwoForest f(6), g(6);
  int conditions = 0;
  for (int p = 1; p <= 5; ++p) {
    double residual = 0;
    const auto add = [&](const IndexTwoTree& tree) {
      f[size_t(p)].push_back({tree.weight, tree.gamma * p});
      residual = std::max(residual, std::abs(b.dot(tree.weight) - 1 / (tree.gamma * p)));
      conditions += p <= 4;
    };
    for (int in_f = 0; in_f < p; ++in_f)
      multiply_out(f, A, in_f, leaf, 0, {1, 0}, [&](const IndexTwoTree& left, int f_children) {
        multiply_out(g, one, p - 1 - in_f, left, 0, {1, 0}, [&](const IndexTwoTree& tree, int g_children) {
          if (f_children > 0 || g_children != 1) add(tree);  // [u] alone: below
        });
      });
    if (p > 1) {
      multiply_out(f, ahead, p, leaf, 0, {1, 0}, [&](const IndexTwoTree& tree, int) {
        g[size_t(p - 1)].push_back({inverse * tree.weight, tree.gamma / p});
      });
      for (const IndexTwoTree& tree : g[size_t(p - 1)]) add(tree);
    }
    if (p <= 4) {
      EXPECT_LT(residual, 1e-14) << p;
    } else {
      EXPECT_GT(residual, 1e-3);  // and not of order five
    }
  }
  EXPECT_EQ(conditions, 1 + 3 + 22 + 192);
}

TEST(Hem4, ShowsOrderFourInPositionsVelocitiesAndMultipliers) {
  const auto run = [](const char* name, double t_end, double h) {
    const auto at = problem(name);
    RunSetup setup = fixed(t_end, "hem4", h);
    setup.formulation = "index2";
    const Results results = simulate(*at.system, at.start, setup);
    EXPECT_TRUE(results.good()) << results.message;
    EXPECT_LT(results.drift.velocity_max, 1e-13) << name;  // to round-off: Andrews' bodies turn at 1e3 rad/s
    return results;
  };
  const struct {
    const char* name;
    double t_end, h;
  } cases[] = {{"circle-track", 1, 0.05}, {"double-pendulum", 1, 0.0025}, {"andrews", 0.01, 5e-5}};
  for (const auto& c : cases) {
    const Results coarse = run(c.name, c.t_end, c.h), fine = run(c.name, c.t_end, c.h / 2),
                  exact = run(c.name, c.t_end, c.h / 16);
    const auto observed = [&](const Vec& a, const Vec& b, const Vec& reference) {
      return order(max_difference(a, reference), max_difference(b, reference));
    };
    EXPECT_NEAR(observed(coarse.final.q, fine.final.q, exact.final.q), 4, 0.3) << c.name;
    EXPECT_NEAR(observed(coarse.final.v, fine.final.v, exact.final.v), 4, 0.3) << c.name;
    EXPECT_NEAR(
        observed(coarse.final_reaction.lambda, fine.final_reaction.lambda, exact.final_reaction.lambda), 4,
        0.3)
        << c.name;
    EXPECT_NEAR(order(coarse.drift.position_max, fine.drift.position_max), 4, 0.4) << c.name;
  }
}

TEST(Hem4, ErrorFollowsTheToleranceAndProjectionTakesTheDrift) {
  const auto track = problem("circle-track");
  double before = 1;
  for (const char* stabilization : {"none", "projection"})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      RunSetup setup = figures_only(2);
      setup.formulation = "index2";
      setup.integrator = "hem4";
      setup.stabilization = stabilization;
      setup.rtol = rtol;
      const Results results = simulate(*track.system, track.start, setup);
      ASSERT_TRUE(results.good()) << results.message;
      const double error = std::hypot(results.final.q[0] - std::sin(4.0), results.final.q[1] - std::cos(4.0));
      EXPECT_LT(error, 50 * rtol);
      if (rtol < 1e-4) {
        EXPECT_LT(error, before / 10);
      }
      before = error;
      if (setup.stabilization == "projection") {
        EXPECT_LT(results.drift.position_max, 1e-14);
      }
    }
}

// Quaternions with angular velocities, redundant rows, nonholonomic rows.
TEST(Hem4, AgreesWithDopri5OnSpatialModels) {
  for (const char* name : {"bricard", "rolling-disc", "heavy-top"}) {
    const auto model = assembled(model_file(name));
    RunSetup setup = figures_only(0.3);
    setup.rtol = 1e-9;
    const Results expected = simulate(model.system(), model.start(), setup);
    setup.formulation = "index2";
    setup.integrator = "hem4";
    setup.stabilization = "projection";
    const Results found = simulate(model.system(), model.start(), setup);
    ASSERT_TRUE(found.good()) << found.message;
    EXPECT_LT(max_difference(expected.final.q, found.final.q), 2e-8) << name;
    EXPECT_LT(max_difference(expected.final.v, found.final.v), 2e-7) << name;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
