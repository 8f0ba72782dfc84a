// A sparse matrix made of small dense blocks: which blocks there are, and where each stands among the values.
#pragma once

#include <algorithm>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

class BlockPattern {
 public:
  // A block's first value; its rows follow each other at `stride`.
  struct Place {
    int offset = -1, stride = 0;
  };

  // Block row i has the rows row_starts[i] … row_starts[i + 1] − 1; columns likewise.
  BlockPattern(std::vector<int> row_starts, std::vector<int> column_starts)
      : row_starts_(std::move(row_starts)),
        column_starts_(std::move(column_starts)),
        columns_(row_starts_.size() - 1) {}

  void touch(int i, int j) { columns_[size_t(i)].push_back(j); }

  // To be called once, behind the last touch().
  void finish() {
    std::vector<Eigen::Triplet<double>> entries;
    for (size_t i = 0; i < columns_.size(); ++i) {
      auto& columns = columns_[i];
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
      for (int row = row_starts_[i]; row < row_starts_[i + 1]; ++row)
        for (const int j : columns)
          for (int column = column_starts_[size_t(j)]; column < column_starts_[size_t(j) + 1]; ++column)
            entries.emplace_back(row, column, 0.0);
    }
    matrix_.resize(row_starts_.back(), column_starts_.back());
    matrix_.setFromTriplets(entries.begin(), entries.end());
  }
  const SparseRows& matrix() const { return matrix_; }

  Place place(int i, int j) const {
    int before = 0, stride = 0;
    for (const int column : columns_[size_t(i)]) {
      const int width = column_starts_[size_t(column) + 1] - column_starts_[size_t(column)];
      if (column < j) before += width;
      stride += width;
    }
    return {matrix_.outerIndexPtr()[row_starts_[size_t(i)]] + before, stride};
  }

 private:
  std::vector<int> row_starts_, column_starts_;
  std::vector<std::vector<int>> columns_;  // of every block row
  SparseRows matrix_;
};

}  // namespace driftless
