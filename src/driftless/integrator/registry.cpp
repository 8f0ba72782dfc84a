#include "driftless/integrator/integrator.hpp"

namespace driftless {

#define INTEGRATOR(name) extern const IntegratorRecord name##_integrator;
#include "driftless/integrator/integrators.def"
#undef INTEGRATOR

std::span<const IntegratorRecord* const> integrator_records() {
  static const IntegratorRecord* const records[] = {
#define INTEGRATOR(name) &name##_integrator,
#include "driftless/integrator/integrators.def"
#undef INTEGRATOR
  };
  return records;
}

}  // namespace driftless
