// The linear kernel of trees with many loops in a net, where K = J M⁻¹ Jᵀ is as good as full (articulated_solver.hpp): the twists
// a of the links are unknowns again, and tie them to the rates x by a row for each of their components,
//   a = X a₋ + s x,   G a = r2,   M₁ a + Eᵀφ + Gᵀy = 0,   −sᵀφ = r1                                                     (1)
// (X moves a twist to the next link, s: columns of its rates, E: the first of (1), G: rows of the cut joints by twists of the
// links their markers are on, J = G R). The solution has the x and y of M x + Jᵀy = r1, J x = r2; the matrix has a few entries
// a link and a row, wherever the loops close, and goes to KktSolver. Cost: as reference-point coordinates, near linear for nets.
// Orin, McGhee, Vukobratović & Hartoch 1979 for the augmented form; Baraff 1996 for solving it by sparse elimination
#pragma once

#include <optional>
#include <vector>

#include "driftless/coordinates/relative/relative_system.hpp"
#include "driftless/math/linear/kkt_solver.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/kernels/row_watch.hpp"

namespace driftless {

// Products e·g that K of ArticulatedSolver takes: pairs of rows at every link on their way to the root.
template <int D>
double loop_products(const Tree<D>& tree, const SparseRows& J);

template <int D>
class LinkSolver final : public MotionSolver {
 public:
  // For systems without massless scalars and without rows that come and go; the system must stay where it is.
  explicit LinkSolver(const RelativeSystem<D>& system);

  Status factor(const Terms& terms) override;
  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override;
  Status project(ConstVec r2, VecRef x) override;
  int dependent_row() const override { return dependent_row_; }
  void drop_rows(std::span<const int> rows) override;
  bool renew_rows(const Terms& terms) override { return !dropped_.empty() && rechoose(terms.J); }
  // BoundsRows: that of [E; G] with x in its scales, for with yᵀJ = δ some φ makes (φ, y)ᵀ[E; G] = (0, δ).
  double least_singular_value(const Terms& terms);

 private:
  static constexpr int kTwist = D == 2 ? 3 : 6;  // velocity of the centre, then angular velocity

  int twist(int link) const { return kTwist * (link - 1); }  // its columns, and its rows of E
  int rate(int v) const { return kTwist * tree_.links() + v; }
  template <class Put>
  void each_mass(const RelativeWork<D>* at, Put put) const;
  template <class Put>
  void each_tie(const RelativeWork<D>* at, Put put) const;
  template <class Put>
  void each_row(const RelativeWork<D>* at, Put put) const;
  void fill();
  Status factor_again();
  Status solve_once(ConstVec r1, ConstVec r2, VecRef x);
  Status singular();
  bool rechoose(const SparseRows& J);

  const RelativeSystem<D>& system_;
  const Tree<D>& tree_;
  std::vector<int> kept_, place_;            // rows of G; per row: its place among the kept, −1: dropped
  SparseRows M_, J_;                         // M₁ and zeros; E above G       fill()
  std::vector<int> mass_slots_, row_slots_;  // of what each_*() put, in their order
  std::optional<KktSolver> kkt_;             // from the first factor() on
  RowWatch watch_;
  int dependent_row_ = -1;
  const Terms* terms_ = nullptr;
  Vec r1_, r2_, x_, y_;  // of (1)
  Vec zero_;             // nv     project()
};

extern template class LinkSolver<2>;
extern template class LinkSolver<3>;

}  // namespace driftless
