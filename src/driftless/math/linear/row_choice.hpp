// Which rows of J the others imply, and which of several possible choices leaves a well-conditioned set.
// Rows are taken with unit length, Ĵ, so that their scales do not matter; columns in units of the coordinates, so that
// metres and radians do not, either (BalancedRows). All of it is sparse: a chain of 10 000 rows takes milliseconds. For the
// start of a run, for reports, and for the rare change of a choice; never inside a step.
//
//   candidates   rows whose pivot is small in   Ĵ Ĵᵀ = L D Lᵀ   (others keep D, a candidate is skipped)              (1)
//   their test   rᵢ = Ĵᵢ − Σ cⱼ Ĵⱼ,  c the least squares over the kept rows, refined to round-off; sin α = |rᵢ|/|Ĵᵢ|  (2)
//                those not at zero are orthogonalised among themselves, the longest first, and kept until it is zero  (3)
//   a swap       i in, j out multiplies the volume of the kept rows by |cⱼ|: done while some |cⱼ| > 2                (4)
//   sure rows    |yᵀB| ≥ σ |y|, B = Ĵ with columns and then rows of unit length but for the smallest of either;
//                eigenvalues of B Bᵀ ≥ (0.03/|(B Bᵀ)⁻ᵖ x|)^(1/p) for the least lucky of eight random unit-variance x      (5)
// Pivots of (1) that are kept are far above round-off, so that none which should be zero passes for one that is not;
// (2) sees angles of 1e-15. (4) bounds every c, and with it the multipliers and the condition: the sparse answer to column
// pivoting.                    Goreinov & Tyrtyshnikov 2001 ("maximal volume"); the rest is this project's own arrangement
// Rows on positions come first and go before rows on velocities alone: these could hold the velocities in their place, but
// not the positions. So a row of the first kind is left out only if others of its kind imply it.
#pragma once

#include <algorithm>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

constexpr double kDependent = 1e-10;  // sine of the angle to the others below which a row counts as dependent

// What a choice is made among.
class BalancedRows {
 public:
  // Rows of unit length, all of one kind.
  BalancedRows(const SparseRows& J);  // NOLINT(google-explicit-constructor): any J will do
  // J in units of its columns' scales, rows times their factor(); the first `holonomic` rows are on positions.
  BalancedRows(const SparseRows& J, ConstVec scale, double length, int holonomic);

  // For a row of this norm. Unit length; but rows shorter than a thousandth of `length` stay as much shorter. A row that
  // (nearly) vanishes because of how the mechanism is turned has a direction made of round-off: it must not pass for
  // independent, and is a bad one to keep. Shorter than 1e-10: zero.
  static double factor(double norm, double length) {
    return norm < 1e-10 * length || norm == 0 ? 0 : 1 / std::max(norm, 1e-3 * length);
  }

  const SparseRows& rows() const { return rows_; }
  int holonomic() const { return holonomic_; }
  double round_off() const { return round_off_; }  // length of r in (2) that is none, for short rows

 private:
  SparseRows rows_;
  int holonomic_;
  double round_off_ = 0;
};

// Rows implied by the others, ascending; as many as J lacks in rank.
std::vector<int> dependent_rows(const BalancedRows& J, double tolerance = kDependent);

// Some σ with |yᵀJ| ≥ σ |y| for all y: (5) without a row left out. 0 where the rows are dependent, or nearly so.
double least_singular_value(const SparseRows& J);

// Of each row of a choice to drop: the kept rows that imply it.
std::vector<std::vector<int>> implying_rows(const BalancedRows& J, const std::vector<int>& dropped);

// The smallest squared sine between a kept row and those before it, in the order of (1).
double weakest_kept(const BalancedRows& J, const std::vector<int>& dropped);

// A better choice of as many rows to drop, where those kept have become dependent or nearly so. `dropped` is ascending.
// False if every set of that size is dependent (angles below 1e-7), and if the choice is already a good one.
bool rechoose_rows(const BalancedRows& J, std::vector<int>& dropped);

}  // namespace driftless
