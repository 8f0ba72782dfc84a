// A run: a system, where it starts, and the choices by name and number, in; everything measured, out.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "driftless/results/events/noise.hpp"
#include "driftless/results/trajectory.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class RecordSink;  // results/record_sink.hpp

enum class Direction { any, up, down };

// A root function of the state, or a quantity of the system that passes a level. Where it changes sign the step is cut:
// `stop` ends the run there, otherwise the integrator restarts behind the event (`action`, if given, may change the state:
// q and v are made consistent again).
struct Event {
  std::string name;
  std::function<double(double t, ConstVec q, ConstVec v)> root;  // null: quantity − level
  Direction direction = Direction::any;
  bool stop = false;
  std::function<void(State&)> action;
  int quantity = -1;  // must not depend on accelerations and multipliers
  double level = 0;
  Noise noise = Noise::none;  // of its root
};

struct Progress {
  double t = 0, t_start = 0, t_end = 0;
  long steps = 0;
};

struct Setup {
  std::string formulation = "lagrange";
  std::string integrator;     // empty: the default of the formulation
  std::string stabilization;  // empty: the default of the formulation
  double t_end = 1;
  double rtol = 1e-6;
  double atol = 0;          // 0: rtol/10; multiplied by the scale of each coordinate
  double step = 0;          // > 0 forces a fixed step
  double initial_step = 0;  // 0: chosen
  double max_step = 0;      // 0: no limit
  long max_steps = 0;       // 0: 10 million, no limit for fixed steps
  double output_step = 0;   // > 0: records at t0 + k·output_step, and at the end; 0: at every accepted step
  std::vector<double> output_times;  // instead of output_step
  bool record = true;                // false: keep only figures and the final state
  bool record_scheme = false;        // the scheme's own accelerations and multipliers beside every step
  double drift_limit =
      0;  // fail when |g| passes this many characteristic lengths (velocities likewise); 0: chosen
  std::map<std::string, std::string> options;  // --option name=value
  std::vector<Event> events;
  std::optional<Checkpoint> checkpoint;  // continue exactly here
  std::optional<Vec> quantities;  // of the run this one goes on from, at the start: turns of angles count on

  RecordSink* sink =
      nullptr;  // records go there block by block; Results keep the last block. null: Results keep all
  std::function<void(const Progress&)> on_progress;  // called now and then
  const std::atomic<bool>* interrupt = nullptr;      // set by Ctrl-C
};

// Runs. `start` must be consistent (see analysis/assembly.hpp); a constraint error above the drift limit at the start
// is refused. User mistakes (unknown names, bad options) throw InputError; numerical failure is in Results::status.
Results simulate(const DescriptorSystem& system, const State& start, const Setup& setup);

}  // namespace driftless
