// Runs of models with contacts, friction, stops and joints that come and go, for tests.
#pragma once

#include <string>
#include <vector>

#include "support/runs.hpp"

namespace driftless::testing {

inline Results run_model(const Model& model, const RunSetup& setup) {
  const AssembledModel at = assembled(model);
  return simulate(at.system(), at.start(), setup);
}

inline RunSetup sharp(double t_end, const std::string& integrator = "dopri5", double rtol = 1e-10) {
  RunSetup setup;
  setup.t_end = t_end;
  setup.rtol = rtol;
  setup.atol = rtol / 100;
  setup.integrator = integrator;
  return setup;
}

// Of the events whose names contain `name`.
inline std::vector<double> times_of(const Results& results, const std::string& name) {
  std::vector<double> times;
  for (const EventRecord& event : results.trajectory.events)
    if (event.name.find(name) != std::string::npos) times.push_back(event.t);
  return times;
}

inline Model model_of(const std::string& text) { return parse_model(text, "test"); }

}  // namespace driftless::testing
