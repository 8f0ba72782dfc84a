// S-full: positions and velocities corrected together.                                         Chin, algorithm 3.2
//   q = q̂ ⊕ −dq,   v = v̂ − dv,   dq and dv the smallest change, in the metric of W, that removes g and r to first order
//   (system/kernels/full_correction.hpp: equations and their solution by blocks);                                              (1)
//   nonholonomic rows have g = 0 here, as in the other methods of the family
// Drift after a step of order p, ε = C hᵖ⁺¹: g, r = O(ε²). Needs L (system/tangents/tangents.hpp) and 2 m + 2 solves:
// the most expensive of the family, of interest for its theory.
#include "driftless/stabilization/projector.hpp"
#include "driftless/stabilization/stabilization.hpp"
#include "driftless/system/kernels/full_correction.hpp"

namespace driftless {
namespace {

class SFull final : public Stabilization, public KeepsMemory {
 public:
  void keep(Memory& memory) override {
    projector_.keep(memory);
    tangents_.keep(memory);
  }
  SFull(const DescriptorSystem& system, const Options& options, std::unique_ptr<MotionSolver> kernel)
      : system_(system),
        projector_(system, options, std::move(kernel)),
        scratch_(system.make_terms()),
        tangents_(system.make_tangents({.velocity = true})),
        none_(Vec::Zero(system.layout().nv)),
        no_rows_(Vec::Zero(system.layout().m)),
        correction_(system.layout()),
        dq_(system.layout().nv),
        dv_(system.layout().nv) {}

  Status settle(double t, VecRef q, VecRef v) override {
    if (projector_.within_tolerance(t, q, v)) return Status::ok;
    if (const Status status = projector_.freeze(t, q, statistics); status != Status::ok) return status;
    system_.tangents(t, q, v, none_, no_rows_, scratch_, tangents_);
    if (const Status status = correction_.solve(projector_.solver(), tangents_.L, projector_.residual_rows(),
                                                projector_.velocity_error(), dq_, dv_);
        status != Status::ok)
      return status;
    v -= dv_;  // (1)
    dq_ = -dq_;
    system_.retract(q, dq_);
    return Status::ok;
  }
  void drop_rows(std::span<const int> rows) override { projector_.drop_rows(rows); }
  int singular_row() const override { return projector_.dependent_row(); }

 private:
  const DescriptorSystem& system_;
  Projector projector_;
  Terms scratch_;
  Tangents tangents_;  // L
  Vec none_, no_rows_;
  FullCorrection correction_;
  Vec dq_, dv_;
};

}  // namespace

extern const StabilizationRecord s_full_stabilization;
const StabilizationRecord s_full_stabilization = {
    .method = {"s-full", "positions and velocities corrected together; needs second derivatives",
               "Chin 1995, algorithm 3.2", projector_options()},
    .make = [](const DescriptorSystem& system,
               const Options& options,
               std::unique_ptr<MotionSolver> kernel) -> std::unique_ptr<Stabilization> {
      return std::make_unique<SFull>(system, options, std::move(kernel));
    },
};

}  // namespace driftless
