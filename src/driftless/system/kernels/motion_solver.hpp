// The linear kernel of constrained dynamics, with the mass and the constraints of one system:
//   [ M  Jᵀ ] [x]   [r1]
//   [ J  0  ] [y] = [r2]                                                                                         (1)
// Formulations, stabilizations and assembly solve nothing else. The default (DescriptorSystem::make_solver) reads M and J
// of the terms and hands them to KktSolver; a system that never forms M (relative coordinates: articulated bodies) brings
// its own. A solver belongs to one worker, is sized when it is made, and allocates nothing afterwards.
//
// Rows that depend on others are dropped by whoever finds them, once, at the start of a run: (1) then holds for the other
// rows, r2 is not read and y is zero in the dropped ones. On the constraints any choice gives the same x and Jᵀy; off them,
// where the stages of a step are, the rows are no longer quite dependent, so the choice must be remembered and not made
// anew each time (docs/theory/redundant.md). As the mechanism moves a choice may go bad while others of the same size stay
// good: then it is changed, best between steps (renew_rows), at once where there is no other way.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/core/status.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class MotionSolver {
 public:
  virtual ~MotionSolver() = default;

  // Terms after position() and mass(): J, and M or what the system left in their scratch space. They must stay as they
  // are until the last solve. `singular` leaves the first dependent row in dependent_row().
  virtual Status factor(const Terms& terms) = 0;
  virtual Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) = 0;
  // x alone for r1 = 0: the smallest x, in the metric of M, with J x = r2.
  virtual Status project(ConstVec r2, VecRef x) = 0;
  // Row that made the last `singular`; −1: none, M is not positive definite on the null space of J.
  virtual int dependent_row() const = 0;

  // How independent the rows of the last factor() were: 1 for rows at right angles, 0 where they have lost rank. The
  // smallest squared sine between a row and those before it, times the smallest square of a row's length against the
  // longest it has had here. 1 where it does not matter or is not known.
  virtual double independence() { return 1; }
  // Whether rows give way where they come to depend on others (penalties): project() may then leave part of r2 standing.
  virtual bool yields() const { return false; }

  // Leaves these rows out of every factorisation from now on (ascending; empty: none). May allocate.
  virtual void drop_rows(std::span<const int> rows) = 0;
  const std::vector<int>& dropped_rows() const { return dropped_; }
  // Between steps: where the kept rows have become weak, chooses others with the J of `terms`. True if it did; may allocate
  // then, and factor() must come next.
  virtual bool renew_rows(const Terms&) { return false; }

 protected:
  std::vector<int> dropped_;  // ascending
};

// M and J of the terms by KktSolver.
std::unique_ptr<MotionSolver> make_kkt_motion_solver(const Layout& layout);

// The same with a constant diagonal matrix in place of M: for corrections measured in units of the coordinates.
std::unique_ptr<MotionSolver> make_weighted_motion_solver(const Layout& layout, ConstVec weight);

}  // namespace driftless
