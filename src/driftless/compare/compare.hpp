// Several methods on one model or problem, each at several tolerances, against a tight reference.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/compare/work_precision.hpp"
#include "driftless/run/names.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

struct CompareRequest {
  Target target;
  RunSettings settings = {};  // end time, coordinates, options of problem and coordinates
  std::optional<std::string> methods =
      {};  // "lagrange/dopri5/pstab,natural/dop853,*/dopri5"; none: a handful
  std::vector<double> tolerances = {1e-4, 1e-6, 1e-8, 1e-10};
  std::vector<double> steps = {};  // of methods without step control; none: halved from 1/500 of the time
  const Reference* reference = nullptr;  // of an earlier comparison up to the same time; none: one is made
  bool record = false;                   // a run of each method, for curves over time
  const std::atomic<bool>* interrupt = nullptr;                // what is finished then is given back
  std::function<void(const Progress&)> on_progress = nullptr;  // of single runs; not with worker processes
  unsigned jobs = 0;       // worker processes; 0: all runs one after the other in this one
  double time_limit = 60;  // s of each case with worker processes, 0: none
  std::function<void(std::size_t done, std::size_t all)> on_case = nullptr;
};

// A method that fails is a row, not the end. InputError for everything the caller got wrong.
Comparison compare(const CompareRequest& request);

}  // namespace driftless
