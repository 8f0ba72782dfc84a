#include "driftless/system/observable_system.hpp"

namespace driftless {

void ObservableSystem::poses(double t, ConstVec q, std::vector<Pose>& out) const {
  Terms terms = make_terms();
  position(t, q, terms);
  observe_poses(q, terms, out);
}

void ObservableSystem::quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) const {
  Terms terms = make_terms();
  position(t, q, terms);
  observe_quantities(t, q, v, reaction, terms, out);
}

void ObservableSystem::joint_reactions(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, std::vector<JointReaction>& out) const {
  Terms terms = make_terms();
  position(t, q, terms);
  observe_reactions(t, q, v, reaction, terms, out);
}

Observer::Observer(const DescriptorSystem& system)
    : terms(system.make_terms()),
      system_(system),
      observable_(dynamic_cast<const ObservableSystem*>(&system)) {}

void Observer::poses(double t, ConstVec q, std::vector<Pose>& out) {
  if (observable_ != nullptr)
    observable_->observe_poses(q, terms, out);
  else
    system_.poses(t, q, out);
}

void Observer::quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) {
  if (observable_ != nullptr)
    observable_->observe_quantities(t, q, v, reaction, terms, out);
  else
    system_.quantities(t, q, v, reaction, out);
}

void Observer::reactions(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, std::vector<JointReaction>& out) {
  if (observable_ != nullptr)
    observable_->observe_reactions(t, q, v, reaction, terms, out);
  else
    system_.joint_reactions(t, q, v, reaction, out);
}

}  // namespace driftless
