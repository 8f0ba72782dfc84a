#include "driftless/math/linear/row_choice.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "driftless/math/linear/skipping_ldlt.hpp"

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
constexpr double kByFar = 10;

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
