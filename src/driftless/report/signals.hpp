// The curves a page can plot: every column of the trajectory, reactions, energies and their error, constraint errors,
// step sizes and Newton iterations; which of them are shown at first.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/report/pack.hpp"
#include "driftless/results/trajectory.hpp"

namespace driftless {

// Numbers stay where they are, in the results, which must outlive it.
struct Signal {
  std::string name, unit, group;
  std::string owner = {};  // body, joint or force; empty: none
  bool log = false;        // shown on a logarithmic axis
  bool steps = false;      // over accepted steps, not records
  std::string plot = {};   // of the default plots; empty: not among them
  const double* first = nullptr;
  size_t stride = 1, count = 0;
  std::shared_ptr<const std::vector<double>> own = {};  // where `first` points if they were computed

  double at(size_t i) const { return first[i * stride]; }
};

std::vector<Signal> signals_of(const Results& results);

// `times`: the arrays "records" and "steps" signals refer to; `most`: points a curve may have. Longer ones are thinned (see
// decimate.hpp) and bring their own times, which are quantised.
struct PackedSignals {
  JsonValue::Object times;
  JsonValue::Array signals;
  size_t thinned = 0;  // how many were
};
PackedSignals pack_signals(const Results& results,
                           std::span<const Signal> signals,
                           size_t most,
                           Packer& packer);

}  // namespace driftless
