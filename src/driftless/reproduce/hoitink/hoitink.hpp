// What the tables of Hoitink 2011, chapter 4, share: members of the GSSSS families without dissipation, h = 0.01, a-form,
// tolerance 1e-8 on the residuals.
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "driftless/reproduce/table.hpp"

namespace driftless::hoitink {

struct Row {
  const char *family, *rho;
  int option;
  double iterations;  // published; NaN: none
};

inline std::string label_of(const Row& row) {
  const bool same = std::string(row.rho) == "1,1,1";  // U0 and V0 agree
  return fmt::format("{}({}) option {}", same ? "U0/V0" : row.family, row.rho, row.option);
}

inline Results run(const std::string& problem,
                   const Row& row,
                   double t_end,
                   const char* forces = "midpoint") {
  Setup setup;
  setup.formulation = "index3";
  setup.integrator = "gssss";
  setup.step = 0.01;
  setup.t_end = t_end;
  setup.drift_limit = 1e9;  // what diverges shall fail by itself
  setup.options = {{"family", row.family},
                   {"rho", row.rho},
                   {"constraint", fmt::format("{}", row.option)},
                   {"forces", forces},
                   {"newton_tol", "1e-8"}};
  return rerun(problem, {}, setup).results;
}

// Counts of iterations: exact, or explained.
inline void judge_iterations(TableCell& cell, const std::string& why) {
  judge_ratio(cell, 1e-4, Verdict::kDiffers, why);
}
// Energy, of which the source shows curves only: kept to round-off, or not, as it says.
inline void judge_energy(TableCell& cell, bool is_kept) {
  const bool kept = cell.measured < 1e-10;
  judge(cell, kept == is_kept ? Verdict::kTrend : Verdict::kDiffers,
        is_kept ? "no figure printed; the source says that the energy is kept to machine precision: below "
                  "1e-10 here"
                : "no figure printed; the source says that the energy is not kept, nor is it here");
}

inline void judge_ratio_or_missing(TableCell& cell) {
  judge_ratio(cell, 0.01, Verdict::kDataMissing,
              "which masses the trusses join, and with which stiffness, stands only in a figure of the "
              "source; beside that an exact "
              "Newton matrix needs three iterations a step whatever the option (hoitink-4.2)");
}

inline double iterations_of(const Results& results) {
  return results.good() ? double(results.statistics.newton_iterations) : kNothing;
}
inline double energy_change(const Results& results) {
  return results.energy ? std::abs(results.energy->final - results.energy->initial) : kNothing;
}

}  // namespace driftless::hoitink
