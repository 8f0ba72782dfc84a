// LU factors of a sparse matrix by columns, row by row pivots; numbers may be replaced without a search for pivots.
//                                                     Gilbert & Peierls 1988; Davis 2006, ch. 6; Davis & Palamadai Natarajan 2010
//   P A Q = L U;   column k:  L x = A q_k, U_k = x above the pivot, L_k = x below it over the pivot                            (1)
// Q from COLAMD, by the pattern alone. factor() finds for every column the pattern of x (what A q_k reaches in the graph of L)
// and its pivot: the diagonal one if it is no smaller than a tenth of the largest, else the largest.                          (2)
// refactor() goes through the same patterns with the same pivots, allocates nothing, and refuses (false) where a pivot has
// fallen below a thousandth of its column: then factor() is called for.                                                      (3)
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "driftless/core/status.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

template <class Scalar>
class SparseLu {
 public:
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  // The pattern: rows of column j are rows[starts[j]] … rows[starts[j + 1] − 1].
  void analyze(int n, std::span<const int> starts, std::span<const int> rows) {
    n_ = n;
    is_factored_ = false;
    is_new_ = true;
    starts_.assign(starts.begin(), starts.end());
    rows_.assign(rows.begin(), rows.end());
    Eigen::SparseMatrix<double> A(n, n);
    A.reserve(Eigen::Index(rows.size()));
    for (int j = 0; j < n; ++j) {
      A.startVec(j);
      for (int p = starts_[size_t(j)]; p < starts_[size_t(j) + 1]; ++p) A.insertBack(rows_[size_t(p)], j) = 1;
    }
    A.finalize();
    Eigen::COLAMDOrdering<int> ordering;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    ordering(A, permutation);
    column_.resize(size_t(n));
    for (int j = 0; j < n; ++j) column_[size_t(permutation.indices()[j])] = j;
    x_.assign(size_t(n), Scalar(0));
    y_.assign(size_t(n), Scalar(0));
    for (auto* list : {&L_.starts, &U_.starts, &stack_, &reach_, &below_}) list->reserve(size_t(n) + 1);
  }

  // (1), (2) with the values of the pattern's entries.
  Status factor(std::span<const Scalar> values) {
    L_.clear();
    U_.clear();
    pivots_.assign(size_t(n_), Scalar(0));
    position_.assign(size_t(n_), -1);
    row_.assign(size_t(n_), -1);
    seen_.assign(size_t(n_), -1);
    operations_ = 0;
    is_factored_ = false;
    L_.starts.push_back(0);
    U_.starts.push_back(0);
    for (int k = 0; k < n_; ++k)
      if (const Status status = factor_column(k, values); status != Status::ok) {
        std::fill(x_.begin(), x_.end(), Scalar(0));
        return status;
      }
    for (int& row : L_.rows) row = position_[size_t(row)];
    if (is_new_) L_.make_room();
    if (is_new_) U_.make_room();
    is_new_ = false;
    is_factored_ = true;
    return Status::ok;
  }

  bool refactor(std::span<const Scalar> values) {  // (3)
    if (!is_factored_) return false;
    for (int k = 0; k < n_; ++k) {
      const size_t c = size_t(column_[size_t(k)]);
      for (int p = starts_[c]; p < starts_[c + 1]; ++p)
        x_[size_t(position_[size_t(rows_[size_t(p)])])] = values[size_t(p)];
      for (int p = U_.starts[size_t(k)]; p < U_.starts[size_t(k) + 1]; ++p) {
        const int i = U_.rows[size_t(p)];
        const Scalar u = x_[size_t(i)];
        U_.values[size_t(p)] = u;
        x_[size_t(i)] = 0;
        subtract(i, u, x_);
      }
      const Scalar pivot = x_[size_t(k)];
      x_[size_t(k)] = 0;
      double largest = 0;
      for (int p = L_.starts[size_t(k)]; p < L_.starts[size_t(k) + 1]; ++p) {
        Scalar& x = x_[size_t(L_.rows[size_t(p)])];
        largest = std::max(largest, std::abs(x));
        L_.values[size_t(p)] = x / pivot;
        x = 0;
      }
      pivots_[size_t(k)] = pivot;
      const double size = std::abs(pivot);
      if (!(size > 0) || !std::isfinite(size) || size < kWeak * largest) {
        std::fill(x_.begin(), x_.end(), Scalar(0));
        return false;
      }
    }
    return true;
  }

  void solve(const Vector& b, Vector& x) {
    for (int i = 0; i < n_; ++i) y_[size_t(position_[size_t(i)])] = b[i];
    for (int k = 0; k < n_; ++k) subtract(k, y_[size_t(k)], y_);
    for (int k = n_ - 1; k >= 0; --k) {
      const Scalar value = y_[size_t(k)] / pivots_[size_t(k)];
      x[column_[size_t(k)]] = value;
      for (int p = U_.starts[size_t(k)]; p < U_.starts[size_t(k) + 1]; ++p)
        y_[size_t(U_.rows[size_t(p)])] -= U_.values[size_t(p)] * value;
    }
  }

  double operations() const { return operations_; }  // multiplications of a refactorisation

 private:
  static constexpr double kDiagonal = 0.1, kWeak = 1e-3;  // (2), (3)

  struct Triangle {  // by columns, without the diagonal
    std::vector<int> starts, rows;
    std::vector<Scalar> values;
    void clear() {
      starts.clear();
      rows.clear();
      values.clear();
    }
    void make_room() {  // other pivots may fill more
      rows.reserve(2 * rows.size());
      values.reserve(2 * values.size());
    }
  };

  // x ← x − u L_i
  void subtract(int i, Scalar u, std::vector<Scalar>& x) const {
    for (int p = L_.starts[size_t(i)]; p < L_.starts[size_t(i) + 1]; ++p)
      x[size_t(L_.rows[size_t(p)])] -= L_.values[size_t(p)] * u;
  }

  // Until all columns are done, rows of L are those of A.
  Status factor_column(int k, std::span<const Scalar> values) {
    const int c = column_[size_t(k)];
    reach_.clear();
    below_.clear();
    for (int p = starts_[size_t(c)]; p < starts_[size_t(c) + 1]; ++p) {
      visit(rows_[size_t(p)], k);
      x_[size_t(rows_[size_t(p)])] = values[size_t(p)];
    }
    std::sort(reach_.begin(), reach_.end());  // in the order of pivots
    for (const int i : reach_) {
      const size_t row = size_t(row_[size_t(i)]);
      const Scalar u = x_[row];
      x_[row] = 0;
      U_.rows.push_back(i);
      U_.values.push_back(u);
      subtract(i, u, x_);
      operations_ += L_.starts[size_t(i) + 1] - L_.starts[size_t(i)];
    }
    int best = -1;
    double largest = 0;
    for (const int row : below_)
      if (const double size = std::abs(x_[size_t(row)]); size > largest || !std::isfinite(size)) {
        if (!std::isfinite(size)) return Status::not_finite;
        largest = size;
        best = row;
      }
    if (best < 0) return Status::singular;
    if (position_[size_t(c)] < 0 && seen_[size_t(c)] == k && std::abs(x_[size_t(c)]) >= kDiagonal * largest)
      best = c;
    const Scalar pivot = x_[size_t(best)];
    pivots_[size_t(k)] = pivot;
    position_[size_t(best)] = k;
    row_[size_t(k)] = best;
    for (const int row : below_) {
      if (row != best) {
        L_.rows.push_back(row);
        L_.values.push_back(x_[size_t(row)] / pivot);
      }
      x_[size_t(row)] = 0;
    }
    operations_ += double(below_.size());
    L_.starts.push_back(static_cast<int>(L_.rows.size()));
    U_.starts.push_back(static_cast<int>(U_.rows.size()));
    return Status::ok;
  }

  // All rows that row `first` reaches: pivots of columns before k into reach_, others into below_.
  void visit(int first, int k) {
    if (seen_[size_t(first)] == k) return;
    seen_[size_t(first)] = k;
    stack_.assign(1, first);
    while (!stack_.empty()) {
      const int row = stack_.back();
      stack_.pop_back();
      const int i = position_[size_t(row)];
      if (i < 0) {
        below_.push_back(row);
        continue;
      }
      reach_.push_back(i);
      for (int p = L_.starts[size_t(i)]; p < L_.starts[size_t(i) + 1]; ++p) {
        const int next = L_.rows[size_t(p)];
        if (seen_[size_t(next)] == k) continue;
        seen_[size_t(next)] = k;
        stack_.push_back(next);
      }
    }
  }

  int n_ = 0;
  std::vector<int> starts_, rows_;  // pattern of A
  std::vector<int> column_;         // of A at place k: Q
  std::vector<int> position_;       // of a row of A among the pivots: P; −1: not yet
  std::vector<int> row_;            // its inverse
  Triangle L_, U_;
  std::vector<Scalar> pivots_;
  std::vector<Scalar> x_, y_;                      // x_ is zero between columns
  std::vector<int> seen_, stack_, reach_, below_;  // of factor()
  double operations_ = 0;
  bool is_factored_ = false, is_new_ = true;
};

}  // namespace driftless
