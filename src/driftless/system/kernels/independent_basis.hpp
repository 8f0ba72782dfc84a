// Which velocities, or combinations of them, are independent: a constant B with [J; B] regular.
//                                        García de Jalón & Bayo (5.59), (5.68); Negrut, Haug & German (12)–(14)
// Everything is counted in units of the coordinates, v = D v̂ with D = diag(v_scale), and with rows of unit length (or
// shorter, BalancedRows), Ĵ = ρ⁻¹ J D, so that metres, radians and the scales of rows do not matter. An orthogonal Q = [C Bᵀ] splits v̂:
//   v̂ = C u + Bᵀ z,   Ĵ Q = [J_u J_w],   J_u (m × m) regular                                                     (1)
// Boolean B:     Q is a permutation, z are velocities themselves, chosen so that J_u is far from singular:
//   pivot   the columns of Ĵ without a pivot in its LU factorisation with full pivoting; above kDenseChoices velocities
//           a sparse choice by shares (row_choice.hpp, columns for rows), to be improved by swaps (null_space.hpp)
//   qr      those without a pivot in a QR factorisation with column pivoting
//   svd     those in which the null space is largest: column-pivoted QR of Nᵀ, N the last right singular vectors      (2)
//   or the user's own, by name
// orthonormal B: a basis of the null space of Ĵ at the choice, by QR of Ĵᵀ or by SVD of Ĵ                             (3)
// Rows that depend on others: their number is given; which ones are left out is chosen along with the columns by full
// pivoting, rows on positions before rows on velocities alone (row_choice.hpp). After the first choice dense pivoting allocates nothing; the others do, at the rare instants of a new choice.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class IndependentBasis {
 public:
  enum class Rule { pivot, qr, svd, null_space_qr, null_space_svd };
  // Velocities above which Boolean sets are solved, and chosen, sparsely: measured, docs/theory/partitioned.md.
  static constexpr int kDenseSolves = 24, kDenseChoices = 120;

  explicit IndependentBasis(const Layout& layout, Rule rule = Rule::pivot);

  // Rows to leave out (ascending). The next choice may leave out others, of the same number. Undoes the choice.
  void drop_rows(std::span<const int> rows);
  // Chooses at this J. False, and nothing changed, where every set of that size is dependent.
  bool choose(const SparseRows& J);
  // Takes these columns as the independent ones (ascending; one for each degree of freedom).
  void take(std::span<const int> columns);
  // Exchanges a dependent column with an independent one, by their places in u and z.
  void swap(int dependent, int independent);

  bool chosen() const { return chosen_; }
  long version() const {
    return version_;
  }  // counts choices: factors lay themselves out anew when it changes
  bool boolean() const { return rule_ != Rule::null_space_qr && rule_ != Rule::null_space_svd; }
  bool sparse() const { return boolean() && n_ > kDenseSolves; }
  bool chooses_sparsely() const { return rule_ == Rule::pivot && n_ > kDenseChoices; }
  int velocities() const { return n_; }
  int rows() const { return static_cast<int>(kept_.size()); }          // kept
  int freedom() const { return n_ - static_cast<int>(kept_.size()); }  // degrees of freedom
  const Vec& scale() const { return scale_; }                          // D
  const std::vector<int>& kept() const { return kept_; }               // rows, ascending
  const std::vector<int>& dropped() const { return dropped_; }
  const std::vector<int>& dependent() const { return dependent_; }      // Boolean: columns in u, ascending
  const std::vector<int>& independent() const { return independent_; }  // Boolean: columns in z, ascending
  const Mat& Q() const { return Q_; }                                   // orthonormal: n × n

 private:
  void fill_scaled_rows(const SparseRows& J, const std::vector<int>& rows, Mat& out) const;  // Ĵ
  bool by_pivots(const SparseRows& J);  // these two: into the trial
  bool by_shares(const SparseRows& J);
  void split(const std::vector<int>& dependent);

  const int n_, m_, holonomic_;
  const Rule rule_;
  Vec scale_;
  double length_;
  std::vector<int> kept_, dropped_, dependent_, independent_;
  Mat Q_;
  Mat work_;                                   // m × n   by_pivots()
  std::vector<int> row_order_, column_order_;  // by_pivots()
  std::vector<int> trial_kept_, trial_dependent_;
  long version_ = 0;
  bool chosen_ = false;
};

}  // namespace driftless
