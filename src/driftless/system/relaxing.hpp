// Capability of systems parts of whose start follow from the equations of motion: elastic coordinates of floating bodies that
// neither move nor accelerate in their frames. Assembly asks for them.
#pragma once

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class Relaxing {
 public:
  virtual ~Relaxing() = default;
  virtual bool has_relaxed() const = 0;  // whether there is anything to do
  // One step of an iteration from an assembled state, which is left off the constraints; how far it went, by scales of q. Infinity: it
  // cannot be done.
  virtual double relax(State& state) const = 0;
};

}  // namespace driftless
