#include "driftless/math/linear/dense.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace driftless {
namespace {

// x ← x − factor · column, rows `from` … `to` − 1.
template <class Scalar>
void subtract(Scalar* x, Scalar factor, const Scalar* column, Eigen::Index from, Eigen::Index to) {
  if (factor == Scalar(0)) return;
  for (Eigen::Index i = from; i < to; ++i) x[i] -= factor * column[i];
}

double size_of(double x) { return std::abs(x); }
double size_of(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }

}  // namespace

template <class Scalar>
void DenseLu<Scalar>::compute(const Matrix& A) {
  rows_ = A.rows();
  if (!is_small()) {
    large_.compute(A);
    return;
  }
  small_ = A;
  eliminate();
}

template <class Scalar>
void DenseLu<Scalar>::eliminate() {
  const Eigen::Index n = rows_;
  order_.resize(size_t(n));
  place_.resize(size_t(n));
  std::iota(order_.begin(), order_.end(), 0);
  Scalar* const a = small_.data();
  for (Eigen::Index k = 0; k < n; ++k) {
    Scalar* const column = a + k * n;
    Eigen::Index pivot = k;
    double largest = size_of(column[k]);
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (const double size = size_of(column[i]); size > largest) {
        largest = size;
        pivot = i;
      }
    if (pivot != k) {
      std::swap(order_[size_t(pivot)], order_[size_t(k)]);
      for (Eigen::Index j = 0; j < n; ++j) std::swap(a[pivot + j * n], a[k + j * n]);
    }
    if (column[k] == Scalar(0)) continue;
    for (Eigen::Index i = k + 1; i < n; ++i) column[i] /= column[k];
    for (Eigen::Index j = k + 1; j < n; ++j) subtract(a + j * n, a[k + j * n], column, k + 1, n);
  }
  for (size_t i = 0; i < order_.size(); ++i) place_[size_t(order_[i])] = static_cast<int>(i);
}

template <class Scalar>
void DenseLu<Scalar>::solve(const Vector& b, Vector& x) const {
  if (!is_small()) {
    x = large_.solve(b);
    return;
  }
  const Eigen::Index n = rows_;
  const Scalar* const a = small_.data();
  x.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = b[order_[size_t(i)]];
  for (Eigen::Index k = 0; k < n; ++k) subtract(x.data(), x[k], a + k * n, k + 1, n);
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    x[k] /= a[k + k * n];
    subtract(x.data(), x[k], a + k * n, 0, k);
  }
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
