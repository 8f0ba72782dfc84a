// Joint reactions in coordinates that have no rows for their joints: shared points of natural coordinates, tree joints of
// relative ones. A state (t, q, v) determines the reactions, whatever it is written in, so they are those of the same model
// in reference-point coordinates, which have rows for every joint:
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [γ]   at the bodies' places and velocities                                                     (1)
// Where rows depend on others, λ is the one of least norm (minimum_norm.hpp).
// Made for output: every call allocates its workspace.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class ReactionRecovery {
 public:
  // The model in reference-point coordinates.
  explicit ReactionRecovery(std::unique_ptr<DescriptorSystem> reference);

  std::vector<std::string> joint_names() const { return reference_->joint_names(); }
  // All joints at a state in reference-point coordinates. NaN where (1) has no solution.
  void reactions(const State& at_reference, std::vector<JointReaction>& out) const;

 private:
  std::unique_ptr<DescriptorSystem> reference_;
};

}  // namespace driftless
