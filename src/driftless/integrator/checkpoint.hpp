// Where an integrator can be picked up again.
#pragma once

#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

// What the integrator needs to go on exactly as if it had not stopped: the last step it took of its own choosing.
// (The step that hits the end time is shortened for it and is not the place to continue from.)
struct Checkpoint {
  double t = 0;                   // time of `y`
  double origin = 0;              // fixed steps: t = origin + n·h
  long n = 0;                     // fixed steps: steps taken since origin
  double h = 0;                   // step proposed next
  Vec y;                          // the integrated vector, as the formulation packs it
  Vec memory = {};                // what a scheme keeps besides y
  std::vector<int> dropped_rows;  // ones the run leaves out: redundant or not in force
  std::vector<int> mode = {};     // of a system that switches (system/switching/mode.hpp)
  std::vector<double> held = {};
};

}  // namespace driftless
