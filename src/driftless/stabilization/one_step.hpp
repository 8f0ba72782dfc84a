// Frame of the stabilizations that correct with one frozen factorisation: gate, freeze, then the method's own passes.
#pragma once

#include "driftless/stabilization/projector.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

class OneFactorStabilization : public Stabilization, public KeepsMemory {
 public:
  OneFactorStabilization(const DescriptorSystem& system,
                         const Options& options,
                         std::unique_ptr<MotionSolver> kernel)
      : projector_(system, options, std::move(kernel)) {}

  Status settle(double t, VecRef q, VecRef v) final {
    if (projector_.within_tolerance(t, q, v)) return Status::ok;
    if (const Status status = projector_.freeze(t, q, statistics); status != Status::ok) return status;
    return correct(t, q, v);
  }
  void drop_rows(std::span<const int> rows) final { projector_.drop_rows(rows); }
  int singular_row() const final { return projector_.dependent_row(); }
  void keep(Memory& memory) final { projector_.keep(memory); }

 protected:
  // Residuals at (q, v) are known and W, J are frozen there.
  virtual Status correct(double t, VecRef q, VecRef v) = 0;
  Projector projector_;
};

}  // namespace driftless
