// Adams methods: published coefficients, exactness on polynomials at unequal steps, orders, Milne's estimate, stability
// limits, error control, restarts.
#include <Eigen/LU>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/multistep/adams_differences.hpp"
#include "driftless/integrator/multistep/adams_history.hpp"
#include "driftless/system/user_system.hpp"

#include "support/order_problem.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// García de Jalón & Bayo, tables 7.1 and 7.2, signs restored.
TEST(Adams, WeightsAreThoseOfTheTables) {
  const std::vector<std::vector<double>> bashforth = {
      {1},
      {3. / 2, -1. / 2},
      {23. / 12, -16. / 12, 5. / 12},
      {55. / 24, -59. / 24, 37. / 24, -9. / 24},
      {1901. / 720, -2774. / 720, 2616. / 720, -1274. / 720, 251. / 720}};
  const std::vector<std::vector<double>> moulton = {
      {1},
      {1. / 2, 1. / 2},
      {5. / 12, 8. / 12, -1. / 12},
      {9. / 24, 19. / 24, -5. / 24, 1. / 24},
      {251. / 720, 646. / 720, -264. / 720, 106. / 720, -19. / 720}};
  const double nodes[] = {1, 0, -1, -2, -3, -4};
  for (int k = 1; k <= 5; ++k) {
    const AdamsWeights ab = adams_weights(nodes + 1, k, 0, 1), am = adams_weights(nodes, k, 0, 1);
    for (size_t j = 0; j < size_t(k); ++j) {
      EXPECT_NEAR(ab[j], bashforth[size_t(k) - 1][j], 3e-15);
      EXPECT_NEAR(am[j], moulton[size_t(k) - 1][j], 3e-15);
    }
  }
}

TEST(Adams, MilnesFactorAndItsExactness) {
  const double even[] = {1, 0, -1, -2, -3};
  const double p = adams_constant(even + 1, 4, 0, 1), c = adams_constant(even, 4, 0, 1);
  EXPECT_NEAR(c / (p - c), -19.0 / 270, 1e-15);
  // Where F is t⁴ the estimate is the error itself, at unequal nodes too.
  for (const auto& nodes : {std::array<double, 5>{1, 0, -1, -2, -3}, {0.7, 0, -1, -1.3, -2.9}}) {
    const auto step = [&](const double* at) {
      const AdamsWeights w = adams_weights(at, 4, 0, nodes[0]);
      double sum = 0;
      for (size_t j = 0; j < 4; ++j) sum += w[j] * std::pow(at[j], 4);
      return sum;
    };
    const double predicted = step(nodes.data() + 1), corrected = step(nodes.data());
    const double cp = adams_constant(nodes.data() + 1, 4, 0, nodes[0]),
                 cc = adams_constant(nodes.data(), 4, 0, nodes[0]);
    EXPECT_NEAR(cc / (cp - cc) * (corrected - predicted), std::pow(nodes[0], 5) / 5 - corrected, 1e-14);
  }
}

// Milne's estimate of one PECE step from exact values against the true local error of that step.
TEST(Adams, MilnesEstimateIsTheLocalErrorOnTheSpringDoublePendulum) {
  const auto pendulum = order_problem();
  const auto exact = [&](double t) -> Vec {
    Vec y(4);
    if (t == 0) {
      y << pendulum.start.q, pendulum.start.v;
    } else {
      const Results results = simulate(*pendulum.system, pendulum.start, fixed(t, "dop853", t / 64));
      y << results.final.q, results.final.v;
    }
    return y;
  };
  Terms terms = pendulum.system->make_terms();
  const auto F = [&](const Vec& y) -> Vec {
    pendulum.system->evaluate(0, y.head(2), y.tail(2), terms);
    Vec out(4);
    out << y.tail(2), Mat(terms.M).inverse() * terms.f;
    return out;
  };
  double before = 1;
  for (const double h : {1.0 / 64, 1.0 / 128, 1.0 / 256}) {
    const double t0 = 0.8;
    const double nodes[] = {t0 + h, t0, t0 - h, t0 - 2 * h, t0 - 3 * h};
    const AdamsWeights p = adams_weights(nodes + 1, 4, t0, t0 + h), c = adams_weights(nodes, 4, t0, t0 + h);
    Vec predicted = exact(t0), corrected = predicted;
    for (size_t j = 0; j < 4; ++j) predicted += p[j] * F(exact(nodes[j + 1]));
    corrected += c[0] * F(predicted);
    for (size_t j = 1; j < 4; ++j) corrected += c[j] * F(exact(nodes[j]));
    const Vec estimate = -19.0 / 270 * (corrected - predicted), truth = exact(t0 + h) - corrected;
    const double gap = (estimate - truth).norm() / truth.norm();
    EXPECT_LT(gap, 0.62 * before) << h;  // of one order higher than what is estimated
    before = gap;
  }
  EXPECT_LT(before, 0.06);  // 2.51e-10 for 2.64e-10; a prototype had 6.63e-12 for 5.99e-12
}

TEST(Adams, DifferencesGiveTheConstantsOfEqualSteps) {
  AdamsDifferences history(1);
  for (int n = 0; n < 6; ++n) {
    history.push(n, Vec::Constant(1, n));
    history.prepare(n + 1);
  }
  const double gamma[] = {1, 1. / 2, 5. / 12, 3. / 8, 251. / 720, 95. / 288};
  for (int j = 0; j < 6; ++j) EXPECT_NEAR(history.g(j), gamma[j], 1e-15);
}

TEST(Adams, OrdersOnTheSpringDoublePendulum) {
  struct Case {
    const char* name;
    std::array<int, 5> steps;  // for orders 1 … 5
    int more;                  // order seen − k
  };
  for (const Case& c :
       {Case{"adams-bashforth", {512, 256, 64, 512, 128}, 0},
        Case{"adams-moulton", {512, 64, 64, 256, 128}, 0}, Case{"adams", {256, 64, 256, 64, 256}, 1}})
    for (int k = 1; k <= 5; ++k) {
      const std::map<std::string, std::string> options = {{"order", std::to_string(k)}};
      const double h = 1.0 / c.steps[size_t(k) - 1];
      const double coarse = order_problem_error(c.name, h, options),
                   fine = order_problem_error(c.name, h / 2, options);
      EXPECT_NEAR(order(coarse, fine), k + c.more, 0.2) << c.name << k << " " << coarse << " " << fine;
    }
  EXPECT_NEAR(order(order_problem_error("abm4", 1.0 / 512), order_problem_error("abm4", 1.0 / 1024)), 4, 0.2);
}

TEST(Adams, MoultonByNewtonAndByFixedPointIsOneMethod) {
  const auto pendulum = order_problem();
  const auto end = [&](const char* name, const std::map<std::string, std::string>& options) {
    RunSetup setup = fixed(1, name, 1.0 / 64);
    setup.options = options;
    if (name == std::string("adams-moulton")) setup.options["tolerance"] = "1e-14";
    const Results results = simulate(*pendulum.system, pendulum.start, setup);
    EXPECT_TRUE(results.good()) << results.message;
    Vec y(4);
    y << results.final.q, results.final.v;
    return y;
  };
  for (const char* k : {"1", "2", "3", "4", "5"}) {  // started by two schemes of order 4 and more
    const Vec newton = end("adams-moulton", {{"order", k}}),
              fixed_point = end("adams-moulton", {{"order", k}, {"iteration", "fixed-point"}});
    EXPECT_LT(max_difference(newton, fixed_point), *k < '3' ? 1e-11 : 1e-7) << k;
  }
  EXPECT_LT(max_difference(end("adams-moulton", {{"order", "1"}}), end("backward-euler", {})), 1e-9);
  EXPECT_LT(max_difference(end("adams-moulton", {{"order", "2"}}), end("trapezoidal", {})), 1e-11);
}

TEST(Adams, MoultonByNewtonIsForStiffEquationsAndPenaltiesToo) {
  const auto stiff = problem("prothero-robinson");  // L = −1e6
  for (const char* k : {"1", "2"}) {
    RunSetup setup = fixed(1, "adams-moulton", 0.05);
    setup.options = {{"order", k}};
    const Results results = simulate(*stiff.system, stiff.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.final.v[0], std::sin(1.0), 1e-5) << k;
    setup.options["iteration"] = "fixed-point";
    EXPECT_FALSE(simulate(*stiff.system, stiff.start, setup).good());
  }
  const auto andrews = problem("andrews");
  RunSetup setup = fixed(0.01, "adams-moulton", 1e-5);
  const Results lagrange = simulate(*andrews.system, andrews.start, setup);
  setup.formulation = "penalty";
  const Results penalty = simulate(*andrews.system, andrews.start, setup);
  ASSERT_TRUE(penalty.good()) << penalty.message;
  EXPECT_LT(max_difference(penalty.final.q, lagrange.final.q), 1e-6);
  EXPECT_LT(penalty.statistics.evaluations, 6 * penalty.statistics.accepted);
}

// The differences alone, with steps in the ratios 1, 1.6, 0.7, 1.2, 0.9 over and over, on the order problem.
TEST(Adams, KeepsOrderWithUnequalSteps) {
  const auto F = [](const Vec& y) {
    const double c = std::cos(y[1]), s = std::sin(y[1]);
    Eigen::Matrix2d M;
    M << 3 + 2 * c, 1 + c, 1 + c, 1;
    const Vec2 f(-4 * y[0] + s * (2 * y[2] * y[3] + y[3] * y[3]), -6 * y[1] - s * y[2] * y[2]);
    Vec out(4);
    out << y.tail(2), M.inverse() * f;
    return out;
  };
  const auto final_error = [&](int k, int cycles) {
    const double ratios[] = {1, 1.6, 0.7, 1.2, 0.9}, unit = 1.0 / (5.4 * cycles);
    AdamsDifferences history(4);
    Vec y(4), next(4);
    y << 0, 0, 1, 1;
    double t = 0;
    for (int n = 0; n < 5 * cycles; ++n) {
      const double h = ratios[n % 5] * unit;
      history.push(t, F(y));
      history.prepare(t + h);
      if (history.known() < k) {  // start: rk4 in 64 parts
        next = y;
        for (int i = 0; i < 64; ++i) {
          const double d = h / 64;
          const Vec k1 = F(next), k2 = F(next + d / 2 * k1), k3 = F(next + d / 2 * k2), k4 = F(next + d * k3);
          next += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
      } else {
        history.predict(h, k, y, next);
        history.update(F(next), k);
        next += h * history.g(k) * history.difference(k);
      }
      y = next;
      t += h;
    }
    EXPECT_NEAR(t, 1, 1e-12);
    return (y - order_problem_end()).norm();
  };
  const int cycles[] = {0, 64, 16, 64, 16, 64};
  for (int k = 1; k <= 5; ++k) {
    const double coarse = final_error(k, cycles[k]), fine = final_error(k, 2 * cycles[k]);
    EXPECT_NEAR(order(coarse, fine), k + 1, 0.25) << k << " " << coarse << " " << fine;
  }
}

TEST(Adams, RealStabilityLimitsOfBashforth) {
  UserEquations equations;
  equations.nq = 1;
  equations.mass = [](double, ConstVec, Mat& M) { M(0, 0) = 1; };
  equations.force = [](double, ConstVec, ConstVec v, VecRef f) { f[0] = -v[0]; };
  const auto decay = make_system(std::move(equations));
  const double limits[] = {0, 2, 1, 0.545, 0.3, 0.163};
  for (int k = 1; k <= 5; ++k)
    for (const double share : {0.95, 1.05}) {
      const double h = share * limits[k];
      RunSetup setup = fixed(1000 * h, "adams-bashforth", h);
      setup.options["order"] = std::to_string(k);
      const Results results = simulate(*decay, {0, Vec::Zero(1), Vec::Ones(1)}, setup);
      EXPECT_EQ(std::abs(results.final.v[0]) < 1e-3, share < 1)
          << k << " " << share << " " << results.final.v[0];
    }
}

TEST(Adams, AdaptiveErrorFollowsTheTolerance) {
  for (const char* name : {"abm4", "adams"})
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      RunSetup setup = figures_only(1);
      setup.integrator = name;
      setup.rtol = rtol;
      EXPECT_LT(order_problem_error(setup), 100 * rtol) << name;
    }
}

TEST(Adams, CostsTwoEvaluationsAStep) {
  const auto pendulum = order_problem();
  RunSetup setup = figures_only(20);
  setup.integrator = "adams";
  setup.rtol = 1e-9;
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  EXPECT_LE(results.statistics.evaluations, 2 * results.statistics.steps() + 2);
  setup.integrator = "dopri5";
  const Results other = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_LT(results.statistics.evaluations, other.statistics.evaluations);
}

// A force that jumps at t = 0.37: history from before it is forgotten, so the error stays that of smooth motion.
TEST(Adams, StartsAnewAtADiscontinuity) {
  const auto jumping = [] {
    UserEquations equations;
    equations.nq = 1;
    equations.mass = [](double, ConstVec, Mat& M) { M(0, 0) = 1; };
    equations.force = [](double t, ConstVec q, ConstVec, VecRef f) { f[0] = -q[0] + (t < 0.37 ? 1 : -2); };
    equations.break_times = {0.37};
    return make_system(std::move(equations));
  };
  const double q1 = 1 - std::cos(0.37), v1 = std::sin(0.37), s = std::sin(0.63), c = std::cos(0.63);
  const double exact = -2 + (q1 + 2) * c + v1 * s;
  for (const char* name : {"adams-bashforth", "adams-moulton", "abm4", "adams"}) {
    const auto system = jumping();
    const Results results = simulate(*system, {0, Vec::Zero(1), Vec::Zero(1)}, fixed(1, name, 0.01));
    EXPECT_NEAR(results.final.q[0], exact, 1e-9) << name;
    EXPECT_EQ(results.final.t, 1.0);
  }
  for (const char* name : {"abm4", "adams"}) {
    const auto system = jumping();
    RunSetup setup = figures_only(1);
    setup.integrator = name;
    setup.rtol = 1e-8;
    EXPECT_NEAR(simulate(*system, {0, Vec::Zero(1), Vec::Zero(1)}, setup).final.q[0], exact, 1e-6) << name;
  }
}

TEST(Adams, OptionsThatWouldNotCountAreRefused) {
  const auto pendulum = order_problem();
  RunSetup setup = fixed(1, "adams", 0.01);
  setup.options["max_order"] = "5";
  EXPECT_THROW(simulate(*pendulum.system, pendulum.start, setup), InputError);
  setup.step = 0;
  EXPECT_TRUE(simulate(*pendulum.system, pendulum.start, setup).good());
  setup.options = {{"order", "3"}};
  EXPECT_THROW(simulate(*pendulum.system, pendulum.start, setup), InputError);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
