// What planar systems share, whatever their coordinates: forces, energies, poses, output channels, break times. All of it
// needs only the frames and velocities of the bodies, which the coordinate set provides.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/coordinates/planar_parts.hpp"
#include "driftless/coordinates/reaction_recovery.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/probe.hpp"

namespace driftless {

// Bodies as blocks and forces see them; ground, at rest, is the last.
struct PlanarScratch : Scratch {
  std::vector<PlanarFrame<double>> frames;           // position()
  std::vector<PlanarVelocity> velocities;            // bias(), force()
  std::vector<Resultant> resultants;                 // force()
  std::vector<JointReaction> reactions;              // quantities()
  std::unique_ptr<ReactionRecovery::Work> recovery;  // made when reactions are first asked for

  explicit PlanarScratch(size_t bodies)
      : frames(bodies + 1), velocities(bodies + 1), resultants(bodies + 1) {}
  PlanarView view(double t) const { return {frames.data(), velocities.data(), t}; }
};

class PlanarMechanism : public ObservableSystem, public Probed {
 public:
  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const final;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const final;
  bool exchanges_energy() const final { return exchanges_energy_; }
  std::vector<std::string> body_names() const final { return parts_.body_names; }
  void observe_poses(ConstVec q, Terms& terms, std::vector<Pose>& out) const final;
  std::vector<std::string> quantity_names() const final;
  std::vector<std::string> quantity_units() const final;
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const final;
  bool is_planar() const final { return true; }
  std::vector<std::string> joint_names() const override;
  // By way of reference-point coordinates; sets that have another way override it.
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::vector<double> break_times(double t0, double t1) const final;
  std::vector<Probe> probes() const final;
  void probe_places(ConstVec q, Terms& terms, VecRef x) const final;

 protected:
  PlanarMechanism(Layout layout, PlanarParts&& parts, std::unique_ptr<ReactionRecovery> reactions = nullptr);

  virtual std::unique_ptr<PlanarScratch> make_bodies() const = 0;
  virtual void place(ConstVec q, PlanarScratch& scratch) const = 0;  // frames
  virtual void move(ConstVec v, PlanarScratch& scratch) const = 0;   // velocities, after place()
  std::unique_ptr<Scratch> make_scratch() const final { return make_bodies(); }

  // resultants ← gravity and force elements, after move()
  void load(double t, PlanarScratch& scratch) const {
    const PlanarView view = scratch.view(t);
    for (size_t i = 0; i < parts_.masses.size(); ++i)
      scratch.resultants[i] = {parts_.masses[i] * parts_.gravity.x(), parts_.masses[i] * parts_.gravity.y(),
                               0};
    for_each_element(parts_.forces,
                     [&](const auto& element) { element.apply(view, scratch.resultants.data()); });
  }

  // Sizes, names and units of the rows, length and mass: what a layout has from the parts alone.
  static Layout row_layout(const PlanarParts& parts);

  PlanarParts parts_;

 private:
  std::unique_ptr<ReactionRecovery> reactions_;  // of sets that have no rows for their joints
  bool exchanges_energy_ = false;
};

}  // namespace driftless
