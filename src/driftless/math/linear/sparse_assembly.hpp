// A square sparse matrix, assembled again and again from the same blocks by the same sequence of additions:
//   W = Σ c_k E_k,   E_k an entry, a block or the transpose of one, at its place                                          (1)
// The first time the sequence is written down and the pattern found from it; from then on every addition knows where it
// goes, and assembling allocates nothing. Where the sequence turns out another one, it is written down anew. Values are added up
// in one place in both cases, so that they have the same digits.                                                          (2)
// By columns, rows ascending: rows of column j are rows()[starts()[j]] … rows()[starts()[j + 1] − 1].
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

template <class Scalar>
class SparseAssembly {
 public:
  void size(int n) {
    n_ = n;
    forget();
  }
  int size() const { return n_; }

  // (1): `fill(W)` makes the additions. It may be called more than once.
  template <class Fill>
  void assemble(Fill&& fill) {
    if (!steps_.empty() && add_up(fill)) return;
    forget();
    learns_ = true;
    fill(*this);
    learns_ = false;
    find_pattern();
    add_up(fill);
  }

  void add(int i, int j, Scalar value) {
    if (learns_)
      steps_.push_back({i, j, 0});
    else if (next_ < steps_.size() && steps_[next_].row == i && steps_[next_].column == j)
      values_[size_t(steps_[next_++].place)] += value;
    else
      is_other_ = true;  // (2)
  }
  // Rows `from` … `to` − 1 of A times a factor, from (row, column) of W on.
  void add_rows(const SparseRows& A, int from, int to, int row, int column, Scalar factor) {
    for (int i = from; i < to; ++i)
      for (SparseRows::InnerIterator e(A, i); e; ++e)
        add(row + i - from, column + static_cast<int>(e.col()), factor * e.value());
  }
  void add_block(const SparseRows& A, int row, int column, Scalar factor) {
    add_rows(A, 0, static_cast<int>(A.rows()), row, column, factor);
  }
  void add_transposed(const SparseRows& A, int row, int column, Scalar factor) {
    for (int i = 0; i < A.rows(); ++i)
      for (SparseRows::InnerIterator e(A, i); e; ++e)
        add(row + static_cast<int>(e.col()), column + i, factor * e.value());
  }
  void add_diagonal(int row, int column, int count, Scalar value) {
    for (int i = 0; i < count; ++i) add(row + i, column + i, value);
  }

  std::span<const int> starts() const { return starts_; }
  std::span<const int> rows() const { return rows_; }
  std::span<const Scalar> values() const { return values_; }
  long version() const { return version_; }  // of the pattern

 private:
  struct Step {
    int row, column, place;
  };

  void forget() {
    steps_.clear();
    learns_ = false;
  }

  // False: it is another sequence.
  template <class Fill>
  bool add_up(Fill&& fill) {
    std::fill(values_.begin(), values_.end(), Scalar(0));
    next_ = 0;
    is_other_ = false;
    fill(*this);
    return !is_other_ && next_ == steps_.size();
  }

  void find_pattern() {
    std::vector<int> order(steps_.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      const Step &x = steps_[size_t(a)], &y = steps_[size_t(b)];
      return x.column != y.column ? x.column < y.column : x.row != y.row ? x.row < y.row : a < b;
    });
    starts_.assign(size_t(n_) + 1, 0);
    rows_.clear();
    values_.clear();
    int column = -1;
    for (const int k : order) {
      Step& step = steps_[size_t(k)];
      if (step.column != column || rows_.back() != step.row) {
        column = step.column;
        rows_.push_back(step.row);
        values_.push_back(Scalar(0));
        ++starts_[size_t(column) + 1];
      }
      step.place = static_cast<int>(rows_.size()) - 1;
    }
    for (size_t j = 0; j < size_t(n_); ++j) starts_[j + 1] += starts_[j];
    ++version_;
  }

  int n_ = 0;
  std::vector<Step> steps_;  // (2)
  std::vector<int> starts_, rows_;
  std::vector<Scalar> values_;
  size_t next_ = 0;
  bool learns_ = false, is_other_ = false;
  long version_ = 0;
};

}  // namespace driftless
