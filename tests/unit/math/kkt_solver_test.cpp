// The KKT kernels against Eigen's fully pivoted LU, on regular, singular-mass, badly scaled and rank deficient systems.
#include "driftless/math/linear/kkt_solver.hpp"

#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "driftless/math/linear/newton_lu.hpp"

#include "support/assembled_matrix.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

struct Kkt {
  SparseRows M, J;
  Vec r1, r2;
};

SparseRows sparse(const Mat& dense) {
  SparseRows out = dense.sparseView();
  for (int i = 0; i < std::min(dense.rows(), dense.cols()) && dense.rows() == dense.cols(); ++i)
    out.coeffRef(i, i) += 0;
  out.makeCompressed();
  return out;
}

// A chain of bodies with 3×3 mass blocks, neighbours held by two rows each.
Kkt chain(int bodies, double mass_ratio, bool massless, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Mat M = Mat::Zero(3 * bodies, 3 * bodies), J = Mat::Zero(2 * bodies, 3 * bodies);
  for (int b = 0; b < bodies; ++b) {
    const Mat A = Mat::NullaryExpr(3, 3, [&] { return uniform(engine); });
    const double scale = std::pow(mass_ratio, double(b) / bodies);
    M.block(3 * b, 3 * b, 3, 3) = scale * (A * A.transpose() + Mat::Identity(3, 3));
    if (massless) M.block(3 * b, 3 * b, 3, 3) = Vec3(1, 1, 0).asDiagonal();
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 3; ++c) {
        J(2 * b + r, 3 * b + c) = r == c ? 1 + 0.3 * uniform(engine) : uniform(engine);
        if (b > 0) J(2 * b + r, 3 * (b - 1) + c) = r == c ? -1 : uniform(engine);
      }
  }
  Kkt out{sparse(M), sparse(J), Vec(3 * bodies), Vec(2 * bodies)};
  for (auto& x : out.r1) x = uniform(engine);
  for (auto& x : out.r2) x = uniform(engine);
  return out;
}

void expect_solved(const Kkt& kkt, KktSolver::Method method, double tolerance) {
  const auto n = kkt.M.rows(), m = kkt.J.rows();
  Mat full = Mat::Zero(n + m, n + m);
  full.topLeftCorner(n, n) = Mat(kkt.M);
  full.topRightCorner(n, m) = Mat(kkt.J).transpose();
  full.bottomLeftCorner(m, n) = Mat(kkt.J);
  Vec right(n + m);
  right << kkt.r1, kkt.r2;
  const Vec expected = full.fullPivLu().solve(right);
  KktSolver solver(kkt.M, kkt.J, method);
  Vec x(n), y(m);
  for (int again = 0; again < 2; ++again) {  // the second time with what the first has learnt
    ASSERT_EQ(solver.factor(kkt.M, kkt.J), Status::ok);
    ASSERT_EQ(solver.solve(kkt.r1, kkt.r2, x, y), Status::ok);
    EXPECT_LT((x - expected.head(n)).norm(), tolerance * expected.head(n).norm());
    EXPECT_LT((y - expected.tail(m)).norm(), tolerance * expected.tail(m).norm());
  }
}

TEST(KktSolver, AgreesWithPivotedLu) {
  for (const int bodies : {1, 2, 5, 13, 40})
    for (const auto method :
         {KktSolver::Method::direct, KktSolver::Method::regularized, KktSolver::Method::automatic})
      expect_solved(chain(bodies, 1, false, unsigned(bodies)), method, 1e-10);
}

TEST(KktSolver, ServesSingularMassMatrices) {
  for (const int bodies : {1, 3, 12})
    for (const auto method : {KktSolver::Method::direct, KktSolver::Method::regularized})
      expect_solved(chain(bodies, 1, true, unsigned(bodies)), method, 1e-9);
}

// A point far off, where M is singular, is served and forgotten: what fills more shall not stay.
TEST(KktSolver, ForgetsASingularPointBehindRegularOnes) {
  const Kkt kkt = chain(4, 1, false, 3);
  SparseRows singular = kkt.M;
  for (int b = 0; b < 4; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) singular.coeffRef(3 * b + i, 3 * b + j) = (i + 1) * (j + 1);
  KktSolver solver(kkt.M, kkt.J, KktSolver::Method::direct);
  Vec before(12), there(12), after(12), y(8);
  ASSERT_EQ(solver.factor(kkt.M, kkt.J), Status::ok);
  ASSERT_EQ(solver.solve(kkt.r1, kkt.r2, before, y), Status::ok);
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(solver.factor(singular, kkt.J), Status::ok);
    ASSERT_EQ(solver.solve(kkt.r1, kkt.r2, there, y), Status::ok);
    EXPECT_LT((singular * there + kkt.J.transpose() * y - kkt.r1).norm(), 1e-9);
    EXPECT_LT((kkt.J * there - kkt.r2).norm(), 1e-9);
    ASSERT_EQ(solver.factor(kkt.M, kkt.J), Status::ok);
    ASSERT_EQ(solver.solve(kkt.r1, kkt.r2, after, y), Status::ok);
    EXPECT_EQ((after - before).norm(), 0);
  }
}

// M couples its first coordinate with all others: eliminated as they come, it would fill.
TEST(KktSolver, OrdersTheCoordinates) {
  for (const bool massless : {false, true}) {
    Kkt kkt = chain(5, 1, massless, 9);
    Mat M = Mat(kkt.M);
    for (int i = 1; i < 15; ++i)
      if (M(i, i) > 0) M(0, i) = M(i, 0) = 0.1;
    M(0, 0) += 1;
    kkt.M = sparse(M);
    expect_solved(kkt, KktSolver::Method::direct, 1e-9);
    KktSolver solver(kkt.M, kkt.J, KktSolver::Method::direct);
    Vec x(15), y(10), projected(15);
    ASSERT_EQ(solver.factor(kkt.M, kkt.J), Status::ok);
    ASSERT_EQ(solver.solve(Vec::Zero(15), kkt.r2, x, y), Status::ok);
    ASSERT_EQ(solver.project(kkt.r2, projected), Status::ok);
    EXPECT_LT((x - projected).norm(), 1e-12 * x.norm());
  }
}

// A chain of nodes that neighbouring bodies share: M⁻¹ is full, and rows are eliminated between the coordinates.
Kkt chain_of_nodes(int nodes, bool massless, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = 3 * nodes, m = 2 * (nodes - 1);
  Mat M = Mat::Zero(n, n), J = Mat::Zero(m, n);
  for (int b = 0; b + 1 < nodes; ++b) {
    Mat A = Mat::NullaryExpr(6, 6, [&] { return uniform(engine); });
    if (massless) A.row(2).setZero(), A.row(5).setZero();
    M.block(3 * b, 3 * b, 6, 6) += A * A.transpose() + (massless ? 0 : 1) * Mat::Identity(6, 6);
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 6; ++c) J(2 * b + r, 3 * b + c) = uniform(engine) + (c == 2 + r || c == 5 ? 2 : 0);
  }
  Kkt out{sparse(M), sparse(J), Vec(n), Vec(m)};
  for (auto& x : out.r1) x = uniform(engine);
  for (auto& x : out.r2) x = uniform(engine);
  return out;
}

TEST(KktSolver, EliminatesRowsBetweenNodesThatBodiesShare) {
  for (const int nodes : {3, 6, 14, 40})
    for (const auto method : {KktSolver::Method::direct, KktSolver::Method::automatic})
      expect_solved(chain_of_nodes(nodes, false, unsigned(nodes)), method, 1e-10);
  const Kkt kkt = chain_of_nodes(12, false, 5);
  KktSolver solver(kkt.M, kkt.J, KktSolver::Method::direct);
  Vec x(36), y(22), projected(36);
  ASSERT_EQ(solver.factor(kkt.M, kkt.J), Status::ok);
  ASSERT_EQ(solver.solve(Vec::Zero(36), kkt.r2, x, y), Status::ok);
  ASSERT_EQ(solver.project(kkt.r2, projected), Status::ok);
  EXPECT_LT((x - projected).norm(), 1e-12 * x.norm());
  EXPECT_GT(solver.weakest_row(), 1e-6);
}

TEST(KktSolver, NamesADependentRowBetweenNodes) {
  Kkt kkt = chain_of_nodes(12, false, 7);
  for (SparseRows::InnerIterator e(kkt.J, 9); e; ++e)  // rows 8 and 9 are those of one body
    e.valueRef() = -0.3 * kkt.J.coeff(8, e.col());
  KktSolver solver(kkt.M, kkt.J, KktSolver::Method::direct);
  EXPECT_EQ(solver.factor(kkt.M, kkt.J), Status::singular);
  EXPECT_TRUE(solver.dependent_row() == 8 || solver.dependent_row() == 9) << solver.dependent_row();
}

TEST(KktSolver, ServesMassRatiosOfAMillion) {
  for (const auto method : {KktSolver::Method::direct, KktSolver::Method::regularized})
    for (const double ratio : {1e6, 1e-6}) expect_solved(chain(8, ratio, false, 3), method, 1e-9);
}

TEST(KktSolver, UnitsDoNotMatter) {
  for (const auto method : {KktSolver::Method::direct, KktSolver::Method::regularized}) {
    Kkt kkt = chain(6, 1, false, 5);
    kkt.M *= 1e-9;
    kkt.J.topRows(4) *= 1e5;
    kkt.r1 *= 1e-9;
    expect_solved(kkt, method, 1e-8);
  }
}

TEST(KktSolver, NamesTheDependentRow) {
  for (const auto method : {KktSolver::Method::direct, KktSolver::Method::regularized}) {
    Kkt kkt = chain(6, 1, false, 5);
    Mat J = Mat(kkt.J);
    J.row(7) = 2 * J.row(1) - J.row(4);
    kkt.J = sparse(J);
    KktSolver solver(kkt.M, kkt.J, method);
    Vec x(18), y(12);
    Status status = solver.factor(kkt.M, kkt.J);
    if (status == Status::ok) status = solver.solve(kkt.r1, kkt.r2, x, y);
    EXPECT_EQ(status, Status::singular);
    const int row = solver.dependent_row();
    EXPECT_TRUE(row == 1 || row == 4 || row == 7) << row;
  }
}

TEST(KktSolver, SaysWhenNothingHoldsACoordinate) {
  Mat M = Vec3(1, 1, 0).asDiagonal(), J(1, 3);
  J << 1, 0.5, 0;
  const SparseRows sparse_M = sparse(M), sparse_J = sparse(J);
  KktSolver solver(sparse_M, sparse_J, KktSolver::Method::direct);
  EXPECT_EQ(solver.factor(sparse_M, sparse_J), Status::singular);
  EXPECT_EQ(solver.dependent_row(), -1);
}

// ---- LU factors of Newton's matrices -----------------------------------------------------------------------------------
// [A Bᵀ; C 0] of a band A and sparse B, C: zeros on the diagonal, pivots elsewhere.
template <class Scalar>
Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> newton_matrix(int n, int m, unsigned seed) {
  std::srand(seed);
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> W;
  W.setZero(n + m, n + m);
  const auto number = [] { return Eigen::internal::random<Scalar>(); };
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - 2); j < std::min(n, i + 3); ++j)
      W(i, j) = number() + (i == j ? Scalar(3) : Scalar(0));
  for (int r = 0; r < m; ++r)
    for (int k = 0; k < 4; ++k) {
      const int j = (r * n / m + k) % n;
      W(n + r, j) = number() + Scalar(k == 0 ? 1 : 0);
      W(j, n + r) = number() + Scalar(k == 0 ? 1 : 0);
    }
  return W;
}

template <class Scalar>
void expect_newton_lu_solves() {
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  for (const auto& [n, m] : {std::pair{5, 2}, {60, 40}, {80, 79}}) {
    NewtonLu<Scalar> lu;
    lu.size(n + m);
    const Vector b = Vector::Random(n + m);
    Vector x(n + m);
    for (unsigned seed = 1; seed < 6; ++seed) {  // other numbers, the same pattern
      Matrix W = newton_matrix<Scalar>(n, m, seed);
      if (seed == 1) W(0, 1) = 0;                  // appears later
      if (seed == 4) W.block(0, 0, 1, n) *= 1e-9;  // pivots of before are weak now
      ASSERT_EQ(lu.factor(testing::assembled_matrix<Scalar>(W)), Status::ok) << n << " " << seed;
      ASSERT_EQ(lu.solve(b, x), Status::ok);
      const Vector exact = Eigen::PartialPivLU<Matrix>(W).solve(b);
      EXPECT_LT((x - exact).norm(), 1e-9 * exact.norm()) << n << " " << seed;
    }
    EXPECT_EQ(lu.is_sparse(), n > 5);
    Matrix W = newton_matrix<Scalar>(n, m, 7);
    W.row(n).setZero();
    EXPECT_EQ(lu.factor(testing::assembled_matrix<Scalar>(W)), Status::singular) << n;
    W = newton_matrix<Scalar>(n, m, 8);  // and it goes on behind that
    ASSERT_EQ(lu.factor(testing::assembled_matrix<Scalar>(W)), Status::ok) << n;
    ASSERT_EQ(lu.solve(b, x), Status::ok);
    EXPECT_LT((W * x - b).norm(), 1e-9 * b.norm() * (1 + x.norm())) << n;
    W(1, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(lu.factor(testing::assembled_matrix<Scalar>(W)), Status::not_finite) << n;
  }
}

TEST(NewtonLu, SolvesRealAndComplexDenseAndSparse) {
  expect_newton_lu_solves<double>();
  expect_newton_lu_solves<std::complex<double>>();
}

TEST(NewtonLu, StaysDenseWhereThatIsLessWork) {
  NewtonLu<double> lu;
  lu.size(60);
  const Mat W = Mat::Random(60, 60) + 10 * Mat::Identity(60, 60);
  ASSERT_EQ(lu.factor(testing::assembled_matrix<double>(W)), Status::ok);
  EXPECT_FALSE(lu.is_sparse());
  Vec x(60);
  const Vec b = Vec::Ones(60);
  ASSERT_EQ(lu.solve(b, x), Status::ok);
  EXPECT_LT(max_abs(W * x - b), 1e-12);
}

// N rows that tie neighbours together have singular values down to 1/N: far from dependent, however many there are.
TEST(KktSolver, LongChainsAreNotSingular) {
  constexpr int kLinks = 20000;
  SparseRows M(kLinks, kLinks), J(kLinks, kLinks);
  M.setIdentity();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < kLinks; ++i) {
    entries.emplace_back(i, i, 1.0);
    if (i > 0) entries.emplace_back(i, i - 1, -1.0);
  }
  J.setFromTriplets(entries.begin(), entries.end());
  M.makeCompressed();
  J.makeCompressed();
  KktSolver solver(M, J, KktSolver::Method::regularized);
  const Vec r1 = Vec::Constant(kLinks, 2.0), r2 = Vec::Constant(kLinks, 1.0);
  Vec x(kLinks), y(kLinks);
  ASSERT_EQ(solver.factor(M, J), Status::ok);
  ASSERT_EQ(solver.solve(r1, r2, x, y), Status::ok);
  for (int i = 0; i < kLinks; i += 999) EXPECT_NEAR(x[i], i + 1, 1e-9 * kLinks);
  EXPECT_LT(max_abs(J * x - r2), 1e-9);
  EXPECT_LT(max_abs(M * x + J.transpose() * y - r1), 1e-9 * max_abs(y));
}

// The mass matrix of a straight chain in joint angles: regular, with a condition that grows with the fourth power of N.
TEST(KktSolver, MassMatricesOfLongChainsInJointAnglesAreNotSingular) {
  constexpr int kLinks = 250;
  Mat M = Mat::Zero(kLinks, kLinks);
  for (int k = 0; k < kLinks; ++k)
    for (int i = 0; i <= k; ++i)
      for (int j = 0; j <= k; ++j) M(i, j) += (k - i + 0.5) * (k - j + 0.5) + 1.0 / 12;
  const SparseRows mass = sparse(M), none(0, kLinks);
  KktSolver solver(mass, none);
  const Vec expected = Vec::LinSpaced(kLinks, 1, 2), r1 = M * expected, r2(0);
  Vec x(kLinks), y(0);
  ASSERT_EQ(solver.factor(mass, none), Status::ok);
  ASSERT_EQ(solver.solve(r1, r2, x, y), Status::ok);
  EXPECT_LT(max_abs(M * x - r1), 1e-11 * max_abs(r1));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
