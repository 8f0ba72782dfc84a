#include "driftless/run/model_settings.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/complaints.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/model/setting_table.hpp"
#include "driftless/system/user/vector_space.hpp"

namespace driftless {
namespace {

void check_coordinates(const RunSettings& merged, const RunSettings& command, const std::string& source) {
  std::vector<std::string> known;
  for (const CoordinatesRecord* record : coordinates_records())
    if (record->compile != nullptr) known.push_back(record->method.name);
  const std::string name = merged.coordinates.value_or(kDefaultCoordinates);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string near = closest_name(name, known);
  throw InputError(command.coordinates ? "" : source,
                   Complaint{command.coordinates ? "`coordinates`" : "simulate.coordinates",
                             quoted_list(known), fmt::format("'{}'", printable(name)),
                             name == kEquations ? "a model is not given by its equations"
                             : near.empty()     ? ""
                                                : fmt::format("did you mean '{}'?", near)});
}

// Settings with a list of words to choose from.
void check_choices(const RunSettings& merged, const RunSettings& command, const std::string& source) {
  for (const Setting& setting : run_settings()) {
    const auto* word = std::get_if<TextMember>(&setting.member);
    if (word == nullptr || setting.choices.empty() || !(merged.*(*word))) continue;
    const std::string& value = *(merged.*(*word));
    if (std::find(setting.choices.begin(), setting.choices.end(), value) != setting.choices.end()) continue;
    const bool here = (command.*(*word)).has_value();
    throw InputError(
        here ? "" : source,
        Complaint{here ? fmt::format("`{}`", setting.name) : fmt::format("simulate.{}", setting.name),
                  fmt::format("'{}'", fmt::join(setting.choices, "' or '")),
                  fmt::format("'{}'", printable(value)), did_you_mean(value, setting.choices)});
  }
}

bool needs_vector_space(const MethodNames& methods) {
  for (const FormulationRecord* formulation : formulation_records())
    for (const IntegratorRecord* integrator : integrator_records())
      if (formulation->method.name == methods.formulation && integrator->method.name == methods.integrator) {
        const IntegratorRecord* other =
            integrator->stands_for ? integrator->stands_for(*formulation) : nullptr;
        return (other ? other : integrator)->needs_vector_space && formulation->kind == FormKind::residual;
      }
  return false;
}

// The integrator of highest order for a formulation that takes any coordinates; empty if there is none.
std::string integrator_for_any_coordinates(const std::string& formulation) {
  const IntegratorRecord* best = nullptr;
  for (const FormulationRecord* record : formulation_records())
    if (record->method.name == formulation)
      for (const IntegratorRecord* integrator : integrator_records())
        if (!integrator->needs_vector_space && integrator->stands_for == nullptr &&
            fits(*record, *integrator) && (best == nullptr || integrator->order > best->order))
          best = integrator;
  return best == nullptr ? "" : best->method.name;
}

bool stands_for_others(const std::string& integrator) {
  const auto records = integrator_records();
  return std::any_of(records.begin(), records.end(), [&](const IntegratorRecord* record) {
    return record->method.name == integrator && record->stands_for != nullptr;
  });
}

}  // namespace

Merged merge_for(const Model& model,
                 const std::string& source,
                 const RunSettings& command,
                 const RunSettings& record) {
  constexpr const char* kVectorSpace = "euler-parameters";
  Merged merged = merge(command, record);
  check_coordinates(merged.settings, command, source);
  check_choices(merged.settings, command, source);
  check_method_names(merged.settings, command, source);
  const MethodNames methods = method_names(merged.settings);
  const std::string coordinates = merged.settings.coordinates.value_or(kDefaultCoordinates);
  if (model.space != Space::spatial || !needs_vector_space(methods)) return merged;
  if (command.coordinates && command.integrator && !stands_for_others(methods.integrator)) return merged;
  const CompiledModel trial = compile(model, coordinates, source, {});
  if (is_vector_space(*trial.system, trial.guess)) return merged;
  if (command.coordinates) {
    RunSettings otherwise = command;
    otherwise.integrator = integrator_for_any_coordinates(methods.formulation);
    if (otherwise.integrator->empty()) return merged;
    merged = merge(otherwise, record);
    merged.notices.push_back(
        fmt::format("integrator {} instead of {}, which needs velocities that are the derivatives of the "
                    "coordinates: {} has others",
                    *otherwise.integrator, methods.integrator, coordinates));
    return merged;
  }
  RunSettings other = record;
  other.coordinates = kVectorSpace;
  merged = merge(command, other);
  merged.notices.push_back(
      fmt::format("coordinates {} instead of {}: {} with {} needs velocities that are the derivatives "
                  "of the coordinates",
                  kVectorSpace, coordinates, methods.formulation, methods.integrator));
  return merged;
}

}  // namespace driftless
