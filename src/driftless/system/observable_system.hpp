// Systems that keep all they need to be observed in the scratch space of their terms: mechanisms compiled from a model. One
// set of terms serves all records of a run, without allocation and without work done twice.
#pragma once

#include <utility>
#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class ObservableSystem : public DescriptorSystem {
 public:
  // The functions of DescriptorSystem with terms at (t, q), after position(t, q).
  virtual void observe_poses(ConstVec q, Terms& terms, std::vector<Pose>& out) const = 0;
  virtual void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const = 0;
  // The last touch to quantities, once the turns of angles are counted (results/angle_tracker.hpp): units, and what combines
  // others. `factor`: of what is shown against rad.
  virtual void finish_quantities(double /*t*/, VecRef /*out*/) const {}
  virtual double quantity_factor(int /*k*/) const { return 1; }
  // Which constraints imply others is decided where terms are first used here, and remembered in them.
  virtual void observe_reactions(double t,
                                 ConstVec q,
                                 ConstVec v,
                                 const Reaction& reaction,
                                 Terms& terms,
                                 std::vector<JointReaction>& out) const = 0;

  // With terms made for one call.
  void poses(double t, ConstVec q, std::vector<Pose>& out) const final;
  void quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) const final;
  void joint_reactions(double t,
                       ConstVec q,
                       ConstVec v,
                       const Reaction& reaction,
                       std::vector<JointReaction>& out) const final;

 protected:
  explicit ObservableSystem(Layout layout) : DescriptorSystem(std::move(layout)) {}
};

// Reads any system, with terms of its own: for one worker.
class Observer {
 public:
  explicit Observer(const DescriptorSystem& system);
  Terms terms;  // the caller calls position(t, q) before what follows

  void poses(double t, ConstVec q, std::vector<Pose>& out);
  void quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out);
  void reactions(double t, ConstVec q, ConstVec v, const Reaction& reaction, std::vector<JointReaction>& out);

 private:
  const DescriptorSystem& system_;
  const ObservableSystem* observable_;  // null: by the functions of DescriptorSystem
};

}  // namespace driftless
