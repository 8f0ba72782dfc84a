#include "driftless/compare/work_precision.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/report/decimate.hpp"

namespace driftless {
namespace {

double number_or_nan(const std::optional<double>& value) { return value.value_or(std::nan("")); }

// Points of one method in the order they were run; what failed is left out.
std::vector<PageSeries> series_of(const Comparison& comparison, double (*work)(const ComparedRun&)) {
  std::vector<PageSeries> out;
  for (const ComparedRun& run : comparison.runs) {
    if (out.empty() || out.back().name != run.method) out.push_back({run.method, {}, {}, {}, true});
    const double x = work(run);
    if (!run.good || !std::isfinite(run.error) || !(run.error > 0) || !(x > 0)) continue;
    out.back().x.push_back(x);
    out.back().y.push_back(run.error);
    out.back().labels.push_back(run.setting());
  }
  return out;
}

// Of every accepted step, thinned like the curves of a page.
PagePlot drift_plot(const Comparison& comparison,
                    const std::string& what,
                    const char* column,
                    const char* unit) {
  constexpr size_t kMostPoints = 2000;
  PagePlot plot{fmt::format("Drift {} over time", what), "time", {"t", "s", false}, {what, unit, true}, {}};
  for (const auto& [name, results] : comparison.recorded) {
    const Table& steps = results.trajectory.steps;
    const auto found = std::find(steps.names.begin(), steps.names.end(), column);
    if (found == steps.names.end()) continue;
    const auto at = static_cast<size_t>(found - steps.names.begin());
    std::vector<double> values;
    for (size_t i = 0; i < steps.rows(); ++i) values.push_back(steps.at(i, at));
    PageSeries series{name, {}, {}};
    for (const size_t i : choose_points(values, kMostPoints))
      if (values[i] > 0) {
        series.x.push_back(steps.at(i, 0));
        series.y.push_back(values[i]);
      }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

PageTable table_of(const Comparison& comparison) {
  PageTable table{"All runs",
                  {{"method", "", false},
                   {"rtol", "", true},
                   {"step", "s", true},
                   {"error", "", true},
                   {"steps", "", true},
                   {"evaluations", "", true},
                   {"CPU time", "s", true},
                   {"drift |g|", "m", true},
                   {"energy error", "", true},
                   {"status", "", false}},
                  {}};
  const auto optional = [](double value) { return value > 0 ? JsonValue(value) : JsonValue(); };
  for (const ComparedRun& run : comparison.runs)
    table.rows.push_back({run.method, optional(run.rtol), optional(run.step), run.error,
                          static_cast<double>(run.statistics.steps()), static_cast<double>(run.evaluations()),
                          run.statistics.cpu_seconds, run.drift.position_max, number_or_nan(run.energy_error),
                          run.good ? run.status : fmt::format("{}: {}", run.status, run.message)});
  return table;
}

}  // namespace

long ComparedRun::evaluations() const {
  return std::max(statistics.evaluations, statistics.newton_iterations);
}

std::string ComparedRun::setting() const {
  return step > 0 ? fmt::format("step {:g} s", step) : fmt::format("rtol {:g}", rtol);
}

Ending ending_of(const DescriptorSystem& system, const Results& results) {
  const Layout& layout = system.layout();
  Ending out{layout.q_names, results.final.q, layout.q_scale, layout.length, {}};
  system.poses(results.final.t, results.final.q, out.poses);
  return out;
}

double distance(const Ending& a, const Ending& b) {
  if (a.q_names == b.q_names && a.q.size() == b.q.size())
    return a.q.size() == 0 ? 0 : ((a.q - b.q).cwiseAbs().array() / a.q_scale.array()).maxCoeff();  // (1)
  if (a.poses.empty() || a.poses.size() != b.poses.size()) return std::nan("");
  double worst = 0;
  for (size_t i = 0; i < a.poses.size(); ++i) {  // (2)
    const Eigen::Vector4d &p = a.poses[i].quaternion, &q = b.poses[i].quaternion;
    const double chord = std::min((p - q).norm(), (p + q).norm());
    worst = std::max({worst, (a.poses[i].position - b.poses[i].position).norm() / a.length,
                      4 * std::asin(std::min(1.0, chord / 2))});
  }
  return worst;
}

std::string reference_text(const Reference& reference) {
  if (reference.method.empty()) return "none: no tight run succeeded, errors are not known";
  if (!reference.agreement) return fmt::format("{}, not checked by another method", reference.method);
  return fmt::format("{}, {:.1e} from {}: smaller errors mean nothing", reference.method,
                     *reference.agreement, reference.check);
}

Page compare_page(const Comparison& comparison) {
  Page page;
  page.kind = "compare";
  page.title = comparison.title;
  page.note = fmt::format("Errors at the end, in units of the coordinates' scales; reference: {}",
                          reference_text(comparison.reference));
  for (const auto& [name, results] : comparison.recorded) page.runs.push_back({name, &results});
  const PageAxis error{"error at the end", "", true};
  page.plots.push_back(
      {"Work and precision: CPU time",
       "work-precision",
       {"CPU time", "s", true},
       error,
       series_of(comparison, [](const ComparedRun& r) { return r.statistics.cpu_seconds; })});
  page.plots.push_back(
      {"Work and precision: evaluations",
       "work-precision",
       {"evaluations", "", true},
       error,
       series_of(comparison, [](const ComparedRun& r) { return static_cast<double>(r.evaluations()); })});
  page.plots.push_back(drift_plot(comparison, "|g|", "position", "m"));
  page.plots.push_back(drift_plot(comparison, "|J v - nu|", "velocity", "m/s"));
  page.tables.push_back(table_of(comparison));
  return page;
}

}  // namespace driftless
