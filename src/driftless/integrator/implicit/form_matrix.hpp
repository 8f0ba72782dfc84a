// Factors of I − c A, A = ∂F/∂y as a form hands it over (FormJacobian of formulation.hpp); c real or complex.
//   full       dense LU of I − cA                                                                                       (1)
//   motion     with d_q = r_q + c (N d_q + T d_v), d_v = r_v + c δa. Where T = I, u = r_q + c r_v:
//                [ (M + cC + c²K)/m̄      Jᵀ ] [δa  ]   [ −(K u + C r_v)/m̄  ]
//                [ J − cS_v − c²S_q      0  ] [δλ/m̄] = [ S_q u + S_v r_v   ]                                               (2)
//              elsewhere d_q stays an unknown:
//                [ I − cN     −c²T           0  ] [d_q ]   [ r_q + c T r_v ]
//                [ KP/m̄       (M + cC)/m̄     Jᵀ ] [δa  ] = [ −C r_v/m̄      ]                                               (3)
//                [ −S_q P     J − cS_v       0  ] [δλ/m̄]   [ S_v r_v       ]
//              m̄ the mean of diag M: sparse LU where that is less work (math/linear/newton_lu.hpp)
//   second     Π d_v = r_v + c J₁ r_q,   Π = I − c J₂ − c² J₁,   d_q = r_q + c d_v                                      (4)
//   reduced    Π ż = M̂ E r_v + c M̂J₁ G E_q r_q,   Π = M̂ − c M̂J₂ − c² M̂J₁ G,   G = (I − cW)⁻¹,   z = G (E_q r_q + c ż),
//              d_q = r_q + c (Q₁ z + Q₂ ż),   d_v = r_v + R (ż − E r_v) + c (B₁ z + B₂ ż)                                (5)
//              a matrix of the size of the degrees of freedom                                Negrut, Haug & German (44)–(46)
// Where y has velocities in axes that turn, all this stands between S and S⁻¹: r_v ← B r_u + T r_q,  d_u = B⁻¹ (d_v − T d_q)  (6)
#pragma once

#include <type_traits>

#include "driftless/formulation/formulation.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/math/linear/newton_lu.hpp"
#include "driftless/math/linear/sparse_copy.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {

template <class Scalar>
class FormMatrix {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  // A must stay as it is until the last solve. `size` is that of y.
  Status factor(const FormJacobian& A, int size, Scalar c) {
    A_ = &A;
    c_ = c;
    size_ = size;
    switch (A.kind) {
      case FormJacobian::Kind::full:
        matrix_ = -c * A.A.template cast<Scalar>();
        return factor_dense();
      case FormJacobian::Kind::second:
        matrix_ = -c * A.J2.template cast<Scalar>() - c * c * A.J1.template cast<Scalar>();
        for (Vector* x : {&zdot_, &right_}) x->resize(A.J1.rows());
        return factor_dense();
      case FormJacobian::Kind::reduced:
        return factor_reduced();
      case FormJacobian::Kind::motion:
        return factor_motion();
    }
    return Status::ok;
  }

  // d = (I − cA)⁻¹ r
  [[nodiscard]] Status solve(const Vector& r, Vector& d) {
    if (A_->turning == nullptr) return solve_plain(r, d);
    into_space(r, turned_);
    const Status status = solve_plain(turned_, d);
    back(d);
    return status;
  }

  // out = A y where factor() was called with c = 0.
  [[nodiscard]] Status multiply(const Vector& y, Vector& out) {
    if (A_->turning == nullptr) return multiply_plain(y, out);
    into_space(y, turned_);
    const Status status = multiply_plain(turned_, out);
    back(out);
    return status;
  }

  void keep(Memory& memory) {  // pivots of sparse factors
    int unknowns = unknowns_;
    memory(unknowns, 0, std::numeric_limits<int>::max());
    if (memory.reads() && memory.is_good() && unknowns != unknowns_) size_motion(unknowns);
    if (unknowns > 0) motion_lu_.keep(memory);
  }

 private:
  // ---- (6)
  template <class Turn>
  void turn(Turn&& by, const Vector& x, Vector& out) {
    const auto n = A_->T.rows();
    for (Vec* part : {&in_, &real_, &imaginary_}) part->resize(n);
    if constexpr (std::is_same_v<Scalar, double>) {
      in_ = x.segment(n, n);
      by(in_, real_);
      out.segment(n, n) = real_;
    } else {
      in_ = x.segment(n, n).real();
      by(in_, real_);
      in_ = x.segment(n, n).imag();
      by(in_, imaginary_);
      out.segment(n, n).real() = real_;
      out.segment(n, n).imag() = imaginary_;
    }
  }
  void into_space(const Vector& x, Vector& out) {
    out = x;
    turn([&](const Vec& u, Vec& v) { A_->turning->to_space(A_->turning_q, u, v); }, x, out);
    const auto n = A_->T.rows();
    add_product(A_->T, Scalar(1), x.head(n), out.segment(n, n));
  }
  void back(Vector& x) {
    const auto n = A_->T.rows();
    add_product(A_->T, Scalar(-1), x.head(n), x.segment(n, n));
    turn([&](const Vec& v, Vec& u) { A_->turning->to_body(A_->turning_q, v, u); }, x, x);
  }

  Status solve_plain(const Vector& r, Vector& d) {
    switch (A_->kind) {
      case FormJacobian::Kind::full:
        lu_.solve(r, d);
        return Status::ok;
      case FormJacobian::Kind::second:
        solve_second(r, d);
        return Status::ok;
      case FormJacobian::Kind::reduced:
        solve_reduced(r, d);
        return Status::ok;
      case FormJacobian::Kind::motion:
        return solve_motion(r, d);
    }
    return Status::ok;
  }

  Status multiply_plain(const Vector& y, Vector& out) {
    const FormJacobian& A = *A_;
    if (A.kind == FormJacobian::Kind::full) {
      out = A.A * y;
      return Status::ok;
    }
    out.setZero(y.size());
    if (A.kind == FormJacobian::Kind::second) {
      const auto n = A.J1.rows();
      out.head(n) = y.segment(n, n);
      out.segment(n, n).noalias() += A.J1 * y.head(n);
      out.segment(n, n).noalias() += A.J2 * y.segment(n, n);
      return Status::ok;
    }
    if (A.kind == FormJacobian::Kind::reduced) {
      const ReducedBlocks& B = A.reduced;
      const auto nq = B.E_q.cols(), nv = B.E.cols();
      z_.noalias() = B.E_q * y.head(nq);
      zdot_.noalias() = B.E * y.segment(nq, nv);
      out.head(nq).noalias() += B.Q1 * z_;
      out.head(nq).noalias() += B.Q2 * zdot_;
      out.segment(nq, nv).noalias() += B.B1 * z_;
      out.segment(nq, nv).noalias() += B.B2 * zdot_;
      right_.noalias() = B.MJ1 * z_;
      right_.noalias() += B.MJ2 * zdot_;
      if (right_.size() > 0) lu_.solve(right_, zdot_);
      out.segment(nq, nv).noalias() += B.R * zdot_;
      return Status::ok;
    }
    const Status status = solve_motion(y, out);
    const int nq = nq_, nv = nv_;
    out.setZero();
    out.segment(nq, nv) = x_.segment(A.motion.is_plain ? 0 : nq, nv);
    if (A.motion.is_plain) {
      out.head(nq) = y.segment(nq, nv);
    } else {
      auto rates = out.head(nq);
      add_product(A.motion.kinematics.N, Scalar(1), y.head(nq), rates);
      add_product(A.motion.kinematics.T, Scalar(1), y.segment(nq, nv), rates);
    }
    return status;
  }

  Status factor_dense() {
    matrix_.diagonal().array() += Scalar(1);
    if (matrix_.size() > 0) lu_.compute(matrix_);  // no degree of freedom, nothing to solve
    return Status::ok;
  }

  void solve_second(const Vector& r, Vector& d) {  // (4)
    const auto n = A_->J1.rows();
    right_ = r.segment(n, n);
    right_.noalias() += c_ * (A_->J1 * r.head(n));
    if (n > 0) lu_.solve(right_, zdot_);
    d = r;
    d.segment(n, n) = zdot_;
    d.head(n) += c_ * zdot_;
  }

  // ---- (5)
  Status factor_reduced() {
    const ReducedBlocks& B = A_->reduced;
    const auto f = B.mass.rows();
    for (Vector* x : {&z_, &zdot_, &right_}) x->resize(f);
    MJ1_ = B.MJ1.template cast<Scalar>();
    if (B.W.size() > 0) {
      matrix_ = -c_ * B.W.template cast<Scalar>();
      if (const Status status = factor_dense(); status != Status::ok) return status;
      G_.resize(f, f);
      right_.setZero();
      for (Eigen::Index j = 0; j < f; ++j) {
        right_[j] = Scalar(1);
        lu_.solve(right_, z_);
        G_.col(j) = z_;
        right_[j] = Scalar(0);
      }
      matrix_.noalias() = MJ1_ * G_;
      MJ1_.swap(matrix_);
    }
    matrix_ = B.mass.template cast<Scalar>() - c_ * B.MJ2.template cast<Scalar>() - c_ * c_ * MJ1_;
    if (f > 0) lu_.compute(matrix_);
    return Status::ok;
  }

  void solve_reduced(const Vector& r, Vector& d) {
    const ReducedBlocks& B = A_->reduced;
    const auto nq = B.E_q.cols(), nv = B.E.cols();
    d = r;
    if (B.mass.rows() == 0) return;
    z_.noalias() = B.E_q * r.head(nq);
    zdot_.noalias() = B.E * r.segment(nq, nv);
    right_.noalias() = B.mass * zdot_;
    right_.noalias() += c_ * (MJ1_ * z_);
    d.segment(nq, nv).noalias() -= B.R * zdot_;
    lu_.solve(right_, zdot_);
    z_ += c_ * zdot_;
    if (B.W.size() > 0) {
      right_.noalias() = G_ * z_;
      z_.swap(right_);
    }
    d.head(nq).noalias() += c_ * (B.Q1 * z_);
    d.head(nq).noalias() += c_ * (B.Q2 * zdot_);
    d.segment(nq, nv).noalias() += B.R * zdot_;
    d.segment(nq, nv).noalias() += c_ * (B.B1 * z_);
    d.segment(nq, nv).noalias() += c_ * (B.B2 * zdot_);
  }

  // ---- (2), (3)
  void size_motion(int unknowns) {
    unknowns_ = unknowns;
    W_.size(unknowns);
    motion_lu_.size(unknowns);
    b_.resize(unknowns);
    x_.resize(unknowns);
  }

  Status factor_motion() {
    const MotionBlocks& A = A_->motion;
    nv_ = static_cast<int>(A.M.rows());
    nq_ = A.is_plain ? nv_ : static_cast<int>(A.kinematics.T.rows());
    const int rows = static_cast<int>(A.kept.size()), first = A.is_plain ? 0 : nq_;
    if (first + nv_ + rows != unknowns_) size_motion(first + nv_ + rows);
    const double mean = nv_ > 0 ? A.M.diagonal().mean() : 1;
    mass_ = mean > 0 ? mean : 1;
    W_.assemble([&](SparseAssembly<Scalar>& W) {
      const Scalar c = c_, one(1);
      W.add_block(A.M, first, first, one / mass_);
      W.add_block(A.C, first, first, c / mass_);
      if (A.is_plain) {
        W.add_block(A.K, first, first, c * c / mass_);
      } else {
        W.add_diagonal(0, 0, nq_, one);
        W.add_block(A.kinematics.N, 0, 0, -c);
        W.add_block(A.kinematics.T, 0, first, -c * c);
        for (int i = 0; i < nv_; ++i) add_chained(W, A.K, i, first + i, one / mass_);
      }
      for (int k = 0; k < rows; ++k) {
        const int i = A.kept[size_t(k)], row = first + nv_ + k;
        for (SparseRows::InnerIterator e(A.J, i); e; ++e) {
          W.add(row, first + static_cast<int>(e.col()), e.value());
          W.add(first + static_cast<int>(e.col()), row, e.value());
        }
        W.add_rows(A.S_v, i, i + 1, row, first, -c);
        if (A.is_plain)
          W.add_rows(A.S_q, i, i + 1, row, first, -c * c);
        else
          add_chained(W, A.S_q, i, row, -one);
      }
    });
    return motion_lu_.factor(W_);
  }

  // Row i of B P, times a factor, into a row of W.
  void add_chained(SparseAssembly<Scalar>& W, const SparseRows& B, int i, int row, Scalar factor) const {
    for (SparseRows::InnerIterator b(B, i); b; ++b)
      for (SparseRows::InnerIterator p(A_->motion.kinematics.P, b.col()); p; ++p)
        W.add(row, static_cast<int>(p.col()), factor * b.value() * p.value());
  }

  Status solve_motion(const Vector& r, Vector& d) {
    const MotionBlocks& A = A_->motion;
    const int rows = static_cast<int>(A.kept.size()), first = A.is_plain ? 0 : nq_;
    const auto r_q = r.head(nq_), r_v = r.segment(nq_, nv_);
    const Scalar one(1);
    b_.setZero();
    auto dynamics = b_.segment(first, nv_);
    add_product(A.C, -one / mass_, r_v, dynamics);
    if (A.is_plain) {
      u_ = r_q + c_ * r_v;
      add_product(A.K, -one / mass_, u_, dynamics);
    } else {
      auto positions = b_.head(nq_);
      positions = r_q;
      add_product(A.kinematics.T, c_, r_v, positions);
    }
    for (int k = 0; k < rows; ++k) {
      Scalar sum(0);
      for (SparseRows::InnerIterator e(A.S_v, A.kept[size_t(k)]); e; ++e) sum += e.value() * r_v[e.col()];
      if (A.is_plain)
        for (SparseRows::InnerIterator e(A.S_q, A.kept[size_t(k)]); e; ++e) sum += e.value() * u_[e.col()];
      b_[first + nv_ + k] = sum;
    }
    if (const Status status = motion_lu_.solve(b_, x_); status != Status::ok) return status;
    d = r;
    d.segment(nq_, nv_) += c_ * x_.segment(first, nv_);
    if (A.is_plain)
      d.head(nq_) += c_ * d.segment(nq_, nv_);
    else
      d.head(nq_) = x_.head(nq_);
    return Status::ok;
  }

  const FormJacobian* A_ = nullptr;
  Vector turned_;
  Vec in_, real_, imaginary_;
  Scalar c_{};
  int size_ = 0;
  Matrix matrix_;  // I − cA, or Π
  DenseLu<Scalar> lu_;
  Matrix MJ1_, G_;  // (5): MJ1_ is M̂J₁ G
  Vector z_, zdot_, right_;
  SparseAssembly<Scalar> W_;
  NewtonLu<Scalar> motion_lu_;
  Vector b_, x_, u_;
  int nq_ = 0, nv_ = 0, unknowns_ = 0;
  double mass_ = 1;
};

// A as a dense matrix, for schemes that take nothing else.
class DenseJacobian {
 public:
  const Mat& of(const FormJacobian& jacobian, int size);

 private:
  FormMatrix<double> matrix_;
  Mat A_;
  Vec unit_, column_;
};

// Values and patterns, both ways; `size` is that of y.
void keep_jacobian(Memory& memory, int size, const TurningAxes& axes, FormJacobian& jacobian);

}  // namespace driftless
