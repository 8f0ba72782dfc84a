// The mass matrix of a tree by composite rigid bodies: with (I, m c, m) of a link and all that is outboard of it, about its
// point p, the momentum of a unit rate is
//   turn  L = I u,  P = u × m c        slide  L = m c × u,  P = m u                                                   (1)
// and, with links i inboard of j or j itself,
//   M_ij = u_i·(L_j + (p_j − p_i) × P_j)  turn,   u_i·P_j  slide                                                       (2)
// Entries stand where two rates lie on one path to the root. A screw is the sum of the two, a ball three turns.
// Cost: the number of entries; for a chain that grows with the square of its length.
// Walker & Orin 1982; Featherstone 2008, section 6.2
#pragma once

#include <vector>

#include "driftless/coordinates/relative/tree/tree.hpp"

namespace driftless {

template <int D>
class CompositeBodies {
 public:
  // `extra` rates behind those of the tree have no mass: zeros on the diagonal. The tree must stay where it is.
  CompositeBodies(const Tree<D>& tree, int extra);

  const SparseRows& pattern() const { return pattern_; }  // both triangles

  // What one worker needs.
  using Work = std::vector<RigidInertia<D>>;
  Work make_work() const { return Work(size_t(tree_.links()) + 1); }

  // Values of M in the order of the pattern, after place().
  void fill(const typename Tree<D>::Frame* frames, const TreeWork<D>& at, Work& work, double* values) const;

 private:
  using Vector = typename Sweep<D>::Vector;
  using Angular = typename Sweep<D>::Angular;

  struct Entry {  // of a rate of link j with one of link i
    int link, component;
    int slot, mirror;  // places of M_ji, M_ij
  };
  struct Row {
    int link, component;
    int slides, end;  // of its entries: first those that turn, then plain slides
  };

  const Tree<D>& tree_;
  SparseRows pattern_;
  std::vector<Row> rows_;  // rates, last link first
  std::vector<Entry> entries_;
};

extern template class CompositeBodies<2>;
extern template class CompositeBodies<3>;

}  // namespace driftless
