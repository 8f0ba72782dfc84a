// L D Lᵀ of Ĵ Ĵᵀ in an order that fills little, rows left out where their pivot vanishes: (1), (2) and (5) of row_choice.hpp, whose
// part it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <Eigen/OrderingMethods>

#include "driftless/math/types.hpp"

namespace driftless {

// The upper triangle of Ĵ Ĵᵀ. Eigen's product of sparse matrices holds four times as much while it works, which for 10⁵ bodies
// was the largest thing in memory.
inline Eigen::SparseMatrix<double> upper_gram(const SparseRows& rows) {
  const Eigen::SparseMatrix<double> columns = rows;
  const int m = static_cast<int>(rows.rows());
  std::vector<int> seen(size_t(m), -1), others;
  Vec sum = Vec::Zero(m);
  const auto row_of_products = [&](int j) {  // with rows up to j, ascending in `others`
    others.clear();
    for (SparseRows::InnerIterator e(rows, j); e; ++e)
      for (Eigen::SparseMatrix<double>::InnerIterator f(columns, e.col()); f && f.row() <= j; ++f) {
        const auto i = static_cast<int>(f.row());
        if (seen[size_t(i)] != j) {
          seen[size_t(i)] = j;
          others.push_back(i);
          sum[i] = 0;
        }
        sum[i] += e.value() * f.value();
      }
  };
  Eigen::SparseMatrix<double> K(m, m);
  if (m == 0) return K;
  Eigen::VectorXi counts(m);
  for (int j = 0; j < m; ++j) {
    row_of_products(j);
    counts[j] = static_cast<int>(others.size());
  }
  K.reserve(counts);
  std::fill(seen.begin(), seen.end(), -1);
  for (int j = 0; j < m; ++j) {
    row_of_products(j);
    std::sort(others.begin(), others.end());
    for (const int i : others) K.insert(i, j) = sum[i];
  }
  K.makeCompressed();
  return K;
}

constexpr int kColumns = 8;  // solved for at once: L is long, and read once for all of them
using Columns = Eigen::Matrix<double, Eigen::Dynamic, kColumns, Eigen::RowMajor>;

// L D Lᵀ of Ĵ Ĵᵀ in an order that fills little, with rows left out: those told, and those whose pivot vanishes.
class SkippingLdlt {
 public:
  // The first rows come first, and long ones before short ones: a short row's direction is less exact, and must not decide
  // about a long one.
  SkippingLdlt(const SparseRows& unit, int first)
      : m_(static_cast<int>(unit.rows())), order_(size_t(m_)), place_(size_t(m_)), parent_(size_t(m_)) {
    const Eigen::SparseMatrix<double> K = upper_gram(unit);
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(K.selfadjointView<Eigen::Upper>(), inverse);
    for (int k = 0; k < m_; ++k) order_[size_t(k)] = inverse.indices()[k];
    std::vector<int> rank(size_t(m_), 0);  // kind, then decade of the length
    for (int i = 0; i < m_; ++i) {
      const double norm = unit.row(i).norm();
      rank[size_t(i)] =
          (i < first ? 0 : 1000) + (norm > 0 ? int(std::max(0.0, -std::log10(norm) + 0.5)) : 999);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return rank[size_t(a)] < rank[size_t(b)]; });
    for (int k = 0; k < m_; ++k) place_[size_t(order_[size_t(k)])] = k;
    above_.resize(size_t(m_));
    for (int j = 0; j < m_; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(K, j); e; ++e) {
        const auto [row, column] = std::minmax(place_[size_t(e.row())], place_[size_t(j)]);
        above_[size_t(column)].push_back({row, e.value()});
      }
    find_tree();
    below_.resize(size_t(m_));
    inverse_.resize(size_t(m_));
    y_ = Columns::Zero(m_, kColumns);
  }

  // Rows found dependent on those before them that are kept. `out` says which rows are left out to begin with; the first
  // `trusted` are independent for sure. Rows are eliminated eight at a time: columns of L are long, and read once for all.
  std::vector<int> factor(const std::vector<bool>& out, double tolerance, int trusted = 0) {
    std::vector<int> skipped;
    mark_.assign(size_t(m_), -1);
    for (auto& column : below_) column.clear();
    std::fill(inverse_.begin(), inverse_.end(), 0.0);
    weakest_ = 1;
    for (int first = 0; first < m_; first += kColumns) {
      const int count = std::min(kColumns, m_ - first);
      gather(first, count, out);
      substitute();
      for (int c = 0; c < count; ++c) {
        const int row = order_[size_t(first + c)];
        if (out[size_t(row)]) continue;
        const double pivot = block_(c, c), diagonal = diagonal_[c];
        if (!(pivot > (row < trusted ? 0 : tolerance) * diagonal)) {
          skipped.push_back(row);
          continue;
        }
        weakest_ = std::min(weakest_, pivot / diagonal);
        keep(first, c, count, pivot);
      }
      for (const int i : reach_) y_.row(i).setZero();
    }
    return skipped;
  }

  double weakest() const { return weakest_; }  // pivot kept, against its diagonal

  // (5) over the kept rows. Nothing that round-off could have made out of zero passes.
  double least_eigenvalue() {
    constexpr int kPowers = 4;
    Columns x(m_, kColumns);
    std::minstd_rand generator(1);  // the same numbers every time
    std::normal_distribution<double> normal;
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = normal(generator);
    double growth = 0;  // log |x|
    for (int power = 0; power < kPowers; ++power) {
      solve(x);
      const double norm = x.colwise().norm().maxCoeff();
      if (norm == 0) return 1;  // no row is kept
      growth += std::log(norm);
      x /= norm;
    }
    constexpr double kLuck = 0.03, kSureEigenvalue = 1e-11;
    const double least = std::exp((std::log(kLuck) - growth) / kPowers);
    return least > kSureEigenvalue ? least : 0;  // NaN: 0
  }

  // x ← (Ĵ Ĵᵀ)⁻¹ x over the kept rows, zero in the others.
  void solve(Columns& x) {
    Columns y(m_, kColumns);
    for (int k = 0; k < m_; ++k)
      if (inverse_[size_t(k)] == 0)
        y.row(k).setZero();
      else
        y.row(k) = x.row(order_[size_t(k)]);
    for (int k = 0; k < m_; ++k) {
      const Eigen::Matrix<double, 1, kColumns> own = y.row(k);
      for (const Entry& entry : below_[size_t(k)]) y.row(entry.row) -= entry.value * own;
    }
    for (int k = m_ - 1; k >= 0; --k) {
      Eigen::Matrix<double, 1, kColumns> sum = y.row(k) * inverse_[size_t(k)];
      for (const Entry& entry : below_[size_t(k)]) sum -= entry.value * y.row(entry.row);
      y.row(k) = sum;
    }
    for (int k = 0; k < m_; ++k) x.row(order_[size_t(k)]) = y.row(k);
  }

 private:
  struct Entry {
    int row;
    double value;
  };

  // Rows first … first + count − 1 of Ĵ Ĵᵀ: before the block into y_, with the columns they reach; in it into block_.
  void gather(int first, int count, const std::vector<bool>& out) {
    block_.setZero();
    reach_.clear();
    for (int c = 0; c < count; ++c) {
      if (out[size_t(order_[size_t(first + c)])]) continue;
      for (const Entry& entry : above_[size_t(first + c)]) {
        if (entry.row >= first) {
          block_(c, entry.row - first) += entry.value;
          continue;
        }
        y_(entry.row, c) += entry.value;
        for (int i = entry.row; i >= 0 && i < first && mark_[size_t(i)] != first; i = parent_[size_t(i)]) {
          mark_[size_t(i)] = first;
          reach_.push_back(i);
        }
      }
      diagonal_[c] = block_(c, c);
    }
    std::sort(reach_.begin(), reach_.end());
  }

  // y_ ← D Lᵀ of the block's rows by the columns before it, block_ less what these take off.
  void substitute() {
    size_t kept = 0;
    for (const int i : reach_) {
      if (inverse_[size_t(i)] == 0) {
        y_.row(i).setZero();
        continue;
      }
      reach_[kept++] = i;
      const Eigen::Matrix<double, 1, kColumns> values = y_.row(i);
      for (const Entry& entry : below_[size_t(i)]) y_.row(entry.row) -= entry.value * values;
      block_.noalias() -= (inverse_[size_t(i)] * values.transpose()) * values;
    }
    reach_.resize(kept);
  }

  // Row c of the block has this pivot: its entries of L, and what it takes off those behind it.
  void keep(int first, int c, int count, double pivot) {
    const int k = first + c;
    for (const int i : reach_)
      if (y_(i, c) != 0) below_[size_t(i)].push_back({k, y_(i, c) * inverse_[size_t(i)]});
    inverse_[size_t(k)] = 1 / pivot;
    for (int e = 0; e < c; ++e)
      if (inverse_[size_t(first + e)] != 0 && block_(c, e) != 0)
        below_[size_t(first + e)].push_back({k, block_(c, e)});
    for (int d = c + 1; d < count; ++d) {
      const double scaled = block_(d, c) / pivot;
      for (int e = c + 1; e <= d; ++e) block_(d, e) -= scaled * block_(e, c);
    }
    for (int d = c + 1; d < count; ++d) block_(d, c) /= pivot;
  }

  void find_tree() {  // elimination tree, with paths shortened as they are walked
    std::vector<int> ancestor(size_t(m_), -1);
    for (int k = 0; k < m_; ++k) {
      parent_[size_t(k)] = -1;
      for (const Entry& entry : above_[size_t(k)])
        for (int i = entry.row; i >= 0 && i < k;) {
          const int next = ancestor[size_t(i)];
          ancestor[size_t(i)] = k;
          if (next < 0) parent_[size_t(i)] = k;
          i = next;
        }
    }
  }

  int m_;
  std::vector<int> order_, place_;         // row eliminated k-th, and back
  std::vector<int> parent_;                // elimination tree
  std::vector<std::vector<Entry>> above_;  // upper triangle of Ĵ Ĵᵀ by columns, in order
  std::vector<std::vector<Entry>> below_;  // columns of L
  std::vector<int> mark_, reach_;          // columns the block at work reaches
  std::vector<double> inverse_;            // 1/D; 0: left out
  double weakest_ = 1;
  Columns y_;
  Eigen::Matrix<double, kColumns, kColumns> block_;  // lower triangle
  Eigen::Matrix<double, kColumns, 1> diagonal_;
};

}  // namespace driftless
