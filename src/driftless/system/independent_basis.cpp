#include "driftless/system/independent_basis.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "driftless/math/row_choice.hpp"

namespace driftless {
namespace {

constexpr double kRegular = 1e-12;  // smallest pivot or singular value of unit rows

std::vector<int> sorted(std::vector<int> list) {
  std::sort(list.begin(), list.end());
  return list;
}

std::vector<int> others(const std::vector<int>& some, int count) {
  std::vector<int> rest;
  for (int i = 0; i < count; ++i)
    if (!std::binary_search(some.begin(), some.end(), i)) rest.push_back(i);
  return rest;
}

// The first `count` entries of a permutation.
template <class Permutation>
std::vector<int> leading(const Permutation& permutation, int count) {
  std::vector<int> out(size_t(count), 0);
  for (int i = 0; i < count; ++i) out[size_t(i)] = permutation.indices()[i];
  return sorted(out);
}

// Last right singular vectors first come last: V = [C N].
Mat right_vectors(const Mat& J, bool& regular) {
  const Eigen::BDCSVD<Mat> svd(J, Eigen::ComputeFullV);
  regular = svd.singularValues()[svd.singularValues().size() - 1] > kRegular;
  return svd.matrixV();
}

}  // namespace

IndependentBasis::IndependentBasis(const Layout& layout, Rule rule)
    : n_(layout.nv), m_(layout.m), rule_(rule), scale_(layout.v_scale) {
  keep_all_but_dropped();
}

void IndependentBasis::keep_all_but_dropped() { kept_ = others(dropped_, m_); }

void IndependentBasis::drop_rows(std::span<const int> rows) {
  dropped_.assign(rows.begin(), rows.end());
  keep_all_but_dropped();
  version_ = 0;
}

Mat IndependentBasis::scaled_rows(const SparseRows& J, const std::vector<int>& rows) const {
  Mat out = Mat::Zero(Eigen::Index(rows.size()), n_);
  for (size_t i = 0; i < rows.size(); ++i) {
    for (SparseRows::InnerIterator e(J, rows[i]); e; ++e)
      out(Eigen::Index(i), e.col()) = e.value() * scale_[e.col()];
    const double norm = out.row(Eigen::Index(i)).norm();
    if (norm > 0) out.row(Eigen::Index(i)) /= norm;
  }
  return out;
}

bool IndependentBasis::by_pivots(const SparseRows& J, Selection& out) const {
  std::vector<int> all(static_cast<size_t>(m_));
  std::iota(all.begin(), all.end(), 0);
  const Eigen::FullPivLU<Mat> lu(scaled_rows(J, all));
  const int rank = rows();
  if (rank > 0 && !(std::abs(lu.matrixLU()(rank - 1, rank - 1)) > kRegular)) return false;
  out.dependent = leading(lu.permutationQ(), rank);
  out.kept.clear();
  for (int i = 0; i < m_; ++i)
    if (lu.permutationP().indices()[i] < rank) out.kept.push_back(i);
  return true;
}

bool IndependentBasis::by_shares(const SparseRows& J, Selection& out) const {
  std::vector<int> left_out = dropped_;
  rechoose_rows(J, left_out);  // only where those kept have become weak
  out.kept = others(left_out, m_);
  SparseRows columns(n_, Eigen::Index(out.kept.size()));  // Ĵᵀ
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t i = 0; i < out.kept.size(); ++i) {
    double square = 0;
    for (SparseRows::InnerIterator e(J, out.kept[i]); e; ++e)
      square += std::pow(e.value() * scale_[e.col()], 2);
    const double norm = square > 0 ? std::sqrt(square) : 1;
    for (SparseRows::InnerIterator e(J, out.kept[i]); e; ++e)
      entries.emplace_back(int(e.col()), int(i), e.value() * scale_[e.col()] / norm);
  }
  columns.setFromTriplets(entries.begin(), entries.end());
  const std::vector<int> free = dependent_rows(columns, 1e-8);
  if (static_cast<int>(free.size()) != freedom()) return false;
  out.dependent = others(free, n_);
  return true;
}

bool IndependentBasis::choose(const SparseRows& J) {
  if (!J.coeffs().allFinite()) return false;
  const int rank = rows();
  if (rank > n_) return false;
  Selection selection;
  if (rank == 0) {
    selection.kept = kept_;
  } else if (sparse() && rule_ == Rule::pivot) {
    if (!by_shares(J, selection)) return false;
  } else if (!by_pivots(J, selection)) {
    return false;
  }
  const Mat rows_hat = rule_ == Rule::pivot ? Mat() : scaled_rows(J, selection.kept);
  bool regular = true;
  Mat Q;
  if (rank > 0) switch (rule_) {
      case Rule::pivot:
        break;
      case Rule::qr:
        selection.dependent = leading(Eigen::ColPivHouseholderQR<Mat>(rows_hat).colsPermutation(), rank);
        break;
      case Rule::svd: {  // (2)
        const Mat N = right_vectors(rows_hat, regular).rightCols(freedom());
        if (freedom() > 0)
          selection.dependent = others(
              leading(Eigen::ColPivHouseholderQR<Mat>(N.transpose()).colsPermutation(), freedom()), n_);
        break;
      }
      case Rule::null_space_qr:  // (3)
        Q = Eigen::HouseholderQR<Mat>(rows_hat.transpose()).householderQ();
        break;
      case Rule::null_space_svd:
        Q = right_vectors(rows_hat, regular);
        break;
    }
  if (!regular) return false;
  kept_ = selection.kept;
  dropped_ = others(kept_, m_);
  if (boolean())
    split(selection.dependent);
  else
    Q_ = rank > 0 ? Q : Mat(Mat::Identity(n_, n_));
  ++version_;
  return true;
}

void IndependentBasis::take(std::span<const int> columns) {
  assert(boolean() && static_cast<int>(columns.size()) == freedom());
  split(others(sorted({columns.begin(), columns.end()}), n_));
  ++version_;
}

void IndependentBasis::split(const std::vector<int>& dependent) {
  dependent_ = dependent;
  independent_ = others(dependent, n_);
}

}  // namespace driftless
