// Models in relative coordinates, in the plane and in space: the joints of a spanning tree give the coordinates, cut joints and drivers the
// rows. With R the velocity transformation of the tree (tree.hpp), (ṙ, ω) = R z, and b the accelerations at ż = 0,
//   M = Rᵀ M₁ R,   f = Rᵀ (f₁ − M₁ b),   J = J₁ R,   γ = γ₁ − J₁ b                                                  (1)
// for the M₁, f₁, J₁, γ₁ of bodies one by one: again equations in the form of DescriptorSystem, fewer of them. R is never
// formed. A row with n = ∂g/∂x of markers at x has the entries
//   turn   u·((x − p) × n)  points,  u·(x × n)  directions          slide   u·n  points                               (2)
// at the coordinates between its markers and their common ancestor, and beyond it only where a row is measured along the
// axes of the world. Scalars that are a coordinate of the tree are that one; others follow as massless coordinates. In the plane
// a scalar is the angle of a body, the sum of the turns inboard of it, and has the entries ±∂g/∂s there.
//   García de Jalón & Bayo 1994, (5.71)–(5.92)
// Short trees form M (composite_bodies.hpp) and leave the rest to KktSolver; long ones never do (articulated_bodies.hpp).
// Sizes for relative tolerances: 1 for angles and quaternions, the characteristic length for displacements, |rate| for
// rates; of a ball |w|, of a free base the speed, so that turning the whole mechanism changes nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/mechanism/parts_system.hpp"
#include "driftless/coordinates/mechanism/reaction_recovery.hpp"
#include "driftless/coordinates/mechanism/switching_parts.hpp"
#include "driftless/coordinates/relative/solvers/composite_bodies.hpp"
#include "driftless/system/bounds_rows.hpp"
#include "driftless/system/formed_mass.hpp"

namespace driftless {

// What one worker keeps between stages.
template <int D>
struct RelativeWork final : Scratch {
  WorkOf<D> bodies;  // with a slot more for each link without a body of its own
  TreeWork<D> tree;
  typename CompositeBodies<D>::Work composite;
  std::vector<TwistOf<double, D>>
      accelerations;  // of the slots, less their biases              joint_reactions()
  enum class Loops { unknown, independent, redundant } loops = Loops::unknown;
  long decided_at = 0;                               // Mode::count then
  std::unique_ptr<ReactionRecovery::Work> recovery;  // where loops are redundant
};

template <int D>
class RelativeSystem final : public PartsSystem<D>,
                             public FormsMass,
                             public BoundsRows,
                             public SwitchesOf<RelativeSystem<D>, D> {
 public:
  // How M z̈ + Jᵀλ = f is solved.
  enum class Path { automatic, composite, articulated, links };

  // Rates from this many on are solved by articulated bodies. An estimate: the crossing has not been measured yet
  // (benchmarks/chain times both).
  static constexpr int kArticulatedFrom = 24;
  // Products a link that K of the loops may take (loop_products); beyond it twists of links are unknowns (link_solver.hpp).
  static constexpr double kMostProducts = 1000;

  // `parts` without rows for the joints of the tree and for the scalars it has as coordinates.
  RelativeSystem(Parts<D> parts, std::shared_ptr<const Tree<D>> tree, Path path = Path::automatic);
  // Where loops are redundant reactions come from here; `scalars` are those of its coordinates.
  void recover_reactions(std::unique_ptr<ReactionRecovery> recovery, const std::vector<ScalarOf<D>>& scalars);

  const Tree<D>& tree() const { return tree_; }
  const std::shared_ptr<const Tree<D>>& shared_tree() const { return shared_tree_; }

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const override;
  void retract(VecRef q, ConstVec delta) const override;
  void difference(ConstVec from, ConstVec to, VecRef delta) const override;
  void normalize(VecRef q) const override { tree_.normalize(q.data()); }
  std::unique_ptr<MotionSolver> make_solver() const override;

  Tangents make_tangents(const TangentParts& parts) const override;  // relative_tangent_patterns.cpp
  void tangents(double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out)
      const override;
  bool fills_tangents() const override { return true; }
  void kinematic_tangents(double t, ConstVec q, ConstVec v, KinematicTangents& out) const override;
  std::unique_ptr<FormedMass> make_formed_mass() const override;
  double least_singular_value(const Terms& terms) const override;

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  double kinetic_energy(ConstVec v, Terms& terms) const override;
  void observe_poses(double t, ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::unique_ptr<DescriptorSystem> copy_in(const Mode& mode) const;
  const SwitchedRows& switched() const { return switched_; }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override;
  WorkOf<D>& bodies_in(Terms& terms) const override;
  void place_bodies(ConstVec q, Terms& terms) const override;
  void move_bodies(ConstVec q, ConstVec v, Terms& terms) const override;
  void accelerate_bodies(ConstVec q, ConstVec v, ConstVec vdot, Terms& terms) const override;

 private:
  using PartsSystem<D>::layout_;
  using PartsSystem<D>::parts_;
  // A scalar: a coordinate of the tree times a factor, or one of its own behind them.
  struct Source {
    int q = 0, v = 0;
    double factor = 1;
  };
  // Where the gradient of a pair goes in the values of J: its first row; a ball takes three in a row.
  struct Column {
    int link, slot;
  };
  // Those of a pair: from `turns` on links that turn, from `slides` on those that slide.
  struct Columns {
    int turns, slides, end;
  };

  RelativeWork<D> make_work() const;
  std::vector<std::vector<int>> reach() const;
  int row_of_pair(size_t k) const {  // vector pairs, then scalar pairs
    const auto& vectors = parts_.rows.vector_pairs();
    return k < vectors.size() ? vectors[k].row : parts_.rows.scalar_pairs()[k - vectors.size()].row;
  }
  int row_length(int row) const {
    return layout_.J.outerIndexPtr()[row + 1] - layout_.J.outerIndexPtr()[row];
  }
  Layout make_layout(const std::vector<std::vector<int>>& reached) const;
  void name_coordinates(Layout& layout) const;
  void list_columns(const std::vector<std::vector<int>>& reached);
  void place(ConstVec q, RelativeWork<D>& work) const;
  void move(ConstVec v, RelativeWork<D>& work) const;
  void rows(double t, RelativeWork<D>& work, Terms& terms) const;    // γ, after move()
  void forces(double t, RelativeWork<D>& work, Terms& terms) const;  // f, after move()
  void add_row_forces(ConstVec lambda, WorkOf<D>& bodies) const;
  bool is_redundant(const Terms& terms, RelativeWork<D>& work) const;
  void write_reference(double t, ConstVec q, ConstVec v, RelativeWork<D>& work) const;
  void sweep_reactions(ConstVec vdot, RelativeWork<D>& work, std::vector<JointReaction>& out) const;
  void take_off_scalar_loads(const WorkOf<D>& bodies, std::vector<JointReaction>& out) const
    requires(D == 3);

  std::shared_ptr<const Tree<D>> shared_tree_;  // with what reads states off bodies
  const Tree<D>& tree_;
  std::optional<CompositeBodies<D>> composite_;  // none: M is never formed
  std::vector<Source> sources_;                  // of the scalars
  bool by_links_ = false;                        // LinkSolver
  int massless_ = 0;                             // scalars that are coordinates of their own
  std::vector<Column> columns_;    // of the vector pairs, one after the other; plane: then of scalar pairs
  std::vector<Columns> spread_;    // per pair
  std::vector<int> scalar_slots_;  // space: per scalar pair
  SwitchedRows switched_;          // none: CoordinatesRecord::has_switched_rows
  std::shared_ptr<const ReactionRecovery> recovery_;  // none: the loops are never asked
  std::vector<Source> reference_scalars_;             // of its coordinates
};

// The model as a RelativeSystem; relative.cpp calls it.
template <int D>
CompiledModel compile_relative(const Model& model, const std::string& source, const Options& options);
// One with flexible bodies or point masses: a RelativeFlexibleSystem.
template <int D>
CompiledModel compile_relative_flexible(const Model& model,
                                        const std::string& source,
                                        const Options& options);

}  // namespace driftless
