#include "driftless/integrator/choices.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/formulation/turning_form.hpp"

namespace driftless {
namespace {

template <class Record>
const Record* find_method(std::span<const Record* const> records,
                          const std::string& name,
                          const char* option) {
  std::vector<std::string> names;
  for (const Record* record : records) {
    if (record->method.name == name) return record;
    names.push_back(record->method.name);
  }
  const std::string hint = hint_for_unknown(name, names);
  throw InputError("settings", Complaint{option, quoted_list(names), fmt::format("'{}'", name),
                                         hint.empty() ? "`driftless methods` describes them" : hint});
}

const IntegratorRecord* other_for(const FormulationRecord& formulation, const IntegratorRecord& integrator) {
  return integrator.stands_for == nullptr ? nullptr : integrator.stands_for(formulation);
}

const char* described(ResidualRows rows) {
  switch (rows) {
    case ResidualRows::none:
      return "no rows";
    case ResidualRows::position:
      return "position rows";
    case ResidualRows::velocity:
      return "velocity rows";
    case ResidualRows::both:
      return "position and velocity rows";
  }
  return "";
}

}  // namespace

std::string hint_for_unknown(const std::string& name, const std::vector<std::string>& known) {
  for (const char* optional : {"cvode-adams", "cvode-bdf", "arkode", "ida"})
    if (name == optional)
      return "this driftless was built without SUNDIALS: install libsundials-dev and build it again";
  const std::string near = closest_name(name, known);
  return near.empty() ? "" : fmt::format("did you mean '{}'?", near);
}

std::string why_not(const FormulationRecord& formulation, const IntegratorRecord& integrator) {
  if (const auto* other = other_for(formulation, integrator)) return why_not(formulation, *other);
  if (formulation.kind == FormKind::ode && integrator.takes_ode) {
    if (!integrator.needs_smooth || formulation.is_smooth) return {};
    return "it keeps values of past steps, and the formulation bases its variables anew behind every step";
  }
  const auto& rows = integrator.rows;
  if (formulation.rows && std::find(rows.begin(), rows.end(), *formulation.rows) != rows.end()) return {};
  if (rows.empty())
    return "it integrates dy/dt = F(t, y), and the formulation leaves the constraints to the integrator";
  std::string taken;
  for (const ResidualRows row : rows) taken += (taken.empty() ? "" : " or ") + std::string(described(row));
  return fmt::format(
      "it solves the equations of motion with {}, and the formulation {}", taken,
      formulation.rows ? fmt::format("has {}", described(*formulation.rows)) : "gives dy/dt = F(t, y)");
}

bool fits(const FormulationRecord& formulation, const IntegratorRecord& integrator) {
  return why_not(formulation, integrator).empty();
}

std::vector<std::string> fitting_integrators(const FormulationRecord& formulation) {
  std::vector<std::string> names;
  for (const IntegratorRecord* record : integrator_records())
    if (fits(formulation, *record)) names.push_back(record->method.name);
  return names;
}

std::vector<std::string> fitting_formulations(const IntegratorRecord& integrator) {
  std::vector<std::string> names;
  for (const FormulationRecord* record : formulation_records())
    if (fits(*record, integrator)) names.push_back(record->method.name);
  return names;
}

Choices choose_methods(const std::string& formulation,
                       const std::string& integrator,
                       const std::string& stabilization,
                       const std::map<std::string, std::string>& options,
                       bool fixed_step) {
  Choices choices;
  choices.formulation = find_method(formulation_records(), formulation, "`formulation`");
  choices.integrator =
      find_method(integrator_records(),
                  integrator.empty() ? choices.formulation->default_integrator : integrator, "`integrator`");
  choices.stabilization = find_method(
      stabilization_records(),
      stabilization.empty() ? choices.formulation->default_stabilization : stabilization, "`stabilization`");
  // s-full weighs changes of positions and velocities alike: velocities of index 3, off the constraints by O(h²) at every step, would
  // be mended by moving positions along the motion.
  if (choices.formulation->method.name == "index3" && choices.stabilization->method.name == "s-full")
    throw InputError(
        "settings",
        Complaint{
            "`stabilization`",
            "'none', 'pstab', 's-both', 's-seq', 'velocity-only' or 'projection' with the formulation "
            "'index3'",
            "'s-full'",
            "s-full moves positions to mend velocities, which index 3 leaves off the constraints by h²"});
  if (const auto* other = other_for(*choices.formulation, *choices.integrator)) {
    choices.remark = fmt::format("{} with the formulation {} is {}", choices.integrator->method.name,
                                 choices.formulation->method.name, other->method.name);
    choices.integrator = other;
  }
  if (!fits(*choices.formulation, *choices.integrator))
    throw InputError("settings", Complaint{"`integrator`",
                                           fmt::format("{} with the formulation '{}'",
                                                       quoted_list(fitting_integrators(*choices.formulation)),
                                                       choices.formulation->method.name),
                                           fmt::format("'{}'", choices.integrator->method.name),
                                           fmt::format("{}: {}", choices.integrator->method.name,
                                                       why_not(*choices.formulation, *choices.integrator))});
  if (!choices.integrator->adaptive && !fixed_step)
    throw InputError("settings",
                     Complaint{"`integrator`",
                               fmt::format("`step=H` with the fixed-step integrator '{}'",
                                           choices.integrator->method.name),
                               "no `step`", "add `step=0.001`, or choose an adaptive one such as dopri5"});
  if (!choices.integrator->takes_step && fixed_step)
    throw InputError("settings",
                     Complaint{"`integrator`", "an integrator that takes a fixed step, with `step`",
                               fmt::format("'{}'", choices.integrator->method.name),
                               "leave `step` out: `rtol`, `atol` and `max_step` bound its steps"});
  const OptionOwner owners[] = {
      {"formulation", "formulation " + choices.formulation->method.name, choices.formulation->method.options},
      {"integrator", "integrator " + choices.integrator->method.name, choices.integrator->method.options},
      {"stabilization", "stabilization " + choices.stabilization->method.name,
       choices.stabilization->method.options}};
  auto sorted = distribute_options(options, owners);
  choices.formulation_options = std::move(sorted[0]);
  choices.integrator_options = std::move(sorted[1]);
  choices.stabilization_options = std::move(sorted[2]);
  return choices;
}

std::unique_ptr<OdeForm> Choices::make_form(const DescriptorSystem& system) const {
  const bool as_made = formulation->kind == FormKind::residual || integrator->takes_ode;
  auto form = (as_made ? formulation->make : formulation->make_residual)(system, formulation_options);
  return in_turning_axes(system, std::move(form), integrator->takes_jacobian);
}

std::map<std::string, std::string> Choices::in_force() const {
  std::map<std::string, std::string> all;
  const auto add = [&](const char* prefix, const Options& options) {
    for (const auto& [name, value] : options.values()) all[fmt::format("{}.{}", prefix, name)] = value;
  };
  add("formulation", formulation_options);
  add("integrator", integrator_options);
  add("stabilization", stabilization_options);
  return all;
}

}  // namespace driftless
