#include "driftless/run/settings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/model/setting_table.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

// ---- methods --------------------------------------------------------------------------------------------------------

template <class Record>
const Record* find_record(std::span<const Record* const> records, const std::string& name) {
  const auto found =
      std::find_if(records.begin(), records.end(), [&](const Record* r) { return r->method.name == name; });
  return found == records.end() ? nullptr : *found;
}

template <class Record>
void check_name(std::span<const Record* const> records,
                const std::string& kind,
                const std::optional<std::string>& name,
                const std::optional<std::string>& on_command_line,
                const std::string& source) {
  if (!name || find_record(records, *name) != nullptr) return;
  std::vector<std::string> known;
  for (const Record* record : records) known.push_back(record->method.name);
  throw InputError(on_command_line ? "" : source,
                   Complaint{on_command_line ? "`" + kind + "`" : "simulate." + kind, quoted_list(known),
                             fmt::format("'{}'", printable(*name)), hint_for_unknown(*name, known)});
}

// "alpha" → "formulation.alpha" where exactly one of the chosen methods knows it; otherwise the name as it is.
class OptionNames {
 public:
  explicit OptionNames(const RunSettings& settings) {
    const MethodNames methods = method_names(settings);
    add("coordinates",
        find_record(coordinates_records(), settings.coordinates.value_or(kDefaultCoordinates)));
    add("formulation", find_record(formulation_records(), methods.formulation));
    add("integrator", find_record(integrator_records(), methods.integrator));
    add("stabilization", find_record(stabilization_records(), methods.stabilization));
  }
  bool knows(const std::string& name) const { return !matches(name).empty(); }
  std::string full(const std::string& name) const {
    const auto found = matches(name);
    return found.size() == 1 ? found[0] : name;
  }

 private:
  template <class Record>
  void add(const std::string& prefix, const Record* record) {
    if (record == nullptr) return;
    for (const OptionSpec& spec : record->method.options) names_.emplace_back(prefix, spec.name);
  }
  std::vector<std::string> matches(const std::string& name) const {
    std::vector<std::string> found;
    for (const auto& [prefix, bare] : names_)
      if (name == bare || name == prefix + "." + bare) found.push_back(prefix + "." + bare);
    return found;
  }
  std::vector<std::pair<std::string, std::string>> names_;
};

void merge_options(const RunSettings& command, const RunSettings& record, Merged& merged) {
  const OptionNames names(merged.settings);
  const bool chose_method =
      command.coordinates || command.formulation || command.integrator || command.stabilization;
  auto& options = merged.settings.options;
  options.clear();
  for (const auto& [name, value] : record.options) {
    if (!chose_method || names.knows(name))
      options[names.full(name)] = value;
    else
      merged.notices.push_back(
          fmt::format("option {}={} of the model is left out: no method chosen here has it", name, value));
  }
  std::map<std::string, std::string> given;
  for (const auto& [name, value] : command.options)
    if (!given.emplace(names.full(name), value).second)
      throw InputError("", Complaint{fmt::format("`option {}`", name), "each name once",
                                     fmt::format("'{}' twice", names.full(name)), ""});
  for (const auto& [name, value] : given) options[name] = value;
}

// A formulation an integrator takes: the usual one, or the one with the rows it is made for.
std::string formulation_for(const IntegratorRecord& integrator, const std::string& usual) {
  const auto fitting = fitting_formulations(integrator);
  if (std::find(fitting.begin(), fitting.end(), usual) != fitting.end()) return usual;
  for (const std::string& name : fitting)
    if (const auto* record = find_record(formulation_records(), name);
        !integrator.rows.empty() && record->rows == integrator.rows.front())
      return name;
  return fitting.empty() ? "" : fitting.front();
}

// The integrator of the record does not outlive the choice of a formulation it does not go with, nor its formulation that of
// an integrator that does not take it, nor the formulation nobody chose: defaults, or what fits, take their place.
void merge_methods(const RunSettings& command, const RunSettings& record, Merged& merged) {
  RunSettings& s = merged.settings;
  const MethodNames names = method_names(s);
  const FormulationRecord* formulation = find_record(formulation_records(), names.formulation);
  const IntegratorRecord* integrator = find_record(integrator_records(), names.integrator);
  if (formulation == nullptr || integrator == nullptr || fits(*formulation, *integrator)) return;
  if (command.formulation && !command.integrator && record.integrator) {
    s.integrator.reset();
    merged.notices.push_back(
        fmt::format("the integrator {} of the record is left out: {} is integrated by {}", *record.integrator,
                    names.formulation, method_names(s).integrator));
  } else if (command.integrator && !command.formulation) {
    s.formulation.reset();
    const std::string usual = method_names(s).formulation, other = formulation_for(*integrator, usual);
    if (other.empty()) return;
    if (other != usual) s.formulation = other;
    merged.notices.push_back(
        record.formulation
            ? fmt::format("the formulation {} of the record is left out for {}: {} does not take it",
                          *record.formulation, other, names.integrator)
            : fmt::format("formulation {} instead of {}, which {} does not take", other, usual,
                          names.integrator));
  }
}

// A fixed step the record carries does not outlive the wish for tolerances or for an adaptive integrator.
void merge_step(const RunSettings& command, const RunSettings& record, Merged& merged) {
  if (command.step) {
    if (command.rtol || command.atol || command.initial_step || command.max_step)
      merged.notices.push_back(
          "`step` fixes the step: `rtol`, `atol`, `initial_step` and `max_step` have no effect");
    return;
  }
  if (!record.step) return;
  const IntegratorRecord* integrator =
      find_record(integrator_records(), method_names(merged.settings).integrator);
  if (integrator == nullptr || !integrator->adaptive) return;
  const bool is_another = merged.settings.integrator != record.integrator;
  if (!command.rtol && !command.atol && !command.integrator && !is_another) return;
  merged.settings.step.reset();
  merged.notices.push_back(fmt::format("the fixed step {} s of the record is left out: {} chooses its steps",
                                       *record.step, integrator->method.name));
}

}  // namespace

RunSettings record_settings(const ProblemRecord& problem) {
  RunSettings settings;
  settings.t_end = problem.t_end;
  settings.rtol = problem.rtol;
  if (problem.step > 0) settings.step = problem.step;
  if (!problem.formulation.empty()) settings.formulation = problem.formulation;
  if (!problem.integrator.empty()) settings.integrator = problem.integrator;
  if (!problem.coordinates.empty()) settings.coordinates = problem.coordinates;
  if (!problem.stabilization.empty()) settings.stabilization = problem.stabilization;
  return settings;
}

MethodNames method_names(const RunSettings& settings) {
  MethodNames names;
  names.formulation = settings.formulation.value_or(Setup().formulation);
  const FormulationRecord* formulation = find_record(formulation_records(), names.formulation);
  names.integrator = settings.integrator.value_or(formulation ? formulation->default_integrator : "");
  names.stabilization =
      settings.stabilization.value_or(formulation ? formulation->default_stabilization : "");
  return names;
}

void check_method_names(const RunSettings& merged, const RunSettings& command, const std::string& source) {
  check_name(formulation_records(), "formulation", merged.formulation, command.formulation, source);
  check_name(integrator_records(), "integrator", merged.integrator, command.integrator, source);
  check_name(stabilization_records(), "stabilization", merged.stabilization, command.stabilization, source);
}

std::map<std::string, std::string> take_problem_options(const ProblemRecord& problem, RunSettings& settings) {
  std::map<std::string, std::string> taken;
  for (const OptionSpec& spec : problem.options)
    for (const std::string& name : {spec.name, "problem." + spec.name})
      if (const auto found = settings.options.find(name); found != settings.options.end()) {
        if (!taken.emplace(spec.name, found->second).second)
          throw InputError("", Complaint{"`option " + name + "`", "each name once", "it twice", ""});
        settings.options.erase(found);
      }
  return taken;
}

std::map<std::string, std::string> take_coordinates_options(std::span<const OptionSpec> specs,
                                                            RunSettings& settings) {
  std::map<std::string, std::string> taken;
  for (const OptionSpec& spec : specs)
    for (const std::string& name : {spec.name, "coordinates." + spec.name})
      if (const auto found = settings.options.find(name); found != settings.options.end()) {
        taken[spec.name] = found->second;
        settings.options.erase(found);
      }
  return taken;
}

Merged merge(const RunSettings& command, const RunSettings& record) {
  Merged merged{record, {}};
  prefer_settings(merged.settings, command);
  merge_methods(command, record, merged);
  merge_step(command, record, merged);
  merge_options(command, record, merged);
  return merged;
}

Setup make_setup(const RunSettings& settings) {
  const Setup defaults;
  Setup setup;
  setup.formulation = settings.formulation.value_or(defaults.formulation);
  setup.integrator = settings.integrator.value_or(defaults.integrator);
  setup.stabilization = settings.stabilization.value_or(defaults.stabilization);
  setup.t_end = settings.t_end.value_or(defaults.t_end);
  setup.rtol = settings.rtol.value_or(defaults.rtol);
  setup.atol = settings.atol.value_or(defaults.atol);
  setup.step = settings.step.value_or(defaults.step);
  setup.initial_step = settings.initial_step.value_or(defaults.initial_step);
  setup.max_step = settings.max_step.value_or(defaults.max_step);
  setup.max_steps = settings.max_steps.value_or(defaults.max_steps);
  setup.output_step = settings.output_step.value_or(defaults.output_step);
  setup.drift_limit = settings.drift_limit.value_or(defaults.drift_limit);
  setup.options = settings.options;
  return setup;
}

}  // namespace driftless
