// One run, from a model or problem and settings to its results: what the program, Python and programs in C++ call. It owns all
// that makes a run: settings merged, methods resolved, stop conditions, checkpoint, drawing, provenance, the file it grows into.
//
//   const RunOutcome done = run({.target = find_target("four-bar"), .settings = {.t_end = 2}});
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driftless/run/names.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

struct RunRequest {
  Target target;
  RunSettings settings = {};             // go before those of the model or problem
  std::optional<std::string> from = {};  // a result file to go on from
  std::optional<std::string> out = {};   // a file to write, *.csv or *.h5
  double checkpoint_every = 0;           // seconds; 0: when it suits
  bool keep = true;                      // all records in memory
  bool record_scheme = false;            // the scheme's own accelerations and multipliers beside every step
  bool smooth = false;                   // enough records for a page, if nobody says when to record
  std::string command = {};              // how to reproduce it
  const std::atomic<bool>* interrupt = nullptr;  // set by Ctrl-C
  const std::atomic<bool>* cut_off =
      nullptr;  // set beside it where nobody asked for the end: NAME.part stays
  std::function<void(const Progress&)> on_progress = nullptr;
};

struct Case;  // run/case.hpp: what was run

struct RunOutcome {
  std::shared_ptr<const Case> input;
  Setup setup;
  Results results;
  long records = 0;              // that were taken
  std::string write_trouble;     // why the file is not whole; empty: nothing went wrong
  bool is_left_in_part = false;  // the run was cut off: its results are in NAME.part
};

// InputError for everything the caller got wrong; numerical failure is in Results::status.
RunOutcome run(const RunRequest& request);

}  // namespace driftless
