// Joint reactions in coordinates that have no rows for their joints: shared points of natural coordinates, tree joints of
// relative ones. A state (t, q, v) determines the reactions, whatever it is written in, so they are those of the same model
// in reference-point coordinates, which have rows for every joint:
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [γ]   at the bodies' places and velocities                                                     (1)
// Where rows depend on others, λ is the one of least norm (minimum_norm.hpp). Which rows are left out is decided once, at the
// first state a worker asks for, and chosen anew only where the kept ones grow weak: off the constraints, where records of a
// drifting run are, dependent rows contradict each other a little, and solving with all of them would blow that up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/system/kernels/minimum_norm.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {

class ReactionRecovery {
 public:
  // The model in reference-point coordinates.
  explicit ReactionRecovery(std::unique_ptr<DescriptorSystem> reference);
  // The same for a run of a system that switches.
  std::unique_ptr<ReactionRecovery> in_mode(const Mode& mode) const;

  std::vector<std::string> joint_names() const { return reference_->joint_names(); }

  // What belongs to one worker: sized once; after its first state nothing is allocated unless other rows are chosen.
  struct Work {
    explicit Work(const DescriptorSystem& system);
    State at;  // reference-point coordinates: written by whoever asks

    Observer reference;
    std::unique_ptr<MotionSolver> solver;
    MinimumNorm minimum_norm;
    Reaction reaction;   // (1) at `solved`
    State solved;        // nothing yet where q is empty
    bool chose = false;  // the rows to leave out
    long chose_at = 0;   // Mode::count then
  };
  std::unique_ptr<Work> make_work() const { return std::make_unique<Work>(*reference_); }
  // All joints at work.at. NaN where (1) has no solution.
  void reactions(Work& work, std::vector<JointReaction>& out) const;
  // All output channels there.
  void quantities(Work& work, VecRef out) const;

 private:
  Status solve(Work& work) const;
  void find(Work& work) const;  // its reaction

  std::unique_ptr<DescriptorSystem> reference_;
};

// Whether rows of J, filled by position(), are implied by others there.
bool has_dependent_rows(const DescriptorSystem& system, const Terms& terms);

}  // namespace driftless
