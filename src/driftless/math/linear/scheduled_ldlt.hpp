// LDLᵀ of a small sparse symmetric matrix whose pattern never changes. The elimination is worked out once, as a flat list
// of what to multiply with what; a factorisation runs down that list. At the sizes of a mechanism (5 to a few hundred
// rows) this beats dense kernels, which multiply zeros, and general sparse ones, which find the pattern again each time.
//   row i, column k in its pattern, ascending:   Y_ik = A_ik − Σ_j Y_ij L_kj,   L_ik = Y_ik/d_k                      (1)
//   pivot                                        d_i = A_ii − Σ_k Y_ik L_ik                                         (2)
// Fill: where row i has an entry in column k, it has one in column p(k), the first row below k with an entry in that column.  (3)
// The rows come in two groups, as in a KKT matrix: the first have positive pivots, the rest, whose own block A is zero,
// negative ones: minus those of their Schur complement K. Rows of the second group stand behind all of the first, or anywhere
// behind the columns they have entries in.
#pragma once

#include <cstddef>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

class ScheduledLdlt {
 public:
  // Where an entry of the lower triangle (column < row) gets its value from: an index into the values given to factor.
  struct Entry {
    int column, source;
  };
  // More products than this are never worth a list: see too_long().
  static constexpr std::size_t kLongest = 2'000'000;

  ScheduledLdlt() = default;
  // rows[i] lists the entries of row i, columns ascending; diagonal[i] is the source of A_ii for the first group, −1 or left out
  // for the second.
  ScheduledLdlt(const std::vector<std::vector<Entry>>& rows, const std::vector<int>& diagonal, int sources);
  ScheduledLdlt(const std::vector<std::vector<Entry>>& rows,
                const std::vector<int>& diagonal,
                int sources,
                std::size_t longest);
  // The pattern fills so much that the list was given up: nothing else may be called then.
  bool too_long() const { return too_long_; }
  std::size_t products() const { return products_.size(); }

  // Values are copied here before factor(), one per source.
  double* values() { return a_.data(); }
  // A pivot not above `tolerance` times the diagonal it came from (A_ii; for the second group K_ii, or what the first group has
  // left of it where the groups are mixed) is round-off of zero, negative or NaN: returns its row; otherwise the number of rows.
  int factor(double tolerance);
  // Smallest pivot of the second group against its diagonal, and whether that is a loss of more than four digits.
  double weakest() const { return weakest_; }
  bool weak() const { return weakest_ < 1e-4; }
  double weakest_of_first_group() const { return weakest_first_; }
  void solve(double* x) const;               // x ← A⁻¹ x
  void solve_second_group(double* x) const;  // the same for an x that is zero in the first group

 private:
  int factor_mixed(double tolerance);
  void divide_and_substitute_back(double* x) const;

  struct Slot {    // one L_ik
    int column;    // k
    int source;    // of A_ik; the last one is zero
    int products;  // end of its products
  };
  struct Product {  // Y_ij L_kj by the slots of its factors
    int left, right;
  };
  struct Row {
    int middle, end;  // of its slots: columns of the first group, then of the second
  };
  int first_group_ = 0;  // its rows, which come first unless the groups are mixed
  bool mixed_ = false, too_long_ = false;
  double weakest_ = 1, weakest_first_ = 1;
  std::vector<Row> rows_;
  std::vector<Slot> slots_;
  std::vector<Product> products_;
  std::vector<int> diagonal_;  // by row; −1: of the second group
  Vec a_;                      // sources, and a zero
  Vec Y_, L_;                  // by slot   factor()
  Vec inverse_;                // 1/d       factor()
};

}  // namespace driftless
