#include "driftless/flexible/modes.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace driftless {
namespace {

// (1) of some columns.
void turn_apart(Eigen::Ref<Mat> shapes) {
  const auto largest = shapes.rowwise().norm().maxCoeff();
  for (Eigen::Index first = 0, row = 0; first + 1 < shapes.cols() && row < shapes.rows(); ++row) {
    const auto left = shapes.cols() - first;
    const Vec own = shapes.row(row).tail(left);
    if (own.norm() < 1e-5 * largest) continue;
    Vec normal = own;  // of Householder's mirror
    normal[0] += std::copysign(own.norm(), own[0]);
    const Vec along = shapes.rightCols(left) * normal;
    shapes.rightCols(left) -= 2 / normal.squaredNorm() * along * normal.transpose();
    ++first;
  }
}

}  // namespace

Modes eigenmodes(const Mat& K, const Mat& M, int rigid, int count, std::optional<double> below) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> solved(K, M);
  const auto& values = solved.eigenvalues();
  Mat vectors = solved.eigenvectors();
  const auto alike = [&](Eigen::Index a, Eigen::Index b) {
    return values[b] - values[a] <= 1e-8 * values[a] + 2e-15 * values[values.size() - 1];
  };
  for (Eigen::Index first = rigid, next = rigid; first < values.size(); first = next) {
    while (next < values.size() && alike(first, next)) ++next;
    if (next - first > 1) turn_apart(vectors.middleCols(first, next - first));
  }
  int last = rigid;
  while (last < values.size() && (count == 0 || last - rigid < count) &&
         (!below || std::sqrt(std::max(values[last], 0.0)) < *below))
    ++last;
  Modes out{vectors.middleCols(rigid, last - rigid), Vec(last - rigid)};
  for (int k = rigid; k < last; ++k) {
    out.frequencies[k - rigid] = std::sqrt(std::max(values[k], 0.0));
    auto shape = out.shapes.col(k - rigid);  // one of two signs: the largest entry is positive
    Eigen::Index most = 0;
    shape.cwiseAbs().maxCoeff(&most);
    if (shape[most] < 0) shape = -shape.eval();
  }
  return out;
}

Modes craig_bampton(const Mat& K, const Mat& M, const std::vector<int>& boundary, int interior, int rigid) {
  const auto n = static_cast<int>(K.rows()), nb = static_cast<int>(boundary.size());
  std::vector<bool> on_boundary(size_t(n), false);
  for (const int b : boundary) on_boundary[size_t(b)] = true;
  std::vector<int> inner;
  for (int i = 0; i < n; ++i)
    if (!on_boundary[size_t(i)]) inner.push_back(i);
  const auto ni = static_cast<int>(inner.size());
  const int kept = interior == 0 ? ni : std::min(interior, ni);
  Mat T = Mat::Zero(n, nb + kept);
  for (int k = 0; k < nb; ++k) T(boundary[size_t(k)], k) = 1;
  if (ni > 0) {
    const Mat Kii = K(inner, inner), Kib = K(inner, boundary), Mii = M(inner, inner);
    const Mat Psi = -Kii.llt().solve(Kib);
    const Modes fixed = eigenmodes(Kii, Mii, 0, kept, {});
    const Mat& Phi = fixed.shapes;
    for (int i = 0; i < ni; ++i) {
      T.row(inner[size_t(i)]).head(nb) = Psi.row(i);
      T.row(inner[size_t(i)]).tail(kept) = Phi.row(i);
    }
  }
  Modes out = eigenmodes(T.transpose() * K * T, T.transpose() * M * T, rigid, 0, {});
  out.shapes = (T * out.shapes).eval();
  return out;
}

Mat modal_damping(const Mat& K, const Mat& M, const std::vector<double>& ratios) {
  const auto n = static_cast<int>(K.rows());
  const auto ratio = [&](int k) {
    return ratios.size() == 1 ? ratios[0] : size_t(k) < ratios.size() ? ratios[size_t(k)] : 0.0;
  };
  const auto is_diagonal = [](const Mat& matrix) {
    const Vec diagonal = matrix.diagonal();
    return (matrix - Mat(diagonal.asDiagonal())).norm() <= 1e-9 * diagonal.norm();
  };
  Mat D = Mat::Zero(n, n);
  if (is_diagonal(K) && is_diagonal(M)) {
    for (int k = 0; k < n; ++k) D(k, k) = 2 * ratio(k) * std::sqrt(std::max(K(k, k) * M(k, k), 0.0));
    return D;
  }
  const Modes modes = eigenmodes(K, M, 0, 0, {});
  const Mat carried = M * modes.shapes;
  for (int k = 0; k < n; ++k)
    D += 2 * ratio(k) * modes.frequencies[k] * carried.col(k) * carried.col(k).transpose();
  return D;
}

}  // namespace driftless
