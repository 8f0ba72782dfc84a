// What all systems compiled from a model have in common: they own its parts, and what can be seen of them is read off frames and
// twists of the bodies, whatever the coordinates are. A coordinate set says where these stand in its terms, and how q, v and v̇
// place, move and accelerate the bodies; it adds the equations, poses and reactions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/coordinates/mechanism/parts.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/probe.hpp"

namespace driftless {

template <int D>
class PartsSystem : public ObservableSystem, public Probed {
 public:
  const Parts<D>& parts() const { return parts_; }
  // Places and velocities of the bodies, in the scratch space of the terms.
  const WorkOf<D>& watch(double t, ConstVec q, ConstVec v, Terms& terms) const;

  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const override;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  bool exchanges_energy() const final { return exchanges_energy_; }
  std::vector<double> break_times(double t0, double t1) const final { return parts_.break_times(t0, t1); }

  std::vector<std::string> body_names() const override { return parts_.body_names; }
  std::vector<std::string> quantity_names() const final { return parts_.channel_names(); }
  std::vector<std::string> quantity_units() const final { return parts_.channel_units(); }
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const override;
  std::vector<int> wrapped_quantities() const final;
  void wrapped_values(double t, ConstVec q, ConstVec v, Terms& terms, VecRef value, VecRef rate) const final;
  void finish_quantities(double t, VecRef out) const final { combine_channels(parts_.channels, t, out); }
  double quantity_factor(int k) const final { return parts_.channels[size_t(k)].factor; }
  bool is_planar() const final { return D == 2; }
  std::vector<std::string> joint_names() const final { return parts_.joint_names(); }

  std::vector<Probe> probes() const final { return parts_.probes(); }
  void probe_places(ConstVec q, Terms& terms, VecRef x) const final;

 protected:
  // `counts_turns`: angles of the coordinates do, so that no quantity is known modulo 2π only.
  PartsSystem(Layout layout, Parts<D> parts, bool counts_turns);

  virtual WorkOf<D>& bodies_in(Terms& terms) const = 0;
  virtual void place_bodies(ConstVec q, Terms& terms) const = 0;             // frames, scalars
  virtual void move_bodies(ConstVec q, ConstVec v, Terms& terms) const = 0;  // twists, behind place_bodies()
  virtual void accelerate_bodies(ConstVec q,                                 // behind move_bodies()
                                 ConstVec v,
                                 ConstVec vdot,
                                 Terms& terms) const = 0;

  Parts<D> parts_;
  bool exchanges_energy_ = false;
  bool needs_accelerations_ = false;  // of the bodies, for an output

 private:
  bool counts_turns_ = false;
};

extern template class PartsSystem<2>;
extern template class PartsSystem<3>;

}  // namespace driftless
