// García de Jalón & Bayo 1994, table 5.1: largest constraint error of a double pendulum in natural coordinates (Example
// 5.1) by penalties of 10¹ to 10¹¹ with 0, 1 and 2 iterations of the augmented Lagrangian, Ω = 10, μ = 1. The book's
// penalties α multiply JᵀJ as it stands; ours are relative to the largest mass and the squared length of the rows,
//   penalty = α |J₁|² / max M,   |J₁|² = 4 m²,   max M = 1 kg                                                        (1)
// so that the first bar has the book's α, the second, whose row is √2 longer, half of it.
#include <fmt/format.h>

#include "driftless/reproduce/table.hpp"

namespace driftless {
namespace gjb_5_1 {
namespace {

struct PublishedRow {
  int power;        // α = 10^power
  double cells[3];  // error after 0, 1, 2 iterations
};
constexpr PublishedRow published[] = {{1, {.7e-1, .7e-2, .9e-3}}, {3, {.7e-3, .6e-5, .6e-5}},
                                      {5, {.1e-4, .6e-5, .6e-5}}, {7, {.6e-5, .6e-5, .6e-5}},
                                      {9, {.6e-5, .6e-5, .6e-5}}, {11, {.1e-4, .9e-5, .2e-4}}};

ReproducedTable run() {
  ReproducedTable table;
  table.setting =
      "problem natural-double-pendulum with masses=tips on [0, 10], dopri5, rtol = atol = 1e-6, no "
      "projection; "
      "largest |g| at the steps by penalty (0 iterations) and augmented-lagrangian (1, 2)";
  table.label = "penalty";
  table.columns = {"0 iterations", "1 iteration", "2 iterations"};
  long at_1e7 = 0, at_1e11 = 0;
  for (const PublishedRow& row : published) {
    TableRow& out = table.rows.emplace_back(TableRow{fmt::format("1e{}", row.power), {}});
    for (int iterations = 0; iterations < 3; ++iterations) {
      Setup setup;
      setup.formulation = iterations == 0 ? "penalty" : "augmented-lagrangian";
      setup.stabilization = "none";
      setup.t_end = 10;
      setup.rtol = setup.atol = 1e-6;
      setup.drift_limit = 10;
      setup.options = {{"penalty", fmt::format("4e{}", row.power)},  // (1)
                       {"iterations", fmt::format("{}", iterations)},
                       {"tolerance", "0"}};
      const Results results = rerun("natural-double-pendulum", {{"masses", "tips"}}, setup).results;
      TableCell cell{row.cells[iterations], kNothing};
      if (results.good())
        cell.measured = results.drift.position_max;
      else
        table.remarks.push_back(
            fmt::format("1e{} with {} iterations: {}", row.power, iterations, results.message));
      out.cells.push_back(cell);
      if (row.power == 7) at_1e7 += results.statistics.evaluations;
      if (row.power == 11) at_1e11 += results.statistics.evaluations;
    }
  }
  table.remarks.push_back(
      "The book gives neither the start nor the duration nor whether the unit masses are bars or points; "
      "level, "
      "at rest, 10 s and points at the tips are our choice, so the trend counts and not the figures: the "
      "error "
      "falls like 1/penalty, each iteration takes another factor, and from some penalty on only the error of "
      "the "
      "integrator is left.");
  table.remarks.push_back(fmt::format(
      "That floor is {:.0e} here, by dopri5 at 1e-6, and was 6e-6 in the book, by Gear's method at 1e-4.",
      table.rows[3].cells[2].measured));
  table.remarks.push_back(fmt::format(
      "The book needs half as much time again with a penalty of 1e11 as with 1e7. Here the three runs take "
      "{} "
      "evaluations with 1e11 and {} with 1e7.",
      at_1e11, at_1e7));
  return table;
}

}  // namespace
}  // namespace gjb_5_1

extern const TableRecord gjb_5_1_table;
const TableRecord gjb_5_1_table = {
    .id = "gjb-5.1",
    .title = "largest constraint errors of a double pendulum for different penalties",
    .source = "Garcia de Jalon & Bayo 1994, table 5.1 (Example 5.1)",
    .run = gjb_5_1::run,
};

}  // namespace driftless
