// Velocity-only stabilisation.                                                                        Chin (3.75)
//   v = v̂ − P r(q̂, v̂)                                                                                            (1)
// Exact for nonholonomic rows, which are linear in v; holonomic positions still drift like hᵖ t. One factorisation, one
// solve.
#include "driftless/stabilization/one_step.hpp"

namespace driftless {
namespace {

class VelocityOnly final : public OneFactorStabilization {
 public:
  using OneFactorStabilization::OneFactorStabilization;

 private:
  Status correct(double, VecRef, VecRef v) override { return projector_.correct_velocity(v); }
};

}  // namespace

extern const StabilizationRecord velocity_only_stabilization;
const StabilizationRecord velocity_only_stabilization = {
    .method = {"velocity-only", "velocities only: for nonholonomic rows; positions keep drifting",
               "Chin 1995, (3.75)", projector_options()},
    .make = [](const DescriptorSystem& system,
               const Options& options,
               std::unique_ptr<MotionSolver> kernel) -> std::unique_ptr<Stabilization> {
      return std::make_unique<VelocityOnly>(system, options, std::move(kernel));
    },
};

}  // namespace driftless
