#include "driftless/math/linear/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace driftless {

template <class Scalar>
void DenseLu<Scalar>::compute(const Matrix& A) {
  lu_.compute(A);
}

template <class Scalar>
void DenseLu<Scalar>::solve(const Vector& b, Vector& x) const {
  x = lu_.solve(b);
}

template <class Scalar>
void DenseLu<Scalar>::solve_transposed(const Vector& b, Vector& x) {
  work_ = b;
  factors().template triangularView<Eigen::Upper>().transpose().solveInPlace(work_);
  factors().template triangularView<Eigen::UnitLower>().transpose().solveInPlace(work_);
  x.resize(work_.size());
  for (Eigen::Index i = 0; i < work_.size(); ++i)
    x[i] = work_[place_of(i)];  // Eigen's permutation would allocate
}

template class DenseLu<double>;
template class DenseLu<std::complex<double>>;

bool DenseCholesky::compute(const Mat& A) {
  llt_.compute(A);
  return llt_.info() == Eigen::Success;
}

void DenseCholesky::solve_in_place(VecRef x) const { llt_.solveInPlace(x); }

Vec least_squares(const Mat& A, const Vec& b) { return A.colPivHouseholderQr().solve(b); }

Vec least_squares(const Mat& A, const Vec& b, double round_off) {
  Eigen::ColPivHouseholderQR<Mat> qr(A);
  qr.setThreshold(round_off);
  const Eigen::Index rank = qr.rank();  // solve() goes by a threshold of its own
  Vec x = qr.householderQ().adjoint() * b;
  qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(x.head(rank));
  Vec out = Vec::Zero(A.cols());
  out.head(rank) = x.head(rank);
  return qr.colsPermutation() * out;
}

Mat solve_symmetric(const Mat& A, const Mat& B) { return A.ldlt().solve(B); }

std::vector<int> pivot_columns(const Mat& A) {
  const Eigen::ColPivHouseholderQR<Mat> qr(A);
  const auto& order = qr.colsPermutation().indices();
  return {order.begin(), order.end()};
}

Mat orthogonal_factor(const Mat& A) { return Eigen::HouseholderQR<Mat>(A).householderQ(); }

RightVectors right_singular_vectors(const Mat& A) {
  const Eigen::BDCSVD<Mat> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

Eigen::Matrix3d nearest_orthogonal(const Eigen::Matrix3d& A) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

Vec symmetric_eigenvalues(const Mat& A) {
  return Eigen::SelfAdjointEigenSolver<Mat>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace driftless
