// Which coordinates, formulation, integrator, stabilization and tolerance suit a model: what it is, how it moves in a trial run, and what
// short runs of the methods that come into question cost at the error asked for.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "driftless/compare/compare.hpp"

namespace driftless {

struct AdviseRequest {
  Target target;
  RunSettings settings = {};  // what is given stays as it is: coordinates, end time, options
  double error = 1e-6;        // at the end, in units of the coordinates' scales
  unsigned jobs = 0;          // worker processes for the trials; 0: none
  double time_limit = 10;     // s of each trial
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(std::size_t done, std::size_t all)> on_case = nullptr;
};

// What was looked at.
struct ModelFacts {
  std::string name, coordinates;
  int coordinates_count = 0, rows = 0, nonholonomic = 0, redundant = 0, dof = 0;
  bool is_model = false;            // runs in other coordinates, too
  bool has_loops = false;           // rows are left even in relative coordinates
  double t_end = 0, trial_end = 0;  // s; how much of it the trials run
  std::string trial_trouble;        // the trial run failed
  double decay = 0,
         frequency = 0;  // largest −Re and |Im| of the eigenvalues of the linearised motion, 1/s and rad/s
  bool eigenvalues_known = false;
  double stiffness = 0;             // largest decay times the time a step of the trial takes
  long trial_steps = 0;             // of the explicit scheme
  double weakest_row = 1;           // independence of the rows along the run: near 0 in singular positions
  std::vector<double> singular_at;  // s
  double energy_lost = 0;           // work of dampers and other forces, relative to the energy
  int switches = 0;                 // contacts, friction, cases of laws
  long switchings = 0;              // how often something switched in the trial
  int flexible_bodies = 0, elastic = 0;  // elastic coordinates of them
  bool has_points = false;               // point masses: no attitude, absolute coordinates only
  double vibration = 0;                  // largest frequency times the time an explicit step takes
  // Vibrations, not accuracy, keep explicit steps short: they allow about 1 without damping.
  bool is_vibrating() const { return vibration > 0.3 && trial_steps > 200; }
  bool is_stiff() const { return stiffness > 2.5 && trial_steps > 200; }
  bool is_singular() const { return !singular_at.empty(); }
};

struct Advice {
  ModelFacts facts;
  std::string coordinates, formulation, integrator, stabilization;
  std::map<std::string, std::string> options;  // of the formulation, where the usual ones would not do
  double rtol = 1e-6;
  std::string method;                // the same in one word
  std::vector<std::string> reasons;  // sentences
  Comparison trials;                 // what was measured, the best first
  double cpu_seconds = 0;            // of the recommended method at the error asked for; NaN: none reaches it
  std::vector<std::string> others;   // trade-offs: what the next ones cost
};

// InputError for what the caller got wrong. Never fails otherwise: without a trial that works it recommends the defaults and says so.
Advice advise(const AdviseRequest& request);

// The settings with the advice filled in where they say nothing.
RunSettings with_advice(RunSettings settings, const Advice& advice);

}  // namespace driftless
