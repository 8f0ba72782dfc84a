// What DescriptorSystem offers of its observables in one call.
#include "driftless/system/observable_system.hpp"

namespace driftless {

const Observables& DescriptorSystem::observables() const {
  static const Observables nothing;
  return nothing;
}

std::vector<std::string> DescriptorSystem::body_names() const { return observables().body_names(); }
std::vector<std::string> DescriptorSystem::quantity_names() const { return observables().quantity_names(); }
std::vector<std::string> DescriptorSystem::quantity_units() const { return observables().quantity_units(); }
std::vector<std::string> DescriptorSystem::joint_names() const { return observables().joint_names(); }
bool DescriptorSystem::is_planar() const { return observables().is_planar(); }

void DescriptorSystem::poses(double t, ConstVec q, std::vector<Pose>& out) const {
  Observer observer(*this);
  position(t, q, observer.terms);
  observer.poses(t, q, out);
}

void DescriptorSystem::quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) const {
  Observer observer(*this);
  position(t, q, observer.terms);
  observer.quantities(t, q, v, reaction, out);
}

void DescriptorSystem::joint_reactions(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, std::vector<JointReaction>& out) const {
  Observer observer(*this);
  position(t, q, observer.terms);
  observer.reactions(t, q, v, reaction, out);
}

}  // namespace driftless
