#include "driftless/math/kkt_solver.hpp"

#include <algorithm>

#include <Eigen/OrderingMethods>
#include <Eigen/QR>
#include <Eigen/SparseQR>

namespace driftless {

KktSolver::KktSolver(const SparseRows& M, const SparseRows& J, Method method)
    : direct_(method != Method::regularized) {
  if (direct_ && (method == Method::direct || M.rows() + J.rows() <= kDirectLimit))
    kernel_ = make_direct_kkt(M, J);
  if (kernel_) return;
  direct_ = false;
  kernel_ = make_regularized_kkt(M, J);
}

Status KktSolver::reason(Status status, const SparseRows& M, const SparseRows& J) {
  if (status == Status::singular && !(M.coeffs().allFinite() && J.coeffs().allFinite()))
    return Status::not_finite;
  return status;
}

std::vector<int> dependent_rows(const SparseRows& J) {
  constexpr double kTolerance = 1e-10;
  const Eigen::Index m = J.rows(), n = J.cols();
  if (m == 0) return {};
  Eigen::SparseMatrix<double> unit = J.transpose();  // columns are constraint rows
  for (int i = 0; i < m; ++i) {
    const double norm = unit.col(i).norm();
    if (norm > 0) unit.col(i) /= norm;
  }
  std::vector<int> dependent;
  if (m * n <= 1'000'000) {
    const Eigen::ColPivHouseholderQR<Mat> qr = Mat(unit).colPivHouseholderQr();
    const Mat& r = qr.matrixQR();
    for (Eigen::Index k = 0; k < m; ++k)
      if (k >= n || !(std::abs(r(k, k)) > kTolerance)) dependent.push_back(qr.colsPermutation().indices()[k]);
  } else {
    unit.makeCompressed();
    Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
    qr.setPivotThreshold(kTolerance);
    qr.compute(unit);
    for (Eigen::Index k = qr.rank(); k < m; ++k) dependent.push_back(qr.colsPermutation().indices()[k]);
  }
  std::sort(dependent.begin(), dependent.end());
  return dependent;
}

}  // namespace driftless
