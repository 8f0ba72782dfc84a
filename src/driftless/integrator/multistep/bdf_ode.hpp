// Backward differentiation formulas on ODE forms, of variable order and step, or with fixed steps.
#pragma once

#include <memory>

#include "driftless/integrator/integrator.hpp"

namespace driftless {

// `order`: the highest with error control, the order with fixed steps.
std::unique_ptr<Integrator> make_bdf_on_ode(OdeForm& form,
                                            Statistics& statistics,
                                            const StepControl& control,
                                            int order);

}  // namespace driftless
