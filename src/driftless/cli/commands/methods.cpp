// driftless methods: everything that can be chosen, with its options, and what combines with what.

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/methods_page.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/integrator/choices.hpp"

namespace driftless::cli {
namespace {

void print_method(const MethodRecord& method, const std::string& remark) {
  print("  {:<24}{}{}\n", method.name, in_options(method.summary), remark.empty() ? "" : "; " + remark);
  print("  {:<24}[{}]\n", "", method.reference);
  for (const OptionSpec& spec : method.options)
    print("  {:<24}--option {}={}  {}{}{}\n", "", spec.name, option_range(spec), in_options(spec.help),
          spec.unit.empty() ? "" : fmt::format(" ({})", spec.unit),
          spec.default_value.empty() ? "" : ", default " + spec.default_value);
}

// Integrators of residuals a formulation that is an ODE form takes too.
bool others_fit(const FormulationRecord& formulation, std::vector<std::string>& names) {
  for (const IntegratorRecord* record : integrator_records())
    if (!record->takes_ode && fits(formulation, *record)) names.push_back(record->method.name);
  return !names.empty();
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void print_combinations() {
  print("\nWhat combines\n");
  print("  Models take every coordinate set but 'equations'; problems given by equations are 'equations'.\n");
  print("  Every formulation works in every coordinate set and with every stabilization.\n");
  std::vector<std::string> ode, fixed, flat;
  for (const IntegratorRecord* record : integrator_records()) {
    if (record->takes_ode) ode.push_back(record->method.name);
    if (!record->adaptive) fixed.push_back(record->method.name);
    if (record->needs_vector_space)
      flat.push_back(record->method.name + (record->takes_ode ? " on residual forms" : ""));
  }
  print("  ODE forms take the integrators {}.\n", listed(ode));
  for (const FormulationRecord* record : formulation_records())
    if (record->kind == FormKind::residual)
      print("  {} takes {}.\n", record->method.name, listed(fitting_integrators(*record)));
    else if (std::vector<std::string> more; others_fit(*record, more))
      print("  {} takes {} besides.\n", record->method.name, listed(more));
  if (!flat.empty())
    print(
        "  {} needs coordinates with dq/dt = v: not spatial reference-point, nor relative with ball "
        "joints.\n",
        listed(flat));
  if (!fixed.empty()) print("  Fixed-step integrators need --step: {}.\n", listed(fixed));
  print("\nWhat does not combine, and why\n");
  for (const IntegratorRecord* integrator : integrator_records()) {
    std::map<std::string, std::vector<std::string>> refused;  // formulations by reason
    for (const FormulationRecord* formulation : formulation_records())
      if (const std::string reason = why_not(*formulation, *integrator); !reason.empty())
        refused[reason].push_back(formulation->method.name);
    for (const auto& [reason, names] : refused)
      print("  {} does not take {}: {}.\n", integrator->method.name, listed(names), reason);
  }
}

void print_methods() {
  print("Coordinates (--coordinates)\n");
  for (const CoordinatesRecord* record : coordinates_records()) print_method(record->method, "");
  print("\nFormulations (--formulation)\n");
  for (const FormulationRecord* record : formulation_records())
    print_method(record->method, fmt::format("defaults {} and {}", record->default_integrator,
                                             record->default_stabilization));
  print("\nIntegrators (--integrator)\n");
  for (const IntegratorRecord* record : integrator_records())
    print_method(record->method, fmt::format("order {}, {}", record->order,
                                             !record->adaptive    ? "fixed step (--step)"
                                             : record->takes_step ? "adaptive (or --step)"
                                                                  : "adaptive"));
  print("\nStabilizations (--stabilization)\n");
  for (const StabilizationRecord* record : stabilization_records()) print_method(record->method, "");
  print_combinations();
}

}  // namespace

std::string option_range(const OptionSpec& spec) {
  if (spec.kind == OptionKind::choice) {
    std::string text;
    for (const auto& choice : spec.choices) text += (text.empty() ? "" : "|") + choice;
    return text;
  }
  if (spec.kind == OptionKind::names)  // a list of something else has a default that shows its kind
    return spec.default_value.empty() ? "NAME,NAME..." : fmt::format("a list such as {}", spec.default_value);
  std::string noun = spec.kind == OptionKind::integer ? "whole number" : "number";
  if (std::isfinite(spec.min) && std::isfinite(spec.max))
    return fmt::format("{} in [{}, {}]", noun, spec.min, spec.max);
  if (std::isfinite(spec.min)) return fmt::format("{} >= {}", noun, spec.min);
  if (std::isfinite(spec.max)) return fmt::format("{} <= {}", noun, spec.max);
  return noun;
}

int methods(const ListArguments& arguments) {
  if (arguments.json)
    print_bytes(methods_json());
  else if (arguments.markdown)
    print_bytes(methods_markdown());
  else
    print_methods();
  return kOk;
}

}  // namespace driftless::cli
