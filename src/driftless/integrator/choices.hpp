// The methods of a run, looked up by name, with their options sorted out and checked. Everything wrong with them is an
// InputError that says what would fit.
#pragma once

#include <map>
#include <string>

#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

// Why an integrator does not take the equations a formulation gives: one sentence; empty if it does.
std::string why_not(const FormulationRecord& formulation, const IntegratorRecord& integrator);
bool fits(const FormulationRecord& formulation, const IntegratorRecord& integrator);
std::vector<std::string> fitting_integrators(const FormulationRecord& formulation);
std::vector<std::string> fitting_formulations(const IntegratorRecord& integrator);

// What to say of an integrator, formulation or stabilization that is not among the known ones; may be empty.
std::string hint_for_unknown(const std::string& name, const std::vector<std::string>& known);

struct Choices {
  const FormulationRecord* formulation = nullptr;
  const IntegratorRecord* integrator = nullptr;
  const StabilizationRecord* stabilization = nullptr;
  Options formulation_options, integrator_options, stabilization_options;
  std::string remark;  // where a choice stands for another

  // The equations of the formulation as the integrator wants them.
  std::unique_ptr<OdeForm> make_form(const DescriptorSystem& system) const;
  // "formulation.alpha" → "10": every option in force.
  std::map<std::string, std::string> in_force() const;
};

// Empty names mean the defaults of the formulation. `fixed_step` says whether --step was given.
Choices choose_methods(const std::string& formulation,
                       const std::string& integrator,
                       const std::string& stabilization,
                       const std::map<std::string, std::string>& options,
                       bool fixed_step);

}  // namespace driftless
