// What a finished run leaves to be doubted: its drift, its energy balance and its place against the accuracy asked for.
//   accuracy   tol = max(rtol, atol),   tol_p = max(tol, tol^(p/(p+1))/10),   p the order of the scheme                (1)
//   drift      |g| > min(1000 tol_p, 0.05) L,   |J v − ν| > min(1000 tol_p, 0.05) L s,   s the largest speed,          (2)
//              at least 1, in units of the coordinates' scales
//   energy     error of the balance > min(1000 tol_p, 0.1) of the energy of the motion, and more than forces do over    (3)
//              10 tol of their scales: a position that is off by as much explains it
//   place      ε |x| > tol L/10,   x of the body farthest out;   ε |qᵢ| > a tenth of what qᵢ is held to in error tests   (4)
//   fixed step accuracy is not promised but a motion is: |g| > 0.05 L, energy off by 0.1, v h > 100 scales,            (5)
//              records moved by half their size
//   limit      |g| ≤ min(0.1, 10⁵ tol_p) L where the constraints are held (Monitor (3)), with fixed steps 0.1 L;       (6)
//              |J v − ν| ≤ 0.1 L s: index 3 and undamped schemes let velocities tremble
//   records    one between steps moved by > min(1000 tol_p, 0.5) of its size when it was put on the constraints          (7)
// (1): a scheme of order p with local errors of tol has global ones of tol^(p/(p+1)) (step_controller.hpp (4)); the tenth
// is what separates right from wrong in the matrix of all methods (docs/results.md). Factors and caps are measured there.
#pragma once

#include <string>
#include <vector>

#include "driftless/integrator/integrator.hpp"
#include "driftless/results/monitor.hpp"
#include "driftless/results/recorder.hpp"
#include "driftless/system/strained.hpp"

namespace driftless {

struct Evidence {
  const DescriptorSystem& system;
  const Monitor& monitor;
  Recorder::Move record_move;
  const StepControl& control;
  int order;  // of the scheme
  const State& start;
  const State& end;
};

// One sentence each, with cause and figure, for Results::warnings; none for a healthy run.
std::vector<std::string> doubts(const Evidence& evidence);

// What to know before a run with an explicit integrator: one sentence for each body whose highest frequency is above 10⁴ times its
// lowest, since it is the highest that steps must resolve.
std::vector<std::string> vibration_remarks(const std::vector<FlexibleVibrations>& bodies);

// (6). `is_held`: formulation or stabilization keep the drift down.
DriftLimit usual_drift_limit(const StepControl& control, int order, bool is_held);

}  // namespace driftless
