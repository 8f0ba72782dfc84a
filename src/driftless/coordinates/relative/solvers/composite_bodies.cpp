#include "driftless/coordinates/relative/solvers/composite_bodies.hpp"

#include <algorithm>

namespace driftless {

using namespace sweeps;

namespace {

Vec3 axis_of(const TreeLink& link, int component, size_t i, const TreeWork<3>& at) {
  return link.kind == LinkKind::ball ? Vec3(at.balls[size_t(link.ball)].col(component)) : at.axes[i].u;
}

double axis_of(const TreeLink& link, int, size_t, const TreeWork<2>&) { return link.sign; }

}  // namespace

template <int D>
CompositeBodies<D>::CompositeBodies(const Tree<D>& tree, int extra) : tree_(tree) {
  std::vector<Eigen::Triplet<double>> places;
  for (int j = tree.links(); j > 0; --j) {
    const int first = tree.link(j).v;
    for (int a = 0; a < Tree<D>::width(tree.link(j).kind); ++a) {
      const auto begin = static_cast<std::ptrdiff_t>(entries_.size());
      for (int i = j; i > 0; i = tree.link(i).parent)
        for (int b = 0; b < (i == j ? a + 1 : Tree<D>::width(tree.link(i).kind)); ++b) {
          const int column = tree.link(i).v + b;
          places.emplace_back(first + a, column, 0.0);
          if (first + a != column) places.emplace_back(column, first + a, 0.0);
          entries_.push_back({i, b, first + a, column});
        }
      const auto slides = std::stable_partition(
          entries_.begin() + begin, entries_.end(),
          [&](const Entry& entry) { return tree.link(entry.link).kind != LinkKind::slide; });
      rows_.push_back({j, a, static_cast<int>(slides - entries_.begin()), static_cast<int>(entries_.size())});
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

template <int D>
void CompositeBodies<D>::fill(const typename Tree<D>::Frame* frames,
                              const TreeWork<D>& at,
                              Work& work,
                              double* values) const {
  for (int j = 1; j <= tree_.links(); ++j) {
    const TreeLink& link = tree_.link(j);
    work[size_t(j)] =
        link.mass > 0 ? RigidInertia<D>::of_body(link.mass, center(frames[link.slot]) - at.axes[size_t(j)].p,
                                                 at.inertias[size_t(j)])
                      : RigidInertia<D>{};
  }
  for (int j = tree_.links(); j > 0; --j)
    if (const int parent = tree_.link(j).parent; parent > 0)
      work[size_t(parent)].add(work[size_t(j)], at.axes[size_t(j)].p - at.axes[size_t(parent)].p);
  const Entry* entry = entries_.data();
  for (const Row& row : rows_) {
    const TreeLink& link = tree_.link(row.link);
    const RigidInertia<D>& body = work[size_t(row.link)];
    const auto& [p, u] = at.axes[size_t(row.link)];
    Angular L;
    Vector P;  // (1)
    if (link.kind == LinkKind::slide) {
      L = cross(body.h, u);
      P = body.m * u;
    } else {
      const Angular w = axis_of(link, row.component, size_t(row.link), at);
      L = body.I * w;
      P = cross(w, body.h);
      if (D == 3 && link.kind == LinkKind::screw) {
        L += link.pitch * cross(body.h, u);
        P += (link.pitch * body.m) * u;
      }
    }
    for (const Entry* end = entries_.data() + row.slides; entry < end; ++entry) {  // (2)
      const TreeLink& other = tree_.link(entry->link);
      const auto& axis = at.axes[size_t(entry->link)];
      const Angular w = axis_of(other, entry->component, size_t(entry->link), at);
      double value = dot(w, Angular(L + cross(Vector(p - axis.p), P)));
      if constexpr (D == 3)
        if (other.kind == LinkKind::screw) value += other.pitch * axis.u.dot(P);
      values[entry->slot] = values[entry->mirror] = value;
    }
    for (const Entry* end = entries_.data() + row.end; entry < end; ++entry)
      values[entry->slot] = values[entry->mirror] = at.axes[size_t(entry->link)].u.dot(P);
  }
}

template class CompositeBodies<2>;
template class CompositeBodies<3>;

}  // namespace driftless
