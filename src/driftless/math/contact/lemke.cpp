#include "driftless/math/contact/lemke.hpp"

#include <cmath>
#include <vector>

namespace driftless {
namespace {

// Rows: basic variables. Columns: w (n), z (n), z₀, right side. The columns of w hold B⁻¹, which the lexicographic rule reads.
class LemkeTableau {
 public:
  LemkeTableau(const Mat& M, const Vec& q) : n_(static_cast<int>(q.size())), table_(n_, 2 * n_ + 2) {
    table_.leftCols(n_).setIdentity();
    table_.middleCols(n_, n_) = -M;
    table_.col(2 * n_).setConstant(-1);
    table_.col(2 * n_ + 1) = q;
    basis_.resize(size_t(n_));
    for (int i = 0; i < n_; ++i) basis_[size_t(i)] = i;
    small_ = kSmallPivot * std::max(1.0, M.cwiseAbs().maxCoeff());
  }

  LemkeResult run();

 private:
  static constexpr double kSmallPivot = 1e-11;
  int artificial() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  int first_row() const;
  int leaving_row(int entering) const;
  bool is_less(int row, int other, int entering) const;
  void pivot(int row, int column);

  int n_;
  Mat table_;
  std::vector<int> basis_;
  double small_ = 0;
};

// The row that makes every right side lexicographically positive when z₀ enters.
int LemkeTableau::first_row() const {
  int row = 0;
  for (int i = 1; i < n_; ++i) {
    const double difference = table_(i, 2 * n_ + 1) - table_(row, 2 * n_ + 1);
    // among equals (q, e_i) is lexicographically least for the last one
    if (difference < 0 || difference == 0) row = i;
  }
  return row;
}

bool LemkeTableau::is_less(int row, int other, int entering) const {
  const double a = table_(row, entering), b = table_(other, entering);
  const auto compare = [&](int column) { return table_(row, column) / a - table_(other, column) / b; };
  const double rhs = compare(2 * n_ + 1);
  const double size = std::abs(table_(row, 2 * n_ + 1) / a) + std::abs(table_(other, 2 * n_ + 1) / b);
  if (std::abs(rhs) > 1e-14 * size) return rhs < 0;
  if (basis_[size_t(row)] == artificial()) return true;  // done, if z₀ may leave
  if (basis_[size_t(other)] == artificial()) return false;
  for (int k = 0; k < n_; ++k)
    if (const double difference = compare(k); std::abs(difference) > 1e-13) return difference < 0;
  return false;
}

int LemkeTableau::leaving_row(int entering) const {
  int best = -1;
  for (int i = 0; i < n_; ++i) {
    if (table_(i, entering) <= small_) continue;
    if (best < 0 || is_less(i, best, entering)) best = i;
  }
  return best;
}

void LemkeTableau::pivot(int row, int column) {
  table_.row(row) /= table_(row, column);
  for (int i = 0; i < n_; ++i)
    if (i != row) {
      const double factor = table_(i, column);
      if (factor != 0) table_.row(i) -= factor * table_.row(row);
      table_(i, column) = 0;
    }
  table_(row, column) = 1;
}

LemkeResult LemkeTableau::run() {
  LemkeResult out;
  out.w = Vec::Zero(n_);
  out.z = Vec::Zero(n_);
  const auto read = [&] {
    for (int i = 0; i < n_; ++i) {
      const double value = std::max(0.0, table_(i, 2 * n_ + 1));
      if (basis_[size_t(i)] < n_)
        out.w[basis_[size_t(i)]] = value;
      else if (basis_[size_t(i)] < artificial())
        out.z[basis_[size_t(i)] - n_] = value;
    }
    out.solved = true;
  };
  if (n_ == 0 || table_.col(2 * n_ + 1).minCoeff() >= 0) {
    read();
    return out;
  }
  int row = first_row();
  int entering = artificial();
  const int most = 50 * n_ + 200;  // the rule excludes cycles; round-off might not
  for (; out.pivots < most; ++out.pivots) {
    const int leaving = basis_[size_t(row)];
    pivot(row, entering);
    basis_[size_t(row)] = entering;
    if (leaving == artificial()) {
      read();
      return out;
    }
    entering = complement(leaving);
    row = leaving_row(entering);
    if (row < 0) return out;
  }
  return out;
}

}  // namespace

LemkeResult solve_lcp(const Mat& M, const Vec& q) { return LemkeTableau(M, q).run(); }

}  // namespace driftless
