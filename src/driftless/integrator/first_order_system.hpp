// Newton's equations of the schemes that take a residual form as first-order equations (bdf, radau-iia5): of
//   q̇ − v + W⁻¹J_hᵀμ = r₁,   ρ(v̇) = r₂,   rows = r₃,   where q̇ and v̇ are q/c and v/c plus something known,                 (1)
// each times (c, c²/m̄, 1 or, for velocity rows, c), in the unknowns (q, cv, c²λ/m̄, cμ), m̄ the mean of diag M: regular as
// c → 0. With S = W⁻¹J_hᵀ, c dv = dq + S c dμ − c r₁ is eliminated:
//   [ (M + cC + c²K)/m̄   Jᵀ   (M + cC)S/m̄ ] [dq      ]   [ c²r₂/m̄ + (M + cC) c r₁/m̄ ]
//   [ R_q + R_v           0    R_v S        ] [c²dλ/m̄ ] = [ r₃ + R_v c r₁             ]                                     (2)
//                                             [c dμ    ]
// R_q, R_v = J_h, 0 in rows of positions; cL, J in rows of velocities (their r₃ times c). c may be complex.
#pragma once

#include <type_traits>

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
    MS_.resize(n_, slips_);
    CS_.resize(n_, slips_);
    RS_.resize(m_ + slips_, slips_);
    r1_.resize(n_);
    cr1_.resize(n_);
    part_.resize(n_);
    product_.resize(n_);
    row_part_.resize(m_ + slips_);
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
    W.topLeftCorner(n_, n_) = (tangent.M.template cast<Scalar>() + c * tangent.C.template cast<Scalar>() +
                               c * c * tangent.K.template cast<Scalar>()) /
                              mass_;
    W.block(0, n_, n_, m_) = tangent.J.transpose().template cast<Scalar>();
    auto R = W.block(n_, 0, rows, n_);
    R = tangent.rows_q.template cast<Scalar>();
    R.bottomRows(velocity_rows_) *= c;
    R += tangent.rows_v.template cast<Scalar>();
    if (slips_ == 0) return;
    form.slip_tangent(tangent, S_);
    for (int j = 0; j < slips_; ++j) {  // column by column: no work space is allocated
      MS_.col(j).noalias() = tangent.M * S_.col(j);
      CS_.col(j).noalias() = tangent.C * S_.col(j);
      RS_.col(j).noalias() = tangent.rows_v * S_.col(j);
    }
    W.block(0, n_ + m_, n_, slips_) = (MS_.template cast<Scalar>() + c * CS_.template cast<Scalar>()) / mass_;
    W.block(n_, n_ + m_, rows, slips_) = RS_.template cast<Scalar>();
  }

  // The right-hand side of (2) from (r₁, r₂, r₃), with the c and m̄ of the last fill().
  void reduce(const DaeTangent& tangent, const Vector& r, Vector& right) {
    r1_ = c_ * r.head(n_);
    right.head(n_) = c_ * c_ / mass_ * r.segment(n_, n_);
    add_product(tangent.M, r1_, 1 / mass_, product_, right.head(n_));
    cr1_ = c_ * r1_;
    add_product(tangent.C, cr1_, 1 / mass_, product_, right.head(n_));
    auto rows = right.tail(m_ + slips_);
    rows = r.tail(m_ + slips_);
    rows.tail(velocity_rows_) *= c_;
    add_product(tangent.rows_v, r1_, 1, row_part_, rows);
  }

  // (dq, dv, dλ, dμ) from the solution x of (2) and the residuals it was made of.
  void expand(const Vector& r, const Vector& x, Vector& d) {
    d.head(n_) = x.head(n_);
    auto dv = d.segment(n_, n_);
    dv = x.head(n_);
    for (int j = 0; j < slips_; ++j) dv += x[n_ + m_ + j] * S_.col(j).template cast<Scalar>();
    dv = dv / c_ - r.head(n_);
    d.segment(2 * n_, m_) = mass_ / (c_ * c_) * x.segment(n_, m_);
    d.tail(slips_) = x.tail(slips_) / c_;
  }

 private:
  // out += factor · A x
  template <class Out>
  void add_product(const Mat& A, const Vector& x, double factor, Vec& product, Out&& out) {
    if constexpr (std::is_same_v<Scalar, double>) {
      product.noalias() = A * x;
      out += factor * product;
    } else {
      part_ = x.real();
      product.noalias() = A * part_;
      out.real() += factor * product;
      part_ = x.imag();
      product.noalias() = A * part_;
      out.imag() += factor * product;
    }
  }

  int n_ = 0, m_ = 0, slips_ = 0, velocity_rows_ = 0;
  Scalar c_ = 1;
  double mass_ = 1;  // m̄
  Mat S_, MS_, CS_, RS_;
  Vector r1_, cr1_;
  Vec part_, product_, row_part_;
};

}  // namespace driftless
