// What is done to the end-of-step candidate to bring it back to the constraints: `settle`. Schemes that reuse their last
// stage call it before that stage, the others when a step is complete.
#pragma once

#include <memory>
#include <span>

#include "driftless/core/method_record.hpp"
#include "driftless/core/statistics.hpp"
#include "driftless/core/status.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

class Stabilization {
 public:
  virtual ~Stabilization() = default;
  // Corrects (q, v) at time t in place.
  virtual Status settle(double t, VecRef q, VecRef v) = 0;
  // Leaves rows that depend on the others out of every correction (ascending).
  virtual void drop_rows(std::span<const int> rows) = 0;
  // Index of the row that made the last `singular`, −1 if it was none of the rows.
  virtual int singular_row() const = 0;

  Statistics* statistics = nullptr;  // where stabilizations and factorizations are counted; set by simulate
};

struct StabilizationRecord {
  MethodRecord method;
  // `kernel` measures and makes the corrections: that of the formulation, null: the system's own. With weight=identity it
  // is not used. `none` makes a null pointer.
  std::unique_ptr<Stabilization> (*make)(const DescriptorSystem& system,
                                         const Options& options,
                                         std::unique_ptr<MotionSolver> kernel);
};

std::span<const StabilizationRecord* const> stabilization_records();

// The one called `projection`, with its defaults: puts states of any origin on the constraints.
std::unique_ptr<Stabilization> make_projection(const DescriptorSystem& system,
                                               std::unique_ptr<MotionSolver> kernel);
// The same on the shortest way in the scales of the coordinates (weight=identity), which is no longer than the state is off. That
// by the mass goes along M⁻¹Jᵀ, which may be far from the normal Jᵀ: it then moves states by many times what they are off.
std::unique_ptr<Stabilization> make_nearest_projection(const DescriptorSystem& system);

}  // namespace driftless
