#include "driftless/math/row_choice.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include <Eigen/OrderingMethods>

namespace driftless {
namespace {

constexpr double kCandidate = 1e-6;  // pivots of (1), squared sines
constexpr double kSingular = 1e-14;  // of a set that is no better than dependent
constexpr double kLargestShare = 2;  // of (4)
constexpr double kNoShare = 1e-6;    // |c| below which a row has no part in a combination
constexpr int kMaxPasses = 50;
constexpr int kMaxRowRefinements = 6;  // of (2)
constexpr size_t kFewCandidates = 64;  // that are tested one by one rather than by (5)
constexpr double kSurePivot = 1e-9;    // of (5): what is below counts as dependent until (2) says otherwise
constexpr double kLuck = 0.03;
constexpr int kPowers = 4;
constexpr double kSureEigenvalue = 1e-11;
constexpr double kByFar = 10;

// The upper triangle of Ĵ Ĵᵀ. Eigen's product of sparse matrices holds four times as much while it works, which for 10⁵ bodies
// was the largest thing in memory.
Eigen::SparseMatrix<double> upper_gram(const SparseRows& rows) {
  const Eigen::SparseMatrix<double> columns = rows;
  const int m = static_cast<int>(rows.rows());
  std::vector<int> seen(size_t(m), -1), others;
  Vec sum = Vec::Zero(m);
  const auto row_of_products = [&](int j) {  // with rows up to j, ascending in `others`
    others.clear();
    for (SparseRows::InnerIterator e(rows, j); e; ++e)
      for (Eigen::SparseMatrix<double>::InnerIterator f(columns, e.col()); f && f.row() <= j; ++f) {
        const auto i = static_cast<int>(f.row());
        if (seen[size_t(i)] != j) {
          seen[size_t(i)] = j;
          others.push_back(i);
          sum[i] = 0;
        }
        sum[i] += e.value() * f.value();
      }
  };
  Eigen::SparseMatrix<double> K(m, m);
  if (m == 0) return K;
  Eigen::VectorXi counts(m);
  for (int j = 0; j < m; ++j) {
    row_of_products(j);
    counts[j] = static_cast<int>(others.size());
  }
  K.reserve(counts);
  std::fill(seen.begin(), seen.end(), -1);
  for (int j = 0; j < m; ++j) {
    row_of_products(j);
    std::sort(others.begin(), others.end());
    for (const int i : others) K.insert(i, j) = sum[i];
  }
  K.makeCompressed();
  return K;
}

constexpr int kColumns = 8;  // solved for at once: L is long, and read once for all of them
using Columns = Eigen::Matrix<double, Eigen::Dynamic, kColumns, Eigen::RowMajor>;

// L D Lᵀ of Ĵ Ĵᵀ in an order that fills little, with rows left out: those told, and those whose pivot vanishes.
class SkippingLdlt {
 public:
  // The first rows come first, and long ones before short ones: a short row's direction is less exact, and must not decide
  // about a long one.
  SkippingLdlt(const SparseRows& unit, int first)
      : m_(static_cast<int>(unit.rows())), order_(size_t(m_)), place_(size_t(m_)), parent_(size_t(m_)) {
    const Eigen::SparseMatrix<double> K = upper_gram(unit);
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(K.selfadjointView<Eigen::Upper>(), inverse);
    for (int k = 0; k < m_; ++k) order_[size_t(k)] = inverse.indices()[k];
    std::vector<int> rank(size_t(m_), 0);  // kind, then decade of the length
    for (int i = 0; i < m_; ++i) {
      const double norm = unit.row(i).norm();
      rank[size_t(i)] =
          (i < first ? 0 : 1000) + (norm > 0 ? int(std::max(0.0, -std::log10(norm) + 0.5)) : 999);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return rank[size_t(a)] < rank[size_t(b)]; });
    for (int k = 0; k < m_; ++k) place_[size_t(order_[size_t(k)])] = k;
    above_.resize(size_t(m_));
    for (int j = 0; j < m_; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(K, j); e; ++e) {
        const auto [row, column] = std::minmax(place_[size_t(e.row())], place_[size_t(j)]);
        above_[size_t(column)].push_back({row, e.value()});
      }
    find_tree();
    below_.resize(size_t(m_));
    inverse_.resize(size_t(m_));
    y_ = Columns::Zero(m_, kColumns);
  }

  // Rows found dependent on those before them that are kept. `out` says which rows are left out to begin with; the first
  // `trusted` are independent for sure. Rows are eliminated eight at a time: columns of L are long, and read once for all.
  std::vector<int> factor(const std::vector<bool>& out, double tolerance, int trusted = 0) {
    std::vector<int> skipped;
    mark_.assign(size_t(m_), -1);
    for (auto& column : below_) column.clear();
    std::fill(inverse_.begin(), inverse_.end(), 0.0);
    weakest_ = 1;
    for (int first = 0; first < m_; first += kColumns) {
      const int count = std::min(kColumns, m_ - first);
      gather(first, count, out);
      substitute();
      for (int c = 0; c < count; ++c) {
        const int row = order_[size_t(first + c)];
        if (out[size_t(row)]) continue;
        const double pivot = block_(c, c), diagonal = diagonal_[c];
        if (!(pivot > (row < trusted ? 0 : tolerance) * diagonal)) {
          skipped.push_back(row);
          continue;
        }
        weakest_ = std::min(weakest_, pivot / diagonal);
        keep(first, c, count, pivot);
      }
      for (const int i : reach_) y_.row(i).setZero();
    }
    return skipped;
  }

  double weakest() const { return weakest_; }  // pivot kept, against its diagonal

  // (5) over the kept rows. Nothing that round-off could have made out of zero passes.
  double least_eigenvalue() {
    Columns x(m_, kColumns);
    std::minstd_rand generator(1);  // the same numbers every time
    std::normal_distribution<double> normal;
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = normal(generator);
    double growth = 0;  // log |x|
    for (int power = 0; power < kPowers; ++power) {
      solve(x);
      const double norm = x.colwise().norm().maxCoeff();
      if (norm == 0) return 1;  // no row is kept
      growth += std::log(norm);
      x /= norm;
    }
    const double least = std::exp((std::log(kLuck) - growth) / kPowers);
    return least > kSureEigenvalue ? least : 0;  // NaN: 0
  }

  // x ← (Ĵ Ĵᵀ)⁻¹ x over the kept rows, zero in the others.
  void solve(Columns& x) {
    Columns y(m_, kColumns);
    for (int k = 0; k < m_; ++k)
      if (inverse_[size_t(k)] == 0)
        y.row(k).setZero();
      else
        y.row(k) = x.row(order_[size_t(k)]);
    for (int k = 0; k < m_; ++k) {
      const Eigen::Matrix<double, 1, kColumns> own = y.row(k);
      for (const Entry& entry : below_[size_t(k)]) y.row(entry.row) -= entry.value * own;
    }
    for (int k = m_ - 1; k >= 0; --k) {
      Eigen::Matrix<double, 1, kColumns> sum = y.row(k) * inverse_[size_t(k)];
      for (const Entry& entry : below_[size_t(k)]) sum -= entry.value * y.row(entry.row);
      y.row(k) = sum;
    }
    for (int k = 0; k < m_; ++k) x.row(order_[size_t(k)]) = y.row(k);
  }

 private:
  struct Entry {
    int row;
    double value;
  };

  // Rows first … first + count − 1 of Ĵ Ĵᵀ: before the block into y_, with the columns they reach; in it into block_.
  void gather(int first, int count, const std::vector<bool>& out) {
    block_.setZero();
    reach_.clear();
    for (int c = 0; c < count; ++c) {
      if (out[size_t(order_[size_t(first + c)])]) continue;
      for (const Entry& entry : above_[size_t(first + c)]) {
        if (entry.row >= first) {
          block_(c, entry.row - first) += entry.value;
          continue;
        }
        y_(entry.row, c) += entry.value;
        for (int i = entry.row; i >= 0 && i < first && mark_[size_t(i)] != first; i = parent_[size_t(i)]) {
          mark_[size_t(i)] = first;
          reach_.push_back(i);
        }
      }
      diagonal_[c] = block_(c, c);
    }
    std::sort(reach_.begin(), reach_.end());
  }

  // y_ ← D Lᵀ of the block's rows by the columns before it, block_ less what these take off.
  void substitute() {
    size_t kept = 0;
    for (const int i : reach_) {
      if (inverse_[size_t(i)] == 0) {
        y_.row(i).setZero();
        continue;
      }
      reach_[kept++] = i;
      const Eigen::Matrix<double, 1, kColumns> values = y_.row(i);
      for (const Entry& entry : below_[size_t(i)]) y_.row(entry.row) -= entry.value * values;
      block_.noalias() -= (inverse_[size_t(i)] * values.transpose()) * values;
    }
    reach_.resize(kept);
  }

  // Row c of the block has this pivot: its entries of L, and what it takes off those behind it.
  void keep(int first, int c, int count, double pivot) {
    const int k = first + c;
    for (const int i : reach_)
      if (y_(i, c) != 0) below_[size_t(i)].push_back({k, y_(i, c) * inverse_[size_t(i)]});
    inverse_[size_t(k)] = 1 / pivot;
    for (int e = 0; e < c; ++e)
      if (inverse_[size_t(first + e)] != 0 && block_(c, e) != 0)
        below_[size_t(first + e)].push_back({k, block_(c, e)});
    for (int d = c + 1; d < count; ++d) {
      const double scaled = block_(d, c) / pivot;
      for (int e = c + 1; e <= d; ++e) block_(d, e) -= scaled * block_(e, c);
    }
    for (int d = c + 1; d < count; ++d) block_(d, c) /= pivot;
  }

  void find_tree() {  // elimination tree, with paths shortened as they are walked
    std::vector<int> ancestor(size_t(m_), -1);
    for (int k = 0; k < m_; ++k) {
      parent_[size_t(k)] = -1;
      for (const Entry& entry : above_[size_t(k)])
        for (int i = entry.row; i >= 0 && i < k;) {
          const int next = ancestor[size_t(i)];
          ancestor[size_t(i)] = k;
          if (next < 0) parent_[size_t(i)] = k;
          i = next;
        }
    }
  }

  int m_;
  std::vector<int> order_, place_;         // row eliminated k-th, and back
  std::vector<int> parent_;                // elimination tree
  std::vector<std::vector<Entry>> above_;  // upper triangle of Ĵ Ĵᵀ by columns, in order
  std::vector<std::vector<Entry>> below_;  // columns of L
  std::vector<int> mark_, reach_;          // columns the block at work reaches
  std::vector<double> inverse_;            // 1/D; 0: left out
  double weakest_ = 1;
  Columns y_;
  Eigen::Matrix<double, kColumns, kColumns> block_;  // lower triangle
  Eigen::Matrix<double, kColumns, 1> diagonal_;
};

// B of (5), and σ against the least singular value of B.
struct Equilibrated {
  SparseRows rows;
  double shrink = 1;

  explicit Equilibrated(const SparseRows& J) : rows(J) {
    Vec columns = Vec::Zero(J.cols());
    for (int i = 0; i < J.rows(); ++i)
      for (SparseRows::InnerIterator e(J, i); e; ++e) columns[e.col()] += e.value() * e.value();
    columns = columns.cwiseSqrt();
    double least_column = 0, least_row = 0;
    for (const double norm : columns)
      if (norm > 0 && (least_column == 0 || norm < least_column)) least_column = norm;
    for (int i = 0; i < J.rows(); ++i) {
      for (SparseRows::InnerIterator e(rows, i); e; ++e)
        e.valueRef() = columns[e.col()] > 0 ? e.value() / columns[e.col()] : 0;
      const double norm = rows.row(i).norm();
      if (norm == 0) continue;
      rows.row(i) /= norm;
      if (least_row == 0 || norm < least_row) least_row = norm;
    }
    shrink = least_column * least_row;
  }
};

class RowChoice {
 public:
  explicit RowChoice(const BalancedRows& balanced)
      : unit_(balanced.rows()),
        first_(balanced.holonomic()),
        round_off_(balanced.round_off()),
        ldlt_(unit_, first_),
        out_(size_t(unit_.rows()), false),
        c_(unit_.rows()),
        rest_(unit_.cols()) {}

  std::vector<int> dependent(double tolerance) {
    if (first_ < unit_.rows()) {
      std::fill(out_.begin() + first_, out_.end(), true);
      leave_out_dependent(tolerance, 0);
      std::fill(out_.begin() + first_, out_.end(), false);
      leave_out_dependent(tolerance, first_);
    } else {
      leave_out_dependent(tolerance, 0);
    }
    improve();
    return dropped();
  }

  bool rechoose(std::vector<int>& rows) {
    for (const int row : rows) out_[size_t(row)] = true;
    const std::vector<bool> before = out_;
    if (!complete() || !improve() || out_ == before) return false;
    rows = dropped();
    return true;
  }

  double weakest(const std::vector<int>& rows) {
    for (const int row : rows) out_[size_t(row)] = true;
    return ldlt_.factor(out_, 0).empty() ? ldlt_.weakest() : 0;
  }

  std::vector<std::vector<int>> implying(const std::vector<int>& rows) {
    for (const int row : rows) out_[size_t(row)] = true;
    ldlt_.factor(out_, 0);
    std::vector<std::vector<int>> all;
    for_each_distance(rows, [&](int, double) {
      std::vector<int>& others = all.emplace_back();
      for (int j = 0; j < c_.size(); ++j)
        if (std::abs(c_[j]) >= kNoShare) others.push_back(j);
    });
    return all;
  }

 private:
  void leave_out_dependent(double tolerance, int trusted) {
    std::vector<int> candidates = ldlt_.factor(out_, kCandidate, trusted);
    const auto fewer = candidates.size() > kFewCandidates ? unsure(tolerance, trusted) : std::nullopt;
    if (fewer) candidates = *fewer;
    if (candidates.empty()) return;
    for (const int row : candidates) out_[size_t(row)] = true;
    if (fewer) ldlt_.factor(out_, 0);
    if (take_back(candidates, tolerance)) ldlt_.factor(out_, 0);
  }

  // (5): rows without which the others are independent by far. None: not known.
  std::optional<std::vector<int>> unsure(double tolerance, int trusted) const {
    const Equilibrated balanced(unit_);
    SkippingLdlt ldlt(balanced.rows, first_);
    std::vector<int> rows = ldlt.factor(out_, kSurePivot, trusted);
    const double sigma = balanced.shrink * std::sqrt(ldlt.least_eigenvalue());
    if (!(sigma > kByFar * std::max(tolerance, round_off_))) return std::nullopt;
    return rows;
  }

  bool same_kind(int a, int b) const { return (a < first_) == (b < first_); }

  // (3): candidates that are independent after all. False: none is.
  bool take_back(const std::vector<int>& candidates, double tolerance) {
    struct Open {
      int row;
      double limit;
      Vec rest;
    };
    std::vector<Open> open;
    for_each_distance(candidates, [&](int row, double height) {
      const double limit = std::max(tolerance * unit_.row(row).norm(), round_off_);
      if (height > limit) open.push_back({row, limit, rest_});
    });
    bool found = false;
    while (!open.empty()) {
      const auto longest = std::max_element(open.begin(), open.end(), [](const Open& a, const Open& b) {
        return a.rest.norm() / a.limit < b.rest.norm() / b.limit;
      });
      if (!(longest->rest.norm() > longest->limit)) break;
      const Vec direction = longest->rest.normalized();
      out_[size_t(longest->row)] = false;
      found = true;
      open.erase(longest);
      for (int pass = 0; pass < 2; ++pass)
        for (Open& other : open) other.rest -= direction.dot(other.rest) * direction;
    }
    return found;
  }

  // Kept rows that have become dependent make way for the best of the dropped ones. False: there is none.
  bool complete() {
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      const std::vector<int> weak = ldlt_.factor(out_, kCandidate);
      if (weak.empty()) return true;
      std::vector<int> choice = dropped();
      std::erase_if(choice, [&](int row) { return !same_kind(row, weak.front()); });
      double best = 0, own = 0;
      int best_row = -1;
      for_each_distance(choice, [&](int row, double height) {
        if (height <= best) return;
        best = height;
        best_row = row;
      });
      for_each_distance({weak.front()}, [&](int, double height) { own = height; });
      if (best <= 2 * own) {  // no better than what there is
        ldlt_.factor(out_, kSingular);
        return own * own > kSingular;
      }
      out_[size_t(weak.front())] = true;
      out_[size_t(best_row)] = false;
    }
    return false;
  }

  // (4): the factors are those of the present choice, here and when it returns.
  bool improve() {
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      std::vector<bool> touched(out_.size(), false);
      bool swapped = false;
      for_each_distance(dropped(), [&](int row, double) {
        Eigen::Index largest = 0;
        const auto kind = row < first_ ? c_.head(first_) : c_.tail(c_.size() - first_);
        if (!(kind.cwiseAbs().maxCoeff(&largest) > kLargestShare)) return;
        if (row >= first_) largest += first_;
        bool free = true;  // of rows another swap of this pass has to do with
        for (Eigen::Index j = 0; j < c_.size(); ++j)
          free &= std::abs(c_[j]) < kNoShare || !touched[size_t(j)];
        if (!free) return;
        for (Eigen::Index j = 0; j < c_.size(); ++j)
          if (std::abs(c_[j]) >= kNoShare) touched[size_t(j)] = true;
        out_[size_t(largest)] = true;
        out_[size_t(row)] = false;
        swapped = true;
      });
      if (!swapped) return true;
      if (!ldlt_.factor(out_, kSingular).empty()) return false;
    }
    return true;
  }

  // (2): use(row, |r|) for every row, with c over the kept rows in c_ and r in rest_. The factors must not change meanwhile.
  template <class Use>
  void for_each_distance(const std::vector<int>& rows, Use use) {
    for (size_t first = 0; first < rows.size(); first += kColumns) {
      const auto count = static_cast<Eigen::Index>(std::min(rows.size() - first, size_t(kColumns)));
      Columns rest = Columns::Zero(unit_.cols(), kColumns), c = Columns::Zero(unit_.rows(), kColumns);
      for (Eigen::Index j = 0; j < count; ++j)
        for (SparseRows::InnerIterator e(unit_, rows[first + size_t(j)]); e; ++e)
          rest(e.col(), j) = e.value();
      Eigen::Array<double, 1, kColumns> before = rest.colwise().norm().array();
      Eigen::Array<bool, 1, kColumns> done = before == 0;
      for (int refinement = 0; refinement < kMaxRowRefinements && !done.all(); ++refinement) {
        Columns share = unit_ * rest;
        ldlt_.solve(share);
        for (Eigen::Index j = 0; j < kColumns; ++j)
          if (done[j]) share.col(j).setZero();
        c += share;
        rest -= unit_.transpose() * share;
        const Eigen::Array<double, 1, kColumns> now = rest.colwise().norm().array();
        if (refinement > 0) done = done || !(now < 0.5 * before);  // all there is
        before = now;
      }
      for (Eigen::Index j = 0; j < count; ++j) {
        c_ = c.col(j);
        rest_ = rest.col(j);
        use(rows[first + size_t(j)], rest_.norm());
      }
    }
  }

  std::vector<int> dropped() const {
    std::vector<int> rows;
    for (size_t i = 0; i < out_.size(); ++i)
      if (out_[i]) rows.push_back(static_cast<int>(i));
    return rows;
  }

  const SparseRows& unit_;  // Ĵ
  int first_;               // rows of the first kind
  double round_off_;
  SkippingLdlt ldlt_;
  std::vector<bool> out_;
  Vec c_, rest_;
};

}  // namespace

BalancedRows::BalancedRows(const SparseRows& J) : rows_(J), holonomic_(static_cast<int>(J.rows())) {
  for (int i = 0; i < rows_.rows(); ++i)
    if (const double norm = rows_.row(i).norm(); norm > 0) rows_.row(i) /= norm;
}

BalancedRows::BalancedRows(const SparseRows& J, ConstVec scale, double length, int holonomic)
    : rows_(J), holonomic_(holonomic), round_off_(kDependent) {
  for (int i = 0; i < rows_.rows(); ++i) {
    for (SparseRows::InnerIterator e(rows_, i); e; ++e) e.valueRef() *= scale[e.col()];
    const double by = factor(rows_.row(i).norm(), length);
    for (SparseRows::InnerIterator e(rows_, i); e; ++e) e.valueRef() *= by;
  }
}

std::vector<int> dependent_rows(const BalancedRows& J, double tolerance) {
  if (J.rows().rows() == 0 || !J.rows().coeffs().allFinite()) return {};
  return RowChoice(J).dependent(tolerance);
}

double least_singular_value(const SparseRows& J) {
  if (J.rows() == 0) return 1;
  if (!J.coeffs().allFinite()) return 0;
  const Equilibrated balanced(J);
  SkippingLdlt ldlt(balanced.rows, static_cast<int>(J.rows()));
  if (!ldlt.factor(std::vector<bool>(size_t(J.rows())), kSurePivot).empty()) return 0;
  return balanced.shrink * std::sqrt(ldlt.least_eigenvalue());
}

std::vector<std::vector<int>> implying_rows(const BalancedRows& J, const std::vector<int>& dropped) {
  if (dropped.empty()) return {};
  return RowChoice(J).implying(dropped);
}

double weakest_kept(const BalancedRows& J, const std::vector<int>& dropped) {
  return J.rows().coeffs().allFinite() ? RowChoice(J).weakest(dropped) : 0;
}

bool rechoose_rows(const BalancedRows& J, std::vector<int>& dropped) {
  return J.rows().coeffs().allFinite() && RowChoice(J).rechoose(dropped);
}

}  // namespace driftless
