#include "driftless/report/page.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/io/atomic_file.hpp"
#include "driftless/report/asset.hpp"
#include "driftless/report/pack.hpp"
#include "driftless/report/page_text.hpp"
#include "driftless/report/scene.hpp"
#include "driftless/report/signals.hpp"
#include "driftless/version.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

// Of a curve: enough for any screen; fewer each where there are thousands of curves.
constexpr size_t kMostPoints = 2000, kFewestPoints = 200, kAllPoints = 1'500'000;

JsonValue number(long value) { return static_cast<double>(value); }

Object about(const Results& results) {
  const Provenance& p = results.provenance;
  Object options;
  for (const Parameter& parameter : p.parameters)
    options.push_back(
        {"parameter " + parameter.name,
         fmt::format("{:.10g}{}{}", parameter.value, parameter.unit.empty() ? "" : " ", parameter.unit)});
  for (const auto& [name, value] : p.options) options.push_back({name, value});
  const auto& t = results.trajectory.t;
  return {{"problem", p.problem},
          {"source", p.source},
          {"coordinates", p.coordinates},
          {"formulation", p.formulation},
          {"integrator", p.integrator},
          {"stabilization", p.stabilization},
          {"command", p.command},
          {"status", std::string(name(results.status))},
          {"message", results.message},
          {"version", kVersion},
          {"options", std::move(options)},
          {"warnings", Array(results.warnings.begin(), results.warnings.end())},
          {"notices", Array(results.notices.begin(), results.notices.end())},
          {"t_start", t.empty() ? results.final.t : t.front()},
          {"t_end", results.final.t}};
}

Object statistics(const Statistics& s) {
  Object out = {{"steps", number(s.steps())}};
  for_each_statistic(s, [&](const char* name, auto value) {
    out.push_back({name, static_cast<double>(value)});
  });
  return out;
}

Object drift(const Drift& d) {
  return {{"position_max", d.position_max},
          {"velocity_max", d.velocity_max},
          {"position_row", d.position_row},
          {"velocity_row", d.velocity_row}};
}

JsonValue energy(const std::optional<EnergySummary>& e) {
  if (!e) return {};
  return Object{{"initial", e->initial},
                {"final", e->final},
                {"work", e->work},
                {"max_relative_error", e->max_relative_error}};
}

// Modes over time: for each switch that ever changes, what it was from when to when. Knots of tables and roads are too many to see.
Array modes(const Trajectory& trajectory) {
  constexpr size_t kMostBands = 12, kMostSpans = 400;
  Array out;
  const size_t columns = trajectory.modes.columns();
  for (size_t k = 0; k < columns && out.size() < kMostBands; ++k) {
    const ModeNames& names = trajectory.mode_names[k];
    if (names.kind == "table" || names.kind == "road") continue;
    const auto value = [&](size_t record) {
      return static_cast<int>(trajectory.modes.data[record * columns + k]);
    };
    Array spans;
    size_t from = 0;
    for (size_t i = 1; i <= trajectory.size() && spans.size() < kMostSpans; ++i) {
      if (i < trajectory.size() && value(i) == value(from)) continue;
      const int index = value(from) - names.first;
      const std::string text = index >= 0 && index < static_cast<int>(names.names.size())
                                   ? names.names[size_t(index)]
                                   : std::to_string(value(from));
      const double until = trajectory.t[std::min(i, trajectory.size() - 1)];
      spans.push_back(Array{trajectory.t[from], until, static_cast<double>(value(from)), text});
      from = i;
    }
    if (spans.size() < 2) continue;
    out.push_back(
        Object{{"name", trajectory.modes.names[k]}, {"kind", names.kind}, {"spans", std::move(spans)}});
  }
  return out;
}

struct PackedRun {
  Object json;
  size_t thinned = 0, signals = 0;
};

PackedRun pack_run(const PageRun& run, const std::vector<Signal>& signals, size_t most, Packer& packer) {
  const Results& results = *run.results;
  PackedSignals packed = pack_signals(results, signals, most, packer);
  Array events;
  for (const EventRecord& event : results.trajectory.events)
    events.push_back(Object{{"t", event.t}, {"name", event.name}});
  PackedRun out{{{"name", run.name},
                 {"color", run.color < 0 ? JsonValue() : JsonValue(run.color)},
                 {"about", about(results)},
                 {"statistics", statistics(results.statistics)},
                 {"drift", drift(results.drift)},
                 {"energy", energy(results.energy)},
                 {"times", std::move(packed.times)},
                 {"signals", std::move(packed.signals)},
                 {"events", std::move(events)},
                 {"modes", modes(results.trajectory)}},
                packed.thinned,
                signals.size()};
  for (JsonMember& entry : pack_scene(results, packer)) out.json.push_back(std::move(entry));
  return out;
}

Object axis(const PageAxis& a) { return {{"label", a.label}, {"unit", a.unit}, {"log", a.log}}; }

Object plot(const PagePlot& p) {
  Array all;
  for (const PageSeries& s : p.series) {
    Object one{{"name", s.name},
               {"x", Array(s.x.begin(), s.x.end())},
               {"y", Array(s.y.begin(), s.y.end())},
               {"points", s.points},
               {"line", s.line},
               {"labels", Array(s.labels.begin(), s.labels.end())},
               {"color", s.color < 0 ? JsonValue() : JsonValue(s.color)}};
    if (!s.z.empty()) one.push_back({"z", Array(s.z.begin(), s.z.end())});
    all.push_back(std::move(one));
  }
  Object out{{"title", p.title}, {"kind", p.kind}, {"x", axis(p.x)}, {"y", axis(p.y)}};
  if (p.kind == "map") out.push_back({"z", axis(p.z)});
  out.push_back({"series", std::move(all)});
  return out;
}

Object table(const PageTable& t) {
  Array columns, rows;
  for (const auto& column : t.columns)
    columns.push_back(
        Object{{"name", column.name}, {"unit", column.unit}, {"kind", column.is_number ? "number" : "text"}});
  for (const auto& row : t.rows) rows.push_back(Array(row));
  return {{"title", t.title},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)},
          {"colors", Array(t.colors.begin(), t.colors.end())}};
}

void replace_once(std::string& text, std::string_view old, const std::string& with) {
  const size_t at = text.find(old);
  if (at == std::string::npos) throw std::logic_error(fmt::format("the viewer's page lacks {}", old));
  text.replace(at, old.size(), with);
}

}  // namespace

std::string page_html(const Page& page) {
  Packer packer;
  std::vector<std::vector<Signal>> signals;
  size_t curves = 1;
  for (const PageRun& run : page.runs) {
    signals.push_back(signals_of(*run.results));
    curves += signals.back().size();
  }
  const size_t most = std::clamp(kAllPoints / curves, kFewestPoints, kMostPoints);
  Array runs, plots, tables;
  size_t thinned = 0;
  for (size_t i = 0; i < page.runs.size(); ++i) {
    PackedRun run = pack_run(page.runs[i], signals[i], most, packer);
    thinned += run.thinned;
    runs.push_back(std::move(run.json));
  }
  for (const PagePlot& p : page.plots) plots.push_back(plot(p));
  for (const PageTable& t : page.tables) tables.push_back(table(t));
  std::string note = page.note;
  if (thinned > 0)
    note += fmt::format(
        "{}{} of {} curves are shown by at most {} points each, the minima and maxima of equal "
        "spans; values are rounded to 1/65534 of their range",
        note.empty() ? "" : ". ", thinned, curves - 1, most);
  const Object json = {{"format", 1},
                       {"kind", page.kind},
                       {"program", fmt::format("driftless {}", kVersion)},
                       {"title", page.title},
                       {"note", std::move(note)},
                       {"verdict", page.verdict},
                       {"runs", std::move(runs)},
                       {"plots", std::move(plots)},
                       {"tables", std::move(tables)}};
  // What is put in contains no "<": none of it can be taken for a place to fill.
  std::string html(viewer_page());
  replace_once(html, R"(id="driftless-data">{}</script>)",
               fmt::format(R"(id="driftless-data">{}</script>)", script_json(json)));
  replace_once(html, R"(id="driftless-binary"></script>)",
               fmt::format(R"(id="driftless-binary">{}</script>)", packer.compressed()));
  replace_once(html, "<title>driftless</title>",
               fmt::format("<title>{} - driftless</title>", html_text(page.title)));
  return html;
}

void write_page(const Page& page, const std::string& path) {
  const std::string html = page_html(page);
  AtomicFile file(path);
  file.write(html);
  file.commit();
}

}  // namespace driftless
