// Published tables, run again. One file per table, one line in tables.def; what is measured comes from running the problem
// library, with nothing remembered. Every entry ends with a verdict and the reason for it: judge() and its kin, below.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/simulate.hpp"

namespace driftless {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

enum class Verdict {
  kMatches,      // met within the tolerance that the reason names
  kTrend,        // the figure is not met, or there is none; what the source says of it is
  kMisprint,     // the source contradicts itself or arithmetic; the reason says how
  kDataMissing,  // the source leaves out data that the figure depends on, or prints no figure
  kDiffers,      // not met; the reason says why, or what was tried
};
std::string_view to_string(Verdict verdict);  // "matches", "trend", "misprint", "data-missing", "differs"

struct TableCell {
  double published = kNothing;  // NaN: the source has nothing there
  double measured = kNothing;   // NaN: the run failed; a remark says how
  Verdict verdict = Verdict::kDiffers;
  std::string reason = {};  // empty: not judged yet
};

struct TableRow {
  std::string label;
  std::vector<TableCell> cells;  // one a column
};

struct ReproducedTable {
  std::string setting;  // problem, methods, step or tolerance
  std::string label;    // what the labels of the rows are
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
  std::vector<std::string> remarks;  // what deviates, and why
};

struct TableRecord {
  std::string id;      // "chin-2.1"
  std::string title;   // what it shows
  std::string source;  // whose table it is
  ReproducedTable (*run)();
  double minutes = 0.1;  // of one processor, about: long ones start first when several run
};

// ---- verdicts -----------------------------------------------------------------------------------------------------------

// The verdict as given. Cells without a measured figure keep `differs`, with the reason given.
void judge(TableCell& cell, Verdict verdict, std::string reason);
// matches if measured lies within `units` of the last of the `digits` printed digits, otherwise `otherwise` with `why`.
// A published 0 is met by what is below `zero`.
void judge_digits(TableCell& cell,
                  int digits = 2,
                  double units = 1.5,
                  Verdict otherwise = Verdict::kDiffers,
                  const std::string& why = {},
                  double zero = 1e-13);
// matches if |measured/published − 1| ≤ tolerance, otherwise `otherwise` with `why`.
void judge_ratio(TableCell& cell,
                 double tolerance,
                 Verdict otherwise = Verdict::kDiffers,
                 const std::string& why = {});
// matches if both figures are below `limit`: round-off. False, and nothing done, otherwise.
bool judge_round_off(TableCell& cell, double limit = 1e-13);

std::span<const TableRecord* const> table_records();
const TableRecord* find_table(std::string_view id);

// Runs a table. Cells that its `run` left without a reason get the default: no figure in the source is data-missing, any other
// is judged by its first two digits.
ReproducedTable reproduce(const TableRecord& record);

struct Reproduction {
  const TableRecord* record = nullptr;
  ReproducedTable table;
  double seconds = 0;
  std::string trouble = {};  // an exception ended it
};
// Several tables on `jobs` threads; `done` is called after each, one call at a time. In the order given.
std::vector<Reproduction> reproduce(std::span<const TableRecord* const> records,
                                    int jobs,
                                    const std::function<void(const Reproduction&)>& done = {});

// A problem of the library with options of its own, run with `setup`; figures and final state only.
struct Rerun {
  Results results;
  Vec g, r;  // residuals of position and velocity at the final state
};
Rerun rerun(const std::string& problem,
            const std::map<std::string, std::string>& problem_options,
            Setup setup);

}  // namespace driftless
