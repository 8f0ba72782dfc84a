// What can be seen of a system: names, units, poses, quantities, reactions. All of it is read from terms at the state, after
// position(t, q), and from accelerations and multipliers there; nothing is allocated a call, but where `out` grows the first
// time. Names and units are asked for once. A system that can be seen derives from ObservableSystem (observable_system.hpp).
#pragma once

#include <string>
#include <vector>

#include "driftless/math/types.hpp"
#include "driftless/system/state.hpp"

namespace driftless {

struct Terms;

class Observables {
 public:
  virtual ~Observables() = default;

  // Bodies to draw, one pose a name.
  virtual std::vector<std::string> body_names() const { return {}; }
  virtual void observe_poses(double t, ConstVec q, Terms& terms, std::vector<Pose>& out) const;

  // Named output quantities with units (angles, tip positions, a model's output channels).
  virtual std::vector<std::string> quantity_names() const { return {}; }
  virtual std::vector<std::string> quantity_units() const;  // default: none, one a name
  virtual void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const;

  // Quantities that are angles known modulo 2π only: results count their turns from the start on. Values and rates, in
  // the order of these indices.
  virtual std::vector<int> wrapped_quantities() const { return {}; }
  virtual void wrapped_values(
      double t, ConstVec q, ConstVec v, Terms& terms, VecRef value, VecRef rate) const;
  // The last touch to quantities, once the turns of angles are counted (results/angle_tracker.hpp): units, and what combines
  // others. `factor`: of what is shown against rad.
  virtual void finish_quantities(double /*t*/, VecRef /*out*/) const {}
  virtual double quantity_factor(int /*k*/) const { return 1; }

  // Force and torque of every joint and driver, one entry a name. In planar systems forces lie in the x–y plane and
  // torques across it. Which constraints imply others is decided where terms are first used here, and remembered in them.
  virtual bool is_planar() const { return false; }
  virtual std::vector<std::string> joint_names() const { return {}; }
  virtual void observe_reactions(double t,
                                 ConstVec q,
                                 ConstVec v,
                                 const Reaction& reaction,
                                 Terms& terms,
                                 std::vector<JointReaction>& out) const;
};

}  // namespace driftless
