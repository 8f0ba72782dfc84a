// Rigid bodies in joint coordinates of their spanning tree, beside flexible bodies and point masses, which keep the coordinates they
// have by themselves (flexible_system.hpp): no joint of these is one of the tree, all of them are rows. With M₁, f₁, J₁, γ₁ of the same
// model in reference-point coordinates, J₁ without the joints of the tree, and v₁ = R v, v̇₁ = R v̇ + b,
//   M = Rᵀ M₁ R,   f = Rᵀ (f₁ − M₁ b),   J = J₁ R,   γ = γ₁ − J₁ b                                                     (1)
// R is that of the tree for rigid bodies and the identity for all else; its columns are (4) of tree.hpp, formed along the paths to the
// root. Tangents are left to differences. Reactions, and outputs that read them, come from reference-point coordinates.
//   García de Jalón & Bayo 1994, (5.92)
#pragma once

#include <memory>
#include <vector>

#include "driftless/coordinates/flexible/flexible_system.hpp"
#include "driftless/coordinates/mechanism/reaction_recovery.hpp"
#include "driftless/coordinates/relative/tree/tree.hpp"

namespace driftless {

template <int D>
class RelativeFlexibleSystem final : public ObservableSystem,
                                     public Probed,
                                     public Strained,
                                     public SwitchesOf<RelativeFlexibleSystem<D>, D> {
 public:
  using Attitude = std::conditional_t<D == 2, PlaneAngle, BodyRates>;
  using Full = FlexibleSystem<Attitude>;
  // A scalar of reference-point coordinates: one of these times a factor.
  struct Source {
    int q = 0, v = 0;
    double factor = 1;
  };

  // `full`: all bodies, without rows for what the tree has as coordinates; `tree`: of the bodies `rigid`; `matches`: of its scalars.
  RelativeFlexibleSystem(std::shared_ptr<const Full> full,
                         std::shared_ptr<const Tree<D>> tree,
                         std::vector<int> rigid,
                         const std::vector<typename Tree<D>::Match>& matches);
  // `scalars`: those of its coordinates, by the scalars of `full` or by coordinates of the tree.
  void recover_reactions(std::shared_ptr<const ReactionRecovery> recovery, std::vector<Source> scalars);
  const std::vector<Source>& sources() const { return sources_; }

  // A state of reference-point coordinates in these, and back.
  State from_reference(const State& reference, const std::vector<Source>& scalars) const;

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const override;
  void retract(VecRef q, ConstVec delta) const override;
  void difference(ConstVec from, ConstVec to, VecRef delta) const override;
  void normalize(VecRef q) const override;

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const override;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  bool exchanges_energy() const override { return full_->exchanges_energy(); }
  std::vector<double> break_times(double t0, double t1) const override { return full_->break_times(t0, t1); }

  std::vector<std::string> body_names() const override { return full_->body_names(); }
  std::vector<std::string> quantity_names() const override { return full_->quantity_names(); }
  std::vector<std::string> quantity_units() const override { return full_->quantity_units(); }
  void observe_poses(double t, ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const override;
  std::vector<int> wrapped_quantities() const override { return full_->wrapped_quantities(); }
  void wrapped_values(
      double t, ConstVec q, ConstVec v, Terms& terms, VecRef value, VecRef rate) const override;
  void finish_quantities(double t, VecRef out) const override { full_->finish_quantities(t, out); }
  double quantity_factor(int k) const override { return full_->quantity_factor(k); }
  bool is_planar() const override { return D == 2; }
  std::vector<std::string> joint_names() const override { return full_->joint_names(); }
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::vector<FlexibleColumns> flexible_columns() const override;
  void observe_strains(ConstVec q, Terms& terms, VecRef out) const override;
  std::vector<FlexibleVibrations> vibrations() const override { return full_->vibrations(); }
  std::vector<Probe> probes() const override { return full_->probes(); }
  void probe_places(ConstVec q, Terms& terms, VecRef x) const override;

  // For SwitchesOf.
  const Parts<D>& parts() const { return full_->parts(); }
  const SwitchedRows& switched() const { return full_->switched(); }
  const WorkOf<D>& watch(double t, ConstVec q, ConstVec v, Terms& terms) const;
  std::unique_ptr<DescriptorSystem> copy_in(const Mode& mode) const;

 protected:
  std::unique_ptr<Scratch> make_scratch() const override;

 private:
  static constexpr int kSpin = D == 2 ? 1 : 3, kQ = D + Attitude::positions, kV = D + kSpin;
  using V = VecOf<double, D>;
  struct Column {  // of the twist of a rigid body
    int link, component, v;
  };
  struct Rigid {
    int q = 0, v = 0;  // in reference-point coordinates
    std::vector<Column> columns;
    size_t values = 0;       // of R, row after row, in Work::R
    std::vector<int> slots;  // of M: columns × columns
    double mass = 0;
    Eigen::Matrix<double, kSpin, kSpin> inertia = Eigen::Matrix<double, kSpin, kSpin>::Zero();
  };
  struct Other {  // a flexible body or a point mass
    int q = 0, v = 0, full_q = 0, full_v = 0, nq = 0, nv = 0;
    bool turns = false;
  };
  // A value of M₁ or J₁ that goes, times `factor` and times an entry of R (−1: none), to a value of M or J.
  struct Entry {
    int from, to, by;
    double factor;
  };
  struct Work final : Scratch {
    Terms full;
    Vec Q, V;  // reference-point coordinates
    Vec b;
    TreeWork<D> tree;
    std::vector<typename Tree<D>::Frame> frames;
    std::vector<typename Tree<D>::Twist> twists;
    std::vector<double> R;
    Reaction reaction;
    std::unique_ptr<ReactionRecovery::Work> recovery;  // made when first asked for
  };
  static Work& work_of(Terms& terms) { return static_cast<Work&>(*terms.scratch); }

  void make_layout();
  void place(ConstVec q, Work& work) const;
  void move(ConstVec v, Work& work) const;
  ReactionRecovery::Work& reference_state(double t, ConstVec q, ConstVec v, Work& work) const;

  std::shared_ptr<const Full> full_;
  std::shared_ptr<const Tree<D>> tree_;
  std::vector<Rigid> rigid_;
  std::vector<Other> others_;
  std::vector<Source> sources_;  // of the scalars of full_
  std::vector<Entry> mass_entries_, row_entries_;
  size_t R_size_ = 0;
  bool reads_reactions_ = false;  // some output does
  std::shared_ptr<const ReactionRecovery> recovery_;
  std::vector<Source> reference_scalars_;
};

extern template class RelativeFlexibleSystem<2>;
extern template class RelativeFlexibleSystem<3>;

}  // namespace driftless
