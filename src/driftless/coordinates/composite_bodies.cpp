#include "driftless/coordinates/composite_bodies.hpp"

namespace driftless {
namespace {

using Kind = SpatialTree::Kind;

Vec3 axis_of(const SpatialTree::Link& link, int component, size_t i, const TreeWork& at) {
  return link.kind == Kind::ball ? Vec3(at.balls[size_t(link.ball)].col(component)) : at.axes[i].u;
}

}  // namespace

CompositeBodies::CompositeBodies(const SpatialTree& tree, int extra) : tree_(tree) {
  std::vector<Eigen::Triplet<double>> places;
  for (int j = tree.links(); j > 0; --j) {
    const int first = tree.link(j).v;
    for (int a = 0; a < SpatialTree::width(tree.link(j).kind); ++a) {
      for (int i = j; i > 0; i = tree.link(i).parent)
        for (int b = 0; b < (i == j ? a + 1 : SpatialTree::width(tree.link(i).kind)); ++b) {
          const int column = tree.link(i).v + b;
          places.emplace_back(first + a, column, 0.0);
          if (first + a != column) places.emplace_back(column, first + a, 0.0);
          entries_.push_back({i, b, first + a, column});
        }
      rows_.push_back({j, a, static_cast<int>(entries_.size())});
    }
  }
  const int n = tree.nv() + extra;
  for (int k = tree.nv(); k < n; ++k) places.emplace_back(k, k, 0.0);
  pattern_.resize(n, n);
  pattern_.setFromTriplets(places.begin(), places.end());
  for (Entry& entry : entries_) {
    const int row = entry.slot, column = entry.mirror;
    entry.slot = static_cast<int>(&pattern_.coeffRef(row, column) - pattern_.valuePtr());
    entry.mirror = static_cast<int>(&pattern_.coeffRef(column, row) - pattern_.valuePtr());
  }
}

void CompositeBodies::fill(const SpatialFrame<double>* frames,
                           const TreeWork& at,
                           Work& work,
                           double* values) const {
  for (RigidInertia& inertia : work) inertia = {};
  for (int j = tree_.links(); j > 0; --j) {
    const SpatialTree::Link& link = tree_.link(j);
    const Vec3& p = at.axes[size_t(j)].p;
    if (link.mass > 0)
      work[size_t(j)].add({at.inertias[size_t(j)], Vec3::Zero(), link.mass}, frames[link.slot].r - p);
    if (link.parent > 0) work[size_t(link.parent)].add(work[size_t(j)], p - at.axes[size_t(link.parent)].p);
  }
  const Entry* entry = entries_.data();
  for (const Row& row : rows_) {
    const SpatialTree::Link& link = tree_.link(row.link);
    const RigidInertia& body = work[size_t(row.link)];
    const Vec3 u = axis_of(link, row.component, size_t(row.link), at), &p = at.axes[size_t(row.link)].p;
    const double advance = link.kind == Kind::slide ? 1 : link.pitch;
    Vec3 L = Vec3::Zero(), P = Vec3::Zero();  // (1)
    if (link.kind != Kind::slide) {
      L = body.I * u;
      P = u.cross(body.h);
    }
    if (link.kind == Kind::slide || link.kind == Kind::screw) {
      L += advance * body.h.cross(u);
      P += advance * body.m * u;
    }
    for (const Entry* end = entries_.data() + row.end; entry < end; ++entry) {  // (2)
      const SpatialTree::Link& other = tree_.link(entry->link);
      const Vec3 w = axis_of(other, entry->component, size_t(entry->link), at);
      double value = 0;
      if (other.kind != Kind::slide) value = w.dot(L + (p - at.axes[size_t(entry->link)].p).cross(P));
      if (other.kind == Kind::slide) value = w.dot(P);
      if (other.kind == Kind::screw) value += other.pitch * w.dot(P);
      values[entry->slot] = values[entry->mirror] = value;
    }
  }
}

}  // namespace driftless
