#include "driftless/formulation/formulation.hpp"

namespace driftless {

#define FORMULATION(name) extern const FormulationRecord name##_formulation;
#include "driftless/formulation/formulations.def"
#undef FORMULATION

std::span<const FormulationRecord* const> formulation_records() {
  static const FormulationRecord* const records[] = {
#define FORMULATION(name) &name##_formulation,
#include "driftless/formulation/formulations.def"
#undef FORMULATION
  };
  return records;
}

}  // namespace driftless
