// The linear kernel of all stabilizations: with W and J frozen at the unstabilised point q̂,
//   P r = x from [ W Jᵀ; J 0 ] [x; ·] = [0; r],   the smallest |x|_W with J x = r                      Chin (4.15)  (1)
// W is the mass matrix, or the identity in units of the coordinates' scales. The KKT form serves singular mass matrices.
// Position steps set the nonholonomic part of r to zero, so one factorisation does for both levels.
// Velocities go along. Where positions are moved by −x(q), x and μ of (1) with r = (g; 0), the motion goes on with v − ẋ, and
// (1) differentiated gives
//   [ W Jᵀ; J 0 ] [ẋ; ·] = [−w; r],   w = d/dt (W x + Jᵀμ) at constant x and μ,   r = J v − ν                             (2)
// Without w a body that turns loses speed at every step where its q are components of vectors (system/turning_vectors.hpp):
// schemes shrink q and v alike, P g takes the one back and P r leaves the other. Other coordinates do not shrink; there w is
// left out.
// Rows dropped as redundant count as satisfied: others hold them, and if not, the monitor of the run sees it.
// A point is within the gate if max(|g|, |J v − ν|) ≤ datol: then nothing is done (datol = 0: always act). Option gate: |g| alone,
// or |J v − ν| alone.
#pragma once

#include <memory>

#include "driftless/core/options.hpp"
#include "driftless/core/statistics.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

// Options every stabilization but `none` has.
std::vector<OptionSpec> projector_options();

class Projector {
 public:
  Projector(const DescriptorSystem& system, const Options& options, std::unique_ptr<MotionSolver> kernel);

  // Puts q on the manifold of its coordinates, then evaluates g, J, ν at (t, q) and r = J v − ν. True: the gate is open
  // and nothing needs doing.
  bool within_tolerance(double t, VecRef q, ConstVec v);
  // Freezes W and J at the point evaluated last, once per point, and counts in `statistics`.
  Status freeze(double t, ConstVec q, Statistics* statistics);
  // Renews the residuals at a corrected point; W and J stay frozen.
  void renew(double t, ConstVec q, ConstVec v);

  Status correct_position(VecRef q);  // q ← q ⊕ −P (g; 0)
  // The same, and w of (2) for the next correct_velocity() where it is wanted. To be called where W and J were frozen.
  Status move_position(double t, VecRef q, ConstVec v);
  Status correct_velocity(VecRef v);  // v ← v − P r, or behind move_position() v ← v − ẋ of (2)

  Terms& frozen() { return *frozen_; }  // W (where it is M) and J of the factors
  double position_error() const { return max_abs(now_->g); }
  const Vec& velocity_error() const { return r_; }
  const Vec& residual_rows();                  // (g; 0)
  MotionSolver& solver() { return *solver_; }  // with the frozen W and J
  void drop_rows(std::span<const int> rows) { solver_->drop_rows(rows); }
  int dependent_row() const { return solver_->dependent_row(); }
  void keep(Memory& memory) {  // what the kernel does
    if (auto* keeper = dynamic_cast<KeepsMemory*>(solver_.get())) keeper->keep(memory);
  }

 private:
  void find_change(double t, ConstVec q, ConstVec v);

  const DescriptorSystem& system_;
  bool by_mass_, takes_along_;
  double datol_;
  bool sees_position_, sees_velocity_;
  Terms terms_[2];
  Terms* now_ = &terms_[0];     // at the last point evaluated; behind freeze() only g counts
  Terms* frozen_ = &terms_[1];  // where W and J are frozen
  std::unique_ptr<MotionSolver> solver_;
  Vec r_;  // J v − ν at the last point
  Vec rows_, x_;
  bool carries_ = false;  // w_ waits for correct_velocity()
  Vec w_, mu_;            // (2)
  Vec probe_, change_;    // nq, nv
};

}  // namespace driftless
