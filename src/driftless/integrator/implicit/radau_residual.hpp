// Radau IIA on residual forms: see radau_residual.cpp.
#pragma once

#include <memory>

#include "driftless/formulation/residual_form.hpp"
#include "driftless/integrator/integrator.hpp"

namespace driftless {

// `renews_always`: a tangent for every step.
std::unique_ptr<Integrator> make_radau_on_residual(OdeForm& form,
                                                   Statistics& statistics,
                                                   const StepControl& control,
                                                   bool renews_always);

}  // namespace driftless
