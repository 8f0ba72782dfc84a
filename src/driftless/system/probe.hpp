// A function that the terms of a system contain and that may be sudden: smooth, yet begun and over between two evaluations.
// Integrators sample it between the ends of a step (integrator/sudden_watch.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

struct Probe {
  std::string what;  // for messages: "the expression 'exp(-100*(t-1)^2)' of time"
  // Its value at the time t, where the place it depends on is x and moves at `rate`.
  std::function<double(double t, double x, double rate)> value;
  int place = -1;   // which one of Probed::probe_places(); −1: it depends on t alone
  double calm = 0;  // a step no longer than this cannot miss what it does
};

// A system that names such functions.
class Probed {
 public:
  virtual ~Probed() = default;
  virtual std::vector<Probe> probes() const = 0;  // may refer to the system
  // Where the places are at q; of the terms only the scratch is used.
  virtual void probe_places(ConstVec q, Terms& terms, VecRef x) const = 0;
};

}  // namespace driftless
