// LU factors of the matrices of Newton's method: dense, or sparse (sparse_lu.hpp) where that is less work.
// The matrix comes assembled by its structure (sparse_assembly.hpp); entries of it that have been other than zero are the
// pattern of the factors, and stay in it. The first matrix decides: sparse if its operations, times kDearer, stay below the
// n³/3 of the dense factors. Nothing of size n × n is made for sparse ones.                                                (1)
// A factorisation allocates nothing but where an entry appears that was zero so far, or a pivot has become weak. Behind one
// that failed, or before the first, solve() refuses.
#pragma once

#include <algorithm>
#include <complex>
#include <limits>
#include <type_traits>

#include "driftless/math/linear/dense.hpp"
#include "driftless/math/linear/sparse_assembly.hpp"
#include "driftless/math/linear/sparse_lu.hpp"
#include "driftless/math/memory.hpp"

namespace driftless {

template <class Scalar>
class NewtonLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  void size(int n) {
    n_ = n;
    is_factored_ = false;
    version_ = -1;
    starts_.assign(size_t(n) + 1, 0);
    rows_.clear();
    if (n > kSmall) {
      kind_ = Kind::undecided;
      matrix_.resize(0, 0);
    } else {
      be_dense();
    }
  }

  Status factor(const SparseAssembly<Scalar>& W) {
    const Status status = factor_as_is_best(W);
    is_factored_ = status == Status::ok;
    return status;
  }

  [[nodiscard]] Status solve(const Vector& b, Vector& x) {
    if (!is_factored_) return Status::singular;
    if (kind_ == Kind::sparse)
      sparse_.solve(b, x);
    else if (n_ > 0)
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
    std::vector<int> starts = starts_, rows = rows_;
    memory.list(starts, std::numeric_limits<int>::max());
    memory.list(rows, std::max(n_ - 1, 0));
    Mat parts(Eigen::Index(rows.size()), 2);
    for (size_t p = 0; p < rows.size(); ++p)
      if (!memory.reads()) parts.row(Eigen::Index(p)) << std::real(chosen_[p]), std::imag(chosen_[p]);
    memory(parts);
    if (!memory.reads() || !memory.is_good()) return;
    if (n_ <= kSmall || !is_pattern(starts, rows)) return memory.refuse();
    starts_ = std::move(starts);
    rows_ = std::move(rows);
    analyze();
    for (size_t p = 0; p < rows_.size(); ++p) {
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

  Status factor_as_is_best(const SparseAssembly<Scalar>& W) {
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
    if (n_ == 0) return Status::ok;
    matrix_.setZero();
    for (int j = 0; j < n_; ++j)
      for (int p = W.starts()[size_t(j)]; p < W.starts()[size_t(j) + 1]; ++p)
        matrix_(W.rows()[size_t(p)], j) = W.values()[size_t(p)];
    dense_.compute(matrix_);
    const auto pivots = dense_.factors().diagonal().cwiseAbs();
    if (!std::isfinite(pivots.sum())) return Status::not_finite;  // minCoeff() may pass over NaN
    return pivots.minCoeff() > 0 ? Status::ok : Status::singular;
  }

  void be_dense() {
    kind_ = Kind::dense;
    matrix_.setZero(n_, n_);
    if (n_ > 0) dense_.compute(Matrix::Identity(n_, n_));
  }

  // The values of the pattern; false if there are others that are not zero.
  bool gather(const SparseAssembly<Scalar>& W) {
    if (W.version() != version_) find_places(W);
    const auto values = W.values();
    for (size_t p = 0; p < values.size(); ++p) {
      if (places_[p] >= 0)
        values_[size_t(places_[p])] = values[p];
      else if (values[p] != Scalar(0))
        return false;
    }
    return true;
  }

  // Where the entries of W stand in the pattern of the factors; −1: nowhere.
  void find_places(const SparseAssembly<Scalar>& W) {
    places_.assign(W.rows().size(), -1);
    std::fill(values_.begin(), values_.end(), Scalar(0));
    for (size_t j = 0; j < size_t(n_); ++j) {
      int at = starts_[j];
      for (int p = W.starts()[j]; p < W.starts()[j + 1]; ++p) {
        while (at < starts_[j + 1] && rows_[size_t(at)] < W.rows()[size_t(p)]) ++at;
        if (at < starts_[j + 1] && rows_[size_t(at)] == W.rows()[size_t(p)]) places_[size_t(p)] = at;
      }
    }
    version_ = W.version();
  }

  // The pattern grows by the entries of W that are not zero.
  void find_pattern(const SparseAssembly<Scalar>& W) {
    std::vector<int> starts(1, 0), rows;
    for (size_t j = 0; j < size_t(n_); ++j) {
      const auto first = rows.size();
      rows.insert(rows.end(), rows_.begin() + starts_[j], rows_.begin() + starts_[j + 1]);
      for (int p = W.starts()[j]; p < W.starts()[j + 1]; ++p)
        if (W.values()[size_t(p)] != Scalar(0)) rows.push_back(W.rows()[size_t(p)]);
      std::sort(rows.begin() + std::ptrdiff_t(first), rows.end());
      rows.erase(std::unique(rows.begin() + std::ptrdiff_t(first), rows.end()), rows.end());
      starts.push_back(static_cast<int>(rows.size()));
    }
    starts_ = std::move(starts);
    rows_ = std::move(rows);
    analyze();
    gather(W);
  }

  void analyze() {
    values_.assign(rows_.size(), Scalar(0));
    chosen_.assign(rows_.size(), Scalar(0));
    version_ = -1;
    sparse_.analyze(n_, starts_, rows_);
  }

  bool is_pattern(const std::vector<int>& starts, const std::vector<int>& rows) const {
    if (starts.size() != size_t(n_) + 1 || starts.front() != 0 || starts.back() != int(rows.size()))
      return false;
    for (size_t j = 0; j < size_t(n_); ++j) {
      if (starts[j] > starts[j + 1]) return false;
      for (int p = starts[j] + 1; p < starts[j + 1]; ++p)
        if (rows[size_t(p)] <= rows[size_t(p) - 1]) return false;
    }
    return true;
  }

  int n_ = 0;
  bool is_factored_ = false;
  Kind kind_ = Kind::dense;
  std::vector<int> starts_, rows_;       // pattern of the sparse factors
  std::vector<int> places_;              // of the entries of W in it
  long version_ = -1;                    // of W they belong to
  std::vector<Scalar> values_, chosen_;  // now; where pivots were chosen
  SparseLu<Scalar> sparse_;
  Matrix matrix_;  // dense only
  DenseLu<Scalar> dense_;
};

}  // namespace driftless
