// Negrut, Haug & German 2003, tables V and VI: CPU seconds of an implicit (SDIRK4/15) and an explicit (DEABM) integrator in independent
// coordinates on the HMMWV over a bump, Euler parameters (98 coordinates, 80 rows), for 1 to 4 s and four tolerances; and their
// ratio. Explicit steps are those of stability, a few 1e-6 s, whatever the tolerance: they are measured on a short part of the
// time and scaled. Not at the start, where nothing moves and a step of any length is exact until its round-off has grown.
#include <array>

#include <fmt/format.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/reproduce/table.hpp"

namespace driftless {
namespace negrut_5 {
namespace {

constexpr double kFrom = 0.55, kPart = 0.0015;  // s: the explicit run, with the front wheels on the bump
constexpr std::array<double, 4> tolerances = {1e-2, 1e-3, 1e-4, 1e-5};
constexpr double implicit_times[4][4] = {
    {10.1, 21, 33, 57}, {25.3, 49, 78, 139}, {29.5, 58, 92, 166}, {30, 61, 94, 184}};
constexpr double explicit_times[4][4] = {{3618, 3641, 3667, 3663},
                                         {7276, 7348, 7287, 7276},
                                         {10865, 11122, 10949, 10965},
                                         {14480, 14771, 14630, 14592}};

ReproducedTable run() {
  const ProblemRecord& problem = *find_problem("hmmwv");
  const CompiledModel compiled = compile(problem.mechanism(Options("problem hmmwv", problem.options, {})),
                                         "euler-parameters", "problem hmmwv");
  const State start = assemble(compiled, 0, "problem hmmwv").state;
  ReproducedTable table;
  table.setting = fmt::format(
      "problem hmmwv, euler-parameters, partitioned, rtol = atol; implicit: sdirk4; explicit: adams, "
      "measured "
      "on [{0}, {1}] s, on the bump, and scaled to the whole time",
      kFrom, kFrom + kPart);
  table.label = "time, tolerance";
  table.columns = {"implicit", "explicit", "ratio"};
  const auto go = [&](const State& from, const char* integrator, double tolerance, double t_end) {
    Setup setup;
    setup.formulation = "partitioned";
    setup.integrator = integrator;
    setup.rtol = setup.atol = tolerance;
    setup.t_end = t_end;
    setup.record = false;
    Results results = simulate(*compiled.system, from, setup);
    if (!results.good()) {
      table.remarks.push_back(fmt::format("{} at {:g}: {}", integrator, tolerance, results.message));
      results.statistics.cpu_seconds = kNothing;
    }
    return results;
  };
  const State on_bump = go(start, "sdirk4", 1e-5, kFrom).final;
  std::array<double, 4> part{};
  for (size_t j = 0; j < 4; ++j)
    part[j] = go(on_bump, "adams", tolerances[j], kFrom + kPart).statistics.cpu_seconds;
  std::array<State, 4> reached;
  reached.fill(start);
  std::array<double, 4> spent{};
  for (int i = 0; i < 4; ++i) {
    const double t_end = i + 1;
    for (size_t j = 0; j < 4; ++j) {
      const Results second = go(reached[j], "sdirk4", tolerances[j], t_end);
      reached[j] = second.final;
      spent[j] += second.statistics.cpu_seconds;
      TableRow& out = table.rows.emplace_back(TableRow{fmt::format("{} s, {:g}", i + 1, tolerances[j]), {}});
      out.cells.resize(3);
      TableCell &implicit = out.cells[0], &other = out.cells[1], &ratio = out.cells[2];
      implicit.published = implicit_times[i][j];
      other.published = explicit_times[i][j];
      ratio.published = other.published / implicit.published;
      implicit.measured = spent[j];
      other.measured = part[j] * t_end / kPart;
      ratio.measured = other.measured / implicit.measured;
    }
  }
  for (TableRow& row : table.rows)
    for (size_t i = 0; i < row.cells.size(); ++i) {
      TableCell& cell = row.cells[i];
      if (i < 8)
        judge(cell, Verdict::kTrend,
              "CPU seconds of another computer, of a vehicle with other data: only ratios compare");
      else
        judge_ratio(
            cell, 0.5, cell.measured >= 50 ? Verdict::kTrend : Verdict::kDiffers,
            "implicit integration is faster by about two orders of magnitude, as in the source; the factor "
            "depends on the vehicle's data");
    }
  table.remarks.push_back(
      "CPU seconds of another computer (SGI Onyx, R10000): what compares is the ratio, and that explicit "
      "times do not depend on the "
      "tolerance. Ratios of the source are computed from its tables; its text says about 150.");
  table.remarks.push_back(
      "Hard points and masses are Project Chrono's: the source does not print its own. Adams' method stands "
      "for DEABM, of which it is a "
      "relative.");
  return table;
}

}  // namespace
}  // namespace negrut_5

extern const TableRecord negrut_5_table;
const TableRecord negrut_5_table = {
    .id = "negrut-5",
    .title = "CPU time of implicit and explicit integration of a stiff vehicle (tables V and VI)",
    .source = "Negrut, Haug & German 2003, tables V and VI",
    .run = negrut_5::run,
};

}  // namespace driftless
