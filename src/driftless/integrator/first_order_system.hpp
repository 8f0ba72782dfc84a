// Newton's equations of the schemes that take a residual form as first-order equations (bdf, radau-iia5): of
//   q̇ − v + W⁻¹J_hᵀμ = r₁,   ρ(v̇) = r₂,   rows = r₃,   where q̇ and v̇ are q/c and v/c plus something known,                 (1)
// each times (c, c²/m̄, 1 or, for velocity rows, c), in the unknowns (q, cv, c²λ/m̄, cμ), m̄ the mean of diag M: regular as
// c → 0. With S = W⁻¹J_hᵀ, c dv = dq + S c dμ − c r₁ is eliminated:
//   [ (M + cC + c²K)/m̄   Jᵀ   (M + cC)S/m̄ ] [dq      ]   [ c²r₂/m̄ + (M + cC) c r₁/m̄ ]
//   [ R_q + R_v           0    R_v S        ] [c²dλ/m̄ ] = [ r₃ + R_v c r₁             ]                                     (2)
//                                             [c dμ    ]
// R_q, R_v = J_h, 0 in rows of positions; cL, J in rows of velocities (their r₃ times c). c may be complex.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "driftless/formulation/residual_form.hpp"

namespace driftless {

template <class Scalar>
class FirstOrderSystem {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  void size(const ResidualForm& form) {
    n_ = form.system().layout().nv;
    m_ = form.multipliers();
    slips_ = form.slips();
    velocity_rows_ = form.velocity_rows();
    S_.resize(n_, slips_);
    r1_.resize(n_);
    const size_t most = std::min(size_t(n_), kSmall);  // larger ones are sparse: room is made as it is needed
    A_.reserve(most * most);
    R_.reserve(most * size_t(m_ + slips_));
    slip_.reserve(most * size_t(slips_));
  }
  int unknowns() const { return n_ + m_ + slips_; }   // of (2)
  int components() const { return n_ + unknowns(); }  // of (1)

  // The matrix of (2).
  void fill(const ResidualForm& form, const DaeTangent& tangent, Scalar c, Matrix& W) {
    c_ = c;
    mass_ = tangent.M.diagonal().mean();
    if (!(mass_ > 0)) mass_ = 1;
    const int rows = m_ + slips_;
    W.setZero();
    W.block(0, n_, n_, m_) = tangent.J.transpose().template cast<Scalar>();
    auto R = W.block(n_, 0, rows, n_);
    R = tangent.rows_q.template cast<Scalar>();
    R.bottomRows(velocity_rows_) *= c;
    R += tangent.rows_v.template cast<Scalar>();
    if (slips_ > 0) form.slip_tangent(tangent, S_);
    A_.clear();
    R_.clear();
    slip_.clear();
    for (int k = 0; k < n_; ++k) {  // column k of M + cC and of R_v, times row k of S
      const size_t first = slip_.size();
      for (int j = 0; j < slips_; ++j)
        if (S_(k, j) != 0) slip_.push_back({k, j, S_(k, j)});
      const std::span row_of_S(slip_.begin() + std::ptrdiff_t(first), slip_.end());
      for (int i = 0; i < n_; ++i) {
        const Scalar a = (tangent.M(i, k) + c * tangent.C(i, k)) / mass_;
        W(i, k) = a + c * c * tangent.K(i, k) / mass_;
        if (a == Scalar(0)) continue;
        A_.push_back({i, k, a});
        for (const Entry& e : row_of_S) W(i, n_ + m_ + e.column) += a * e.value;
      }
      for (int i = rows - velocity_rows_; i < rows; ++i) {
        const double value = tangent.rows_v(i, k);
        if (value == 0) continue;
        R_.push_back({i, k, value});
        for (const Entry& e : row_of_S) W(n_ + i, n_ + m_ + e.column) += value * e.value;
      }
    }
  }

  // The right-hand side of (2) from (r₁, r₂, r₃), with the numbers of the last fill().
  void reduce(const Vector& r, Vector& right) {
    r1_ = c_ * r.head(n_);
    right.head(n_) = c_ * c_ / mass_ * r.segment(n_, n_);
    for (const Entry& e : A_) right[e.row] += e.value * r1_[e.column];
    auto rows = right.tail(m_ + slips_);
    rows = r.tail(m_ + slips_);
    rows.tail(velocity_rows_) *= c_;
    for (const Entry& e : R_) rows[e.row] += e.value * r1_[e.column];
  }

  // (dq, dv, dλ, dμ) from the solution x of (2) and the residuals it was made of.
  void expand(const Vector& r, const Vector& x, Vector& d) {
    d.head(n_) = x.head(n_);
    auto dv = d.segment(n_, n_);
    dv = x.head(n_);
    for (const Entry& e : slip_) dv[e.row] += e.value * x[n_ + m_ + e.column];
    dv = dv / c_ - r.head(n_);
    d.segment(2 * n_, m_) = mass_ / (c_ * c_) * x.segment(n_, m_);
    d.tail(slips_) = x.tail(slips_) / c_;
  }

 private:
  static constexpr size_t kSmall = 64;
  struct Entry {
    int row, column;
    Scalar value;
  };

  int n_ = 0, m_ = 0, slips_ = 0, velocity_rows_ = 0;
  Scalar c_ = 1;
  double mass_ = 1;  // m̄
  Mat S_;
  std::vector<Entry> A_, R_, slip_;  // of (M + cC)/m̄, R_v and S, other than zero
  Vector r1_;
};

}  // namespace driftless
