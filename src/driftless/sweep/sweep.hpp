// One model over many values of its parameters, in worker processes. The same table whatever their number, and whichever parts
// (shards) it was computed in, computing times apart. While a sweep goes on its rows are in FILE.h5.rows, one a line with a checksum;
// started again after a kill it goes on from there.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "driftless/report/page.hpp"
#include "driftless/run/names.hpp"
#include "driftless/sweep/measure.hpp"
#include "driftless/sweep/plan.hpp"

namespace driftless {

struct SweepRow {
  std::size_t index = 0;
  std::string status;   // as of a run; "refused" if there was none
  std::string message;  // why it failed
  double cpu_seconds = 0;
  std::vector<double> measures;  // NaN where there is none
};

struct SweepTable {
  std::string model, command, definition;  // definition: a fingerprint of what is computed
  std::size_t runs = 0;                    // of the whole sweep
  std::vector<std::string> parameters, units;
  std::vector<std::string> measures;
  std::vector<SweepRow> rows;                         // by index
  std::vector<std::vector<double>> parameter_values;  // of each row
};

struct SweepProgress {
  std::size_t done = 0, all = 0, failed = 0;
};

struct SweepRequest {
  Target target;  // a model
  RunSettings settings = {};
  SweepPlan plan;
  std::vector<Measure> measures;
  unsigned jobs = 1;
  std::size_t shard = 0, shards = 1;  // rows with index % shards == shard
  std::string out;                    // *.h5
  std::string command = {};
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const SweepProgress&)> on_progress = nullptr;
};

// InputError for everything the caller got wrong with all runs; std::runtime_error if the disk refuses.
// Interrupted: what there is, with `out` not written.
SweepTable sweep(const SweepRequest& request);

void write_sweep(const SweepTable& table, const std::string& path);
SweepTable read_sweep(const std::string& path);  // InputError
SweepTable merge_sweeps(
    const std::vector<std::string>& paths);  // InputError if they are not parts of one sweep
Page sweep_page(const SweepTable& table);    // curves over each parameter, the table
// A job array that computes the sweep in `shards` parts and puts them together: `command` is that of one part without --shard and --out.
std::string slurm_script(const std::string& command,
                         const std::string& out,
                         std::size_t shards,
                         std::size_t jobs);

}  // namespace driftless
