// What meets what in the tangents of relative coordinates, and what RelativeSystem knows of its derivatives.
#include <algorithm>

#include "driftless/coordinates/relative/relative_system.hpp"
#include "driftless/coordinates/relative/relative_tangents.hpp"

namespace driftless {

template <int D>
std::vector<int> RelativeTangents<D>::scalar_slots(const Parts<D>& parts) {
  std::vector<int> slots;
  for (size_t k = 0; k < parts.scalars.size(); ++k) {
    if constexpr (D == 2)
      slots.push_back(parts.scalars[k].b.origin.body);
    else
      slots.push_back(static_cast<int>(parts.bodies() + k));
  }
  return slots;
}

template <int D>
int RelativeTangents<D>::node_of(int slot) const {
  return slot < bodies_ ? tree_.link_of(slot) : links_ + 1 + slot - bodies_;
}

template <int D>
RelativeTangents<D>::RelativeTangents(
    const Parts<D>& parts, const Tree<D>& tree, const Layout& layout, Sources sources, Tangents& out)
    : parts_(parts),
      tree_(tree),
      nv_(layout.nv),
      m_(layout.m),
      links_(tree.links()),
      bodies_(static_cast<int>(parts.bodies())),
      sources_(std::move(sources)),
      jets_(parts, scalar_slots(parts)),
      own_axes_(size_t(links_) + 1),
      order_(size_t(links_)),
      first_(size_t(links_) + 1),
      count_(size_t(links_) + 1, 1),
      scalars_at_(size_t(nv_)),
      motions_(size_t(tree.nv()), Column::Zero()),
      accelerations_(parts.bodies() + 1),
      sddot_(parts.scalars.size()),
      rho_(Vec::Zero(nv_)),
      r_(Vec::Zero(m_)),
      alpha_(Vec::Zero(m_)) {
  for (const auto& edge : tree.edges())
    for (int i = edge.first_link; i < edge.first_link + edge.count; ++i)
      own_axes_[size_t(i)] = edge.reversed && tree.link(i).kind == LinkKind::ball;
  for (int i = links_; i > 0; --i) count_[size_t(tree.link(i).parent)] += count_[size_t(i)];
  std::vector<int> next(size_t(links_) +
                        1);  // where the next branch of a link goes; links come inboard ones first
  for (int i = 1; i <= links_; ++i) {
    int& at = next[size_t(tree.link(i).parent)];
    first_[size_t(i)] = at;
    next[size_t(i)] = at + 1;
    order_[size_t(at)] = i;
    at += count_[size_t(i)];
  }
  for (size_t k = 0; k < sources_.size(); ++k)
    scalars_at_[size_t(sources_[k].first)].push_back(static_cast<int>(k));
  const size_t links = size_t(links_) + 1, nodes = links + sources_.size();
  for (auto* list : {&v_, &a_, &wrench_}) list->assign(links, Column::Zero());
  for (auto* list : {&inertia_, &gyration_}) list->assign(links, Matrix::Zero());
  inertia_by_ = gyration_by_ = motions_;
  pushes_.assign(nodes, Column::Zero());
  meetings_.resize(nodes);
  rows_.resize(nodes);
  if (out.parts.dynamics || out.parts.reactions) list_meetings(jets_.blocks(), block_places_);
  if (out.parts.dynamics) list_meetings(jets_.forces(), force_places_);
  for (const Element& element : jets_.blocks()) {
    auto& places = block_rows_.emplace_back();
    for (const int slot : element.slots)
      for (int k = 0; k < element.rows; ++k) {
        auto& list = rows_[size_t(node_of(slot))];
        const auto found = std::find_if(list.begin(), list.end(),
                                        [&](const auto& one) { return one.row == element.row + k; });
        places.push_back(static_cast<int>(found - list.begin()));
        if (found == list.end()) list.push_back({element.row + k, {}, {}, {}, {}});
      }
  }
  find_patterns(layout, out);
}

// Per seeded slot and slot: which of the meetings of the node of the first.
template <int D>
void RelativeTangents<D>::list_meetings(const std::vector<Element>& elements,
                                        std::vector<std::vector<int>>& places) {
  for (const Element& element : elements) {
    auto& out = places.emplace_back();
    for (const int seeded : element.slots)
      for (const int slot : element.slots) {
        auto& list = meetings_[size_t(node_of(seeded))];
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.of == node_of(slot); });
        out.push_back(static_cast<int>(found - list.begin()));
        if (found == list.end()) list.push_back({node_of(slot), Matrix::Zero(), Matrix::Zero()});
      }
  }
}

// Per node the nodes it meets in K (with_rows) or C: all on a path to the root, and those inboard of what an element sees.
template <int D>
auto RelativeTangents<D>::pairs_on_paths(bool with_rows) const -> Pattern {
  Pattern near(meetings_.size());
  for (int i = 1; i < static_cast<int>(near.size()); ++i) near[size_t(i)].push_back(i);
  const auto meet = [&](const std::vector<Element>& elements) {
    for (const Element& element : elements)
      for (const int one : element.slots)
        for (const int other : element.slots) near[size_t(node_of(one))].push_back(node_of(other));
  };
  meet(jets_.forces());
  if (with_rows) meet(jets_.blocks());
  for (int i = static_cast<int>(near.size()) - 1; i > 0; --i) {
    auto& list = near[size_t(i)];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (i > links_ || tree_.link(i).parent == 0) continue;
    auto& inner = near[size_t(tree_.link(i).parent)];
    inner.insert(inner.end(), list.begin(), list.end());
  }
  std::vector<int> seen(near.size(), 0);
  for (int i = 1; i < static_cast<int>(near.size()); ++i) {
    std::vector<int> all;
    for (int j : near[size_t(i)])
      for (; j > 0 && seen[size_t(j)] != i; j = j > links_ ? 0 : tree_.link(j).parent) {
        seen[size_t(j)] = i;
        all.push_back(j);
      }
    near[size_t(i)] = std::move(all);
  }
  return near;
}

template <int D>
std::vector<int> RelativeTangents<D>::columns_of(int node) const {
  if (node > links_) return {sources_[size_t(node - links_ - 1)].first};
  std::vector<int> columns;
  for (int c = 0; c < count_of(node); ++c) columns.push_back(tree_.link(node).v + c);
  return columns;
}

template <int D>
void RelativeTangents<D>::make_matrix(const Pattern& nodes,
                                      SparseRows& matrix,
                                      std::vector<Entries>& entries) const {
  std::vector<Eigen::Triplet<double>> pattern;
  for (int i = 1; i < static_cast<int>(nodes.size()); ++i)
    for (const int j : nodes[size_t(i)])
      for (const int row : columns_of(i))
        for (const int column : columns_of(j)) pattern.emplace_back(row, column, 0.0);
  matrix.resize(nv_, nv_);
  matrix.setFromTriplets(pattern.begin(), pattern.end());
  entries.resize(size_t(nv_));
  for (int row = 0, at = 0; row < nv_; ++row)
    for (; at < matrix.outerIndexPtr()[row + 1]; ++at)
      entries[size_t(matrix.innerIndexPtr()[at])].emplace_back(row, at);
}

// Holonomic rows have entries where J has: its columns there are derivatives of the same function. Of others every
// coordinate counts that moves what they see.
template <int D>
void RelativeTangents<D>::make_rows(const Layout& layout, Tangents& out) {
  std::vector<Eigen::Triplet<double>> pattern;
  for (int row = 0; row < m_; ++row)
    for (SparseRows::InnerIterator e(layout.J, row); e; ++e)
      pattern.emplace_back(row, static_cast<int>(e.col()), 0.0);
  for (size_t node = 1; node < rows_.size(); ++node)
    for (const RowMeeting& meeting : rows_[node])
      for (int i = static_cast<int>(node); meeting.row >= layout.mh && i > 0;
           i = i > links_ ? 0 : tree_.link(i).parent)
        for (const int column : columns_of(i)) pattern.emplace_back(meeting.row, column, 0.0);
  SparseRows matrix(m_, nv_);
  matrix.setFromTriplets(pattern.begin(), pattern.end());
  row_entries_.resize(size_t(nv_));
  for (int row = 0, at = 0; row < m_; ++row)
    for (; at < matrix.outerIndexPtr()[row + 1]; ++at)
      row_entries_[size_t(matrix.innerIndexPtr()[at])].emplace_back(row, at);
  if (out.parts.velocity) out.L = matrix;
  if (out.parts.acceleration) out.S_q = out.S_v = matrix;
}

template <int D>
void RelativeTangents<D>::find_patterns(const Layout& layout, Tangents& out) {
  if (out.parts.dynamics || out.parts.reactions) make_matrix(pairs_on_paths(true), out.K, K_);
  if (out.parts.dynamics) make_matrix(pairs_on_paths(false), out.C, C_);
  make_rows(layout, out);
}

// ---- the system -----------------------------------------------------------------------------------------------------

template <int D>
Tangents RelativeSystem<D>::make_tangents(const TangentParts& parts) const {
  Tangents out;
  out.parts = parts;
  for (SparseRows* matrix : {&out.K, &out.C}) matrix->resize(layout_.nv, layout_.nv);
  for (SparseRows* matrix : {&out.L, &out.S_q, &out.S_v}) matrix->resize(layout_.m, layout_.nv);
  typename RelativeTangents<D>::Sources sources;
  for (const Source& source : sources_) sources.emplace_back(source.v, source.factor);
  out.work = std::make_unique<RelativeTangents<D>>(parts_, tree_, layout_, std::move(sources), out);
  return out;
}

template <int D>
void RelativeSystem<D>::tangents(
    double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out) const {
  auto& work = static_cast<RelativeWork<D>&>(*terms.scratch);
  position(t, q, terms);
  mass(t, q, terms);
  move(v, work);
  static_cast<RelativeTangents<D>&>(*out.work).fill(t, v, a, lambda, work.bodies, work.tree, out);
}

namespace {

template <int D>
class CompositeMass final : public FormedMass {
 public:
  CompositeMass(const Tree<D>& tree, int massless) : bodies_(tree, massless), work_(bodies_.make_work()) {
    M_ = bodies_.pattern();
  }
  void fill(const Terms& terms) override {
    const auto& work = static_cast<const RelativeWork<D>&>(*terms.scratch);
    bodies_.fill(work.bodies.frames.data(), work.tree, work_, M_.valuePtr());
  }

 private:
  const CompositeBodies<D> bodies_;
  typename CompositeBodies<D>::Work work_;
};

}  // namespace

template <int D>
std::unique_ptr<FormedMass> RelativeSystem<D>::make_formed_mass() const {
  return std::make_unique<CompositeMass<D>>(tree_, massless_);
}

// ė = ½ Lᵀ(e) w is linear in e; P = 2 L/|e|². Entries in the order of the matrices: patterns are made once.
template <int D>
void RelativeSystem<D>::kinematic_tangents(double, ConstVec q, ConstVec v, KinematicTangents& out) const {
  const bool is_new = out.T.rows() != layout_.nq;
  std::vector<Eigen::Triplet<double>> T, N, P;
  double *t = out.T.valuePtr(), *n = out.N.valuePtr(), *p = out.P.valuePtr();
  const auto put = [&](auto& entries, double*& values, int i, int j, double value) {
    if (is_new)
      entries.emplace_back(i, j, value);
    else
      *values++ = value;
  };
  const auto copy = [&](int at, int from, int count) {
    for (int k = 0; k < count; ++k) {
      put(T, t, at + k, from + k, 1);
      put(P, p, from + k, at + k, 1);
    }
  };
  int at = 0, from = 0;
  for (const int i : tree_.balls()) {
    const TreeLink& ball = tree_.link(i);
    copy(at, from, ball.v - from);
    const Quat e = q.template segment<4>(ball.q);
    const Eigen::Matrix<double, 3, 4> L = body_rate_matrix(e);
    Eigen::Matrix4d by_e;
    for (int k = 0; k < 4; ++k)
      by_e.col(k) = 0.5 * body_rate_matrix(Quat::Unit(k)).transpose() * Vec3(v.template segment<3>(ball.v));
    for (int k = 0; k < 4; ++k) {
      for (int l = 0; l < 3; ++l) put(T, t, ball.q + k, ball.v + l, 0.5 * L(l, k));
      for (int l = 0; l < 4; ++l) put(N, n, ball.q + k, ball.q + l, by_e(k, l));
    }
    for (int l = 0; l < 3; ++l)
      for (int k = 0; k < 4; ++k) put(P, p, ball.v + l, ball.q + k, 2 * L(l, k) / e.squaredNorm());
    at = ball.q + 4;
    from = ball.v + 3;
  }
  copy(at, from, layout_.nv - from);
  if (!is_new) return;
  const auto make = [](int rows, int columns, const auto& entries, SparseRows& matrix) {
    matrix.resize(rows, columns);
    matrix.setFromTriplets(entries.begin(), entries.end());
  };
  make(layout_.nq, layout_.nv, T, out.T);
  make(layout_.nq, layout_.nq, N, out.N);
  make(layout_.nv, layout_.nq, P, out.P);
}

#define DRIFTLESS_INSTANTIATE(D)                                                                    \
  template int RelativeTangents<D>::node_of(int) const;                                             \
  template Tangents RelativeSystem<D>::make_tangents(const TangentParts&) const;                    \
  template void RelativeSystem<D>::tangents(double, ConstVec, ConstVec, ConstVec, ConstVec, Terms&, \
                                            Tangents&) const;                                       \
  template std::unique_ptr<FormedMass> RelativeSystem<D>::make_formed_mass() const;                 \
  template void RelativeSystem<D>::kinematic_tangents(double, ConstVec, ConstVec, KinematicTangents&) const;
DRIFTLESS_INSTANTIATE(2)
DRIFTLESS_INSTANTIATE(3)
#undef DRIFTLESS_INSTANTIATE

}  // namespace driftless
