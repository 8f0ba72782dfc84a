// Chin 1995, table 4.7: Baumgarte's parameters against post-stabilisation in RKSTAB (dopri5), manipulator with a prescribed tip
// (case II), rtol = 1e-5, atol = rtol/10. Neither T nor ω is printed with the table: ω = 1, T = 10 meets its counts best.
#include <string>

#include <fmt/format.h>

#include "driftless/reproduce/table.hpp"

namespace driftless {
namespace chin_4_7 {
namespace {

struct PublishedRow {
  const char *name, *gamma1, *gamma2;  // no gammas: pstab
  double evaluations, steps, rejected, position, velocity;
};
constexpr PublishedRow published[] = {{"B(0,0)", "0", "0", 5416, 883, 186, 9.3e-3, 2.7e-3},
                                      {"B(8,16)", "8", "16", 4034, 672, 115, 3.9e-5, 1.0e-4},
                                      {"B(12,70)", "12", "70", 4058, 676, 109, 1.3e-5, 1.0e-4},
                                      {"B(20,100)", "20", "100", 4226, 704, 96, 9.5e-6, 8.8e-5},
                                      {"B(50,400)", "50", "400", 5258, 876, 68, 3.8e-6, 1.5e-4},
                                      {"PStab", nullptr, nullptr, 3980, 663, 117, 1.3e-10, 2.4e-7}};

Results run_case(const PublishedRow& row, const char* omega, double t_end) {
  Setup setup;
  setup.rtol = 1e-5;
  setup.t_end = t_end;
  setup.drift_limit = 1e9;
  if (row.gamma1 != nullptr) {
    setup.formulation = "baumgarte";
    setup.stabilization = "none";
    setup.options = {{"gamma1", row.gamma1}, {"gamma2", row.gamma2}};
  }
  return rerun("manipulator-prescribed", {{"omega", omega}}, setup).results;
}

// Steps of B(8,16) and PStab for other values than the ones taken.
std::string tried() {
  std::string out;
  for (const char* omega : {"0.5", "1", "2", "3", "5"})
    for (const double t_end : {5.0, 10.0, 20.0})
      out += fmt::format("{}{}, {:g}: {}, {}", out.empty() ? "" : "; ", omega, t_end,
                         run_case(published[1], omega, t_end).statistics.steps(),
                         run_case(published[5], omega, t_end).statistics.steps());
  return out;
}

ReproducedTable run() {
  ReproducedTable table;
  table.setting =
      "problem manipulator-prescribed with omega=1 on [0, 10], dopri5, rtol 1e-5, atol = rtol/10; baumgarte "
      "with gamma1 and gamma2 "
      "as in the label, lagrange with pstab; driftp, driftv: the largest |g| and |J v - nu| at the steps";
  table.label = "method";
  table.columns = {"NFCN", "NSTEP", "NREJCT", "driftp", "driftv"};
  for (const PublishedRow& row : published) {
    const Results results = run_case(row, "1", 10);
    TableCell cells[5] = {{row.evaluations, kNothing},
                          {row.steps, kNothing},
                          {row.rejected, kNothing},
                          {row.position, kNothing},
                          {row.velocity, kNothing}};
    if (results.good()) {
      cells[0].measured = static_cast<double>(results.statistics.evaluations);
      cells[1].measured = static_cast<double>(results.statistics.steps());
      cells[2].measured = static_cast<double>(results.statistics.rejected);
      cells[3].measured = results.drift.position_max;
      cells[4].measured = results.drift.velocity_max;
    } else {
      table.remarks.push_back(fmt::format("{}: {}", row.name, results.message));
    }
    const char* missing =
        "T and omega are not printed; with omega = 1, T = 10 the steps come nearest, see the values tried "
        "below";
    const bool bare = row.gamma1 != nullptr && row.gamma1[0] == '0';
    if (bare)
      missing =
          "without stabilisation the tip leaves its path and the arm soon moves otherwise, so that counts "
          "and drifts follow every "
          "detail of the scheme; T and omega are not printed either";
    judge_ratio(cells[0], 0.05, Verdict::kDataMissing, missing);
    judge_ratio(cells[1], 0.05, Verdict::kDataMissing, missing);
    if (bare)
      judge(cells[0], Verdict::kMisprint, "NFCN = 6 NSTEP + 2, which all other rows meet, makes it 5300");
    judge_ratio(cells[2], 0.05, Verdict::kDataMissing,
                "follows the constants of the controller, which are not printed, and T and omega, which are "
                "not either");
    for (int i = 3; i < 5; ++i)
      judge_ratio(cells[i], 0.2, row.gamma1 == nullptr ? Verdict::kTrend : Verdict::kDataMissing,
                  row.gamma1 == nullptr ? "far below Baumgarte's, as printed; smaller still here" : missing);
    table.rows.push_back({row.name, {cells, cells + 5}});
  }
  table.remarks.push_back("Tried, as omega, T: steps of B(8,16) and of PStab (printed 672, 663): " + tried() +
                          ".");
  const Results stiff = run_case(published[4], "0.5", 20);
  table.remarks.push_back(
      fmt::format("Figure 4.19 of the source is drawn for omega = 0.5. With it 20 s come near the steps "
                  "above, but B(50,400) takes {} "
                  "(printed 876) and its drifts are {:.1e} and {:.1e}.",
                  stiff.statistics.steps(), stiff.drift.position_max, stiff.drift.velocity_max));
  return table;
}

}  // namespace
}  // namespace chin_4_7

extern const TableRecord chin_4_7_table;
const TableRecord chin_4_7_table = {
    .id = "chin-4.7",
    .title = "Baumgarte's parameters and post-stabilisation on a manipulator led up and down",
    .source = "Chin 1995, table 4.7",
    .run = chin_4_7::run,
    .minutes = 0.1,
};

}  // namespace driftless
