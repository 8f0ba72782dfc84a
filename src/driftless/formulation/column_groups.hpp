// A sparse Jacobian by differences, several columns at a time.                                    Curtis, Powell & Reid 1974
// Columns that share no row may be moved together: K(i, j) = Δρᵢ/2sⱼ for the one column j of the group with row i.          (1)
// The pattern is what full differences have shown so far. Whether it still holds is asked with one more difference, along a
// direction w that moves every column by another amount: it must give K w. Where it does not, the caller takes full
// differences, and the pattern grows by what they show.                                                                    (2)
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "driftless/math/memory.hpp"

namespace driftless {

class ColumnGroups {
 public:
  bool is_known() const { return !columns_.empty(); }
  // The pattern grows by the entries of K; groups are formed anew if it did.
  void learn(const Mat& K) {
    const Eigen::Index n = K.cols();
    if (seen_.cols() != n) seen_.setZero(K.rows(), n);
    bool grew = !is_known();
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i < K.rows(); ++i)
        if (K(i, j) != 0 && seen_(i, j) == 0) {
          seen_(i, j) = 1;
          grew = true;
        }
    if (grew) form();
  }

  void keep(Memory& memory, int columns) {
    std::vector<int> entries;
    for (int e = 0; e < seen_.size(); ++e)
      if (seen_.data()[e] != 0) entries.push_back(e);
    int n = static_cast<int>(seen_.cols());
    memory(n, 0, columns);
    memory.list(entries, std::max(n * n - 1, 0));
    if (n != 0 && n != columns) memory.refuse();
    if (!memory.reads() || !memory.is_good() || n == 0) return;
    seen_.setZero(n, n);
    for (const int e : entries) seen_.data()[e] = 1;
    form();
  }

  // K by (1), s the steps; `difference(delta, out)` gives the change of ρ between −delta and delta. False: (2), K is no good.
  template <class Difference>
  bool differ(const Vec& s, Difference&& difference, Vec& delta, Vec& change, Vec& image, Mat& K) {
    K.setZero();
    for (size_t g = 0; g + 1 < groups_.size(); ++g) {
      delta.setZero();
      for (int p = groups_[g]; p < groups_[g + 1]; ++p) delta[members_[size_t(p)]] = s[members_[size_t(p)]];
      difference(delta, change);
      for (int p = groups_[g]; p < groups_[g + 1]; ++p) {
        const int j = members_[size_t(p)];
        for (const int i : columns_[size_t(j)]) K(i, j) = change[i] / (2 * s[j]);
      }
    }
    for (Eigen::Index j = 0; j < s.size(); ++j)  // of any sign, between a half and one step
      delta[j] = s[j] * (j % 2 == 0 ? 1 : -1) * (0.5 + 0.5 * std::fmod(0.618034 * double(j), 1.0));
    difference(delta, change);
    image.setZero();
    double largest = 0;
    for (Eigen::Index j = 0; j < s.size(); ++j)
      for (const int i : columns_[size_t(j)]) {
        image[i] += std::abs(2 * K(i, j) * delta[j]);
        change[i] -= 2 * K(i, j) * delta[j];
        largest = std::max(largest, image[i]);
      }
    for (Eigen::Index i = 0; i < change.size(); ++i)
      if (!(std::abs(change[i]) <= kAgrees * (image[i] + kAgrees * largest))) return false;
    return true;
  }

 private:
  static constexpr double kAgrees = 1e-4;

  void form() {  // greedily, in the order of the columns
    const int n = static_cast<int>(seen_.cols());
    columns_.assign(size_t(n), {});
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < seen_.rows(); ++i)
        if (seen_(i, j) != 0) columns_[size_t(j)].push_back(i);
    std::vector<char> placed(size_t(n), 0);
    std::vector<char> taken;
    groups_.assign(1, 0);
    members_.clear();
    while (static_cast<int>(members_.size()) < n) {
      taken.assign(size_t(seen_.rows()), 0);
      for (int j = 0; j < n; ++j) {
        const auto& rows = columns_[size_t(j)];
        if (placed[size_t(j)] ||
            std::any_of(rows.begin(), rows.end(), [&](int i) { return taken[size_t(i)]; }))
          continue;
        placed[size_t(j)] = 1;
        members_.push_back(j);
        for (const int i : rows) taken[size_t(i)] = 1;
      }
      groups_.push_back(static_cast<int>(members_.size()));
    }
  }

  Eigen::Matrix<signed char, Eigen::Dynamic, Eigen::Dynamic> seen_;
  std::vector<std::vector<int>> columns_;  // rows of each
  std::vector<int> groups_, members_;      // where each group begins among its members
};

}  // namespace driftless
