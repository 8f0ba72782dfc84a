// The page of a comparison: what each method cost, how right it was, how it drifted; one colour a method everywhere.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "driftless/compare/work_precision.hpp"
#include "driftless/report/decimate.hpp"
#include "driftless/report/signals.hpp"

namespace driftless {
namespace {

constexpr size_t kMostPoints = 2000;

double number_or_nan(const std::optional<double>& value) { return value.value_or(std::nan("")); }

std::vector<std::string> methods_of(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const ComparedRun& run : comparison.runs)
    if (std::find(out.begin(), out.end(), run.method) == out.end()) out.push_back(run.method);
  return out;
}

// The place among all methods: the same in every plot, table and run.
int color_of(const std::vector<std::string>& methods, const std::string& method) {
  const auto found = std::find(methods.begin(), methods.end(), method);
  return found == methods.end() ? -1 : static_cast<int>(found - methods.begin());
}

// Points of one method in the order they were run; what failed is left out.
std::vector<PageSeries> series_of(const Comparison& comparison, double (*work)(const ComparedRun&)) {
  std::vector<PageSeries> out;
  for (const ComparedRun& run : comparison.runs) {
    if (out.empty() || out.back().name != run.method)
      out.push_back({run.method, {}, {}, {}, true, color_of(methods_of(comparison), run.method)});
    const double x = work(run);
    if (!run.good || !std::isfinite(run.error) || !(run.error > 0) || !(x > 0)) continue;
    out.back().x.push_back(x);
    out.back().y.push_back(run.error);
    out.back().labels.push_back(run.setting());
  }
  return out;
}

// How accurate a recorded run was asked to be.
std::string setting_of(const Results& results) {
  const auto& options = results.provenance.options;
  for (const char* name : {"step", "rtol"})
    if (const auto found = options.find(name); found != options.end() && found->second != "0")
      return fmt::format("{} {}{}", name, found->second, std::string(name) == "step" ? " s" : "");
  return {};
}

// Curves of the recorded runs. What they share is said once, in the title.
template <class Curve>
PagePlot time_plot(const Comparison& comparison, const std::string& title, PageAxis y, Curve curve) {
  std::set<std::string> settings;
  for (const auto& [name, results] : comparison.recorded) settings.insert(setting_of(results));
  const bool one = settings.size() == 1;
  PagePlot plot{one ? fmt::format("{}, {}", title, *settings.begin()) : title,
                "time",
                {"t", "s", false},
                std::move(y),
                {}};
  const std::vector<std::string> methods = methods_of(comparison);
  for (const auto& [name, results] : comparison.recorded) {
    PageSeries series{one ? name : fmt::format("{}, {}", name, setting_of(results)),
                      {},
                      {},
                      {},
                      false,
                      color_of(methods, name)};
    std::vector<double> times, values;
    curve(results, times, values);
    for (const size_t i : choose_points(values, kMostPoints))
      if (values[i] > 0) {
        series.x.push_back(times[i]);
        series.y.push_back(values[i]);
      }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

// Of every accepted step.
PagePlot drift_plot(const Comparison& comparison,
                    const std::string& what,
                    const char* column,
                    const char* unit) {
  return time_plot(comparison, fmt::format("Drift {}", what), {what, unit, true},
                   [&](const Results& results, std::vector<double>& times, std::vector<double>& values) {
                     const Table& steps = results.trajectory.steps;
                     const auto found = std::find(steps.names.begin(), steps.names.end(), column);
                     if (found == steps.names.end()) return;
                     for (size_t i = 0; i < steps.rows(); ++i) {
                       times.push_back(steps.at(i, 0));
                       values.push_back(steps.at(i, static_cast<size_t>(found - steps.names.begin())));
                     }
                   });
}

PagePlot energy_plot(const Comparison& comparison) {
  // Of the largest energy exchanged, as in the curves of a run.
  return time_plot(comparison, "Energy error", {"energy error", "", true},
                   [](const Results& results, std::vector<double>& times, std::vector<double>& values) {
                     const std::vector<Signal> signals = signals_of(results);
                     for (const Signal& signal : signals)
                       if (signal.name == "energy error")
                         for (size_t i = 0; i < std::min(signal.count, results.trajectory.size()); ++i) {
                           times.push_back(results.trajectory.t[i]);
                           values.push_back(signal.at(i));
                         }
                   });
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
  const std::vector<std::string> methods = methods_of(comparison);
  for (const ComparedRun& run : comparison.runs) {
    table.colors.push_back(color_of(methods, run.method));
    table.rows.push_back({run.method, optional(run.rtol), optional(run.step), run.error,
                          static_cast<double>(run.statistics.steps()), static_cast<double>(run.evaluations()),
                          run.statistics.cpu_seconds, run.drift.position_max, number_or_nan(run.energy_error),
                          run.good ? run.status : fmt::format("{}: {}", run.status, run.message)});
  }
  return table;
}

}  // namespace

std::string verdict(const Comparison& comparison) {
  struct Timed {
    std::string method;
    double time;
  };
  std::vector<Timed> reached;
  const std::vector<std::string> methods = methods_of(comparison);
  for (const std::string& method : methods)
    if (const double time = time_at_error(comparison, method, kRankedError); std::isfinite(time))
      reached.push_back({method, time});
  std::sort(reached.begin(), reached.end(), [](const Timed& a, const Timed& b) { return a.time < b.time; });
  const ComparedRun* best = nullptr;
  std::set<std::string> failed;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.good) failed.insert(run.method);
    if (run.good && std::isfinite(run.error) && (best == nullptr || run.error < best->error)) best = &run;
  }
  if (best == nullptr) return "No run can be judged: there is no reference, or all failed.";
  std::string out;
  if (reached.empty()) {
    out = fmt::format("No method reaches an error of {:g}.", kRankedError);
  } else {
    const auto times = [&](const Timed& other) { return other.time / reached[0].time; };
    out = fmt::format("{} is the fastest to an error of {:g}, with {:.2g} s of CPU time", reached[0].method,
                      kRankedError, reached[0].time);
    if (reached.size() == 1) out += ", and the only one to reach it";
    if (reached.size() > 1)
      out += fmt::format("; {} takes {:.3g} times as long", reached[1].method, times(reached[1]));
    if (reached.size() > 2)
      out += fmt::format(", and {}, the last of {}, {:.3g} times", reached.back().method, reached.size(),
                         times(reached.back()));
    out += ".";
  }
  out += fmt::format(" The smallest error, {:.1e}, is that of {} ({}).", best->error, best->method,
                     best->setting());
  if (!failed.empty())
    out += fmt::format(" {} of {} methods failed or were refused at some setting.", failed.size(),
                       methods.size());
  return out;
}

Page compare_page(const Comparison& comparison) {
  Page page;
  page.kind = "compare";
  page.title = comparison.title;
  page.verdict = verdict(comparison);
  page.note = fmt::format("{}Errors at the end, in units of the coordinates' scales; reference: {}",
                          comparison.reference.is_trusted() ? "" : "THE REFERENCE IS NOT TRUSTED. ",
                          reference_text(comparison.reference));
  const std::vector<std::string> methods = methods_of(comparison);
  for (const auto& [name, results] : comparison.recorded)
    page.runs.push_back({name, &results, color_of(methods, name)});
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
  page.plots.push_back(energy_plot(comparison));
  std::erase_if(page.plots, [](const PagePlot& plot) { return plot.series.empty(); });
  page.tables.push_back(table_of(comparison));
  return page;
}

}  // namespace driftless
