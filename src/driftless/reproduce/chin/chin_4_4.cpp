// Chin 1995, table 4.4: RKSTAB (dopri5 with post-stabilisation) on the five-link suspension, smooth road, [0, 1]. The data of the
// suspension were not found: problem five-link-1 has its topology, tyre and road, and other hard points and masses, so that
// only the trend can be met. NSTEP counts attempts.
#include <fmt/format.h>

#include "driftless/reproduce/table.hpp"

namespace driftless {
namespace chin_4_4 {
namespace {

struct PublishedRow {
  double rtol, evaluations, steps, accepted, rejected;
};
constexpr PublishedRow published[] = {{1e-3, 530, 88, 85, 3},
                                      {1e-4, 896, 149, 136, 13},
                                      {1e-5, 1298, 216, 211, 5},
                                      {1e-6, 2060, 343, 338, 5},
                                      {1e-7, 3284, 547, 541, 6}};

ReproducedTable run() {
  ReproducedTable table;
  table.setting =
      "problem five-link-1 on [0, 1], relative coordinates, lagrange, dopri5, pstab, atol = rtol/10";
  table.label = "rtol";
  table.columns = {"NFCN", "NSTEP", "NACCP", "NREJCT"};
  for (const PublishedRow& row : published) {
    TableRow& out = table.rows.emplace_back(TableRow{fmt::format("{:g}", row.rtol), {}});
    out.cells.resize(4);
    const double theirs[] = {row.evaluations, row.steps, row.accepted, row.rejected};
    for (size_t i = 0; i < 4; ++i) out.cells[i].published = theirs[i];
    Setup setup;
    setup.rtol = row.rtol;
    setup.t_end = 1;
    const Results results = rerun("five-link-1", {}, setup).results;
    if (!results.good()) {
      table.remarks.push_back(fmt::format("rtol {:g}: {}", row.rtol, results.message));
      continue;
    }
    const Statistics& count = results.statistics;
    const long ours[] = {count.evaluations, count.steps(), count.accepted, count.rejected};
    for (size_t i = 0; i < 4; ++i) out.cells[i].measured = static_cast<double>(ours[i]);
  }
  const double grown = table.rows.back().cells[2].measured / table.rows.front().cells[2].measured;
  const double theirs = table.rows.back().cells[2].published / table.rows.front().cells[2].published;
  const bool alike = grown > theirs / 2 && grown < 2 * theirs;
  for (TableRow& row : table.rows)
    for (TableCell& cell : row.cells)
      judge(cell, alike ? Verdict::kTrend : Verdict::kDataMissing,
            fmt::format(
                "the data of the suspension were not found; from 1e-3 to 1e-7 accepted steps grow {:.1f} "
                "times here, {:.1f} times in the source",
                grown, theirs));
  table.remarks.push_back(
      "The data of the suspension (Hiller & Frik 1991) were not found; hard points of a passenger car's rear "
      "axle and assumed masses stand "
      "for them. What can be met is the trend: steps grow like rtol^(-1/5), few are rejected.");
  return table;
}

}  // namespace
}  // namespace chin_4_4

extern const TableRecord chin_4_4_table;
const TableRecord chin_4_4_table = {
    .id = "chin-4.4",
    .title = "evaluations and steps of a five-link suspension with post-stabilisation, smooth road",
    .source = "Chin 1995, table 4.4",
    .run = chin_4_4::run,
};

}  // namespace driftless
