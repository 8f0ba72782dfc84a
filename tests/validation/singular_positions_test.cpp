// Mechanisms that pass singular positions again and again: the penalty family and canonical-augmented stay on the branch
// at every tolerance, with energy conserved, and multiplier methods that get stuck say what to use instead.
#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

const char* const kFormulations[] = {"penalty", "augmented-lagrangian", "canonical-augmented"};

// θ(t) of a motion of one degree of freedom, θ̈ = acceleration(θ, θ̇), to round-off.
template <class Acceleration>
double exact_angle(double theta, double rate, double t_end, const Acceleration& acceleration) {
  const int steps = static_cast<int>(std::ceil(t_end / 2e-4));
  using real = long double;
  const real h = t_end / steps;
  real q = theta, v = rate;
  for (int n = 0; n < steps; ++n) {
    const real a1 = acceleration(q, v), v2 = v + h / 2 * a1, a2 = acceleration(q + h / 2 * v, v2);
    const real v3 = v + h / 2 * a2, a3 = acceleration(q + h / 2 * v2, v3);
    const real v4 = v + h * a3, a4 = acceleration(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return static_cast<double>(q);
}

double n_four_bar_angle(int N, double t) {
  const long double I = (N + 1) / 3.0L + N, G = (N + 1) / 2.0L + N;
  return exact_angle(0, 1, t, [=](long double q, long double) { return G / I * 9.81L * std::sin(q); });
}

double slider_crank_angle(double start, double t) {
  return exact_angle(start, 0, t, [](long double q, long double v) {
    const long double s = std::sin(q), c = std::cos(q);
    return (4 * s * c * v * v - 9.8L * s) / (1 + 4 * c * c);
  });
}

double quantity(const DescriptorSystem& system, const Results& results, const std::string& name) {
  const auto names = system.quantity_names();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return results.final_quantities[Eigen::Index(i)];
  ADD_FAILURE() << "no quantity " << name;
  return 0;
}

AssembledModel n_four_bar(int N, const std::string& coordinates) {
  const ProblemRecord& record = *find_problem("n-four-bar");
  return assembled(record.mechanism(Options("", record.options, {{"N", std::to_string(N)}})), coordinates);
}

void expect_right_branch(int N, const std::string& coordinates, double t_end) {
  const auto mechanism = n_four_bar(N, coordinates);
  const double exact = n_four_bar_angle(N, t_end);
  for (const char* formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    RunSetup run = figures_only(t_end);
    run.formulation = formulation;
    run.rtol = 1e-8;
    const Results results = simulate(mechanism.system(), mechanism.start(), run);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(quantity(mechanism.system(), results, "theta"), exact, 1e-4);
    EXPECT_LT(results.energy->max_relative_error, 1e-6);
    EXPECT_LT(results.drift.position_max, 1e-8);
  }
}

TEST(SingularPositions, ReducedLawMeetsThePublishedAngles) {
  EXPECT_NEAR(n_four_bar_angle(1, 5), 16.945277268215026, 1e-10);
  EXPECT_NEAR(n_four_bar_angle(40, 5), 16.27862619693498, 1e-10);
  EXPECT_NEAR(slider_crank_angle(std::numbers::pi / 4, 2), -0.7808943926191082, 1e-11);
}

TEST(SingularPositions, FourBar) { expect_right_branch(1, "reference-point", 10); }
TEST(SingularPositions, FourBarInNaturalCoordinates) { expect_right_branch(1, "natural", 5); }
TEST(SingularPositions, TenFourBars) { expect_right_branch(10, "reference-point", 3); }
TEST(SingularPositions, TenFourBarsForTenSeconds_full) {
  expect_right_branch(10, "reference-point", 10);
  expect_right_branch(10, "natural", 10);
}
TEST(SingularPositions, FortyFourBars_full) {
  expect_right_branch(40, "reference-point", 10);
  expect_right_branch(40, "natural", 10);
}

// The same motion ten times over costs evaluations like once; at tighter tolerances docs/theory/augmented-lagrangian.md says why not.
TEST(SingularPositions, TenFourBarsAreNotHarderThanOne) {
  const auto evaluations = [](int N) {
    const AssembledModel bars = n_four_bar(N, "reference-point");
    RunSetup setup = figures_only(3);
    setup.formulation = "augmented-lagrangian";
    const Results results = simulate(bars.system(), bars.start(), setup);
    EXPECT_TRUE(results.good()) << results.message;
    return results.statistics.evaluations;
  };
  EXPECT_LE(evaluations(10), 3 * evaluations(1));
}

TEST(SingularPositions, SliderCrankAtEveryTolerance) {
  const auto crank = problem("singular-slider-crank");
  const double exact = slider_crank_angle(crank.start.q[0], 6);  // three passages
  for (const char* formulation : kFormulations)
    for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
      SCOPED_TRACE(formulation + std::string(" ") + std::to_string(std::log10(rtol)));
      RunSetup run = figures_only(6);
      run.formulation = formulation;
      run.rtol = rtol;
      const Results results = simulate(*crank.system, crank.start, run);
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_NEAR(quantity(*crank.system, results, "theta"), exact, 10 * rtol);
      EXPECT_NEAR(quantity(*crank.system, results, "branch"), 0, 1e-6);
      EXPECT_LT(results.energy->max_relative_error, 10 * rtol);
    }
}

TEST(SingularPositions, SliderCrankForTenSecondsFromSeveralAngles) {
  const ProblemRecord& record = *find_problem("singular-slider-crank");
  for (const char* start : {"0.7853981633974483", "1.0471975511965976", "1.5707963267948966"}) {
    const auto crank = record.make(Options("", record.options, {{"theta1", start}}));
    const double exact = slider_crank_angle(crank.start.q[0], 10);
    for (const char* formulation : kFormulations) {
      SCOPED_TRACE(formulation + std::string(" ") + start);
      RunSetup run = figures_only(10);
      run.formulation = formulation;
      run.rtol = 1e-8;
      const Results results = simulate(*crank.system, crank.start, run);
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_NEAR(quantity(*crank.system, results, "theta"), exact, 1e-6);
      EXPECT_LT(results.energy->max_relative_error, 1e-7);
    }
  }
}

TEST(SingularPositions, MultiplierMethodsThatGetStuckNameWhatPasses) {
  const auto mechanism = n_four_bar(10, "reference-point");
  RunSetup run = figures_only(2);
  run.formulation = "canonical-lagrange";
  run.rtol = 1e-8;
  const Results results = simulate(mechanism.system(), mechanism.start(), run);
  ASSERT_FALSE(results.good());
  EXPECT_NE(results.message.find("singular position"), std::string::npos) << results.message;
  EXPECT_NE(results.message.find("augmented-lagrangian"), std::string::npos) << results.message;
}

// Methods with multipliers pass where no step ends too near: then they are right, or they say that they cannot know.
TEST(SingularPositions, MultiplierMethodsNeverChangeTheBranchSilently) {
  const auto crank = problem("singular-slider-crank");
  const double exact = slider_crank_angle(crank.start.q[0], 6);
  int passed = 0, stopped = 0;
  for (const char* formulation : {"lagrange", "baumgarte", "canonical-lagrange"})
    for (const char* stabilization : {"none", "pstab", "projection"})
      for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
        SCOPED_TRACE(formulation + std::string(" ") + stabilization + " " + std::to_string(std::log10(rtol)));
        RunSetup run = figures_only(6);
        run.formulation = formulation;
        run.stabilization = stabilization;
        run.rtol = rtol;
        const Results results = simulate(*crank.system, crank.start, run);
        if (results.good()) {
          EXPECT_NEAR(results.final.q[0], exact, 10 * rtol);
          ++passed;
        } else {
          EXPECT_NE(results.message.find("augmented-lagrangian"), std::string::npos) << results.message;
          ++stopped;
        }
      }
  EXPECT_GT(passed, 30);
  EXPECT_GT(stopped, 5);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
