// The linear kernel of all stabilizations: with W and J frozen at the unstabilised point q̂,
//   P r = x from [ W Jᵀ; J 0 ] [x; ·] = [0; r],   the smallest |x|_W with J x = r                      Chin (4.15)  (1)
// W is the mass matrix, or the identity in units of the coordinates' scales. The KKT form serves singular mass matrices.
// Position steps set the nonholonomic part of r to zero, so one factorisation does for both levels.
// A point is within the gate if max(|g|, |J v − ν|) ≤ datol: then nothing is done (datol = 0: always act).
#pragma once

#include <memory>

#include "driftless/core/options.hpp"
#include "driftless/core/statistics.hpp"
#include "driftless/math/kkt_solver.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

// Options every stabilization but `none` has.
std::vector<OptionSpec> projector_options();

class Projector {
 public:
  Projector(const DescriptorSystem& system, const Options& options);

  // Evaluates g, J, ν at (t, q) and r = J v − ν. True: the gate is open and nothing needs doing.
  bool within_tolerance(double t, ConstVec q, ConstVec v);
  // Freezes W and J at the point within_tolerance() has seen, and counts in `statistics`.
  Status freeze(double t, ConstVec q, Statistics* statistics);
  // Renews the residuals at a corrected point; W and J stay frozen.
  void renew(double t, ConstVec q, ConstVec v);

  Status correct_position(VecRef q);  // q ← q ⊕ −P (g; 0)
  Status correct_velocity(VecRef v);  // v ← v − P r

  const Terms& terms() const { return now_; }  // at the last point evaluated
  double position_error() const { return max_abs(now_.g); }
  const Vec& velocity_error() const { return r_; }
  void weigh(double t, ConstVec q, SparseRows& W);  // values of W at the last point evaluated
  int dependent_row() const { return kkt_.dependent_row(); }

 private:
  const DescriptorSystem& system_;
  bool by_mass_;
  double datol_;
  Terms now_;         // at the last point evaluated
  SparseRows W_, J_;  // frozen
  KktSolver kkt_;
  Vec r_;  // J v − ν at the last point
  Vec rows_, x_;
};

}  // namespace driftless
