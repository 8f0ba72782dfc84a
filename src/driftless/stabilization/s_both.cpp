// S-both: one correction of positions and velocities.                                                 Chin (3.66)
//   q = q̂ ⊕ −P g(q̂),   v = v̂ − P r(q̂, v̂)                                                                           (1)
// Drift after a step of order p, ε = C hᵖ⁺¹: g = O(ε²), r = O(ε). One factorisation, two solves.
#include "driftless/stabilization/one_step.hpp"

namespace driftless {
namespace {

class SBoth final : public OneFactorStabilization {
 public:
  using OneFactorStabilization::OneFactorStabilization;

 private:
  Status correct(double, VecRef q, VecRef v) override {
    if (const Status status = projector_.correct_position(q); status != Status::ok) return status;
    return projector_.correct_velocity(v);  // with r of the unstabilised point
  }
};

}  // namespace

extern const StabilizationRecord s_both_stabilization;
const StabilizationRecord s_both_stabilization = {
    .method = {"s-both", "one correction of positions and velocities from the same point",
               "Chin 1995, (3.66)", projector_options()},
    .make = [](const DescriptorSystem& system,
               const Options& options,
               std::unique_ptr<MotionSolver> kernel) -> std::unique_ptr<Stabilization> {
      return std::make_unique<SBoth>(system, options, std::move(kernel));
    },
};

}  // namespace driftless
