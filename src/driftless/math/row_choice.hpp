// Which rows of J the others imply, and which of several possible choices leaves a well-conditioned set.
// Rows are taken with unit length, Ĵ, so that their scales do not matter. All of it is sparse: a chain of 10 000 rows
// takes milliseconds. For the start of a run, for reports, and for the rare change of a choice; never inside a step.
//
//   candidates   rows whose pivot vanishes in   Ĵ Ĵᵀ = L D Lᵀ   (others keep D, a candidate is skipped)              (1)
//   their test   sin α = |Ĵᵢ − Σ cⱼ Ĵⱼ|,  c the least squares over the kept rows, refined once: exact to round-off   (2)
//   a swap       i in, j out multiplies the volume of the kept rows by |cⱼ|: done while some |cⱼ| > 2                (3)
// (1) alone would see angles down to 1e-7 only, (2) sees 1e-15. (3) bounds every c, and with it the multipliers and the
// condition: the sparse answer to column pivoting.         Goreinov & Tyrtyshnikov 2001 ("maximal volume"); the rest is
//                                                          this project's own arrangement
#pragma once

#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

constexpr double kDependent = 1e-10;  // sine of the angle to the others below which a row counts as dependent

// Zeroes rows that say nothing: those whose entries, times the scales of the columns, are round-off of zero. A row of
// round-off has a direction, too, and would pass for independent.
void clear_rows(SparseRows& J, ConstVec scale, double below);

// Rows implied by the others, ascending; as many as J lacks in rank.
std::vector<int> dependent_rows(const SparseRows& J, double tolerance = kDependent);

// Of each row of a choice to drop: the kept rows that imply it.
std::vector<std::vector<int>> implying_rows(const SparseRows& J, const std::vector<int>& dropped);

// A better choice of as many rows to drop, where those kept have become dependent or nearly so. `dropped` is ascending.
// False if every set of that size is dependent (angles below 1e-7), and if the choice is already a good one.
bool rechoose_rows(const SparseRows& J, std::vector<int>& dropped);

}  // namespace driftless
