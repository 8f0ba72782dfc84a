// What `run` and `check` found out, gathered for the summary and the JSON object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/analysis/assembly.hpp"
#include "driftless/cli/pages.hpp"
#include "driftless/results/trajectory.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/run.hpp"
#include "driftless/system/strained.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless::cli {

struct RunReport {
  const Case* input = nullptr;
  const Results* results = nullptr;
  Setup setup;
  long records = 0;                // that were taken
  std::optional<std::string> out;  // file the results were written to
  WrittenPages pages;              // page and picture
  std::string write_trouble;       // why any of them was not
};

struct CheckReport {
  std::string name, source, coordinates;
  std::vector<std::string> coordinate_names, row_names, quantity_names;
  std::vector<std::string> warnings;  // what is allowed and hardly meant
  size_t bodies = 0;
  RankReport rank;
  std::optional<AssemblyReport> assembly;
  std::vector<Parameter> parameters;
  std::vector<Switch> switches;             // what may end a step
  std::vector<std::string> without_events;  // laws that ask for none: smooth(...)
  std::vector<FlexibleVibrations> vibrations;
};

}  // namespace driftless::cli
