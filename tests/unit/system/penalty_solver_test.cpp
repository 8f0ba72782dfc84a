// The penalty kernel against the KKT solve: what it leaves is what theory says, whatever the units of the rows, however
// many of them are redundant, with and without mass everywhere.
#include "driftless/system/kernels/penalty_solver.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "driftless/system/user/jet_system.hpp"
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"
#include "support/slider_crank.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// The slider-crank with its rows in other units.
struct RescaledCrank : SliderCrank {
  double scale[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    SliderCrank::constraint(t, q, g);
    for (int i = 0; i < 8; ++i) g[i] *= scale[i];
  }
};

Terms terms_at(const DescriptorSystem& system, const State& state) {
  Terms terms = system.make_terms();
  system.evaluate(state.t, state.q, state.v, terms);
  return terms;
}

Reaction solve(MotionSolver& solver, const Terms& terms) {
  Reaction out{Vec(terms.f.size()), Vec(terms.gamma.size())};
  EXPECT_EQ(solver.factor(terms), Status::ok);
  EXPECT_EQ(solver.solve(terms.f, terms.gamma, out.vdot, out.lambda), Status::ok);
  return out;
}

Reaction penalty_solve(const Layout& layout, const Terms& terms, double penalty, int iterations) {
  const auto solver = make_penalty_motion_solver(layout, {penalty, iterations, 0});
  return solve(*solver, terms);
}

Reaction kkt_solve(const Layout& layout, const Terms& terms) {
  return solve(*make_kkt_motion_solver(layout), terms);
}

double relative_error(const Vec& found, const Vec& expected) {
  return max_abs(found - expected) / max_abs(expected);
}

TEST(PenaltySolver, AcceleratesAsTheKktSystemDoes) {
  const auto system = make_system(SliderCrank{});
  for (const double phi : {0.7, -1.2, 2.9}) {
    const Terms terms = terms_at(*system, SliderCrank::at(phi, 2));
    const Reaction exact = kkt_solve(system->layout(), terms);
    const Reaction augmented = penalty_solve(system->layout(), terms, 1e5, 2);
    const Reaction plain = penalty_solve(system->layout(), terms, 1e7, 0);
    EXPECT_LT(relative_error(augmented.vdot, exact.vdot), 1e-9);
    EXPECT_LT(relative_error(augmented.lambda, exact.lambda), 1e-9);
    EXPECT_LT(relative_error(plain.vdot, exact.vdot), 1e-5);
    EXPECT_LT(relative_error(plain.lambda, exact.lambda), 1e-5);
  }
}

// λ* − λ ← (I + α K)⁻¹ (λ* − λ) in every pass, K = J M⁻¹ Jᵀ.
TEST(PenaltySolver, IterationsContractAsTheoryHasIt) {
  const auto system = make_system(SliderCrank{});
  const Terms terms = terms_at(*system, SliderCrank::at(0.7, 2));
  const Vec exact = kkt_solve(system->layout(), terms).lambda;
  const auto solver = make_penalty_motion_solver(system->layout(), {1, 0, 0});
  ASSERT_EQ(solver->factor(terms), Status::ok);
  const Mat J(terms.J), K = J * Mat(terms.M).inverse() * J.transpose();
  const Mat pass = (Mat::Identity(8, 8) + solver->weights().asDiagonal() * K).inverse();
  Vec error = exact;  // of λ = 0
  for (int iterations = 0; iterations < 6; ++iterations) {
    error = pass * error;
    const Vec found = exact - penalty_solve(system->layout(), terms, 1, iterations).lambda;
    EXPECT_LT(max_abs(found - error), 1e-12 * max_abs(exact)) << iterations;
  }
  // The slowest direction: 1/(1 + α k).
  const Vec root = solver->weights().cwiseSqrt();
  const Mat alpha_K = root.asDiagonal() * K * root.asDiagonal();
  const Vec k = Eigen::SelfAdjointEigenSolver<Mat>(alpha_K).eigenvalues();
  const double slowest = 1 / (1 + k.minCoeff());
  const Vec before = exact - penalty_solve(system->layout(), terms, 1, 30).lambda;
  const Vec after = exact - penalty_solve(system->layout(), terms, 1, 31).lambda;
  EXPECT_NEAR(after.norm() / before.norm(), slowest, 0.01 * slowest);
}

TEST(PenaltySolver, ErrorFallsLikeOneOverThePenalty) {
  const auto system = make_system(SliderCrank{});
  const Terms terms = terms_at(*system, SliderCrank::at(0.7, 2));
  const Vec exact = kkt_solve(system->layout(), terms).vdot;
  double before = 0;
  for (const double penalty : {1e3, 1e4, 1e5, 1e6}) {
    const double error = max_abs(penalty_solve(system->layout(), terms, penalty, 0).vdot - exact);
    if (before > 0) {
      EXPECT_NEAR(before / error, 10, 0.2) << penalty;
    }
    before = error;
  }
}

TEST(PenaltySolver, RowsMayBeInAnyUnits) {
  const auto plain = make_system(SliderCrank{});
  RescaledCrank other;
  other.scale[1] = 1e3;
  other.scale[4] = 1e-3;
  const auto scaled = make_system(other);
  const State state = SliderCrank::at(0.7, 2);
  const Terms terms = terms_at(*plain, state), scaled_terms = terms_at(*scaled, state);
  for (const int iterations : {0, 2}) {
    const Reaction expected = penalty_solve(plain->layout(), terms, 1e5, iterations);
    const Reaction found = penalty_solve(scaled->layout(), scaled_terms, 1e5, iterations);
    EXPECT_LT(relative_error(found.vdot, expected.vdot), 1e-9);
    for (int i = 0; i < 8; ++i)
      EXPECT_NEAR(found.lambda[i] * other.scale[i], expected.lambda[i], 1e-8 * max_abs(expected.lambda));
  }
}

// Two rows said twice: same motion, and the smallest λ where rows are measured by their lengths.
TEST(PenaltySolver, RedundantRowsShareTheirForces) {
  const auto plain = make_system(SliderCrank{}), twice = make_system(SliderCrank{.redundant = true});
  const State state = SliderCrank::at(0.7, 2);
  const Reaction expected = kkt_solve(plain->layout(), terms_at(*plain, state));
  const Terms terms = terms_at(*twice, state);
  const auto solver = make_penalty_motion_solver(twice->layout(), {1e5, 2, 1e-8});
  solver->drop_rows(std::vector<int>{8, 9});  // it need not, and does not
  EXPECT_TRUE(solver->dropped_rows().empty());
  const Reaction found = solve(*solver, terms);
  EXPECT_LT(relative_error(found.vdot, expected.vdot), 1e-9);
  const Vec root = solver->weights().cwiseSqrt();
  const Mat scaled = Mat(terms.J).transpose() * root.asDiagonal();
  const Vec smallest = root.cwiseProduct(scaled.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV)
                                             .setThreshold(1e-9)
                                             .solve(terms.f - terms.M * expected.vdot));
  EXPECT_LT(relative_error(found.lambda, smallest), 1e-8);
}

TEST(PenaltySolver, MassMayBeSingular) {
  const auto pendulum = problem("double-pendulum");  // angles without inertia
  const State moved = simulate(*pendulum.system, pendulum.start, figures_only(0.4)).final;
  const Terms terms = terms_at(*pendulum.system, moved);
  const Reaction exact = kkt_solve(pendulum.system->layout(), terms);
  const Reaction found = penalty_solve(pendulum.system->layout(), terms, 1e5, 3);
  EXPECT_LT(relative_error(found.vdot, exact.vdot), 1e-9);
  EXPECT_LT(relative_error(found.lambda, exact.lambda), 1e-9);
}

struct Loose {
  static constexpr int nq = 2, rows = 1;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    g[0] = q[0];
  }
  void mass(double, ConstVec, Mat& M) const { M(0, 0) = 1; }
  void force(double, ConstVec, ConstVec, VecRef) const {}
};

TEST(PenaltySolver, CoordinateWithoutMassAndConstraintIsSingular) {
  const auto system = make_system(Loose{});
  const auto solver = make_penalty_motion_solver(system->layout(), {1e5, 2, 1e-8});
  EXPECT_EQ(solver->factor(terms_at(*system, {0, Vec::Zero(2), Vec::Zero(2)})), Status::singular);
  EXPECT_EQ(solver->dependent_row(), -1);
}

// g = x²/2 − y: its row is short at first and grows.
struct GrowingRow {
  static constexpr int nq = 2, rows = 2;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    g[0] = 0.5 * q[0] * q[0];
    g[1] = q[1];
  }
  void mass(double, ConstVec, Mat& M) const { M(0, 0) = M(1, 1) = 3; }
  void force(double, ConstVec, ConstVec, VecRef f) const { f[0] = 1; }
};

TEST(PenaltySolver, WeightsFollowRowsThatGrow) {
  const auto system = make_system(GrowingRow{});
  const auto at = [&](double x) { return terms_at(*system, {0, Vec2(x, 0), Vec2(0, 0)}); };
  const auto solver = make_penalty_motion_solver(system->layout(), {1e5, 2, 1e-8});
  ASSERT_EQ(solver->factor(at(0)), Status::ok);  // a row of zeros counts as long as the other
  EXPECT_DOUBLE_EQ(solver->weights()[0], 3e5);
  ASSERT_EQ(solver->factor(at(1e-3)), Status::ok);
  EXPECT_DOUBLE_EQ(solver->weights()[0], 3e5);

  const auto near = make_penalty_motion_solver(system->layout(), {1e5, 2, 1e-8});
  ASSERT_EQ(near->factor(at(0.01)), Status::ok);
  EXPECT_NEAR(near->weights()[0], 3e9, 1);
  ASSERT_EQ(near->factor(at(0.03)), Status::ok);  // within a factor of four: as it was
  EXPECT_NEAR(near->weights()[0], 3e9, 1);
  ASSERT_EQ(near->factor(at(1)), Status::ok);  // from there on α ℓ is 16 penalties
  EXPECT_NEAR(near->weights()[0], 16 * 3e5, 1e-6);
  EXPECT_NEAR(near->weights()[1], 3e5, 1e-6);
  ASSERT_EQ(near->factor(at(0.01)), Status::ok);  // and what it was where the row is as it was
  EXPECT_NEAR(near->weights()[0], 3e9, 1);
}

TEST(PenaltySolver, ProjectsOntoTheRows) {
  const auto system = make_system(SliderCrank{});
  const Terms terms = terms_at(*system, SliderCrank::at(0.7, 2));
  const auto exact = make_kkt_motion_solver(system->layout());
  const auto solver = make_penalty_motion_solver(system->layout(), {1e5, 3, 0});
  ASSERT_EQ(exact->factor(terms), Status::ok);
  ASSERT_EQ(solver->factor(terms), Status::ok);
  Vec r = Vec::LinSpaced(8, 1, 2), expected(9), found(9);
  ASSERT_EQ(exact->project(r, expected), Status::ok);
  ASSERT_EQ(solver->project(r, found), Status::ok);
  EXPECT_LT(relative_error(found, expected), 1e-10);
}

// A dense mass matrix too large for a planned elimination takes the other way.
struct Dense {
  int nq = 240, rows = 3;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 10; ++j) g[i] += q[10 * i + j] * (1.0 + 0.1 * j);
  }
  void mass(double, ConstVec, Mat& M) const {
    for (int i = 0; i < nq; ++i)
      for (int j = 0; j < nq; ++j) M(i, j) = i == j ? 2 : 1.0 / (1 + std::abs(i - j)) / nq;
  }
  void force(double, ConstVec, ConstVec, VecRef f) const { f.setLinSpaced(1, 2); }
};

TEST(PenaltySolver, LargeDenseSystemsToo) {
  const auto system = make_system(Dense{});
  const Terms terms = terms_at(*system, {0, Vec::Zero(240), Vec::Zero(240)});
  const Reaction exact = kkt_solve(system->layout(), terms);
  const Reaction found = penalty_solve(system->layout(), terms, 1e5, 2);
  EXPECT_LT(relative_error(found.vdot, exact.vdot), 1e-9);
  EXPECT_LT(relative_error(found.lambda, exact.lambda), 1e-9);
}

// α is a function of the position, whatever was tried before.
TEST(PenaltySolver, ForgetsWhatWasTried) {
  const auto system = make_system(SliderCrank{});
  Terms terms = terms_at(*system, SliderCrank::at(0.7, 2));
  const auto solver = make_penalty_motion_solver(system->layout(), {1e7, 0, 0});
  ASSERT_EQ(solver->factor(terms), Status::ok);
  const Vec first = solver->weights();
  terms.J.coeffs() *= 20;  // a step far too long: rows twenty times as long
  ASSERT_EQ(solver->factor(terms), Status::ok);
  EXPECT_LT(max_abs(solver->weights() - first * 16 / 400), 1e-9 * max_abs(first));
  terms.J.coeffs() /= 20;
  ASSERT_EQ(solver->factor(terms), Status::ok);
  EXPECT_LT(max_abs(solver->weights() - first), 1e-12 * max_abs(first));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
