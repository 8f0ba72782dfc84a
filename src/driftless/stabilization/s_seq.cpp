// S-seq: positions first, then velocities at the corrected positions.      docs/theory/s-seq.md (a cheaper variant of PStab)
//   q = q̂ ⊕ −P g(q̂),   then   v = v̂ − P r(q, v̂)   (P frozen at q̂, r with the fresh J)                              (1)
// Drift after a step of order p, ε = C hᵖ⁺¹: g = O(ε²), r = O(ε²). One factorisation, two solves.
#include "driftless/stabilization/one_step.hpp"

namespace driftless {
namespace {

class SSeq final : public OneFactorStabilization {
 public:
  using OneFactorStabilization::OneFactorStabilization;

 private:
  Status correct(double t, VecRef q, VecRef v) override {
    if (const Status status = projector_.correct_position(q); status != Status::ok) return status;
    projector_.renew(t, q, v);
    return projector_.correct_velocity(v);
  }
};

}  // namespace

extern const StabilizationRecord s_seq_stabilization;
const StabilizationRecord s_seq_stabilization = {
    .method = {"s-seq", "positions, then velocities at the corrected positions; cheaper than pstab",
               "after Chin 1995, section 3.3; docs/theory/s-seq.md", projector_options()},
    .make = [](const DescriptorSystem& system,
               const Options& options,
               std::unique_ptr<MotionSolver> kernel) -> std::unique_ptr<Stabilization> {
      return std::make_unique<SSeq>(system, options, std::move(kernel));
    },
};

}  // namespace driftless
