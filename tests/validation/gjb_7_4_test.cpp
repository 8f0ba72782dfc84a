// García de Jalón & Bayo 1994, chapter 7: table 7.4 against an independent program's figures for the error at the end of the
// run, and problems 7/1 to 7/5 (examples/gjb-chapter-7) against recurrences by hand and against one another.
#include "driftless/reproduce/table.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;
using OptionMap = std::map<std::string, std::string>;

TEST(Gjb74, EnergyErrorsOfTheTrapezoidalRule_full) {
  const TableRecord* record = find_table("gjb-7.4");
  ASSERT_NE(record, nullptr);
  const ReproducedTable table = reproduce(*record);
  // All but (1e2, 1e2), whose motion is chaotic.
  const double independent[] = {4.57e-4, 0, 2.26e-3, 1.18e-3, 7.71e-5, 3.95e-4, 5.97e-5, 1.03e-3, 6.6e-4};
  ASSERT_EQ(table.rows.size(), std::size(independent));
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const TableCell& cell = table.rows[i].cells.at(0);
    EXPECT_TRUE(cell.measured < 0.1) << table.rows[i].label;
    if (independent[i] == 0) continue;
    EXPECT_NEAR(cell.measured / independent[i], 1, 0.02) << table.rows[i].label;
    if (i + 1 < table.rows.size()) {  // the last published figure is off
      EXPECT_NEAR(cell.measured / cell.published, 1, 0.05) << table.rows[i].label;
    }
  }
}

// ---- 7/1, 7/2: ÿ + y = 0, y(0) = 1, h = 0.1, 100 steps ------------------------------------------------------------------
Vec2 swing(const std::string& formulation, const std::string& integrator, const OptionMap& options = {}) {
  const auto oscillator = problem("oscillator");
  RunSetup setup = fixed(10, integrator, 0.1);
  setup.formulation = formulation;
  setup.options = options;
  const Results results = simulate(*oscillator.system, oscillator.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  return {results.final.q[0], results.final.v[0]};
}

TEST(Gjb7Problem1, TrapezoidalAlphaAndBackwardDifferences) {
  const double h = 0.1;
  const int n = 100;
  // Trapezoidal rule: no decay, periods longer by h/(2 atan(h/2)).
  const double angle = n * 2 * std::atan(h / 2);
  EXPECT_LT((swing("index3", "newmark") - Vec2(std::cos(angle), -std::sin(angle))).norm(), 1e-12);
  // α method: M a₁ + (1 + α) q₁ − α q₀ = 0 with Newmark's formulas.
  const double alpha = -0.1, gamma = (1 - 2 * alpha) / 2, beta = (1 - alpha) * (1 - alpha) / 4;
  double q = 1, v = 0, a = -1;
  for (int i = 0; i < n; ++i) {
    const double ahead = q + h * v + h * h * (0.5 - beta) * a;
    const double a1 = -((1 + alpha) * ahead - alpha * q) / (1 + (1 + alpha) * beta * h * h);
    v += h * ((1 - gamma) * a + gamma * a1);
    q = ahead + h * h * beta * a1;
    a = a1;
  }
  EXPECT_LT((swing("index3", "hht-alpha", {{"alpha", "-0.1"}}) - Vec2(q, v)).norm(), 1e-12);
  EXPECT_NEAR(std::hypot(q, v), 0.99985, 1e-5);
  // Backward differences with p = 1: amplitude falls by √(1 + h²) a step.
  const Vec2 turned =
      std::pow(1 + h * h, -n / 2.0) * Vec2(std::cos(n * std::atan(h)), -std::sin(n * std::atan(h)));
  for (const Vec2& end : {swing("lagrange", "backward-euler"), swing("lagrange", "bdf", {{"order", "1"}})})
    EXPECT_LT((end - turned).norm(), 1e-9);
  EXPECT_NEAR(turned.norm(), 0.608, 1e-3);
  // Newmark with γ = 1, β = 1/2 is not the same: determinant 1/(1 + h²/2), half the decay.
  Eigen::Matrix2d A;
  A << 1, h, -h, 1 - h * h / 2;
  A /= 1 + h * h / 2;
  Vec2 y(1, 0);
  for (int i = 0; i < n; ++i) y = A * y;
  EXPECT_LT((swing("index3", "newmark", {{"gamma", "1"}, {"beta", "0.5"}}) - y).norm(), 1e-12);
  EXPECT_NEAR(y.norm(), 0.788, 1e-3);
}

TEST(Gjb7Problem2, AdamsBashforthMoulton) {
  const double h = 0.1;
  const auto F = [](const Vec2& y) { return Vec2(y[1], -y[0]); };
  std::vector<Vec2> y;
  for (int i = 0; i < 4; ++i) y.emplace_back(std::cos(i * h), -std::sin(i * h));
  while (y.size() <= 100) {
    const size_t n = y.size() - 1;
    const Vec2 predicted =
        y[n] + h / 24 * (55 * F(y[n]) - 59 * F(y[n - 1]) + 37 * F(y[n - 2]) - 9 * F(y[n - 3]));
    y.push_back(y[n] + h / 24 * (9 * F(predicted) + 19 * F(y[n]) - 5 * F(y[n - 1]) + F(y[n - 2])));
  }
  const Vec2 end = swing("lagrange", "abm4"), exact(std::cos(10.0), -std::sin(10.0));
  EXPECT_LT((end - y.back()).norm(), 1e-8);  // started by dopri5, not from exact values
  EXPECT_LT((end - exact).norm(), 3e-5);     // trapezoidal rule: 8e-3
}

// ---- 7/3, 7/4, 7/5: the double pendulum with springs and dash pots, rates 10, h = 1 ms, 1 s -----------------------------
struct Swung {
  bool good;
  Vec2 phi;
  double energy;  // |E − E₀ − W|/E₀
};
Swung swing_pendulum(const std::string& name,
                     double k,
                     double c,
                     const std::string& formulation,
                     const std::string& integrator,
                     double step,
                     const OptionMap& options = {}) {
  const ProblemRecord& record = *find_problem(name);
  const std::string spring = std::to_string(k), pot = std::to_string(c);
  const auto pendulum = instantiate(
      record,
      Options(
          name, record.options,
          {{"k1", spring}, {"k2", spring}, {"c1", pot}, {"c2", pot}, {"omega1", "10"}, {"omega2", "10"}}));
  RunSetup setup = figures_only(1);
  setup.formulation = formulation;
  setup.integrator = integrator;
  setup.step = step;
  setup.rtol = 1e-11;
  setup.options = options;
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  const EnergySummary& energy = *results.energy;
  return {results.good(), results.final.q.tail(2),
          std::abs(energy.final - energy.initial - energy.work) / energy.initial};
}

struct Row {
  double k, c;
  double trapezoidal, abm4, penalty, bdf;  // energy errors; 0: the run fails
  Vec2 phi;                                // at the end, by radau-iia5 at 1e-12
};
// The table of examples/gjb-chapter-7.
const Row kRows[] = {
    {100, 0, 6.4e-6, 1.8e-8, 5.1e-5, 1.9e-1, {-2.671388008159796, -1.0523694226159803}},
    {1e4, 0, 9.6e-6, 3.1e-4, 4.1e-5, 8.3e-1, {-0.17150745266521245, -0.05876812670754412}},
    {1e6, 0, 8.0e-6, 0, 5.2e-3, 1.0, {-0.014143721724866337, -0.003443698151468419}},
    {100, 1, 6.4e-6, 1.1e-8, 6.1e-5, 1.4e-1, {-2.42334347429774, -0.7362169624120636}},
    {1e4, 10, 4.2e-4, 2.8e-6, 4.7e-4, 5.0e-1, {-0.06840546881160958, -0.028247385568872536}},
    {1e4, 100, 1.0e-3, 2.3e-5, 1.1e-3, 8.4e-2, {1.738226829540758e-05, 7.199971263446824e-06}}};

TEST(Gjb7Problems345, PendulumInAnglesByPenaltiesAndByMultipliers) {
  const std::string angles = "spring-double-pendulum", points = "spring-double-pendulum-points";
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::to_string(row.k) + ", " + std::to_string(row.c));
    const auto [k, c] = std::pair(row.k, row.c);
    const Vec2& exact = row.phi;
    const Swung trapezoidal = swing_pendulum(angles, k, c, "lagrange", "trapezoidal", 1e-3),
                abm4 = swing_pendulum(angles, k, c, "lagrange", "abm4", 1e-3),
                penalty = swing_pendulum(points, k, c, "penalty", "trapezoidal", 1e-3),
                bdf = swing_pendulum(points, k, c, "index3", "bdf", 1e-3, {{"order", "1"}});
    ASSERT_TRUE(trapezoidal.good && penalty.good && bdf.good);
    EXPECT_NEAR(trapezoidal.energy / row.trapezoidal, 1, 0.1);
    EXPECT_EQ(abm4.good, row.abm4 > 0);  // k = 1e6: h ω passes its limit of stability
    if (abm4.good) {
      EXPECT_NEAR(abm4.energy / row.abm4, 1, 0.1);
      EXPECT_LT((abm4.phi - exact).norm(), (trapezoidal.phi - exact).norm() / 50);
    }
    EXPECT_NEAR(penalty.energy / row.penalty, 1, 0.1);
    EXPECT_NEAR(bdf.energy / row.bdf, 1, 0.1);
    // 7/4 has the errors of the trapezoidal rule, 7/5 those of order 1.
    EXPECT_LT((penalty.phi - trapezoidal.phi).norm(), 5e-4);
    EXPECT_GT((bdf.phi - exact).norm(), (trapezoidal.phi - exact).norm() / 2);
  }
}

TEST(Gjb7Problems345, AnglesAreThoseOfAnotherSchemeAndTheLastHasOrderOne_full) {
  for (const Row& row : kRows) {
    const Swung swung = swing_pendulum("spring-double-pendulum", row.k, row.c, "lagrange", "dop853", 0);
    EXPECT_LT((swung.phi - row.phi).norm(), 1e-8) << row.k << " " << row.c;
  }
  const Row& row = kRows[3];
  const auto error = [&](double h) {
    const OptionMap options = {{"order", "1"}};
    return (swing_pendulum("spring-double-pendulum-points", row.k, row.c, "index3", "bdf", h, options).phi -
            row.phi)
        .norm();
  };
  EXPECT_NEAR(order(error(1e-4), error(5e-5)), 1, 0.1);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
