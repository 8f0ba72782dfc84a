// Published tables, run again. One file per table, one line in tables.def; what is measured comes from running the problem
// library, with nothing remembered.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/simulate.hpp"

namespace driftless {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

struct TableCell {
  double published = kNothing;  // NaN: the source has nothing there
  double measured = kNothing;   // NaN: the run failed; a remark says how
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
};

std::span<const TableRecord* const> table_records();
const TableRecord* find_table(std::string_view id);

// A problem of the library with options of its own, run with `setup`; figures and final state only.
struct Rerun {
  Results results;
  Vec g, r;  // residuals of position and velocity at the final state
};
Rerun rerun(const std::string& problem,
            const std::map<std::string, std::string>& problem_options,
            Setup setup);

}  // namespace driftless
