#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

#define STABILIZATION(name) extern const StabilizationRecord name##_stabilization;
#include "driftless/stabilization/stabilizations.def"
#undef STABILIZATION

std::span<const StabilizationRecord* const> stabilization_records() {
  static const StabilizationRecord* const records[] = {
#define STABILIZATION(name) &name##_stabilization,
#include "driftless/stabilization/stabilizations.def"
#undef STABILIZATION
  };
  return records;
}

std::unique_ptr<Stabilization> make_projection(const DescriptorSystem& system,
                                               std::unique_ptr<MotionSolver> kernel) {
  const StabilizationRecord& record = projection_stabilization;
  return record.make(system, Options(record.method.name, record.method.options, {}), std::move(kernel));
}

std::unique_ptr<Stabilization> make_nearest_projection(const DescriptorSystem& system) {
  const StabilizationRecord& record = projection_stabilization;
  return record.make(system, Options(record.method.name, record.method.options, {{"weight", "identity"}}),
                     nullptr);
}

}  // namespace driftless
