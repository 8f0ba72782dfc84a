// Negrut, Haug & German 2003, table III: accepted steps of SDIRK4/15 on the stiff double pendulum, [0, 2], rtol = atol = 10ᵏ: on the two
// equations in angles ("ODE"), and on bodies in independent coordinates ("SODE").
#include <cmath>

#include <fmt/format.h>

#include "driftless/reproduce/table.hpp"

namespace driftless {
namespace negrut_3 {
namespace {

struct PublishedRow {
  int k;
  double steps[2];
};
constexpr PublishedRow published[] = {{-2, {31, 29}},   {-3, {47, 47}},   {-4, {76, 75}},  {-5, {127, 126}},
                                      {-6, {223, 219}}, {-7, {387, 384}}, {-8, {682, 678}}};

ReproducedTable run() {
  ReproducedTable table;
  table.setting =
      "problems stiff-double-pendulum-angles and stiff-double-pendulum (reference-point coordinates, "
      "partitioned) on [0, 2], sdirk4, "
      "rtol = atol, first step 1e-6";
  table.label = "k";
  table.columns = {"ODE", "SODE"};
  for (const PublishedRow& row : published) {
    TableRow& out = table.rows.emplace_back(TableRow{fmt::format("{}", row.k), {}});
    for (const int bodies : {0, 1}) {
      Setup setup;
      setup.t_end = 2;
      setup.integrator = "sdirk4";
      setup.rtol = setup.atol = std::pow(10.0, row.k);
      setup.initial_step = 1e-6;
      if (bodies == 1) setup.formulation = "partitioned";
      const Results results =
          rerun(bodies == 1 ? "stiff-double-pendulum" : "stiff-double-pendulum-angles", {}, setup).results;
      TableCell& cell = out.cells.emplace_back();
      cell.published = row.steps[bodies];
      if (results.good()) cell.measured = static_cast<double>(results.statistics.accepted);
      judge_ratio(cell, 0.1, Verdict::kTrend,
                  "inertias, gravity and first step are not printed; the number of steps follows the "
                  "tolerance as in the "
                  "source");
      if (!results.good()) table.remarks.push_back(fmt::format("k = {}: {}", row.k, results.message));
    }
  }
  table.remarks.push_back(
      "The independent coordinates are both angles, chosen by the program. Inertias and gravity are not "
      "printed in the source: "
      "uniform bars and 9.81 m/s^2 give its steps.");
  return table;
}

}  // namespace
}  // namespace negrut_3

extern const TableRecord negrut_3_table;
const TableRecord negrut_3_table = {
    .id = "negrut-3",
    .title =
        "steps of SDIRK4/15 on a stiff double pendulum, in angles and in independent coordinates of bodies",
    .source = "Negrut, Haug & German 2003, table III",
    .run = negrut_3::run,
};

}  // namespace driftless
