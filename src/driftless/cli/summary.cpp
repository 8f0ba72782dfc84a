#include "driftless/cli/summary.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/cli/terminal.hpp"
#include "driftless/run/names.hpp"
#include "driftless/run/settings.hpp"

namespace driftless::cli {
namespace {

constexpr size_t kMostCoordinates = 12;  // listed one by one; larger systems show their quantities
constexpr size_t kMostQuantities = 40;
constexpr size_t kMostUndeclared = 12;
constexpr size_t kMostEvents = 12;
constexpr double kMovedNoticeably = 1e-9;  // relative; less is the round-off of the file's decimals

std::string plural(long count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void print_title(const std::string& name, const std::string& source) {
  if (!source.empty()) return print("{}  ({})\n", name, source);
  for (const ModelFile& model : model_files())  // of the same name: which one was meant?
    if (model.name == name)
      return print("{}  (problem of the library; the model of this name: {})\n", name, model.path);
  print("{}\n", name);
}

std::string method_text(const RunReport& report) {
  const Provenance& p = report.results->provenance;
  std::string text =
      fmt::format("{}, {}, {}, {}", p.coordinates, p.formulation, p.integrator, p.stabilization);
  const Setup& setup = report.setup;
  if (setup.step > 0) return text + fmt::format("; step {:g} s", setup.step);
  return text +
         fmt::format("; rtol {:g}, atol {:g}", setup.rtol, setup.atol > 0 ? setup.atol : setup.rtol / 10);
}

std::string options_text(const RunReport& report) {
  std::string text;
  for (const auto& [name, value] : report.setup.options)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  for (const auto& [name, value] : report.input->options)
    if (name.starts_with("problem.")) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

// One a line, with where it is used.
std::string parameter_list(const std::vector<Parameter>& parameters) {
  constexpr size_t kMostUses = 6;
  std::string text;
  for (const Parameter& p : parameters) {
    text += fmt::format("{}{} = {:.8g}{}{}", text.empty() ? "" : "\n", p.name, p.value,
                        p.unit.empty() ? "" : " ", p.unit);
    if (!p.text.empty()) text += fmt::format(" = {}", p.text);
    if (p.min || p.max)
      text += fmt::format(" ({} … {})", p.min ? fmt::format("{:g}", *p.min) : "",
                          p.max ? fmt::format("{:g}", *p.max) : "");
    text += p.used_in.empty() ? "; used nowhere" : "; in ";
    for (size_t i = 0; i < std::min(p.used_in.size(), kMostUses); ++i)
      text += (i > 0 ? ", " : "") + p.used_in[i];
    if (p.used_in.size() > kMostUses) text += fmt::format(" and {} more", p.used_in.size() - kMostUses);
  }
  return text;
}

std::string steps_text(const Statistics& s) {
  return fmt::format("{} accepted, {} rejected; {}, {}, {}", s.accepted, s.rejected,
                     plural(s.evaluations, "evaluation"), plural(s.factorizations, "factorization"),
                     plural(s.stabilizations, "stabilization"));
}

std::string cpu_text(const Statistics& s) {
  std::string text = fmt::format("{:.3g} s", s.cpu_seconds);
  if (s.steps() > 0)
    text += fmt::format(" ({:.3g} us per step)", 1e6 * s.cpu_seconds / static_cast<double>(s.steps()));
  return text;
}

std::string drift_text(const Results& results, const Layout& layout) {
  if (layout.m == 0) return "none";
  const Drift& d = results.drift;
  const auto at = [](const std::string& row) {
    return row.empty() ? std::string() : fmt::format(" ({})", row);
  };
  std::string text;
  if (layout.mh > 0) text = fmt::format("|g| at most {:.2e}{}, ", d.position_max, at(d.position_row));
  return text + fmt::format("|J v - nu| at most {:.2e}{}", d.velocity_max, at(d.velocity_row));
}

std::string energy_text(const Results& results) {
  if (!results.energy) return "no potential known";
  const EnergySummary& e = *results.energy;
  std::string text = fmt::format("{:.6g} J at the start, change {:.3g} J", e.initial, e.final - e.initial);
  if (e.work != 0) text += fmt::format(", work done on it {:.3g} J", e.work);
  if (e.lost != 0) text += fmt::format(", lost at events {:.3g} J", e.lost);
  return text + fmt::format("; relative error at most {:.2e}", e.max_relative_error);
}

std::string events_text(const std::vector<EventRecord>& events) {
  std::string text;
  for (size_t i = 0; i < std::min(events.size(), kMostEvents); ++i)
    text += fmt::format("{}t = {:.8g} s  {}", i == 0 ? "" : "\n", events[i].t, events[i].name);
  if (events.size() > kMostEvents) text += fmt::format("\nand {} more", events.size() - kMostEvents);
  return text;
}

using Columns = std::vector<std::vector<std::string>>;  // row after row

// Pairs of a name and "= value"; every column as wide as its widest entry, no blanks at the end of a line.
std::string aligned(const Columns& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}{}", row[i], widths[i], i % 2 == 0 ? " " : "   ");
    line.erase(line.find_last_not_of(' ') + 1);
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

void add_column(Columns& rows, const Table& table, const Vec& values) {
  const size_t count = std::min(table.columns(), static_cast<size_t>(values.size()));
  rows.resize(std::max(rows.size(), count));
  for (size_t i = 0; i < count; ++i) {
    rows[i].push_back(table.names[i]);
    rows[i].push_back(fmt::format("= {:.8g} {}", values[static_cast<Eigen::Index>(i)], table.units[i]));
  }
}

// Outputs that the model declares, and the others, ELEMENT.what, if there are few of them.
void print_final_values(const Table& table, const Vec& values) {
  Columns all, rows;
  add_column(all, table, values);
  const auto is_declared = [](const auto& row) { return row[0].find('.') == std::string::npos; };
  const auto declared = static_cast<size_t>(std::count_if(all.begin(), all.end(), is_declared));
  for (const auto& row : all)
    if (is_declared(row) ? declared <= kMostQuantities : all.size() - declared <= kMostUndeclared)
      rows.push_back(row);
  if (rows.empty()) return;
  std::string text = aligned(rows);
  if (rows.size() < all.size())
    text += fmt::format("\nand {} more, in files and with --json", all.size() - rows.size());
  print_field("final values", text);
}

void print_final_state(const Results& results) {
  const Trajectory& tr = results.trajectory;
  const size_t nq = tr.q.columns(), nv = tr.v.columns();
  const bool listed = nq > 0 && nq <= kMostCoordinates;
  if (listed) {
    Columns rows;
    add_column(rows, tr.q, results.final.q);
    if (nv == nq) add_column(rows, tr.v, results.final.v);
    print_field("final state", aligned(rows));
  }
  print_final_values(tr.quantities, results.final_quantities);
}

std::string result_text(const RunReport& report) {
  const Results& results = *report.results;
  if (results.status == Status::ok) return "ok";
  if (results.status == Status::stopped) return "ok, stopped by a stop condition";
  return fmt::format("FAILED ({})", name(results.status));
}

std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  size_t line = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += ',';
    if (line > 70) {
      text += '\n';
      line = 0;
    } else if (i > 0) {
      text += ' ';
    }
    text += names[i];
    line += names[i].size() + 2;
  }
  return text;
}

std::string parameters_text(const std::vector<Parameter>& parameters) {
  constexpr size_t kMost = 20;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(parameters.size(), kMost); ++i) {
    const Parameter& p = parameters[i];
    texts.push_back(fmt::format("{} = {:.8g}{}{}", p.name, p.value, p.unit.empty() ? "" : " ", p.unit));
  }
  if (parameters.size() > kMost) texts.push_back(fmt::format("and {} more", parameters.size() - kMost));
  return names_text(texts);
}

}  // namespace

std::string assembly_text(const AssemblyReport& report) {
  std::string text;
  if (report.moved_length > kMovedNoticeably) text += fmt::format("{:.3g} m", report.moved_length);
  if (report.moved_angle > kMovedNoticeably)
    text += fmt::format("{}{:.3g} rad", text.empty() ? "" : " and ", report.moved_angle);
  text = text.empty()
             ? "nothing had to move"
             : fmt::format("moved at most {}{}", text,
                           report.moved_most.empty() ? "" : fmt::format(" ({} most)", report.moved_most));
  if (report.velocity_change > kMovedNoticeably)
    text += fmt::format("; velocities changed by at most {:.3g} of their scale", report.velocity_change);
  return text;
}

void print_summary(const RunReport& report) {
  const Results& results = *report.results;
  const Case& input = *report.input;
  print_title(input.name, input.source);
  print_field("result", result_text(report));
  print_field("method", method_text(report));
  if (const std::string options = options_text(report); !options.empty()) print_field("options", options);
  if (!input.parameters.empty()) print_field("parameters", parameters_text(input.parameters));
  if (input.assembly) print_field("assembled", assembly_text(*input.assembly));
  print_field("time", fmt::format("{:.6g} s to {:.6g} s, {}", input.start.t, results.final.t,
                                  plural(report.records, "record")));
  print_field("steps", steps_text(results.statistics));
  print_field("CPU time", cpu_text(results.statistics));
  print_field("constraints", drift_text(results, input.system->layout()));
  print_field("energy", energy_text(results));
  if (!results.trajectory.events.empty()) print_field("events", events_text(results.trajectory.events));
  for (const auto& warning : results.warnings) print_field("WARNING", warning);
  for (const auto& notice : results.notices)
    if (notice != results.redundancy) print_field("note", notice);  // that one goes to stderr
  print_final_state(results);
  if (report.out) print_field("written", *report.out);
  if (report.pages.files.report) print_field("report", report_text(report.pages));
  if (report.pages.files.png) print_field("picture", *report.pages.files.png);
}

std::string switches_text(const std::vector<Switch>& switches) {
  constexpr size_t kMost = 12;
  std::string text = fmt::format("{} switch{}", switches.size(), switches.size() == 1 ? "" : "es");
  for (size_t i = 0; i < std::min(switches.size(), kMost); ++i)
    text += fmt::format("\n{} ({})", switches[i].column(), switches[i].kind);
  if (switches.size() > kMost)
    text += fmt::format("\nand {} more: --json lists all", switches.size() - kMost);
  return text;
}

std::string vibrations_text(const FlexibleVibrations& body) {
  if (body.highest <= 0) return body.body + ": no vibrations";
  const std::string range = body.lowest > 0 ? fmt::format("{:.6g} to {:.6g}", body.lowest, body.highest)
                                            : fmt::format("up to {:.6g}", body.highest);
  return fmt::format("{}: {} rad/s in its frame; explicit steps of about {:.2g} s", body.body, range,
                     1 / body.highest);
}

void print_check(const CheckReport& report) {
  print_title(report.name, report.source);
  const auto names = static_cast<int>(report.coordinate_names.size());
  std::string count = plural(names, "coordinate");
  if (names != report.rank.coordinates) count += fmt::format(" ({} velocities)", report.rank.coordinates);
  print_field("coordinates", fmt::format("{}: {}", report.coordinates, count));
  print_field("", names_text(report.coordinate_names));
  print_field("constraints", plural(report.rank.rows, "row"));
  if (!report.row_names.empty()) print_field("", names_text(report.row_names));
  print_field("rank", fmt::format("{}", report.rank.rank));
  print_field("freedom",
              fmt::format("{} (counted: {})", plural(report.rank.dof, "degree"), report.rank.dof_counted));
  if (!report.quantity_names.empty()) print_field("outputs", names_text(report.quantity_names));
  if (!report.parameters.empty()) print_field("parameters", parameter_list(report.parameters));
  if (!report.switches.empty()) print_field("switches", switches_text(report.switches));
  for (size_t i = 0; i < report.vibrations.size(); ++i)
    print_field(i == 0 ? "vibrations" : "", vibrations_text(report.vibrations[i]));
  for (const auto& law : report.without_events)
    print_field("no events", law + ": smooth(...) asks for none, its cases are met inside steps");
  if (report.assembly) print_field("assembled", assembly_text(*report.assembly));
  for (const auto& warning : report.warnings) print_field("WARNING", warning);
  if (report.rank.redundant_rows.empty()) {
    print_field("redundant", "none");
    print_field("result", "sound");
    return;
  }
  print_field("redundant", names_text(report.rank.redundant_rows));
  print_field("notice", report.rank.notice);
  print_field("result", "sound, overconstrained");
}

}  // namespace driftless::cli
