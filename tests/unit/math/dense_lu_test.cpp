// P A = L U and both solves, of small matrices (eliminated here) and larger ones (Eigen's).
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "driftless/math/linear/dense.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

template <class Scalar>
class DenseLuOf : public ::testing::Test {
 protected:
  using M = typename DenseLu<Scalar>::Matrix;
  using V = typename DenseLu<Scalar>::Vector;

  Scalar number() {
    if constexpr (std::is_same_v<Scalar, double>)
      return uniform_(engine_);
    else
      return {uniform_(engine_), uniform_(engine_)};
  }
  // Three of four entries are zero; none of a diagonal that is moved by one.
  M sparse(Eigen::Index n) {
    M A = M::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        if (uniform_(engine_) > 0.5) A(i, j) = number();
    for (Eigen::Index i = 0; i < n; ++i) A(i, (i + 1) % n) += Scalar(3.0);
    return A;
  }
  V vector(Eigen::Index n) {
    V b(n);
    for (Eigen::Index i = 0; i < n; ++i) b[i] = number();
    return b;
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DenseLuOf, Scalars);

TYPED_TEST(DenseLuOf, FactorsAndSolves) {
  using Matrix = typename DenseLu<TypeParam>::Matrix;
  using Vector = typename DenseLu<TypeParam>::Vector;
  DenseLu<TypeParam> lu;
  for (const Eigen::Index n : {1, 2, 3, 7, 13, 24, 39, 40, 41, 70}) {
    const Matrix A = this->sparse(n);
    lu.compute(A);
    ASSERT_EQ(lu.rows(), n);
    Matrix L = lu.factors().template triangularView<Eigen::UnitLower>();
    Matrix U = lu.factors().template triangularView<Eigen::Upper>();
    Matrix PA(n, n);
    for (Eigen::Index i = 0; i < n; ++i) PA.row(lu.place_of(i)) = A.row(i);
    EXPECT_LT((PA - L * U).cwiseAbs().maxCoeff(), 1e-13 * double(n)) << n;
    EXPECT_LE(L.cwiseAbs().maxCoeff(), std::sqrt(2.0) * (1 + 1e-15));  // largest of |re| + |im|
    const Vector b = this->vector(n);
    Vector x, y;
    lu.solve(b, x);
    lu.solve_transposed(b, y);
    EXPECT_LT((A * x - b).norm(), 1e-11 * (1 + x.norm())) << n;
    EXPECT_LT((A.transpose() * y - b).norm(), 1e-11 * (1 + y.norm())) << n;
  }
}

TYPED_TEST(DenseLuOf, PivotsTellWhatIsSingularAndWhatIsNoNumber) {
  using Matrix = typename DenseLu<TypeParam>::Matrix;
  Matrix A = this->sparse(9);
  A.col(4) = A.col(2);
  DenseLu<TypeParam> lu;
  lu.compute(A);
  EXPECT_LT(lu.factors().diagonal().cwiseAbs().minCoeff(), 1e-14);
  lu.compute(Matrix::Zero(5, 5));
  EXPECT_EQ(lu.factors().diagonal().cwiseAbs().maxCoeff(), 0);
  A = this->sparse(9);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Matrix B = A;
    B(5, 6) = bad;  // on the diagonal that is other than zero everywhere
    lu.compute(B);
    EXPECT_FALSE(std::isfinite(lu.factors().diagonal().cwiseAbs().sum()));
  }
  lu.compute(Matrix(0, 0));
  EXPECT_EQ(lu.rows(), 0);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
