// Planar models in relative coordinates: the joints of a spanning tree give the coordinates, cut joints and drivers the
// rows. With R the velocity transformation of the tree (planar_tree.hpp), (ṙ, ω) = R z and b its accelerations at ż = 0,
//   M = Rᵀ M₁ R,   f = Rᵀ (f₁ − M₁ b),   J = J₁ R,   γ = γ₁ − J₁ b                                                  (1)
// for the M₁, f₁, J₁, γ₁ of reference-point coordinates: again equations in the form of DescriptorSystem, fewer of them.
// R is never formed. A coordinate that moves all bodies of a row together is left out of it where that cannot change the
// row: slides always, turns unless the row is measured along the axes of the world.
//   García de Jalón & Bayo 1994, (5.71)–(5.92)
// Sizes for relative tolerances: 1 for angles, the characteristic length for displacements, |rate| for rates; of a free
// base the speed, so that turning the whole mechanism changes nothing.
// Reactions: of joints that are rows from their multipliers; of joints of the tree what must come through them to move all
// that is outboard as it moves,
//   F = Σ (m r̈ − F_applied − F_rows),   T = Σ (I θ̈ − T_applied − T_rows + (r − p) × F)                                (2)
// Where loops are redundant the multipliers of the rows alone do not tell which reactions are the smallest: then all joints
// are solved for together, in reference-point coordinates (reaction_recovery.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/parts.hpp"
#include "driftless/coordinates/planar_tree.hpp"
#include "driftless/coordinates/reaction_recovery.hpp"

namespace driftless {

// Which joint carries each body of the tree.
struct PlanarCarrier {
  int joint = -1;  // −1: none, a free base
  bool reversed = false;
};

class PlanarRelative final : public ObservableSystem, public Probed {
 public:
  // `parts` without rows for the joints of the tree.
  PlanarRelative(Parts<2> parts,
                 PlanarTree tree,
                 std::vector<PlanarCarrier> carriers,
                 std::unique_ptr<ReactionRecovery> reactions);

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;

  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const override;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  bool exchanges_energy() const override { return exchanges_energy_; }
  std::vector<std::string> body_names() const override { return parts_.body_names; }
  void observe_poses(ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  std::vector<std::string> quantity_names() const override { return parts_.channel_names(); }
  std::vector<std::string> quantity_units() const override { return parts_.channel_units(); }
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const override;
  bool is_planar() const override { return true; }
  std::vector<std::string> joint_names() const override { return parts_.joint_names(); }
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::vector<double> break_times(double t0, double t1) const override { return parts_.break_times(t0, t1); }
  std::vector<Probe> probes() const override { return parts_.probes(); }
  void probe_places(ConstVec q, Terms& terms, VecRef x) const override;

  const PlanarTree& tree() const { return tree_; }
  const Parts<2>& parts() const { return parts_; }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override;

 private:
  struct Work;
  // Where the gradient of a pair goes: columns_ [turns, slides) and [slides, end).
  struct Columns {
    int turns = 0, slides = 0, end = 0;
  };
  struct Column {
    int coordinate, slot;
  };
  // The coordinates the pairs of the rows reach, vector pairs first.
  std::vector<std::vector<int>> reach() const;

  Layout make_layout(const std::vector<std::vector<int>>& reached) const;
  void place(ConstVec q, Work& work) const;
  void move(ConstVec v, Work& work) const;
  void rows(double t, Work& work, Terms& terms) const;    // γ, after move()
  void forces(double t, Work& work, Terms& terms) const;  // f, after move()
  void sweep_reactions(double t, const Reaction& reaction, Work& work, std::vector<JointReaction>& out) const;

  Parts<2> parts_;
  PlanarTree tree_;
  std::vector<PlanarCarrier> carriers_;
  std::unique_ptr<ReactionRecovery> reactions_;
  std::vector<Columns> of_pair_;  // vector pairs, then scalar pairs
  std::vector<Column> columns_;
  std::vector<double> signs_;        // σ of the coordinates
  std::vector<Eigen::Index> bases_;  // x of free bases
  bool exchanges_energy_ = false;
};

// The model as a PlanarRelative; relative.cpp calls it.
CompiledModel compile_planar_relative(const Model& model, const std::string& source, const Options& options);

}  // namespace driftless
