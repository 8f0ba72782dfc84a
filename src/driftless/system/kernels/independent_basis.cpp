#include "driftless/system/kernels/independent_basis.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "driftless/math/linear/dense.hpp"
#include "driftless/math/linear/row_choice.hpp"

namespace driftless {
namespace {

constexpr double kRegular = 1e-12;  // smallest pivot or singular value of unit rows

std::vector<int> sorted(std::vector<int> list) {
  std::sort(list.begin(), list.end());
  return list;
}

// Out of 0 … count − 1, those not among `some` (ascending), into `rest`.
void find_others(const std::vector<int>& some, int count, std::vector<int>& rest) {
  rest.clear();
  for (int i = 0; i < count; ++i)
    if (!std::binary_search(some.begin(), some.end(), i)) rest.push_back(i);
}

std::vector<int> others(const std::vector<int>& some, int count) {
  std::vector<int> rest;
  find_others(some, count, rest);
  return rest;
}

// The `count` most independent columns.
std::vector<int> best_columns(const Mat& A, int count) {
  std::vector<int> out = pivot_columns(A);
  out.resize(size_t(count));
  return sorted(out);
}

// All right singular vectors, V = [C N], those of the null space last.
Mat right_vectors(const Mat& J, bool& regular) {
  RightVectors found = right_singular_vectors(J);
  regular = found.values[found.values.size() - 1] > kRegular;
  return std::move(found.V);
}

}  // namespace

IndependentBasis::IndependentBasis(const Layout& layout, Rule rule)
    : n_(layout.nv),
      m_(layout.m),
      holonomic_(layout.mh),
      rule_(rule),
      scale_(layout.v_scale),
      length_(layout.length) {
  kept_ = others(dropped_, m_);
}

void IndependentBasis::drop_rows(std::span<const int> rows) {
  dropped_.assign(rows.begin(), rows.end());
  kept_ = others(dropped_, m_);
  chosen_ = false;
}

void IndependentBasis::fill_scaled_rows(const SparseRows& J, const std::vector<int>& rows, Mat& out) const {
  out.setZero(Eigen::Index(rows.size()), n_);
  for (size_t i = 0; i < rows.size(); ++i) {
    for (SparseRows::InnerIterator e(J, rows[i]); e; ++e)
      out(Eigen::Index(i), e.col()) = e.value() * scale_[e.col()];
    out.row(Eigen::Index(i)) *= BalancedRows::factor(out.row(Eigen::Index(i)).norm(), length_);
  }
}

bool IndependentBasis::by_pivots(const SparseRows& J) {
  row_order_.resize(size_t(m_));
  column_order_.resize(size_t(n_));
  std::iota(row_order_.begin(), row_order_.end(), 0);
  std::iota(column_order_.begin(), column_order_.end(), 0);
  fill_scaled_rows(J, row_order_, work_);
  const int rank = rows();
  // Rows on positions first; those of them left out then make way for the rows on velocities.
  const int left_out =
      static_cast<int>(std::lower_bound(dropped_.begin(), dropped_.end(), holonomic_) - dropped_.begin());
  const int first = holonomic_ - left_out;
  for (int k = 0; k < rank; ++k) {
    if (k == first)
      for (int i = 0; i < std::min(left_out, m_ - holonomic_); ++i) {
        work_.row(k + i).swap(work_.row(m_ - 1 - i));
        std::swap(row_order_[size_t(k + i)], row_order_[size_t(m_ - 1 - i)]);
      }
    const int end = k < first ? holonomic_ : m_ - left_out;
    Eigen::Index row = 0, column = 0;
    const auto rest = work_.block(k, k, end - k, n_ - k);
    if (!(rest.cwiseAbs().maxCoeff(&row, &column) > kRegular)) return false;
    row += k;
    column += k;
    work_.row(k).swap(work_.row(row));
    work_.col(k).swap(work_.col(column));
    std::swap(row_order_[size_t(k)], row_order_[size_t(row)]);
    std::swap(column_order_[size_t(k)], column_order_[size_t(column)]);
    const auto below = m_ - k - 1;
    for (int j = k + 1; j < n_; ++j)
      if (work_(k, j) != 0) work_.col(j).tail(below) -= work_(k, j) / work_(k, k) * work_.col(k).tail(below);
  }
  trial_kept_.assign(row_order_.begin(), row_order_.begin() + rank);
  trial_dependent_.assign(column_order_.begin(), column_order_.begin() + rank);
  std::sort(trial_kept_.begin(), trial_kept_.end());
  std::sort(trial_dependent_.begin(), trial_dependent_.end());
  return true;
}

bool IndependentBasis::by_shares(const SparseRows& J) {
  std::vector<int> left_out = dropped_;
  rechoose_rows({J, scale_, length_, holonomic_}, left_out);  // only where those kept have become weak
  trial_kept_ = others(left_out, m_);
  SparseRows columns(n_, Eigen::Index(trial_kept_.size()));  // Ĵᵀ
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t i = 0; i < trial_kept_.size(); ++i) {
    double square = 0;
    for (SparseRows::InnerIterator e(J, trial_kept_[i]); e; ++e)
      square += std::pow(e.value() * scale_[e.col()], 2);
    const double norm = square > 0 ? std::sqrt(square) : 1;
    for (SparseRows::InnerIterator e(J, trial_kept_[i]); e; ++e)
      entries.emplace_back(int(e.col()), int(i), e.value() * scale_[e.col()] / norm);
  }
  columns.setFromTriplets(entries.begin(), entries.end());
  const std::vector<int> free =
      dependent_rows({columns, Vec::Ones(columns.cols()), 1, static_cast<int>(columns.rows())}, 1e-8);
  if (static_cast<int>(free.size()) != freedom()) return false;
  trial_dependent_ = others(free, n_);
  return true;
}

bool IndependentBasis::choose(const SparseRows& J) {
  const int rank = rows();
  if (rank > n_ || !J.coeffs().allFinite()) return false;
  const bool found = chooses_sparsely() ? by_shares(J) : by_pivots(J);
  if (!found) return false;
  if (rank > 0 && rule_ != Rule::pivot) {
    bool regular = true;
    Mat rows_hat;
    fill_scaled_rows(J, trial_kept_, rows_hat);
    if (rule_ == Rule::qr) {
      trial_dependent_ = best_columns(rows_hat, rank);
    } else if (rule_ == Rule::svd && freedom() > 0) {  // (2)
      const Mat N = right_vectors(rows_hat, regular).rightCols(freedom());
      trial_dependent_ = others(best_columns(N.transpose(), freedom()), n_);
    } else if (rule_ == Rule::null_space_qr) {  // (3)
      Q_ = orthogonal_factor(rows_hat.transpose());
    } else if (rule_ == Rule::null_space_svd) {
      Mat Q = right_vectors(rows_hat, regular);
      if (regular) Q_ = std::move(Q);
    }
    if (!regular) return false;
  }
  if (rank == 0 && !boolean()) Q_.setIdentity(n_, n_);
  kept_ = trial_kept_;
  find_others(kept_, m_, dropped_);
  if (boolean()) split(trial_dependent_);
  ++version_;
  chosen_ = true;
  return true;
}

void IndependentBasis::take(std::span<const int> columns) {
  assert(boolean() && static_cast<int>(columns.size()) == freedom());
  split(others(sorted({columns.begin(), columns.end()}), n_));
  ++version_;
  chosen_ = true;
}

void IndependentBasis::swap(int dependent, int independent) {
  assert(boolean());
  std::swap(dependent_[size_t(dependent)], independent_[size_t(independent)]);
  std::sort(dependent_.begin(), dependent_.end());
  std::sort(independent_.begin(), independent_.end());
  ++version_;
}

void IndependentBasis::split(const std::vector<int>& dependent) {
  dependent_ = dependent;
  find_others(dependent_, n_, independent_);
}

}  // namespace driftless
