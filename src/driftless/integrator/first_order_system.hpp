// Newton's equations of the schemes that take a residual form as first-order equations: of
//   q̇ − v + W⁻¹J_hᵀμ = r₁,   ρ(v̇) = r₂,   rows = r₃,   where q̇ and v̇ are q/c and v/c plus something known,                 (1)
// each times (c, c²/m̄, 1 or, for velocity rows, c), in the unknowns (q, cv, c²λ/m̄, cμ), m̄ the mean of diag M: regular as
// c → 0. With S = W⁻¹J_hᵀ, c dv = dq + S c dμ − c r₁ is eliminated:
//   [ (M + cC + c²K)/m̄   Jᵀ   (M + cC)S/m̄ ] [dq      ]   [ c²r₂/m̄ + (M + cC) c r₁/m̄ ]
//   [ R_q + R_v           0    R_v S        ] [c²dλ/m̄ ] = [ r₃ + R_v c r₁             ]                                     (2)
//                                             [c dμ    ]
// R_q, R_v = J_h, 0 in rows of positions; cL, J in rows of velocities (their r₃ times c). c may be complex.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "driftless/formulation/residual/residual_form.hpp"

namespace driftless {

template <class Scalar>
class FirstOrderSystem {
 public:
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  void size(const ResidualForm& form) {
    n_ = form.system().layout().nv;
    m_ = form.multipliers();
    slips_ = form.slips();
    velocity_rows_ = form.velocity_rows();
    r1_.resize(n_);
  }
  int unknowns() const { return n_ + m_ + slips_; }   // of (2)
  int components() const { return n_ + unknowns(); }  // of (1)

  // The matrix of (2).
  void fill(const ResidualForm& form, const DaeTangent& tangent, Scalar c, SparseAssembly<Scalar>& W) {
    c_ = c;
    mass_ = tangent.mean_mass();
    read(form, tangent);
    const int mu = n_ + m_, velocity = n_ + m_ + slips_ - velocity_rows_;
    W.assemble([&](SparseAssembly<Scalar>& out) {
      out.add_transposed(tangent.J, 0, n_, Scalar(1));
      form.add_rows(tangent, out, n_, 0, 0, c, Scalar(1));
      out.add_block(tangent.K, 0, 0, c * c / mass_);
      for (const Entry& e : A_) {
        out.add(e.row, e.column, e.value);
        add_times_slip(out, e.row, e.column, e.value, mu);
      }
      for (int i = 0; slips_ > 0 && i < velocity_rows_; ++i)
        for (SparseRows::InnerIterator e(tangent.J, m_ - velocity_rows_ + i); e; ++e)
          add_times_slip(out, velocity + i, static_cast<int>(e.col()), e.value(), mu);
    });
  }

  // The right-hand side of (2) from (r₁, r₂, r₃), with the numbers of the last fill().
  void reduce(const Vector& r, Vector& right) {
    r1_ = c_ * r.head(n_);
    right.head(n_) = c_ * c_ / mass_ * r.segment(n_, n_);
    for (const Entry& e : present_) right[e.row] += e.value * r1_[e.column];
    auto rows = right.tail(m_ + slips_);
    rows = r.tail(m_ + slips_);
    rows.tail(velocity_rows_) *= c_;
    for (const Entry& e : R_) rows[e.row] += e.value * r1_[e.column];
  }

  // (dq, dv, …, dλ, dμ) from the solution x of (2) and the residuals it was made of.
  void expand(const Vector& r, const Vector& x, Vector& d) {
    d.head(n_) = x.head(n_);
    auto dv = d.segment(n_, n_);
    dv = x.head(n_);
    for (const Entry& e : slip_) dv[e.row] += e.value * x[n_ + m_ + e.column];
    dv = dv / c_ - r.head(n_);
    d.segment(d.size() - slips_ - m_, m_) = mass_ / (c_ * c_) * x.segment(n_, m_);
    d.tail(slips_) = x.tail(slips_) / c_;
  }

 private:
  struct Entry {
    int row, column;
    Scalar value;
  };

  // (M + cC)/m̄, R_v and S as lists.
  void read(const ResidualForm& form, const DaeTangent& tangent) {
    A_.clear();
    R_.clear();
    slip_.clear();
    row_of_S_.assign(size_t(n_) + 1, 0);
    for (const auto& [block, factor] : {std::pair(&tangent.M, Scalar(1)), std::pair(&tangent.C, c_)})
      for (int i = 0; i < n_; ++i)
        for (SparseRows::InnerIterator e(*block, i); e; ++e)
          A_.push_back({i, static_cast<int>(e.col()), factor * e.value() / mass_});
    present_.clear();
    present_.reserve(A_.size());  // there may be more the next time
    std::copy_if(A_.begin(), A_.end(), std::back_inserter(present_),
                 [](const Entry& e) { return e.value != Scalar(0); });
    for (int i = 0; i < velocity_rows_; ++i)
      for (SparseRows::InnerIterator e(tangent.J, m_ - velocity_rows_ + i); e; ++e)
        R_.push_back({m_ + slips_ - velocity_rows_ + i, static_cast<int>(e.col()), Scalar(e.value())});
    form.slip_tangent(tangent, [&](int row, int column, double value) {
      slip_.push_back({row, column, Scalar(value)});
      ++row_of_S_[size_t(row) + 1];
    });
    std::sort(slip_.begin(), slip_.end(), [](const Entry& a, const Entry& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    for (size_t k = 0; k < size_t(n_); ++k) row_of_S_[k + 1] += row_of_S_[k];
  }

  // value · (row k of S) into a row of W.
  void add_times_slip(SparseAssembly<Scalar>& W, int row, int k, Scalar value, int first) const {
    for (int p = row_of_S_[size_t(k)]; p < row_of_S_[size_t(k) + 1]; ++p)
      W.add(row, first + slip_[size_t(p)].column, value * slip_[size_t(p)].value);
  }

  int n_ = 0, m_ = 0, slips_ = 0, velocity_rows_ = 0;
  Scalar c_ = 1;
  double mass_ = 1;                  // m̄
  std::vector<Entry> A_, R_, slip_;  // entries of (M + cC)/m̄, R_v and S, the latter by rows
  std::vector<Entry> present_;       // those of A_ that are not zero
  std::vector<int> row_of_S_;        // where each begins in slip_
  Vector r1_;
};

}  // namespace driftless
