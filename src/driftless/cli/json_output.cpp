#include "driftless/cli/json_output.hpp"

#include <cmath>

#include "driftless/cli/terminal.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/json/json_value.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/version.hpp"

namespace driftless::cli {
namespace {

using Json = JsonValue;  // NaN and infinity are written as null
using Object = JsonValue::Object;
using Array = JsonValue::Array;

Json array_of(ConstVec x) {
  Json array = Array{};
  for (const double value : x) array.push_back(value);
  return array;
}

Json statistics_of(const Statistics& s) {
  Json out = Object{{"steps", s.steps()}};
  for_each_statistic(s, [&](const char* name, auto value) { out[name] = value; });
  return out;
}

Json drift_of(const Drift& d) {
  return Object{{"position_max", d.position_max},
                {"velocity_max", d.velocity_max},
                {"position_row", d.position_row},
                {"velocity_row", d.velocity_row}};
}

Json energy_of(const std::optional<EnergySummary>& energy) {
  if (!energy) return nullptr;
  return Object{{"initial", energy->initial},
                {"final", energy->final},
                {"work", energy->work},
                {"lost", energy->lost},
                {"max_relative_error", energy->max_relative_error}};
}

Json final_of(const Results& results, const DescriptorSystem& system) {
  Json quantities = Object{}, quantity_units = Object{};
  const auto names = system.quantity_names(), units = system.quantity_units();
  for (size_t i = 0; i < names.size() && i < static_cast<size_t>(results.final_quantities.size()); ++i) {
    quantities[names[i]] = results.final_quantities[static_cast<Eigen::Index>(i)];
    quantity_units[names[i]] = i < units.size() ? units[i] : "";
  }
  const Layout& layout = system.layout();
  return Object{{"t", results.final.t},
                {"names", layout.q_names},
                {"units", layout.q_units},
                {"q", array_of(results.final.q)},
                {"v_names", layout.v_names},
                {"v_units", layout.v_units},
                {"v", array_of(results.final.v)},
                {"lambda_names", layout.row_names},
                {"lambda", array_of(results.final_reaction.lambda)},
                {"quantities", quantities},
                {"quantity_units", quantity_units}};
}

Json assembly_of(const std::optional<AssemblyReport>& report) {
  if (!report) return nullptr;
  return Object{{"iterations", report->iterations},
                {"moved_length", report->moved_length},
                {"moved_angle", report->moved_angle},
                {"moved_most", report->moved_most},
                {"velocity_change", report->velocity_change},
                {"position_residual", report->position_residual},
                {"velocity_residual", report->velocity_residual}};
}

// With where they are used, for `check`, or without.
Json parameters_of(const std::vector<Parameter>& parameters, bool uses) {
  Json json = Object{};
  for (const Parameter& p : parameters) {
    Json entry = Object{{"value", p.value}};
    if (!p.unit.empty()) entry["unit"] = p.unit;
    if (p.min) entry["min"] = *p.min;
    if (p.max) entry["max"] = *p.max;
    if (!p.text.empty()) entry["expression"] = p.text;
    if (uses) entry["used_in"] = p.used_in;
    json[p.name] = entry;
  }
  return json;
}

void add_outcome(Json& json, const RunReport& report) {
  const Results& results = *report.results;
  const bool good = results.good() && report.write_trouble.empty();
  json["status"] = good ? "ok" : "failed";
  if (!results.good()) json["reason"] = std::string(name(results.status));
  if (!good) json["message"] = results.good() ? report.write_trouble : in_options(results.message);
  if (results.status == Status::stopped)
    json["stopped_by"] =
        results.trajectory.events.empty() ? Json(nullptr) : Json(results.trajectory.events.back().name);
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* kind_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::number:
      return "number";
    case OptionKind::integer:
      return "integer";
    case OptionKind::names:
      return "names";
    case OptionKind::choice:
      return "choice";
  }
  return "";
}

Json options_of(const std::vector<OptionSpec>& specs) {
  Json array = Array{};
  for (const OptionSpec& spec : specs) {
    Json option = Object{{"name", spec.name}, {"kind", kind_of(spec.kind)}, {"default", spec.default_value}};
    if (spec.kind == OptionKind::choice) {
      option["choices"] = spec.choices;
    } else if (spec.kind != OptionKind::names) {
      option["unit"] = spec.unit;
      option["min"] = number_or_null(spec.min);
      option["max"] = number_or_null(spec.max);
    }
    option["help"] = in_options(spec.help);
    array.push_back(option);
  }
  return array;
}

Json method_of(const MethodRecord& method) {
  return Object{{"name", method.name},
                {"summary", in_options(method.summary)},
                {"reference", method.reference},
                {"options", options_of(method.options)}};
}

template <class Record>
std::vector<std::string> names_of(std::span<const Record* const> records) {
  std::vector<std::string> names;
  for (const Record* record : records) names.push_back(record->method.name);
  return names;
}

Json formulation_of(const FormulationRecord& record) {
  Json json = method_of(record.method);
  json["default_integrator"] = record.default_integrator;
  json["default_stabilization"] = record.default_stabilization;
  json["kind"] = record.kind == FormKind::ode ? "ode" : "residual";
  json["coordinates"] = names_of(coordinates_records());
  json["integrators"] = fitting_integrators(record);
  json["refuses"] = Object{};
  for (const IntegratorRecord* integrator : integrator_records())
    if (const std::string reason = why_not(record, *integrator); !reason.empty())
      json["refuses"][integrator->method.name] = reason;
  json["stabilizations"] = names_of(stabilization_records());
  return json;
}

Json integrator_of(const IntegratorRecord& record) {
  Json json = method_of(record.method);
  json["order"] = record.order;
  json["adaptive"] = record.adaptive;
  json["needs_step"] = !record.adaptive;
  json["dense_output"] = record.dense_output;
  json["kind"] = record.rows.empty() ? "ode" : record.takes_ode ? "both" : "residual";
  json["formulations"] = fitting_formulations(record);
  json["needs_vector_space"] = record.needs_vector_space;
  return json;
}

Json problem_of(const ProblemRecord& record) {
  Json values = Array{};
  for (const ReferenceValue& value : record.values)
    values.push_back(Object{{"t", value.t},
                            {"name", value.name},
                            {"value", value.value},
                            {"reliable", number_or_null(value.reliable)}});
  return Object{{"name", record.name},
                {"summary", record.summary},
                {"reference", record.reference},
                {"t_end", record.t_end},
                {"rtol", record.rtol},
                {"step", record.step > 0 ? Json(record.step) : Json(nullptr)},
                {"formulation", record.formulation},
                {"integrator", record.integrator.empty() ? Json(nullptr) : Json(record.integrator)},
                {"stabilization", record.stabilization.empty() ? Json(nullptr) : Json(record.stabilization)},
                {"options", options_of(record.options)},
                {"reference_values", values}};
}

// Of systems that switch: what every switch is in at the end.
Json modes_of(const Results& results, const Case& input) {
  Json all = Array{};
  const Switching* switching = switching_of(*input.system);
  if (switching == nullptr) return all;
  for (size_t k = 0; k < std::min(switching->switches().size(), results.final_mode.size()); ++k) {
    const Switch& one = switching->switches()[k];
    all.push_back(Object{{"element", one.element},
                         {"what", one.what},
                         {"value", results.final_mode[k]},
                         {"mode", one.mode_name(results.final_mode[k])}});
  }
  return all;
}

}  // namespace

std::string run_json(const RunReport& report) {
  const Results& results = *report.results;
  const Provenance& p = results.provenance;
  const Setup& setup = report.setup;
  Json json;
  add_outcome(json, report);
  json["problem"] = p.problem;
  json["source"] = p.source.empty() ? Json(nullptr) : Json(p.source);
  json["coordinates"] = p.coordinates;
  json["formulation"] = p.formulation;
  json["integrator"] = p.integrator;
  json["stabilization"] = p.stabilization;
  json["t_start"] = report.input->start.t;
  json["t_end"] = setup.t_end;
  json["rtol"] = setup.rtol;
  json["atol"] = setup.atol > 0 ? setup.atol : setup.rtol / 10;
  json["step"] = setup.step > 0 ? Json(setup.step) : Json(nullptr);
  json["options"] = Object{};
  for (const auto& [option, value] : p.options) json["options"][option] = value;
  json["parameters"] = parameters_of(p.parameters, false);
  json["assembly"] = assembly_of(report.input->assembly);
  json["statistics"] = statistics_of(results.statistics);
  json["drift"] = drift_of(results.drift);
  json["energy"] = energy_of(results.energy);
  json["final"] = final_of(results, *report.input->system);
  json["events"] = Array{};
  for (const EventRecord& event : results.trajectory.events)
    json["events"].push_back(Object{{"t", event.t}, {"name", event.name}});
  json["modes"] = modes_of(results, *report.input);
  json["warnings"] = in_options(results.warnings);
  json["notices"] = in_options(results.notices);
  json["out"] = report.out ? Json(*report.out) : Json(nullptr);
  const auto file = [](const std::optional<std::string>& path) { return path ? Json(*path) : Json(nullptr); };
  json["report"] = file(report.pages.files.report);
  json["png"] = file(report.pages.files.png);
  json["command"] = p.command;
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string view_json(const std::vector<std::string>& files, const WrittenPages& written) {
  Json json = Object{{"status", written.trouble.empty() ? "ok" : "failed"}};
  if (!written.trouble.empty()) json["message"] = written.trouble;
  json["files"] = files;
  json["report"] = written.files.report ? Json(*written.files.report) : Json(nullptr);
  json["bytes"] = written.files.report ? Json(written.report_bytes) : Json(nullptr);
  json["png"] = written.files.png ? Json(*written.files.png) : Json(nullptr);
  json["frames"] = written.files.frames ? Json(*written.files.frames) : Json(nullptr);
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string compare_json(const Comparison& comparison, const WrittenPages& written) {
  const Reference& reference = comparison.reference;
  Json json = Object{{"status", written.trouble.empty() ? "ok" : "failed"}, {"problem", comparison.title}};
  json["verdict"] = verdict(comparison);
  if (!written.trouble.empty()) json["message"] = written.trouble;
  json["reference"] = Object{{"method", reference.method.empty() ? Json(nullptr) : Json(reference.method)},
                             {"check", reference.check.empty() ? Json(nullptr) : Json(reference.check)},
                             {"agreement", reference.agreement ? Json(*reference.agreement) : Json(nullptr)},
                             {"trusted", reference.is_trusted()}};
  json["runs"] = Array{};
  for (const ComparedRun& run : comparison.runs)
    json["runs"].push_back(
        Object{{"method", run.method},
               {"rtol", run.rtol > 0 ? Json(run.rtol) : Json(nullptr)},
               {"step", run.step > 0 ? Json(run.step) : Json(nullptr)},
               {"status", run.good ? "ok" : "failed"},
               {"reason", run.status},
               {"message", in_options(run.message)},
               {"error", number_or_null(run.error)},
               {"statistics", statistics_of(run.statistics)},
               {"drift", drift_of(run.drift)},
               {"energy_error", run.energy_error ? number_or_null(*run.energy_error) : Json(nullptr)}});
  json["report"] = written.files.report ? Json(*written.files.report) : Json(nullptr);
  json["png"] = written.files.png ? Json(*written.files.png) : Json(nullptr);
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string advice_json(const Advice& advice) {
  const ModelFacts& f = advice.facts;
  Json json = Object{{"status", "ok"}, {"problem", f.name}};
  json["facts"] = Object{{"dof", f.dof},
                         {"velocities", f.coordinates_count},
                         {"rows", f.rows},
                         {"nonholonomic_rows", f.nonholonomic},
                         {"redundant_rows", f.redundant},
                         {"decay", f.eigenvalues_known ? Json(f.decay) : Json(nullptr)},
                         {"frequency", f.eigenvalues_known ? Json(f.frequency) : Json(nullptr)},
                         {"stiffness", f.stiffness},
                         {"stiff", f.is_stiff()},
                         {"singular_at", f.singular_at},
                         {"switches", f.switches},
                         {"switchings", f.switchings},
                         {"flexible_bodies", f.flexible_bodies},
                         {"elastic_coordinates", f.elastic},
                         {"energy_lost", f.energy_lost},
                         {"t_end", f.t_end},
                         {"trial_end", f.trial_end}};
  Object options;
  for (const auto& [name, value] : advice.options) options.push_back({name, value});
  json["method"] = Object{{"coordinates", advice.coordinates}, {"formulation", advice.formulation},
                          {"integrator", advice.integrator},   {"stabilization", advice.stabilization},
                          {"options", std::move(options)},     {"rtol", advice.rtol}};
  json["cpu_seconds"] = number_or_null(advice.cpu_seconds);
  json["reasons"] = advice.reasons;
  json["others"] = advice.others;
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string sweep_json(const SweepTable& table, const std::string& out, const WrittenPages& written) {
  Json json = Object{
      {"status", written.trouble.empty() ? "ok" : "failed"}, {"model", table.model}, {"runs", table.runs}};
  json["parameters"] = table.parameters;
  json["measures"] = table.measures;
  json["rows"] = Array{};
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const SweepRow& row = table.rows[i];
    Json measures = Array{};
    for (const double value : row.measures) measures.push_back(number_or_null(value));
    json["rows"].push_back(Object{{"index", row.index},
                                  {"parameters", table.parameter_values[i]},
                                  {"measures", measures},
                                  {"status", row.status},
                                  {"message", in_options(row.message)},
                                  {"cpu_seconds", row.cpu_seconds}});
  }
  json["out"] = out;
  json["report"] = written.files.report ? Json(*written.files.report) : Json(nullptr);
  json["command"] = table.command;
  json["version"] = kVersion;
  return to_open_text(json);
}

Json switches_of(const std::vector<Switch>& switches) {
  Json all = Array{};
  for (const Switch& one : switches)
    all.push_back(Object{{"element", one.element},
                         {"kind", one.kind},
                         {"what", one.what},
                         {"modes", one.modes},
                         {"first_mode", one.first},
                         {"quiet", one.quiet}});
  return all;
}

Json vibrations_json(const std::vector<FlexibleVibrations>& bodies) {
  Json all = Array{};
  for (const FlexibleVibrations& one : bodies)
    all.push_back(Object{{"body", one.body},
                         {"lowest", one.lowest > 0 ? Json(one.lowest) : Json(nullptr)},
                         {"highest", one.highest > 0 ? Json(one.highest) : Json(nullptr)}});
  return all;
}

std::string check_json(const CheckReport& report) {
  return to_open_text(Object{{"status", "ok"},
                             {"model", report.name},
                             {"source", report.source.empty() ? Json(nullptr) : Json(report.source)},
                             {"coordinates", report.coordinates},
                             {"bodies", report.bodies},
                             {"names", report.coordinate_names},
                             {"row_names", report.row_names},
                             {"velocities", report.rank.coordinates},
                             {"rows", report.rank.rows},
                             {"rank", report.rank.rank},
                             {"dof", report.rank.dof},
                             {"dof_counted", report.rank.dof_counted},
                             {"redundant_rows", report.rank.redundant_rows},
                             {"redundant_joints", report.rank.redundant_joints},
                             {"runnable", true},
                             {"warnings", in_options(report.warnings)},
                             {"quantities", report.quantity_names},
                             {"assembly", assembly_of(report.assembly)},
                             {"parameters", parameters_of(report.parameters, true)},
                             {"switches", switches_of(report.switches)},
                             {"without_events", report.without_events},
                             {"vibrations", vibrations_json(report.vibrations)},
                             {"version", kVersion}});
}

std::string methods_json() {
  Json json = Object{{"coordinates", Array{}},
                     {"formulations", Array{}},
                     {"integrators", Array{}},
                     {"stabilizations", Array{}}};
  for (const CoordinatesRecord* record : coordinates_records()) {
    Json entry = method_of(record->method);
    entry["for"] = record->compile != nullptr ? "models" : "problems";
    json["coordinates"].push_back(entry);
  }
  for (const FormulationRecord* record : formulation_records())
    json["formulations"].push_back(formulation_of(*record));
  for (const IntegratorRecord* record : integrator_records())
    json["integrators"].push_back(integrator_of(*record));
  for (const StabilizationRecord* record : stabilization_records())
    json["stabilizations"].push_back(method_of(record->method));
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string problems_json(const std::vector<ListedModel>& models) {
  Json json = Object{{"problems", Array{}}, {"models", Array{}}};
  for (const ProblemRecord* record : problem_records()) json["problems"].push_back(problem_of(*record));
  for (const ListedModel& model : models) {
    Json entry = Object{{"name", model.name}, {"path", model.path}, {"description", model.description}};
    if (!model.trouble.empty()) entry["trouble"] = model.trouble;
    json["models"].push_back(entry);
  }
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string tables_json() {
  Json json = Object{{"tables", Array{}}};
  for (const TableRecord* record : table_records())
    json["tables"].push_back(
        Object{{"id", record->id}, {"title", record->title}, {"source", record->source}});
  json["version"] = kVersion;
  return to_open_text(json);
}

namespace {
Json json_of_table(const TableRecord& record, const ReproducedTable& table) {
  Json json = Object{{"status", "ok"},           {"id", record.id},          {"title", record.title},
                     {"source", record.source},  {"setting", table.setting}, {"label", table.label},
                     {"columns", table.columns}, {"rows", Array{}}};
  for (const TableRow& row : table.rows) {
    Json entry = Object{{"label", row.label}};
    for (const char* name : {"published", "measured", "verdict", "reason"}) entry[name] = Array{};
    for (const TableCell& cell : row.cells) {
      entry["published"].push_back(cell.published);
      entry["measured"].push_back(cell.measured);
      entry["verdict"].push_back(std::string(to_string(cell.verdict)));
      entry["reason"].push_back(cell.reason);
    }
    json["rows"].push_back(entry);
  }
  json["remarks"] = table.remarks;
  return json;
}
}  // namespace

std::string table_json(const TableRecord& record, const ReproducedTable& table) {
  Json json = json_of_table(record, table);
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string reproduction_json(const std::vector<Reproduction>& done) {
  Json json = Object{{"status", "ok"}, {"tables", Array{}}};
  for (const Reproduction& one : done) {
    Json table = json_of_table(*one.record, one.table);
    table["seconds"] = one.seconds;
    if (!one.trouble.empty()) {
      table["status"] = json["status"] = "failed";
      table["message"] = in_options(one.trouble);
    }
    json["tables"].push_back(std::move(table));
  }
  json["version"] = kVersion;
  return to_open_text(json);
}

std::string failure_json(const std::string& message) {
  return to_open_text(Object{{"status", "failed"}, {"message", in_options(message)}});
}

}  // namespace driftless::cli
