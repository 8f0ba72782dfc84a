// The one decision which constraint rows others imply: for assembly, solves and reactions alike. It is made with J in units
// of the coordinates and of the characteristic length (BalancedRows), so that it is the same for a mechanism turned or moved
// in space and in any units of length and mass.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "driftless/math/linear/row_choice.hpp"
#include "driftless/system/bounds_rows.hpp"
#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/kernels/row_watch.hpp"

namespace driftless {

inline BalancedRows balanced_rows(const Layout& layout, const Terms& terms) {
  return BalancedRows(terms.J, layout.v_scale, layout.length, layout.mh);
}

// Rows that may be left out, ascending; `terms` after position(). Off the constraints by |g| nothing is exactly dependent: the
// angle below which a row counts as implied, 1e-10, is 10 |g| in characteristic lengths then, `at_most` at most.
inline std::vector<int> redundant_rows(const Layout& layout, const Terms& terms, double at_most = 1e-6) {
  const double off = 10 * max_abs(terms.g) / layout.length;
  return dependent_rows(balanced_rows(layout, terms), std::clamp(off, kDependent, at_most));
}

// Whether no row can be among redundant_rows(), as a system that knows says; false if it does not.
inline bool rows_are_independent(const DescriptorSystem& system, const Terms& terms, double at_most = 1e-6) {
  const auto* knows = dynamic_cast<const BoundsRows*>(&system);
  const Layout& layout = system.layout();
  if (knows == nullptr || layout.m == 0) return false;
  const double sigma = knows->least_singular_value(terms);
  if (!(sigma > 0)) return false;
  const double tolerance = std::clamp(10 * max_abs(terms.g) / layout.length, kDependent, at_most);
  for (int i = 0; i < layout.m; ++i) {  // row i times factor() is what redundant_rows() would look at
    double square = 0;
    for (SparseRows::InnerIterator e(terms.J, i); e; ++e)
      square += e.value() * e.value() * layout.v_scale[e.col()] * layout.v_scale[e.col()];
    if (!(sigma * BalancedRows::factor(std::sqrt(square), layout.length) > 10 * tolerance)) return false;
  }
  return true;
}

// Between steps, for who keeps rows in force by itself: another choice of as many where this one has worn. May allocate.
inline bool renew_choice(RowWatch& watch,
                         const Layout& layout,
                         const Terms& terms,
                         std::vector<int>& dropped) {
  const BalancedRows rows = balanced_rows(layout, terms);
  return watch.wants_look(weakest_kept(rows, dropped)) && rechoose_rows(rows, dropped);
}

}  // namespace driftless
