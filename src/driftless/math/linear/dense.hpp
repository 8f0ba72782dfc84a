// Dense factorisations of matrices whose size is known at run time. The templates of Eigen behind them are instantiated here
// (dense.cpp) and nowhere else: each costs the compiler seconds in every file that names it.
// Classes keep their memory: a factorisation of the size of the one before allocates nothing, nor does a solve.
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "driftless/math/types.hpp"

namespace driftless {

// P A = L U with partial pivoting; Scalar is double or std::complex<double>. Small matrices are eliminated column by column, past
// entries of U that are zero: at ten rows Eigen's kernels for blocks cost four times as much.
template <class Scalar>
class DenseLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  DenseLu() = default;
  explicit DenseLu(Eigen::Index size) { compute(Matrix::Identity(size, size)); }

  void compute(const Matrix& A);
  // x = A⁻¹ b and x = A⁻ᵀ b; b and x are different vectors.
  void solve(const Vector& b, Vector& x) const;
  void solve_transposed(const Vector& b, Vector& x);

  Eigen::Index rows() const { return rows_; }
  const Matrix& factors() const {
    return is_small() ? small_ : large_.matrixLU();
  }                                       // L below, U on and above the diagonal
  int place_of(Eigen::Index row) const {  // of a row of A in P A
    return is_small() ? place_[size_t(row)] : large_.permutationP().indices()[row];
  }

 private:
  static constexpr Eigen::Index kSmall = 40;
  bool is_small() const { return rows_ <= kSmall; }
  void eliminate();

  Eigen::Index rows_ = 0;
  Matrix small_;
  std::vector<int> order_, place_;  // rows of A in P A, and the inverse
  Eigen::PartialPivLU<Matrix> large_;
  Vector work_;
};

extern template class DenseLu<double>;
extern template class DenseLu<std::complex<double>>;

// A = L Lᵀ of a symmetric positive definite matrix.
class DenseCholesky {
 public:
  [[nodiscard]] bool compute(const Mat& A);  // false: not positive definite
  void solve_in_place(VecRef x) const;       // x ← A⁻¹ x
  Eigen::Index rows() const { return llt_.rows(); }

 private:
  Eigen::LLT<Mat> llt_;
};

// The x for which |A x − b| is smallest, by QR with column pivoting; dependent columns get 0: those with a pivot of `round_off` of the
// largest, that of QR itself if A is known to the last digit.
Vec least_squares(const Mat& A, const Vec& b);
Vec least_squares(const Mat& A, const Vec& b, double round_off);

// A⁻¹ B, A symmetric, by LDLᵀ with pivoting.
Mat solve_symmetric(const Mat& A, const Mat& B);

// The columns of A in the order in which QR with column pivoting takes them, the most independent first.
std::vector<int> pivot_columns(const Mat& A);

// The whole orthogonal Q of A = Q R.
Mat orthogonal_factor(const Mat& A);

// All right singular vectors of A, those of the null space last, and the singular values, the largest first.
struct RightVectors {
  Vec values;
  Mat V;
};
RightVectors right_singular_vectors(const Mat& A);

// The orthogonal matrix nearest to A: U Vᵀ of A = U Σ Vᵀ.
Eigen::Matrix3d nearest_orthogonal(const Eigen::Matrix3d& A);

// Eigenvalues of a symmetric matrix, the smallest first.
Vec symmetric_eigenvalues(const Mat& A);

}  // namespace driftless
