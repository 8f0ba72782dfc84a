#include "driftless/run/case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/analysis/contradiction.hpp"
#include "driftless/analysis/model_doubts.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/complaints.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/io/results_io.hpp"
#include "driftless/joints/gears/teeth.hpp"
#include "driftless/model/drawing/drawing.hpp"
#include "driftless/model/validate/broken_functions.hpp"
#include "driftless/run/model_settings.hpp"
#include "driftless/run/settings.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

// A model before its starting state is found.
struct ModelDraft {
  Case result;
  CompiledModel compiled;  // its system is still here
  Model model;
};

void adopt(Case& result, Merged merged) {
  result.settings = std::move(merged.settings);
  result.notices = std::move(merged.notices);
}

template <class Record>
std::span<const OptionSpec> specs_of(std::span<const Record* const> records, const std::string& name) {
  for (const Record* record : records)
    if (record->method.name == name) return record->method.options;
  return {};
}

// Every option of the chosen methods with its value, and the numbers that steer the steps. Unknown option names are
// InputErrors here already; `problem` only adds to the list of known ones.
void resolve_options(Case& result, std::span<const OptionSpec> problem) {
  const MethodNames methods = method_names(result.settings);
  const OptionOwner owners[] = {
      {"coordinates", "coordinates " + result.coordinates,
       specs_of(coordinates_records(), result.coordinates)},
      {"formulation", "formulation " + methods.formulation,
       specs_of(formulation_records(), methods.formulation)},
      {"integrator", "integrator " + methods.integrator, specs_of(integrator_records(), methods.integrator)},
      {"stabilization", "stabilization " + methods.stabilization,
       specs_of(stabilization_records(), methods.stabilization)},
      {"problem", "problem " + result.name, problem}};
  const std::vector<Options> sorted = distribute_options(result.settings.options, owners);
  for (size_t i = 0; i < 4; ++i)
    for (const auto& [name, value] : sorted[i].values())
      result.options[owners[i].prefix + "." + name] = value;
  const Setup setup = make_setup(result.settings);
  if (setup.step > 0) {
    result.options["step"] = fmt::format("{}", setup.step);
    return;
  }
  result.options["rtol"] = fmt::format("{}", setup.rtol);
  result.options["atol"] = fmt::format("{}", setup.atol > 0 ? setup.atol : setup.rtol / 10);
  if (setup.max_step > 0) result.options["max_step"] = fmt::format("{}", setup.max_step);
}

Case draft_problem(const ProblemRecord& problem, const RunSettings& command) {
  if (command.coordinates && *command.coordinates != kEquations)
    throw InputError("", Complaint{"`coordinates`", fmt::format("'{}'", kEquations),
                                   fmt::format("'{}'", printable(*command.coordinates)),
                                   fmt::format("problem {} is given by its equations", problem.name)});
  RunSettings rest = command;
  const Options options("problem " + problem.name, problem.options, take_problem_options(problem, rest));
  Case result;
  result.name = problem.name;
  result.coordinates = kEquations;
  adopt(result, merge(rest, record_settings(problem)));
  check_method_names(result.settings, command, {});
  resolve_options(result, problem.options);
  for (const auto& [name, value] : options.values()) result.options["problem." + name] = value;
  ProblemInstance instance = problem.make(options);
  result.system = std::move(instance.system);
  result.start = std::move(instance.start);
  result.drawing = std::move(instance.drawing);
  return result;
}

// Of what the equations are made from: a continued run must meet the same mechanism. FNV-1a, 64 bits.
std::string fingerprint(Model model) {
  model.name.clear();
  model.description.clear();
  model.outputs.clear();
  model.initial = {};
  model.simulate = {};
  model.stop_when.clear();
  model.ground_shapes.clear();
  for (Body& body : model.bodies) body.shapes.clear();
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : model_to_json(model)) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}

Event stop_event(const StopWhen& stop, const DescriptorSystem& system) {
  const auto names = system.quantity_names();
  Event event;
  event.name = fmt::format("{} crosses {}", stop.output, stop.crosses);
  event.direction = stop.direction == "up"     ? Direction::up
                    : stop.direction == "down" ? Direction::down
                                               : Direction::any;
  event.stop = true;
  event.quantity = static_cast<int>(std::find(names.begin(), names.end(), stop.output) - names.begin());
  event.level = stop.crosses;
  event.noise = Noise::signal;
  return event;
}

// Where in the model the function is that has so many discontinuities that they cannot be listed.
std::string place_of_function(const Model& model, double t0, double t1) {
  const auto fails = [&](const TimeFunction& f) {
    try {
      f.break_times(t0, t1);
      return false;
    } catch (const std::invalid_argument&) {
      return true;
    }
  };
  for (const auto& [list, elements] :
       {std::pair{"joints", &model.joints}, std::pair{"drivers", &model.drivers},
        std::pair{"forces", &model.forces}})
    for (size_t i = 0; i < elements->size(); ++i)
      for (const auto& [field, value] : (*elements)[i].fields) {
        const std::string path = path_below(path_below(list, i), field);
        if (const auto* f = std::get_if<TimeFunction>(&value); f != nullptr && fails(*f)) return path;
        if (const auto* all = std::get_if<std::vector<TimeFunction>>(&value))
          for (size_t k = 0; k < all->size(); ++k)
            if (fails((*all)[k])) return path_below(path, k);
      }
  return {};
}

// "spring 'bump'": elements with laws that ask for no events.
std::vector<std::string> elements_without_events(const Model& model) {
  std::vector<std::string> out;
  const auto has_smooth = [](const std::string& law) {
    std::vector<std::string> names = {"t", "x", "v"};
    for (const std::string& signal : signals_in(law, std::vector(names))) names.push_back(signal);
    return Expression(law, names).has_smooth();
  };
  const auto asks = [](const TimeFunction& f) {
    return f.expression() != nullptr && f.expression()->has_smooth();
  };
  for (const auto* elements : {&model.joints, &model.drivers, &model.forces})
    for (const Element& element : *elements) {
      bool found = false;
      for (const auto& [field, value] : element.fields) {
        if (const auto* f = std::get_if<TimeFunction>(&value)) found |= asks(*f);
        if (const auto* all = std::get_if<std::vector<TimeFunction>>(&value))
          for (const TimeFunction& f : *all) found |= asks(f);
        if (const auto* text = std::get_if<std::string>(&value); text != nullptr && field == "law")
          found |= has_smooth(*text);
      }
      if (found) out.push_back(fmt::format("{} '{}'", element.type, element.name));
    }
  return out;
}

void check_breaks(
    const Model& model, const std::string& source, const DescriptorSystem& system, double t0, double t1) {
  if (!(t0 < t1)) return;
  try {
    system.break_times(t0, t1);
  } catch (const std::invalid_argument& trouble) {
    throw InputError(
        source, Complaint{place_of_function(model, t0, t1), "a function whose discontinuities can be counted",
                          trouble.what(), "simulate a shorter time, or make it smooth"});
  }
}

// Undeclared outputs cost little where there are few, and nobody looks at thousands of them.
std::string recorded_outputs(const Model& model, std::vector<std::string>& notices) {
  constexpr size_t kMost = 200;
  const size_t elements =
      model.joints.size() + model.drivers.size() + model.contacts.size() + model.forces.size();
  if (elements <= kMost) return "all";
  notices.push_back(
      fmt::format("outputs of {} joints, drivers and forces are not recorded, but for those the model "
                  "declares: record = all "
                  "does",
                  elements));
  return "declared";
}

// A mechanism, from a file (`source`) or from the problem library.
// Takes the model: one of 10⁵ bodies should not be there twice.
ModelDraft draft_mechanism(Model taken,
                           const std::string& name,
                           const std::string& source,
                           const RunSettings& command,
                           const RunSettings& record) {
  ModelDraft draft;
  draft.model = std::move(taken);
  const Model& model = draft.model;
  Case& result = draft.result;
  result.name = name;
  result.source = source;
  adopt(result, merge_for(model, source, command, record));
  result.coordinates = result.settings.coordinates.value_or(kDefaultCoordinates);
  resolve_options(result, {});
  result.options["model.fingerprint"] = fingerprint(model);
  result.parameters = model.parameters;
  for (const Input& input : model.inputs)
    if (!input.function && input.value.is_constant())
      result.parameters.push_back(
          {.name = input.name, .value = input.value(0), .unit = input.unit, .set = input.set});
  const auto specs = specs_of(coordinates_records(), result.coordinates);
  auto of_coordinates = take_coordinates_options(specs, result.settings);
  bool needs_mass = false;
  for (const FormulationRecord* formulation : formulation_records())
    needs_mass |=
        formulation->needs_mass && formulation->method.name == method_names(result.settings).formulation;
  const bool may_leave_mass =
      std::any_of(specs.begin(), specs.end(), [](const auto& s) { return s.name == "mass"; });
  if (needs_mass && may_leave_mass) of_coordinates.try_emplace("mass", "formed");
  if (!result.settings.record) result.settings.record = recorded_outputs(model, result.notices);
  draft.model.simulate.record = result.settings.record;
  draft.compiled = compile(draft.model, result.coordinates, source, of_coordinates);
  check_breaks(model, source, *draft.compiled.system, draft.compiled.guess.t,
               make_setup(result.settings).t_end);
  result.doubts = doubts_about(model, make_setup(result.settings).t_end);
  for (std::string& remark : remarks_about_teeth(model)) result.notices.push_back(std::move(remark));
  result.is_driven = !model.drivers.empty();
  result.without_events = elements_without_events(model);
  for (const StopWhen& stop : model.stop_when)
    result.events.push_back(stop_event(stop, *draft.compiled.system));
  return draft;
}

ModelDraft draft_model(const Target& target, const RunSettings& command) {
  if (target.problem == nullptr) {
    Model model = target.model ? with(*target.model, target.parameters)
                               : read_model(target.model_file, target.parameters);
    const std::string source = !target.model ? target.model_file : model.origin ? model.origin->source : "";
    if (target.model)
      if (auto complaints = validate(model, standard_catalogue()); !complaints.empty())
        throw InputError(source, std::move(complaints));
    if (auto broken = broken_functions(model, 0); !broken.empty())
      throw InputError(source, std::move(broken));
    const std::string name = !model.name.empty()    ? model.name
                             : !target.name.empty() ? target.name
                                                    : std::filesystem::path(source).stem().string();
    const RunSettings record = model.simulate;
    return draft_mechanism(std::move(model), name, source, command, record);
  }
  const ProblemRecord& problem = *target.problem;
  if (command.coordinates && *command.coordinates == kEquations)
    throw InputError(
        "", Complaint{"`coordinates`", "a coordinate set for mechanisms", fmt::format("'{}'", kEquations),
                      fmt::format("problem {} is a mechanism", problem.name)});
  RunSettings rest = command;
  const Options options("problem " + problem.name, problem.options, take_problem_options(problem, rest));
  ModelDraft draft =
      draft_mechanism(problem.mechanism(options), problem.name, "", rest, record_settings(problem));
  for (const auto& [name, value] : options.values()) draft.result.options["problem." + name] = value;
  return draft;
}

// The case without its draft. The drawing comes last: of large models it would stand beside the matrices of the assembly.
Case finished(ModelDraft draft) {
  draft.result.system = std::move(draft.compiled.system);
  draft.compiled = {};
  draft.result.drawing = std::make_shared<const Drawing>(drawing_of(draft.model));
  return std::move(draft.result);
}

// A program's own equations: like those of a problem, without a record and from a rough start.
Case draft_equations(const Target& target, const RunSettings& command) {
  Case result;
  result.name = target.name;
  result.coordinates = kEquations;
  adopt(result, merge(command, {}));
  check_method_names(result.settings, command, {});
  resolve_options(result, {});
  ProblemInstance instance = target.equations();
  result.system = std::move(instance.system);
  result.start = std::move(instance.start);
  result.drawing = std::move(instance.drawing);
  return result;
}

bool by_equations(const Target& target) {
  return target.equations || (target.problem != nullptr && target.problem->mechanism == nullptr);
}

void set_start(Case& result, Assembly assembly) {
  result.start = std::move(assembly.state);
  result.assembly = std::move(assembly.report);
}

// Names drivers and initial values that contradict one another, rather than the joints they pull apart.
Assembly assemble_or_explain(const ModelDraft& draft) {
  const double t = draft.compiled.guess.t;
  try {
    return assemble(draft.compiled, t, draft.result.source);
  } catch (const InputError&) {
    if (auto complaint = find_contradiction(draft.model, t))
      throw InputError(draft.result.source, std::move(*complaint));
    throw;
  }
}

void check_names(const std::vector<std::string>& found,
                 const std::vector<std::string>& expected,
                 const std::string& path,
                 const std::string& where) {
  if (found == expected) return;
  if (found.size() != expected.size())
    throw InputError(path, Complaint{where, fmt::format("{} coordinates", expected.size()),
                                     fmt::format("{}", found.size()), "it belongs to another mechanism"});
  const auto differ = std::mismatch(found.begin(), found.end(), expected.begin());
  throw InputError(path,
                   Complaint{where, fmt::format("'{}'", *differ.second), fmt::format("'{}'", *differ.first),
                             "it belongs to another mechanism or other coordinates"});
}

// What the saved run and this one differ in, empty if nothing: then its checkpoint fits.
std::string difference(const Provenance& saved, const Case& now) {
  const MethodNames methods = method_names(now.settings);
  if (saved.problem != now.name) return "problem";
  if (saved.coordinates != now.coordinates) return "coordinates";
  if (saved.formulation != methods.formulation) return "formulation";
  if (saved.integrator != methods.integrator) return "integrator";
  if (saved.stabilization != methods.stabilization) return "stabilization";
  const auto same = [](const Parameter& a, const Parameter& b) {
    return a.name == b.name && a.value == b.value;
  };
  const auto [mine, theirs] = std::mismatch(now.parameters.begin(), now.parameters.end(),
                                            saved.parameters.begin(), saved.parameters.end(), same);
  if (mine != now.parameters.end()) return "parameter " + mine->name;
  if (theirs != saved.parameters.end()) return "parameter " + theirs->name;
  for (const auto& [name, value] : now.options) {
    const auto found = saved.options.find(name);
    if (found == saved.options.end() || found->second != value) return name;
  }
  for (const char* limit : {"step", "max_step"})
    if (saved.options.contains(limit) && !now.options.contains(limit)) return limit;
  return {};
}

// How long the integrated vector of this case is. Only what was given counts: some options exclude others.
Eigen::Index integrated_size(const Case& now) {
  const std::string name = method_names(now.settings).formulation, prefix = "formulation.";
  std::map<std::string, std::string> values;
  for (const auto& [option, value] : now.settings.options)  // by their full names
    if (option.starts_with(prefix)) values[option.substr(prefix.size())] = value;
  for (const FormulationRecord* record : formulation_records())
    if (record->method.name == name)
      return record->make(*now.system, Options("formulation " + name, record->method.options, values))
          ->size();
  return -1;
}

// A file can be edited; the integrator takes what it gets.
bool usable(const std::optional<Checkpoint>& checkpoint, const State& state, const Case& now) {
  return checkpoint && checkpoint->t <= state.t && checkpoint->h > 0 && checkpoint->y.allFinite() &&
         checkpoint->y.size() == integrated_size(now);
}

}  // namespace

Case prepare(const Target& target, const RunSettings& command) {
  if (target.equations) {
    Case result = draft_equations(target, command);
    set_start(result, assemble(*result.system, result.start, target.name));
    return result;
  }
  if (by_equations(target)) return draft_problem(*target.problem, command);
  ModelDraft draft = draft_model(target, command);
  set_start(draft.result, assemble_or_explain(draft));
  return finished(std::move(draft));
}

Case prepare_continuation(const Target& target, const RunSettings& command, const std::string& from) {
  const SavedState saved = read_final_state(from);
  Case result;
  if (by_equations(target)) {
    result = target.equations ? draft_equations(target, command) : draft_problem(*target.problem, command);
  } else {
    result = finished(draft_model(target, command));
  }
  check_names(saved.q_names, result.system->layout().q_names, from, "q_names");
  check_names(saved.v_names, result.system->layout().v_names, from, "v_names");
  if (saved.quantity_names == result.system->quantity_names() && saved.quantities.allFinite())
    result.quantities = saved.quantities;
  const std::string other = difference(saved.provenance, result);
  if (other.empty() && usable(saved.checkpoint, saved.state, result)) {
    result.start = saved.state;
    result.checkpoint = saved.checkpoint;
    return result;
  }
  result.notices.push_back(fmt::format(
      "starts anew at the final state of {} ({}): equal to the uninterrupted run to the tolerance, not to "
      "round-off",
      from, other.empty() ? "it has no usable checkpoint" : fmt::format("{} is not the same there", other)));
  set_start(result, assemble(*result.system, saved.state, from));
  return result;
}

}  // namespace driftless
