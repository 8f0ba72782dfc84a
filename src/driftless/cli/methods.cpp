// driftless methods: everything that can be chosen, with its options, and what combines with what.

#include <cmath>

#include <fmt/format.h>

#include "driftless/cli/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless::cli {
namespace {

std::string range_of(const OptionSpec& spec) {
  if (spec.kind == OptionKind::choice) {
    std::string text;
    for (const auto& choice : spec.choices) text += (text.empty() ? "" : "|") + choice;
    return text;
  }
  if (spec.kind == OptionKind::names) return "NAME,NAME...";
  std::string noun = spec.kind == OptionKind::integer ? "whole number" : "number";
  if (std::isfinite(spec.min) && std::isfinite(spec.max))
    return fmt::format("{} in [{}, {}]", noun, spec.min, spec.max);
  if (std::isfinite(spec.min)) return fmt::format("{} >= {}", noun, spec.min);
  if (std::isfinite(spec.max)) return fmt::format("{} <= {}", noun, spec.max);
  return noun;
}

void print_method(const MethodRecord& method, const std::string& remark) {
  print("  {:<24}{}{}\n", method.name, method.summary, remark.empty() ? "" : "; " + remark);
  print("  {:<24}[{}]\n", "", method.reference);
  for (const OptionSpec& spec : method.options)
    print("  {:<24}--option {}={}  {}{}{}\n", "", spec.name, range_of(spec), spec.help,
          spec.unit.empty() ? "" : fmt::format(" ({})", spec.unit),
          spec.default_value.empty() ? "" : ", default " + spec.default_value);
}

void print_combinations() {
  print("\nWhat combines\n");
  print("  Models take every coordinate set but 'equations'; problems of the library are 'equations'.\n");
  print(
      "  Every formulation takes every integrator and every stabilization; its own defaults are named "
      "above.\n");
  std::string fixed;
  for (const IntegratorRecord* record : integrator_records())
    if (!record->adaptive) fixed += (fixed.empty() ? "" : ", ") + record->method.name;
  if (!fixed.empty()) print("  Fixed-step integrators need --step: {}.\n", fixed);
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
    print_method(record->method,
                 fmt::format("order {}, {}", record->order,
                             record->adaptive ? "adaptive (or --step)" : "fixed step (--step)"));
  print("\nStabilizations (--stabilization)\n");
  for (const StabilizationRecord* record : stabilization_records()) print_method(record->method, "");
  print_combinations();
}

}  // namespace

int methods(const ListArguments& arguments) {
  if (arguments.json)
    print_bytes(methods_json());
  else
    print_methods();
  return kOk;
}

}  // namespace driftless::cli
