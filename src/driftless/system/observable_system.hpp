// A system that can be seen, and who looks at one: an Observer has terms of its own, so that one set of them serves all records
// of a run, without allocation and without work done twice.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/observables.hpp"

namespace driftless {

class ObservableSystem : public DescriptorSystem, public Observables {
 public:
  const Observables& observables() const final { return *this; }
  using Observables::body_names;
  using Observables::is_planar;
  using Observables::joint_names;
  using Observables::quantity_names;
  using Observables::quantity_units;

 protected:
  explicit ObservableSystem(Layout layout) : DescriptorSystem(std::move(layout)) {}
};

// Reads any system: for one worker.
class Observer {
 public:
  explicit Observer(const DescriptorSystem& system)
      : terms(system.make_terms()), observables_(system.observables()) {}
  Terms terms;  // the caller calls position(t, q) before what follows

  void poses(double t, ConstVec q, std::vector<Pose>& out) { observables_.observe_poses(t, q, terms, out); }
  void quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) {
    observables_.observe_quantities(t, q, v, reaction, terms, out);
  }
  void reactions(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, std::vector<JointReaction>& out) {
    observables_.observe_reactions(t, q, v, reaction, terms, out);
  }

 private:
  const Observables& observables_;
};

}  // namespace driftless
