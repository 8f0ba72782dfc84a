#include "driftless/coordinates/relative/solvers/link_solver.hpp"

#include <algorithm>

#include "driftless/math/linear/row_choice.hpp"
#include "driftless/math/rotation.hpp"

namespace driftless {

using namespace sweeps;
using Kind = LinkKind;

namespace {

constexpr double kWorn = 1e-9;  // squared sine between a row and the others not to be worked with

// ω × a as a matrix on ω: in the plane a column.
Eigen::Matrix<double, 2, 1> crossing(const Vec2& a) { return {-a[1], a[0]}; }
Mat3 crossing(const Vec3& a) { return -skew(a); }

// Entries of a pattern in rows, ascending, without values.
SparseRows pattern_of(int rows, int columns, const std::vector<std::pair<int, int>>& entries) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (const auto& [i, j] : entries) triplets.emplace_back(i, j, 0.0);
  SparseRows out(rows, columns);
  out.setFromTriplets(triplets.begin(), triplets.end());
  out.makeCompressed();
  return out;
}

std::vector<int> slots_of(SparseRows& matrix, const std::vector<std::pair<int, int>>& entries) {
  std::vector<int> out;
  out.reserve(entries.size());
  for (const auto& [i, j] : entries)
    out.push_back(static_cast<int>(&matrix.coeffRef(i, j) - matrix.valuePtr()));
  return out;
}

}  // namespace

template <int D>
double loop_products(const Tree<D>& tree, const SparseRows& J) {
  std::vector<int> link_of_rate(size_t(tree.nv()));
  for (int i = 1; i <= tree.links(); ++i)
    for (int c = 0; c < Tree<D>::width(tree.link(i).kind); ++c) link_of_rate[size_t(tree.link(i).v + c)] = i;
  std::vector<int> seen(size_t(tree.links()) + 1, -1);
  std::vector<double> rows(size_t(tree.links()) + 1, 0);
  for (int row = 0; row < J.rows(); ++row)
    for (SparseRows::InnerIterator e(J, row); e; ++e)
      for (int i = link_of_rate[size_t(e.col())]; i > 0 && seen[size_t(i)] != row; i = tree.link(i).parent) {
        seen[size_t(i)] = row;
        ++rows[size_t(i)];
      }
  double products = 0;
  for (const double n : rows) products += n * (n + 1) / 2;
  return products;
}

template <int D>
LinkSolver<D>::LinkSolver(const RelativeSystem<D>& system)
    : system_(system), tree_(system.tree()), zero_(Vec::Zero(system.layout().nv)) {
  drop_rows({});
}

// ---- entries of (1); `put(row, column, value)` always in the same order, values are zero without a state ---------------------

template <int D>
template <class Put>
void LinkSolver<D>::each_mass(const RelativeWork<D>* at, Put put) const {
  for (int i = 1; i <= tree_.links(); ++i) {
    const TreeLink& link = tree_.link(i);
    const int c = twist(i);
    for (int k = 0; k < D; ++k) put(c + k, c + k, link.mass);
    if constexpr (D == 2) {
      put(c + 2, c + 2, at != nullptr && link.mass > 0 ? at->tree.inertias[size_t(i)] : 0);
    } else {
      for (int k = 0; k < 3; ++k) {
        const Vec3 column = at != nullptr && link.mass > 0
                                ? Vec3(at->tree.inertias[size_t(i)] * Vec3::Unit(k))
                                : Vec3::Zero().eval();
        for (int j = 0; j < 3; ++j) put(c + 3 + j, c + 3 + k, column[j]);
      }
    }
    for (int k = 0; k < Tree<D>::width(link.kind); ++k) put(rate(link.v + k), rate(link.v + k), 0.0);
  }
}

template <int D>
template <class Put>
void LinkSolver<D>::each_tie(const RelativeWork<D>* at, Put put) const {
  constexpr int spin = D == 2 ? 1 : 3;
  using Vector = typename Tree<D>::Vector;
  for (int i = 1; i <= tree_.links(); ++i) {
    const TreeLink& link = tree_.link(i);
    const int row = twist(i), from = twist(link.parent);
    Vector p = Vector::Zero(), u = p, r = p, step = p;  // r: the centre, step: from that of the link inboard
    if (at != nullptr) {
      p = at->tree.axes[size_t(i)].p;
      u = at->tree.axes[size_t(i)].u;
      r = center(at->bodies.frames[size_t(link.slot)]);
      step = r - center(at->bodies.frames[size_t(link.parent_slot)]);
    }
    for (int k = 0; k < kTwist; ++k) put(row + k, row + k, 1.0);
    if (link.parent > 0) {  // −X
      const auto swing = crossing(step);
      for (int k = 0; k < kTwist; ++k) put(row + k, from + k, -1.0);
      for (int k = 0; k < D; ++k)
        for (int j = 0; j < spin; ++j) put(row + k, from + D + j, -swing(k, j));
    }
    for (int c = 0; c < Tree<D>::width(link.kind); ++c) {  // −s
      Eigen::Matrix<double, kTwist, 1> s = Eigen::Matrix<double, kTwist, 1>::Zero();
      const int column = rate(link.v + c);
      if (link.kind != Kind::slide) {
        typename Tree<D>::Angular w = Tree<D>::turning(link, u);
        if constexpr (D == 3)
          if (link.kind == Kind::ball && at != nullptr) w = at->tree.balls[size_t(link.ball)].col(c);
        s.template head<D>() = cross(w, Vector(r - p));
        if constexpr (D == 2)
          s[2] = w;
        else
          s.template tail<3>() = w;
      }
      if (link.kind == Kind::slide) s.template head<D>() += u;
      if (link.kind == Kind::screw) s.template head<D>() += link.pitch * u;
      for (int k = 0; k < kTwist; ++k)
        if (k < D || link.kind != Kind::slide) put(row + k, column, -s[k]);
    }
  }
}

template <int D>
template <class Put>
void LinkSolver<D>::each_row(const RelativeWork<D>* at, Put put) const {
  using Vector = typename Tree<D>::Vector;
  const Parts<D>& parts = system_.parts();
  const int first = kTwist * tree_.links();
  const auto& pairs = parts.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<D>& marker = parts.markers[size_t(pairs[k].of)];
    const int i = tree_.link_of(marker.body), row = place_[size_t(pairs[k].row)];
    if (i == 0 || row < 0) continue;
    const bool is_point = marker.kind == MarkerKind::point;
    Vector n = Vector::Zero(), arm = n;
    if (at != nullptr) {
      n = at->bodies.dx[k];
      arm = at->bodies.x[size_t(pairs[k].of)];
      if (is_point) arm -= center(at->bodies.frames[size_t(tree_.link(i).slot)]);
    }
    if (is_point)
      for (int j = 0; j < D; ++j) put(first + row, twist(i) + j, n[j]);
    if constexpr (D == 2) {
      put(first + row, twist(i) + 2, cross(arm, n));
    } else {
      const Vec3 moment = cross(arm, n);
      for (int j = 0; j < 3; ++j) put(first + row, twist(i) + 3 + j, moment[j]);
    }
  }
  const auto& scalars = parts.rows.scalar_pairs();
  for (size_t k = 0; k < scalars.size(); ++k) {
    const ScalarOf<D>& scalar = parts.scalars[size_t(scalars[k].of)];
    const int row = place_[size_t(scalars[k].row)];
    if (row < 0) continue;
    const double slope = at == nullptr ? 0 : at->bodies.ds[k];
    if constexpr (D == 2) {  // the angle of a body
      if (const int i = tree_.link_of(scalar.b.origin.body); i > 0) put(first + row, twist(i) + 2, slope);
    } else {
      const auto match = tree_.find(scalar.kind, scalar.a, scalar.b);
      put(first + row, rate(match.v), match.factor * slope);
    }
  }
}

// ---- solver ---------------------------------------------------------------------------------------------------------------

template <int D>
void LinkSolver<D>::drop_rows(std::span<const int> rows) {
  const Layout& layout = system_.layout();
  dropped_.assign(rows.begin(), rows.end());
  kept_.clear();
  place_.assign(size_t(layout.m), -1);
  for (int row = 0; row < layout.m; ++row) {
    if (std::binary_search(dropped_.begin(), dropped_.end(), row)) continue;
    place_[size_t(row)] = static_cast<int>(kept_.size());
    kept_.push_back(row);
  }
  const int ties = kTwist * tree_.links(), unknowns = ties + layout.nv;
  const int all = ties + static_cast<int>(kept_.size());
  std::vector<std::pair<int, int>> masses, entries;
  each_mass(nullptr, [&](int i, int j, double) { masses.emplace_back(i, j); });
  each_tie(nullptr, [&](int i, int j, double) { entries.emplace_back(i, j); });
  each_row(nullptr, [&](int i, int j, double) { entries.emplace_back(i, j); });
  M_ = pattern_of(unknowns, unknowns, masses);
  J_ = pattern_of(all, unknowns, entries);
  mass_slots_ = slots_of(M_, masses);
  row_slots_ = slots_of(J_, entries);
  kkt_.reset();
  r1_ = Vec::Zero(unknowns);
  x_ = Vec::Zero(unknowns);
  r2_ = Vec::Zero(all);
  y_ = Vec::Zero(all);
  watch_.reset();
}

template <int D>
void LinkSolver<D>::fill() {
  const auto* at = static_cast<const RelativeWork<D>*>(terms_->scratch.get());
  std::fill(M_.valuePtr(), M_.valuePtr() + M_.nonZeros(), 0.0);
  std::fill(J_.valuePtr(), J_.valuePtr() + J_.nonZeros(), 0.0);
  const int* slot = mass_slots_.data();
  each_mass(at, [&](int, int, double value) { M_.valuePtr()[*slot++] += value; });
  slot = row_slots_.data();
  const auto put = [&](int, int, double value) { J_.valuePtr()[*slot++] += value; };
  each_tie(at, put);
  each_row(at, put);
}

template <int D>
Status LinkSolver<D>::factor(const Terms& terms) {
  dependent_row_ = -1;
  terms_ = &terms;
  fill();
  if (!kkt_) kkt_.emplace(M_, J_, KktSolver::Method::regularized);
  const Status status = kkt_->factor(M_, J_);
  if (status == Status::ok && kkt_->weakest_row() >= kWorn) return status;
  if (dropped_.empty() || !rechoose(terms.J)) return status == Status::singular ? singular() : status;
  return factor_again();
}

template <int D>
Status LinkSolver<D>::factor_again() {  // with other rows
  fill();
  kkt_.emplace(M_, J_, KktSolver::Method::regularized);
  return kkt_->factor(M_, J_);
}

template <int D>
double LinkSolver<D>::least_singular_value(const Terms& terms) {
  terms_ = &terms;
  fill();
  SparseRows rows = J_;
  const Vec& scale = system_.layout().v_scale;
  for (int i = 0; i < rows.rows(); ++i)
    for (SparseRows::InnerIterator e(rows, i); e; ++e)
      if (e.col() >= rate(0)) e.valueRef() *= scale[e.col() - rate(0)];
  return driftless::least_singular_value(rows);
}

template <int D>
Status LinkSolver<D>::solve_once(ConstVec r1, ConstVec r2, VecRef x) {
  r1_.tail(r1.size()) = r1;
  for (size_t k = 0; k < kept_.size(); ++k)
    r2_[kTwist * tree_.links() + static_cast<Eigen::Index>(k)] = r2[kept_[k]];
  const Status status = kkt_->solve(r1_, r2_, x_, y_);
  x = x_.tail(x.size());
  return status;
}

template <int D>
Status LinkSolver<D>::solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) {
  Status status = solve_once(r1, r2, x);
  if (status == Status::singular && !dropped_.empty() && rechoose(terms_->J)) {
    if (status = factor_again(); status == Status::ok) status = solve_once(r1, r2, x);
  }
  if (status == Status::singular) return singular();
  for (const int row : dropped_) y[row] = 0;
  for (size_t k = 0; k < kept_.size(); ++k)
    y[kept_[k]] = y_[kTwist * tree_.links() + static_cast<Eigen::Index>(k)];
  return status;
}

template <int D>
Status LinkSolver<D>::project(ConstVec r2, VecRef x) {
  Status status = solve_once(zero_, r2, x);
  if (status == Status::singular && !dropped_.empty() && rechoose(terms_->J)) {
    if (status = factor_again(); status == Status::ok) status = solve_once(zero_, r2, x);
  }
  return status == Status::singular ? singular() : status;
}

// Names the row: rows of E never depend on others, so that it is one of J.
template <int D>
Status LinkSolver<D>::singular() {
  const Layout& layout = system_.layout();
  const BalancedRows rows(terms_->J, layout.v_scale, layout.length, layout.mh);
  for (const int row : dependent_rows(rows))
    if (place_[size_t(row)] >= 0) {
      dependent_row_ = row;
      break;
    }
  return Status::singular;
}

template <int D>
bool LinkSolver<D>::rechoose(const SparseRows& J) {
  if (!watch_.wants_look(kkt_->weakest_row())) return false;
  const Layout& layout = system_.layout();
  std::vector<int> rows = dropped_;
  if (!rechoose_rows({J, layout.v_scale, layout.length, layout.mh}, rows)) return false;
  drop_rows(rows);
  return true;
}

template double loop_products<2>(const Tree<2>&, const SparseRows&);
template double loop_products<3>(const Tree<3>&, const SparseRows&);
template class LinkSolver<2>;
template class LinkSolver<3>;

}  // namespace driftless
