#include "driftless/system/observables.hpp"

namespace driftless {

void Observables::observe_poses(double, ConstVec, Terms&, std::vector<Pose>& out) const { out.clear(); }

std::vector<std::string> Observables::quantity_units() const {
  return std::vector<std::string>(quantity_names().size());
}

void Observables::observe_quantities(double, ConstVec, ConstVec, const Reaction&, Terms&, VecRef) const {}

void Observables::wrapped_values(double, ConstVec, ConstVec, Terms&, VecRef, VecRef) const {}

void Observables::observe_reactions(
    double, ConstVec, ConstVec, const Reaction&, Terms&, std::vector<JointReaction>& out) const {
  out.clear();
}

}  // namespace driftless
