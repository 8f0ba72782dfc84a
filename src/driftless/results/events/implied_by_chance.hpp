// Rows left out because others implied them at the start: whether they did so by chance, in a singular position, and do not
// any more. Told from rows that drift for other reasons by the rank of J: beside a singular position by ε an angle between
// rows is of size ε and their error of size ε²; where rows are redundant both are of the size of the error. Looked at once a
// decade of |g|, between steps, while |g| is small enough to tell.
#pragma once

#include <cmath>
#include <vector>

#include "driftless/system/kernels/row_rank.hpp"

namespace driftless {

class ImpliedByChance {
 public:
  // The end of a step: `terms` hold g and J there.
  void observe(const Layout& layout, const Terms& terms, const std::vector<int>& dropped) {
    double error = 0;
    for (const int row : dropped)
      if (row < layout.mh) error = std::max(error, std::abs(terms.g[row]) / layout.length);
    if (!(error >= next_ && error <= kLargest)) return;
    next_ = 10 * error;
    const double angle = 0.3 * std::sqrt(error);
    found_ |= dependent_rows(balanced_rows(layout, terms), angle).size() < dropped.size();
  }
  bool found() const { return found_; }

 private:
  static constexpr double kLargest = 1e-4;  // lengths
  double next_ = 1e-8;
  bool found_ = false;
};

}  // namespace driftless
