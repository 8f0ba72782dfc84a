// One self-contained HTML page from results: the viewer (viewer/dist/page.html, embedded when the program is built) with
// the data put in. Opens from disk, needs no network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driftless/core/json/json_value.hpp"
#include "driftless/results/trajectory.hpp"

namespace driftless {

struct PageRun {
  std::string name;  // tells it from the others
  const Results* results = nullptr;
  int color = -1;  // place among the colours; less than 0: by the order of the runs
};

// A plot and a table that are ready made.
struct PageSeries {
  std::string name;
  std::vector<double> x = {}, y = {};
  std::vector<std::string> labels = {};  // of the points
  bool points = false;                   // marks, not only a line
  int color = -1;                        // as of runs
  bool line = true;                      // from point to point
  std::vector<double> z = {};            // of a map: at (x, y); NaN: none
};
struct PageAxis {
  std::string label, unit;
  bool log = false;
};
struct PagePlot {
  std::string title, kind;  // "work-precision", "time" or "map"
  PageAxis x, y;
  std::vector<PageSeries> series;
  PageAxis z = {};  // of a map, which has one series: what its colours mean
};
struct PageTable {
  struct Column {
    std::string name, unit;
    bool is_number = true;
  };
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<JsonValue>> rows;
  std::vector<int> colors = {};  // of the rows; empty: none
};

struct Page {
  std::string kind = "results";  // or "compare"
  std::string title, note;
  std::vector<PageRun> runs;
  std::vector<PagePlot> plots = {};
  std::vector<PageTable> tables = {};
  std::string verdict = {};  // what it comes to, above the rest
};

std::string page_html(const Page& page);

// Complete or not at all (AtomicFile). std::runtime_error if the disk refuses.
void write_page(const Page& page, const std::string& path);

}  // namespace driftless
