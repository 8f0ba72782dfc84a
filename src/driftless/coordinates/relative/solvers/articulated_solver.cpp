#include "driftless/coordinates/relative/solvers/articulated_solver.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <Eigen/OrderingMethods>

#include "driftless/math/linear/row_choice.hpp"

namespace driftless {
namespace {

// Squared sine of the angle between a row and the span of those before it: below this it is round-off of zero.
constexpr double kPivotTolerance = 1e-13;
constexpr double kWeak = 1e-4, kHopeless = 1e-9;
// Products of (1) worth a list of where they go.
constexpr size_t kLongestList = 4'000'000;

template <int D>
int width(const Tree<D>& tree, int link) {
  return Tree<D>::width(tree.link(link).kind);
}

}  // namespace

template <int D>
ArticulatedSolver<D>::ArticulatedSolver(const Tree<D>& tree, const Layout& layout, Stand stand)
    : tree_(tree),
      stand_(stand),
      pattern_(layout.J),
      bodies_(tree),
      scale_(layout.v_scale),
      length_(layout.length),
      holonomic_(layout.mh),
      g0_(tree.nv()),
      x_(tree.nv()),
      y_(layout.m),
      all_y_(layout.m),
      e1_(tree.nv()),
      e2_(layout.m),
      twists_(size_t(tree.slots())),
      wrenches_(size_t(tree.slots())) {
  drop_rows({});
}

template <int D>
void ArticulatedSolver<D>::drop_rows(std::span<const int> rows) {
  dropped_.assign(rows.begin(), rows.end());
  kept_.clear();
  for (int row = 0; row < pattern_.rows(); ++row)
    if (!std::binary_search(dropped_.begin(), dropped_.end(), row)) kept_.push_back(row);
  z_.resize(static_cast<Eigen::Index>(kept_.size()));
  list_entries();
  plan_elimination();
  watch_.reset();
}

template <int D>
bool ArticulatedSolver<D>::rechoose(const SparseRows& J) {
  if (!watch_.wants_look(weakest_)) return false;
  std::vector<int> rows = dropped_;
  if (!rechoose_rows({J, scale_, length_, holonomic_}, rows)) return false;
  drop_rows(rows);
  return true;
}

template <int D>
void ArticulatedSolver<D>::list_entries() {
  std::vector<int> link_of_rate(size_t(tree_.nv()));
  for (int i = 1; i <= tree_.links(); ++i)
    for (int c = 0; c < width(tree_, i); ++c) link_of_rate[size_t(tree_.link(i).v + c)] = i;
  std::vector<std::map<int, int>> rows_at(size_t(tree_.links()) + 1);  // per link: kept row → slot in J
  for (size_t k = 0; k < kept_.size(); ++k) {
    const int row = kept_[k];
    for (int s = pattern_.outerIndexPtr()[row]; s < pattern_.outerIndexPtr()[row + 1]; ++s) {
      const int rate = pattern_.innerIndexPtr()[s], link = link_of_rate[size_t(rate)];
      auto [at, fresh] = rows_at[size_t(link)].try_emplace(static_cast<int>(k), -1);
      if (rate == tree_.link(link).v) at->second = s;
      for (int i = tree_.link(link).parent; fresh && i > 0; i = tree_.link(i).parent)
        fresh = rows_at[size_t(i)].emplace(static_cast<int>(k), -1).second;
    }
  }
  entries_.assign(1, {-1, -1, 0, 0});  // spare: takes what arrives at the ground
  reached_.clear();
  std::vector<std::map<int, int>> entry_at(rows_at.size());
  int values = 0;
  for (int i = tree_.links(); i > 0; --i) {
    const auto& rows = rows_at[size_t(i)];
    if (rows.empty()) continue;
    Reached& reached = reached_.emplace_back();
    reached = {i, static_cast<int>(entries_.size()), 0};
    for (const auto& [row, slot] : rows) {
      entry_at[size_t(i)][row] = static_cast<int>(entries_.size());
      entries_.push_back({row, slot, 0, values});
      values += width(tree_, i);
    }
    reached.end = static_cast<int>(entries_.size());
  }
  for (const Reached& reached : reached_)
    for (int k = reached.begin; k < reached.end; ++k)
      if (const int parent = tree_.link(reached.link).parent; parent > 0)
        entries_[size_t(k)].inboard = entry_at[size_t(parent)].at(entries_[size_t(k)].row);
  b_.assign(entries_.size(), {});
  e_.assign(size_t(values), 0);
  g_.assign(size_t(values), 0);
}

// Where the products of (1) go, and in which order K is eliminated.
template <int D>
void ArticulatedSolver<D>::plan_elimination() {
  const int m = static_cast<int>(kept_.size());
  size_t products = 0;
  for (const Reached& r : reached_) products += size_t(r.end - r.begin) * size_t(r.end - r.begin + 1) / 2;
  planned_ = products <= kLongestList;
  targets_.clear();
  K_.resize(0, 0);
  order_.resize(size_t(m));
  for (int i = 0; i < m; ++i) order_[size_t(i)] = i;
  if (planned_ && m > 0) {
    std::map<std::pair<int, int>, int> source_of;  // lower triangle
    std::vector<Eigen::Triplet<double>> filled;
    for (const Reached& reached : reached_)
      for (int a = reached.begin; a < reached.end; ++a)
        for (int b = reached.begin; b <= a; ++b) {
          const int i = entries_[size_t(a)].row, j = entries_[size_t(b)].row;
          const auto [at, added] = source_of.emplace(std::pair(i, j), static_cast<int>(source_of.size()));
          targets_.push_back(at->second);
          if (added) filled.emplace_back(i, j, 1.0);
          if (added && i != j) filled.emplace_back(j, i, 1.0);
        }
    for (int i = 0; i < m; ++i) source_of.emplace(std::pair(i, i), static_cast<int>(source_of.size()));
    Eigen::SparseMatrix<double> K(m, m);
    K.setFromTriplets(filled.begin(), filled.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(K, inverse);
    std::vector<int> place(size_t(m), 0);
    for (int i = 0; i < m; ++i) {
      order_[size_t(i)] = inverse.indices()[i];
      place[size_t(order_[size_t(i)])] = i;
    }
    std::vector<std::vector<ScheduledLdlt::Entry>> rows(size_t(m), std::vector<ScheduledLdlt::Entry>{});
    std::vector<int> diagonal(size_t(m), 0);
    for (const auto& [pair, source] : source_of) {
      const int i = place[size_t(pair.first)], j = place[size_t(pair.second)];
      if (i == j)
        diagonal[size_t(i)] = source;
      else
        rows[size_t(std::max(i, j))].push_back({std::min(i, j), source});
    }
    for (auto& row : rows)
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    sources_ = static_cast<int>(source_of.size());
    ldlt_ = ScheduledLdlt(rows, diagonal, sources_);
    planned_ = !ldlt_.too_long();
  }
  if (!planned_) {
    targets_.clear();
    K_.resize(m, m);
    for (int i = 0; i < m; ++i) order_[size_t(i)] = i;
  }
}

template <int D>
Status ArticulatedSolver<D>::factor(const Terms& terms) {
  dependent_row_ = -1;
  terms_ = &terms;
  const TreeStand<D> at = stand_(terms);
  if (const Status status = bodies_.factor(at.frames, at.work); status != Status::ok) return status;
  if (kept_.empty()) return Status::ok;
  const Status status = factor_rows(terms.J.valuePtr());
  const bool hopeless = status == Status::singular || weakest_ < kHopeless;
  return hopeless && !dropped_.empty() && rechoose(terms.J) ? factor_rows(terms.J.valuePtr()) : status;
}

template <int D>
Status ArticulatedSolver<D>::factor_rows(const double* J) {
  constexpr double kNothing[3] = {0, 0, 0};
  dependent_row_ = -1;
  weak_ = false;
  for (auto& push : b_) push = {};
  for (const Reached& reached : reached_)
    for (int k = reached.begin; k < reached.end; ++k) {
      const Entry& entry = entries_[size_t(k)];
      const double* r = entry.slot < 0 ? kNothing : J + entry.slot;
      bodies_.pass_inboard(reached.link, r, b_[size_t(k)], &e_[size_t(entry.at)], &g_[size_t(entry.at)],
                           b_[size_t(entry.inboard)]);
    }
  const int failed = eliminate(kPivotTolerance);
  weak_ = weakest_ < kWeak;
  if (failed == z_.size()) return Status::ok;
  weakest_ = 0;
  dependent_row_ = kept_[size_t(order_[size_t(failed)])];
  return Status::singular;
}

// K of (1) and its factors; the row whose pivot vanishes, or the number of rows.
template <int D>
int ArticulatedSolver<D>::eliminate(double tolerance) {
  double* values = ldlt_.values();
  if (planned_)
    std::fill(values, values + sources_, 0.0);
  else
    K_.setZero();
  const int* target = targets_.data();
  for (const Reached& reached : reached_) {
    const int n = width(tree_, reached.link);
    for (int a = reached.begin; a < reached.end; ++a)
      for (int b = reached.begin; b <= a; ++b) {
        const double *e = &e_[size_t(entries_[size_t(a)].at)], *g = &g_[size_t(entries_[size_t(b)].at)];
        const double product = n == 1 ? *e * *g : e[0] * g[0] + e[1] * g[1] + e[2] * g[2];
        if (planned_)
          values[*target++] += product;
        else
          K_(entries_[size_t(a)].row, entries_[size_t(b)].row) += product;
      }
  }
  if (planned_) {
    const int failed = ldlt_.factor(tolerance);
    weakest_ = ldlt_.weakest_of_first_group();
    return failed;
  }
  const Eigen::Index m = K_.rows();
  e2_.head(m) = K_.diagonal();
  weakest_ = 1;
  for (Eigen::Index k = 0; k < m; ++k) {
    if (!(K_(k, k) > tolerance * e2_[k])) return static_cast<int>(k);
    weakest_ = std::min(weakest_, K_(k, k) / e2_[k]);
    for (Eigen::Index j = k + 1; j < m; ++j) {
      const double l = K_(j, k) / K_(k, k);
      K_.col(j).tail(m - j) -= l * K_.col(k).tail(m - j);
    }
    K_.col(k).tail(m - k - 1) /= K_(k, k);
  }
  return static_cast<int>(m);
}

// y ← K⁻¹ y, in the order of elimination.
template <int D>
void ArticulatedSolver<D>::substitute(double* y) const {
  if (planned_) return ldlt_.solve(y);
  const Eigen::Index m = K_.rows();
  Eigen::Map<Vec> z(y, m);
  for (Eigen::Index k = 0; k < m; ++k) z.tail(m - k - 1) -= z[k] * K_.col(k).tail(m - k - 1);
  z.array() /= K_.diagonal().array();
  for (Eigen::Index k = m - 1; k >= 0; --k) z[k] -= K_.col(k).tail(m - k - 1).dot(z.tail(m - k - 1));
}

// (2); y is left in y_, by kept rows. Without r1: zero.
template <int D>
void ArticulatedSolver<D>::solve_once(const double* r1, ConstVec r2, VecRef x) {
  if (r1 != nullptr)
    bodies_.inboard(r1, g0_.data());
  else
    g0_.setZero();
  if (!kept_.empty()) {
    y_.setZero();  // by kept row
    for (const Reached& reached : reached_) {
      const int v = tree_.link(reached.link).v, n = width(tree_, reached.link);
      for (int k = reached.begin; k < reached.end; ++k)
        for (int c = 0; c < n; ++c)
          y_[entries_[size_t(k)].row] += e_[size_t(entries_[size_t(k)].at + c)] * g0_[v + c];
    }
    for (Eigen::Index i = 0; i < z_.size(); ++i) {
      const int k = order_[size_t(i)];
      z_[i] = y_[k] - r2[kept_[size_t(k)]];
    }
    substitute(z_.data());
    for (Eigen::Index i = 0; i < z_.size(); ++i) y_[order_[size_t(i)]] = z_[i];
    for (const Reached& reached : reached_) {
      const int v = tree_.link(reached.link).v, n = width(tree_, reached.link);
      for (int k = reached.begin; k < reached.end; ++k)
        for (int c = 0; c < n; ++c)
          g0_[v + c] -= y_[entries_[size_t(k)].row] * g_[size_t(entries_[size_t(k)].at + c)];
    }
  }
  bodies_.outboard(g0_.data(), x.data());
}

template <int D>
Status ArticulatedSolver<D>::solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) {
  solve_once(r1.data(), r2, x);
  spread(y);
  if (weak_) refine(r1.data(), r2, x, y);
  return Status::ok;
}

template <int D>
Status ArticulatedSolver<D>::project(ConstVec r2, VecRef x) {
  solve_once(nullptr, r2, x);
  if (weak_) {
    spread(all_y_);
    refine(nullptr, r2, x, all_y_);
  }
  return Status::ok;
}

template <int D>
void ArticulatedSolver<D>::spread(VecRef y) const {
  for (const int row : dropped_) y[row] = 0;
  for (size_t k = 0; k < kept_.size(); ++k) y[kept_[k]] = y_[static_cast<Eigen::Index>(k)];
}

// One step of refinement against M x + Jᵀy = r1, J x = r2: what a pivot of K has lost comes back.
template <int D>
void ArticulatedSolver<D>::refine(const double* r1, ConstVec r2, VecRef x, VecRef y) {
  const auto [frames, work] = stand_(*terms_);
  tree_.transform(x.data(), frames, work, twists_.data());
  tree_.momenta(twists_.data(), work, wrenches_.data());
  tree_.gather(frames, work, wrenches_.data(), e1_.data());  // M x
  e1_ = -e1_;
  if (r1 != nullptr) e1_ += Eigen::Map<const Vec>(r1, e1_.size());
  e2_ = r2;
  for (const int row : kept_)
    for (SparseRows::InnerIterator entry(terms_->J, row); entry; ++entry) {
      e1_[entry.col()] -= entry.value() * y[row];
      e2_[row] -= entry.value() * x[entry.col()];
    }
  solve_once(e1_.data(), e2_, x_);
  x += x_;
  for (size_t k = 0; k < kept_.size(); ++k) y[kept_[k]] += y_[static_cast<Eigen::Index>(k)];
}

template class ArticulatedSolver<2>;
template class ArticulatedSolver<3>;

}  // namespace driftless
