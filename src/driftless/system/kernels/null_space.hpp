// The factors of [J; B] and what the R-matrix methods take from them, for a constant B (independent_basis.hpp).
//                                                               García de Jalón & Bayo (5.59)–(5.67)
//   [J; B] v = [a; z]   ⇔   v = S a + R z,      J S = I, B S = 0,   J R = 0, B R = I                             (1)
//   H = −J_u⁻¹ J_w,   R = D Q [H; I],   S a = D C J_u⁻¹ ρ⁻¹ a        ρ: row lengths of J D                         (2)
//   Mᵣ = Rᵀ M R                                                                                                    (3)
// ρ is the longest a row has been at the points noted (accepted ones: trial steps may go anywhere), so that rows which
// vanish at a singular position show in (5).
// so that all of it stands on one LU factorisation, of the square J_u. It is dense (partial pivoting) up to
// IndependentBasis::kDenseSolves velocities and for orthonormal B; larger Boolean sets solve [I J_uᵀ; J_u 0] with KktSolver,
// planned once a choice, and one step of refinement, which makes up for the squared condition of J_u J_uᵀ.
// R (n × f) and Mᵣ (f × f) are dense: for many degrees of freedom f this is not the method of choice.
//
// How good B still is:
//   growth     max_j |R̂ e_j|, the longest motion per unit of an independent velocity, R̂ = D⁻¹R; 1 is the least     (4)
//   sigma      the smallest singular value of J_u, by inverse iteration from the last vector; an upper bound of it  (5)
//   condition  largest through smallest singular value of J_u                                                       (6)
//   a swap     of the dependent i and the independent j multiplies |det J_u| by |H_ij|: sparse choices, which are made in
//              another measure, are improved until all |H_ij| ≤ 1.5                                                    (7)
// (6) is blind to a uniform loss of scale: with one row it is always 1. (4) is not.
// Nothing allocates until the choice changes.
#pragma once

#include <optional>

#include "driftless/core/status.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/math/linear/kkt_solver.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/system/kernels/independent_basis.hpp"

namespace driftless {

class NullSpace {
 public:
  // With the B of `basis`, which must have been chosen; `singular` if J_u is.
  Status factor(const IndependentBasis& basis, const SparseRows& J);
  // Chooses `basis` at this J and factors with it; `singular` where no choice is regular. Counts in no statistics.
  Status choose(IndependentBasis& basis, const SparseRows& J);
  void note_lengths() {  // the last factor() was at an accepted point
    longest_before_ = longest_;
    longest_ = longest_.cwiseMax(present_);
    noted_ = true;
  }
  Status factor_mass(const SparseRows& M);  // (3); `singular` if M is not positive there

  // ---- products, after factor(); vectors of rows have all m entries: dropped ones are not read and come out zero -----
  void S(ConstVec a, VecRef v);
  void S_transposed(ConstVec c, VecRef a);
  void R(ConstVec z, VecRef v) const { v.noalias() = R_ * z; }
  void R_transposed(ConstVec c, VecRef z) const { z.noalias() = R_.transpose() * c; }
  void B(ConstVec v, VecRef z) const;
  const Mat& R() const { return R_; }

  // ---- solves, after factor_mass() ------------------------------------------------------------------------------------
  void solve_reduced(VecRef z) const;  // z ← Mᵣ⁻¹ z
  const Mat& reduced_mass() const { return reduced_; }
  // [M Jᵀ; J 0] [x; y] = [r1; r2]:   x = S r2 + R Mᵣ⁻¹ Rᵀ (r1 − M S r2),   y = Sᵀ (r1 − M x)       (5.65)–(5.67)      (8)
  void solve(const SparseRows& M, ConstVec r1, ConstVec r2, VecRef x, VecRef y);
  void project(const SparseRows& M, ConstVec r2, VecRef x);  // r1 = 0, x alone

  // Lengths and vectors that outlive a factor(), both ways; the factors themselves are to be made where they were.
  void keep(Memory& memory, const IndependentBasis& basis, const SparseRows& J);

  double growth() const { return growth_; }         // (4)
  double smallest_pivot() const { return pivot_; }  // of the factorisation: 1 good, 0 singular
  double sigma();                                   // (5)
  double condition();                               // (6)
  int dependent_row() const { return dependent_row_; }
  int freedom() const { return f_; }

 private:
  void lay_out(const IndependentBasis& basis, const SparseRows& J);
  void fill(const SparseRows& J);
  Status factor_square();
  void solve_square(Vec& u);             // u ← J_u⁻¹ u
  void solve_square_transposed(Vec& u);  // u ← J_u⁻ᵀ u
  void times_square(const Vec& u, Vec& out) const;
  void times_square_transposed(const Vec& u, Vec& out) const;
  void find_R();

  const IndependentBasis* basis_ = nullptr;
  long version_ = 0;
  int n_ = 0, rows_ = 0, f_ = 0;  // velocities, kept rows, degrees of freedom
  bool sparse_ = false;
  std::vector<int> place_;  // Boolean: column → index in u, or −1 − index in z
  Vec length_;              // ρ of the kept rows
  Vec longest_, present_;   // ρ of all rows; their lengths at the last factor()
  Vec longest_before_;      // ρ at the last factor(), if they were noted since
  bool noted_ = false, is_to_note_ = false;
  Mat Ju_, Jw_, H_, R_;  // rows × rows (dense), rows × f, rows × f, n × f
  Mat J_hat_, JQ_;       // orthonormal B: rows × n
  DenseLu<double> lu_;
  SparseRows Ju_sparse_, identity_;
  std::optional<KktSolver> kkt_;
  Mat MR_, reduced_;
  DenseCholesky cholesky_;
  Vec u_, permuted_, rest_, step_, none_;  // rows
  Vec weak_, strong_;                      // rows: vectors of (5) and (6)
  Vec w_, x_;                              // n
  Vec z_;                                  // f
  double growth_ = 1, pivot_ = 1;
  int dependent_row_ = -1;
};

}  // namespace driftless
