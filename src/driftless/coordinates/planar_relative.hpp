// Planar models in relative coordinates: the joints of a spanning tree give the coordinates, cut joints and drivers the
// rows. With R the velocity transformation of the tree (tree.hpp), (ṙ, ω) = R z and b its accelerations at ż = 0,
//   M = Rᵀ M₁ R,   f = Rᵀ (f₁ − M₁ b),   J = J₁ R,   γ = γ₁ − J₁ b                                                  (1)
// for the M₁, f₁, J₁, γ₁ of reference-point coordinates: again equations in the form of DescriptorSystem, fewer of them.
// R is never formed. A coordinate that moves all bodies of a row together is left out of it where that cannot change the
// row: slides always, turns unless the row is measured along the axes of the world.
//   García de Jalón & Bayo 1994, (5.71)–(5.92)
// Short trees form M (composite_bodies.hpp) and leave the rest to KktSolver; long ones never do (articulated_bodies.hpp).
// Sizes for relative tolerances: 1 for angles, the characteristic length for displacements, |rate| for rates; of a free
// base the speed, so that turning the whole mechanism changes nothing.
// Reactions: of joints that are rows from their multipliers; of joints of the tree what must come through them to move all
// that is outboard as it moves,
//   F = Σ (m r̈ − F_applied − F_rows),   T = Σ (I θ̈ − T_applied − T_rows + (r − p) × F)                                (2)
// Where loops are redundant the multipliers of the rows alone do not tell which reactions are the smallest: then all joints
// are solved for together, in reference-point coordinates (reaction_recovery.hpp).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/coordinates/composite_bodies.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/planar_mechanism.hpp"

namespace driftless {

// All joints and drivers of a model, in its order, and which of them the tree stands on.
struct PlanarTreeJoints {
  std::vector<PlanarJoint> all;
  std::vector<int> of_row_joint;  // per joint of the parts, which have those with rows only
};

class PlanarRelative final : public PlanarMechanism {
 public:
  // How M z̈ + Jᵀλ = f is solved.
  enum class Path { automatic, composite, articulated };

  // Rates from this many on are solved by articulated bodies (benchmarks/chain times both).
  static constexpr int kArticulatedFrom = 24;

  PlanarRelative(PlanarParts parts,
                 std::shared_ptr<const Tree<2>> tree,
                 PlanarTreeJoints joints,
                 std::unique_ptr<ReactionRecovery> reactions,
                 Path path = Path::automatic);

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  double kinetic_energy(ConstVec v, Terms& terms) const override;
  std::unique_ptr<MotionSolver> make_solver() const override;

  std::vector<std::string> joint_names() const override;
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;

  const Tree<2>& tree() const { return tree_; }
  const std::shared_ptr<const Tree<2>>& shared_tree() const { return shared_tree_; }
  const PlanarParts& parts() const { return parts_; }

 private:
  // Where the gradient of a block by one of its bodies goes: columns_ [turns, slides) and [slides, end).
  struct Columns {
    int turns = 0, slides = 0, end = 0;
  };
  template <class Block>
  struct Spread {
    std::array<Columns, Block::bodies> of_body;
    int stride = 0;  // from a value of the first row to that of the next
  };
  struct Column {
    int link, slot;
  };

  std::unique_ptr<PlanarScratch> make_bodies() const override;
  void place(ConstVec q, PlanarScratch& scratch) const override;
  void move(ConstVec v, PlanarScratch& scratch) const override;
  void rows(double t, Terms& terms) const;    // γ, after move()
  void forces(double t, Terms& terms) const;  // f, after move()

  void sweep_reactions(double t,
                       const Reaction& reaction,
                       Terms& terms,
                       std::vector<JointReaction>& out) const;

  std::shared_ptr<const Tree<2>> shared_tree_;  // with what reads states off bodies
  const Tree<2>& tree_;
  std::optional<CompositeBodies<2>> composite_;  // none: M is never formed
  PlanarTreeJoints joints_;
  PlanarBlocks<Spread> spread_;  // beside the blocks of parts_
  std::vector<Column> columns_;
};

// The model as a PlanarRelative; relative.cpp calls it.
CompiledModel compile_planar_relative(const Model& model, const std::string& source, const Options& options);

}  // namespace driftless
