// The page of a sweep: where two parameters vary, a map of every measure over both; every measure over every parameter that
// varies, one curve for each setting of the others (points at random have no curves and are marks); the table.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "driftless/sweep/sweep.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMostCurves = 12, kMostTableRows = 2000;

// Values of all parameters but the one that is drawn along.
std::vector<double> others_of(const std::vector<double>& values, std::size_t along) {
  std::vector<double> out = values;
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(along));
  return out;
}

std::string others_text(const SweepTable& table, std::size_t along, const std::vector<double>& others) {
  std::string out;
  for (std::size_t k = 0, i = 0; k < table.parameters.size(); ++k)
    if (k != along)
      out += fmt::format("{}{} = {:g}", out.empty() ? "" : ", ", table.parameters[k], others[i++]);
  return out;
}

PagePlot curves(const SweepTable& table, std::size_t measure, std::size_t along) {
  std::map<std::vector<double>, std::map<double, double>> by_others;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double y = table.rows[i].measures[measure];
    const std::vector<double>& at = table.parameter_values[i];
    if (std::isfinite(y)) by_others[others_of(at, along)][at[along]] = y;
  }
  PagePlot plot{fmt::format("{} over {}", table.measures[measure], table.parameters[along]),
                "work-precision",
                {table.parameters[along], table.units[along], false},
                {table.measures[measure], "", false},
                {}};
  const bool is_scattered = by_others.size() > 1 && std::ranges::all_of(by_others, [](const auto& curve) {
                              return curve.second.size() == 1;
                            });
  if (is_scattered) {
    PageSeries marks{.name = fmt::format("{} runs", by_others.size()), .points = true, .line = false};
    for (const auto& [others, points] : by_others) {
      marks.x.push_back(points.begin()->first);
      marks.y.push_back(points.begin()->second);
      marks.labels.push_back(others_text(table, along, others));
    }
    plot.series.push_back(std::move(marks));
    return plot;
  }
  const std::size_t stride = (by_others.size() + kMostCurves - 1) / kMostCurves;
  std::size_t n = 0;
  for (const auto& [others, points] : by_others) {
    if (n++ % std::max<std::size_t>(stride, 1) != 0) continue;
    PageSeries series{.name = others.empty() ? table.model : others_text(table, along, others),
                      .points = true};
    for (const auto& [x, y] : points) {
      series.x.push_back(x);
      series.y.push_back(y);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// The measure at every point of the plane of two parameters, failed runs (NaN) among them.
PagePlot map_over(const SweepTable& table, std::size_t measure, std::size_t along, std::size_t up) {
  PageSeries points{.name = table.measures[measure]};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    points.x.push_back(table.parameter_values[i][along]);
    points.y.push_back(table.parameter_values[i][up]);
    points.z.push_back(table.rows[i].measures[measure]);
    points.labels.push_back(fmt::format("run {}: {}", table.rows[i].index, table.rows[i].status));
  }
  return {fmt::format("{} over {} and {}", table.measures[measure], table.parameters[along],
                      table.parameters[up]),
          "map",
          {table.parameters[along], table.units[along], false},
          {table.parameters[up], table.units[up], false},
          {std::move(points)},
          {table.measures[measure], "", false}};
}

std::vector<std::size_t> varied(const SweepTable& table) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < table.parameters.size(); ++k) {
    std::set<double> values;
    for (const auto& row : table.parameter_values) values.insert(row[k]);
    if (values.size() > 1) out.push_back(k);
  }
  return out;
}

}  // namespace

Page sweep_page(const SweepTable& table) {
  Page page;
  page.kind = "compare";
  page.title = table.model;
  const auto failed = std::count_if(table.rows.begin(), table.rows.end(), [](const SweepRow& r) {
    return r.status != "ok" && r.status != "stopped";
  });
  page.note = fmt::format("{} runs, {} of them failed. {}", table.rows.size(), failed, table.command);
  const std::vector<std::size_t> axes = varied(table);
  for (std::size_t m = 0; m < table.measures.size(); ++m) {
    if (axes.size() == 2) page.plots.push_back(map_over(table, m, axes[0], axes[1]));
    for (const std::size_t k : axes) page.plots.push_back(curves(table, m, k));
  }
  PageTable rows{"Runs", {}, {}};
  rows.columns.push_back({"run", "", true});
  for (std::size_t k = 0; k < table.parameters.size(); ++k)
    rows.columns.push_back({table.parameters[k], table.units[k], true});
  for (const std::string& measure : table.measures) rows.columns.push_back({measure, "", true});
  rows.columns.push_back({"status", "", false});
  for (std::size_t i = 0; i < std::min(table.rows.size(), kMostTableRows); ++i) {
    auto& row = rows.rows.emplace_back();
    row.emplace_back(static_cast<double>(table.rows[i].index));
    for (const double value : table.parameter_values[i]) row.emplace_back(value);
    for (const double value : table.rows[i].measures) {
      row.emplace_back();  // null
      if (std::isfinite(value)) row.back() = value;
    }
    row.emplace_back(table.rows[i].status);
  }
  page.tables.push_back(std::move(rows));
  return page;
}

}  // namespace driftless
