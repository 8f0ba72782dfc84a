// A state put on the constraints to be looked at, and its motion there, by the factors the last correction was made with:
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [γ]                                                                                          (1)
// For records: two factorisations each, where a stabilization and a solve of (1) one after the other would make three.
#pragma once

#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

class SettledMotion : public Stabilization {
 public:
  // In place of settle(): (q, v) are left as they are.
  virtual Status take(double t, ConstVec q, ConstVec v) = 0;
  // (1) at the point settled or taken last; the smallest λ where rows are dropped.
  virtual Status react(double t, ConstVec q, ConstVec v, Reaction& out) = 0;
  // There: g, J, ν and M; behind react() γ and f, too.
  virtual Terms& terms() = 0;
};

// Corrects as the stabilization `projection` with its defaults. `kernel`: null for the system's own.
std::unique_ptr<SettledMotion> make_settled_motion(const DescriptorSystem& system,
                                                   std::unique_ptr<MotionSolver> kernel);

}  // namespace driftless
