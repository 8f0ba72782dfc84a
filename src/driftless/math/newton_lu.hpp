// LU factors of the matrices of Newton's method: dense, or sparse (sparse_lu.hpp) where that is less work.
// The matrix comes dense, its zeros show the pattern: entries once seen stay in it. The first one decides: sparse if its
// operations, times kDearer, stay below the n³/3 of the dense factors.                                                   (1)
// A factorisation allocates nothing but where an entry appears that was zero so far, or a pivot has become weak. Behind one
// that failed, or before the first, solve() refuses.
#pragma once

#include <algorithm>
#include <complex>
#include <type_traits>

#include "driftless/math/dense.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/math/sparse_lu.hpp"

namespace driftless {

template <class Scalar>
class NewtonLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  void size(int n) {
    n_ = n;
    is_factored_ = false;
    rows_.clear();
    if (n > kSmall) {
      seen_.setZero(n, n);
      kind_ = Kind::undecided;
    } else {
      be_dense();
    }
  }

  Status factor(const Matrix& W) {
    const Status status = factor_as_is_best(W);
    is_factored_ = status == Status::ok;
    return status;
  }

  [[nodiscard]] Status solve(const Vector& b, Vector& x) {
    if (!is_factored_) return Status::singular;
    if (kind_ == Kind::sparse)
      sparse_.solve(b, x);
    else
      dense_.solve(b, x);
    return Status::ok;
  }

  // Where the pivots of sparse factors were chosen: matrices factored afterwards give the same digits then.
  void keep(Memory& memory) {
    int kind = kind_ == Kind::undecided ? 0 : kind_ == Kind::dense ? 1 : 2;
    memory(kind, 0, 2);
    if (memory.reads() && !memory.is_good()) return;
    if (kind == 1 && kind_ != Kind::dense) be_dense();
    if (kind != 2) return;
    std::vector<int> places(places_.begin(), places_.end());
    memory.list(places, std::max(n_ * n_ - 1, 0));
    Mat parts(places.size(), 2);
    for (size_t p = 0; p < places.size(); ++p)
      if (!memory.reads()) parts.row(Eigen::Index(p)) << std::real(chosen_[p]), std::imag(chosen_[p]);
    memory(parts);
    if (!memory.reads() || !memory.is_good()) return;
    if (n_ <= kSmall) return memory.refuse();
    seen_.setZero(n_, n_);
    for (const int place : places) seen_.data()[place] = 1;
    lay_out();
    if (places_.size() != places.size()) return memory.refuse();
    for (size_t p = 0; p < places.size(); ++p) {
      if constexpr (std::is_same_v<Scalar, double>)
        chosen_[p] = parts(Eigen::Index(p), 0);
      else
        chosen_[p] = Scalar(parts(Eigen::Index(p), 0), parts(Eigen::Index(p), 1));
    }
    kind_ = Kind::sparse;
    is_factored_ = false;
    if (sparse_.factor(chosen_) != Status::ok) memory.refuse();
  }

  bool is_sparse() const { return kind_ == Kind::sparse; }

 private:
  static constexpr int kSmall = 24;
  static constexpr double kDearer =
      6;  // measured: a multiplication of the sparse factors against one of the dense
  enum class Kind { undecided, dense, sparse };

  Status factor_as_is_best(const Matrix& W) {
    if (kind_ != Kind::dense) {
      const bool known = kind_ == Kind::sparse && gather(W);
      if (known && sparse_.refactor(values_)) return Status::ok;
      if (!known) find_pattern(W);
      if (const Status status = sparse_.factor(values_); status != Status::ok) return status;
      chosen_ = values_;
      if (known) return Status::ok;
      const double n = n_;
      kind_ = kDearer * sparse_.operations() < n * n * n / 3 ? Kind::sparse : Kind::dense;  // (1)
      if (kind_ == Kind::sparse) return Status::ok;
      be_dense();
    }
    dense_.compute(W);
    const auto pivots = dense_.factors().diagonal().cwiseAbs();
    if (!std::isfinite(pivots.sum())) return Status::not_finite;  // minCoeff() may pass over NaN
    return n_ == 0 || pivots.minCoeff() > 0 ? Status::ok : Status::singular;
  }

  void be_dense() {
    kind_ = Kind::dense;
    seen_.resize(0, 0);
    dense_.compute(Matrix::Identity(n_, n_));
  }

  // The values of the pattern; false if there are others that are not zero.
  bool gather(const Matrix& W) {
    const Scalar* data = W.data();
    Eigen::Index count = 0;
    for (size_t p = 0; p < places_.size(); ++p) {
      values_[p] = data[places_[p]];
      if (values_[p] != Scalar(0)) ++count;
    }
    return (W.array() != Scalar(0)).count() == count;
  }

  void find_pattern(const Matrix& W) {
    seen_ = (W.array() != Scalar(0)).select(Pattern::Ones(n_, n_), seen_);
    lay_out();
    gather(W);
  }

  void lay_out() {
    starts_.assign(1, 0);
    rows_.clear();
    places_.clear();
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i < n_; ++i)
        if (seen_(i, j) != 0) {
          rows_.push_back(i);
          places_.push_back(Eigen::Index(j) * n_ + i);
        }
      starts_.push_back(static_cast<int>(rows_.size()));
    }
    values_.resize(places_.size());
    chosen_.resize(places_.size());
    sparse_.analyze(n_, starts_, rows_);
  }

  using Pattern = Eigen::Matrix<signed char, Eigen::Dynamic, Eigen::Dynamic>;

  int n_ = 0;
  bool is_factored_ = false;
  Kind kind_ = Kind::dense;
  Pattern seen_;  // entries that have been other than zero
  std::vector<int> starts_, rows_;
  std::vector<Eigen::Index> places_;     // of the pattern's entries in W
  std::vector<Scalar> values_, chosen_;  // now; where pivots were chosen
  SparseLu<Scalar> sparse_;
  DenseLu<Scalar> dense_;
};

}  // namespace driftless
