// The linear kernel of a tree with constraint rows, M never formed (articulated_bodies.hpp):
//   e_r, g_r = D⁻¹ e_r of every row of J by a sweep inboard from its markers,   K = J M⁻¹ Jᵀ = Σ e_r·g_s               (1)
//   g₀ of r1,   K y = Σ e_r·g₀ − r2,   x = outboard sweep of g₀ − Σ y_r g_r                                          (2)
// K has an entry where two rows share a link on their way to the root; where these are few it is factorised by a planned
// elimination in an order that fills least, otherwise densely. A pivot of K that vanishes against its diagonal names the
// row that depends on those before it; one that lost four digits asks for a step of refinement.
// Cost: linear in the links without rows; with rows their number times the length of their paths, and the factors of K.
// García de Jalón & Bayo 1994, (5.92); Featherstone 2008, chapter 8
#pragma once

#include <vector>

#include "driftless/coordinates/relative/solvers/articulated_bodies.hpp"
#include "driftless/math/linear/scheduled_ldlt.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/kernels/row_watch.hpp"

namespace driftless {

// Where the scratch of terms keeps the tree as it stands.
template <int D>
struct TreeStand {
  const typename Tree<D>::Frame* frames;
  const TreeWork<D>& work;
};

template <int D>
class ArticulatedSolver final : public MotionSolver {
 public:
  using Stand = TreeStand<D> (*)(const Terms& terms);

  // The layout gives the pattern of J, `stand` finds the tree in the terms given to factor().
  ArticulatedSolver(const Tree<D>& tree, const Layout& layout, Stand stand);

  Status factor(const Terms& terms) override;
  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override;
  Status project(ConstVec r2, VecRef x) override;
  int dependent_row() const override { return dependent_row_; }
  void drop_rows(std::span<const int> rows) override;
  bool renew_rows(const Terms& terms) override { return !dropped_.empty() && rechoose(terms.J); }

 private:
  // A row at a link on its way to the root.
  struct Entry {
    int row;      // among the kept
    int slot;     // of its values in J; −1: it has none here
    int inboard;  // entry of the same row at the link inboard; that of ground is spare
    int at;       // of its e and g
  };
  struct Reached {  // a link and its entries
    int link, begin, end;
  };

  void list_entries();
  void plan_elimination();
  Status factor_rows(const double* J);
  bool rechoose(const SparseRows& J);
  int eliminate(double tolerance);
  void substitute(double* y) const;
  void solve_once(const double* r1, ConstVec r2, VecRef x);
  void spread(VecRef y) const;
  void refine(const double* r1, ConstVec r2, VecRef x, VecRef y);

  const Tree<D>& tree_;
  Stand stand_;
  SparseRows pattern_;  // of J
  ArticulatedBodies<D> bodies_;
  std::vector<int> kept_;
  Vec scale_;  // of the velocities
  double length_;
  int holonomic_;
  RowWatch watch_;
  int dependent_row_ = -1;
  bool weak_ = false;
  double weakest_ = 1;  // pivot of K against its diagonal
  const Terms* terms_ = nullptr;

  std::vector<Entry> entries_;
  std::vector<Reached> reached_;                        // links with rows, the last first
  std::vector<typename ArticulatedBodies<D>::Push> b_;  // per entry   factor_rows()
  std::vector<double> e_, g_;                           // by Entry::at         factor_rows()
  // K: planned, or dense if it fills too much.
  bool planned_ = true;
  std::vector<int> targets_;  // of the products of (1), in the order of factor_rows()
  ScheduledLdlt ldlt_;
  int sources_ = 0;
  std::vector<int> order_;  // kept row eliminated i-th
  Mat K_;                   // dense

  Vec g0_, x_;   // nv
  Vec z_;        // kept rows in their order of elimination
  Vec y_;        // by kept row
  Vec all_y_;    // by row                             project()
  Vec e1_, e2_;  // nv, rows                           refine()
  std::vector<typename Tree<D>::Twist> twists_;
  std::vector<typename Tree<D>::Wrench> wrenches_;
};

extern template class ArticulatedSolver<2>;
extern template class ArticulatedSolver<3>;

}  // namespace driftless
