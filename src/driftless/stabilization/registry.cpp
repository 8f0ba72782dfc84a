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

}  // namespace driftless
