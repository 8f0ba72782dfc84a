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

// P A = L U with partial pivoting; Scalar is double or std::complex<double>.
template <class Scalar>
class DenseLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  DenseLu() = default;
  explicit DenseLu(Eigen::Index size) : lu_(size), work_(size) {}

  void compute(const Matrix& A);
  // x = A⁻¹ b and x = A⁻ᵀ b; b and x are different vectors.
  void solve(const Vector& b, Vector& x) const;
  void solve_transposed(const Vector& b, Vector& x);

  Eigen::Index rows() const { return lu_.rows(); }
  const Matrix& factors() const { return lu_.matrixLU(); }  // L below, U on and above the diagonal
  int place_of(Eigen::Index row) const { return lu_.permutationP().indices()[row]; }  // of a row of A in P A

 private:
  Eigen::PartialPivLU<Matrix> lu_;
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
