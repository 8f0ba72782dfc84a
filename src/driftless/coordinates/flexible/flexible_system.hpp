// Models with bodies that are not rigid, in absolute coordinates: what AbsoluteSystem is to rigid ones. Members of any kind stand
// one after the other in q and v:
//   rigid body        q = (r, attitude), as absolute_system.hpp
//   point mass        q = r
//   floating frame    q = (R, attitude, η),  v = (Ṙ, ω or ṗ, η̇)                                       flexible/floating_body.hpp
//   cable             q = (r1, r1', r2, r2', …)                                                        flexible/cable_body.hpp
// A slot has a frame, whatever it belongs to; rows and forces see slots (flexible_slots.hpp), so no joint or force knows of this.
// The slot of a body is its centre of mass, with the attitude of its frame. With quaternion rates, B = 2L/|p|², ω = B ṗ,
//   M ← TᵀMT + κppᵀ,  T = diag(1, B, 1);    f ← Tᵀ(f − M(0,β,0)) − κ|ṗ|²p                                                   (1)
// The scale of elastic coordinates is a hundredth of a length: deflections are small, and rtol shall leave digits of them.
#pragma once

#include <memory>
#include <vector>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/flexible/compile_flexible.hpp"
#include "driftless/coordinates/flexible/flexible_slots.hpp"
#include "driftless/coordinates/mechanism/switching_parts.hpp"
#include "driftless/flexible/cable_body.hpp"
#include "driftless/flexible/floating_body.hpp"
#include "driftless/system/relaxing.hpp"
#include "driftless/system/strained.hpp"

namespace driftless {

template <class Attitude>
class FlexibleTangents;

template <class Attitude>
class FlexibleSystem : public PartsSystem<Attitude::dimension>,
                       public TurningVectors,
                       public Strained,
                       public Relaxing,
                       public SwitchesOf<FlexibleSystem<Attitude>, Attitude::dimension> {
 public:
  static constexpr int D = Attitude::dimension;
  // `stiff`: elastic rates cost 1e12 times as much: for assembly, which shall leave them as they are wanted.
  // `drawn`: so many sections, the last ones, are looked at by drawings only.
  FlexibleSystem(const Model& model, Parts<D> parts, bool stiff = false, int drawn = 0);

  State start() const;
  std::vector<int> elastic_positions() const;  // of floating bodies, as increments: assembly holds them

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const override;
  void retract(VecRef q, ConstVec delta) const override;
  void difference(ConstVec from, ConstVec to, VecRef delta) const override;
  void normalize(VecRef q) const override;
  void kinematic_tangents(double t, ConstVec q, ConstVec v, KinematicTangents& out) const override;
  Tangents make_tangents(const TangentParts& parts) const override;  // flexible_tangents.cpp
  void tangents(double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out)
      const override;
  bool fills_tangents() const override { return true; }
  bool has_turning_vectors() const override { return Attitude::normalisation_row; }

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const override;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  std::vector<std::string> body_names() const override;  // bodies, then places of flexible ones: "rod.p3"
  void observe_poses(double t, ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const override;
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::vector<FlexibleColumns> flexible_columns() const override { return flexible_; }
  void observe_strains(ConstVec q, Terms& terms, VecRef out) const override;
  std::vector<FlexibleVibrations> vibrations() const override;
  virtual std::unique_ptr<DescriptorSystem> copy_in(const Mode& mode) const;
  const SwitchedRows& switched() const { return switched_; }
  // Where a body is in q and v, and whether it has an attitude there.
  struct Standing {
    int q, v, nq, nv;
    bool turns;
  };
  Standing standing(int body) const {
    const Member& own = members_[size_t(body)];
    return {own.q, own.v, own.nq, own.nv, own.turns()};
  }

  bool has_relaxed() const override;  // flexible_relaxed.cpp
  double relax(State& state) const override;
  void set_stiff_twin(std::shared_ptr<const FlexibleSystem> twin) { stiff_twin_ = std::move(twin); }

 protected:
  friend class FlexibleTangents<Attitude>;
  std::unique_ptr<Scratch> make_scratch() const override;
  WorkOf<D>& bodies_in(Terms& terms) const override { return static_cast<Work&>(*terms.scratch); }
  void place_bodies(ConstVec q, Terms& terms) const override { place(q, static_cast<Work&>(*terms.scratch)); }
  void move_bodies(ConstVec q, ConstVec v, Terms& terms) const override {
    move(q, v, static_cast<Work&>(*terms.scratch));
  }
  void accelerate_bodies(ConstVec q, ConstVec v, ConstVec vdot, Terms& terms) const override;

  using Base = PartsSystem<D>;
  using Base::exchanges_energy_;
  using Base::layout_;
  using Base::mode_;
  using Base::needs_accelerations_;
  using Base::parts_;
  using V = VecOf<double, D>;
  static constexpr int kSpin = D == 2 ? 1 : 3, kW = Attitude::width, kQ = D + Attitude::positions,
                       kV = D + kW;
  using SpinVec = Eigen::Matrix<double, kSpin, 1>;
  using Axes = Eigen::Matrix<double, D, D>;
  enum class Kind { ground, rigid, point, floating, cable };
  struct Member {
    Kind kind = Kind::rigid;
    int q = 0, v = 0, nq = 0, nv = 0;
    int index = 0;  // among floating bodies or cables
    int norm = -1;  // row of |p|² = 1, from the first of them on
    double kappa = 0;
    bool relaxed = false;  // its start
    bool turns() const { return kind == Kind::rigid || kind == Kind::floating; }
  };
  // A slot and the columns of v it moves with.
  struct Slot {
    Kind kind = Kind::ground;
    int member = -1;
    std::vector<int> columns;
    typename FloatingBody<D>::Section section;  // floating
    Vec h, dh;                                  // cable: weights of its vectors; dh empty: the centre of mass
    int first = 0;                              // cable: first coordinate in q and v
    FrameOf<double, D> rest;  // cable: attitude of its tangent against the body's axes, undeformed
  };
  struct FloatingState {
    FrameOf<double, D> frame;
    SpinVec omega, beta;  // body axes
    Vec eta;
    typename FloatingBody<D>::Work work;
  };
  struct Work final : Scratch, WorkOf<D> {
    explicit Work(WorkOf<D>&& work) : WorkOf<D>(std::move(work)) {}
    std::vector<SlotState<D>> slots;
    std::vector<FloatingState> floating;
    Vec spread;
  };

  int moving_slots() const { return static_cast<int>(slots_.size()) - drawn_; }
  int bodies() const { return static_cast<int>(parts_.bodies()); }
  int massless() const { return Attitude::counts_turns ? 0 : static_cast<int>(parts_.scalars.size()); }
  int row_at(int row) const { return row >= parts_.rows.holonomic_rows() ? row + norm_rows_ : row; }
  void add_member(const Body& body, Layout& layout);
  Slot floating_slot(int member, typename FloatingBody<D>::Section section) const;
  Slot cable_slot(int member, const Vec& h, const Vec& dh, int first_vector) const;
  void make_slots(const Model& model);
  void make_layout(const Model& model);
  void place(ConstVec q, Work& work) const;
  void place_slot(int slot, ConstVec q, Work& work) const;
  void move(ConstVec q, ConstVec v, Work& work) const;
  void move_slot(int slot, ConstVec v, Work& work) const;
  // Force and moment about its origin on a slot, as forces on its columns.
  void spread(int slot,
              ConstVec q,
              const V& force,
              const SpinOf<double, D>& moment,
              const Work& work,
              double* out) const;
  double beam_value(const BeamPick& pick, ConstVec q, Work& work) const;
  void set_columns(const Model& model);
  void add_floating_forces(const Member& member, ConstVec q, ConstVec v, Work& work, VecRef f) const;

  bool stiff_;
  int drawn_;
  std::vector<Member> members_;  // one a body
  std::vector<FloatingBody<D>> floating_;
  std::vector<CableBody<D>> cables_;
  std::vector<SparseRows> cable_masses_;
  std::vector<FlexibleSpec> cable_specs_;
  std::vector<Slot> slots_;        // bodies, ground, sections
  std::vector<int> pair_entries_;  // per vector pair: first of its entries in entries_
  std::vector<int> entries_;       // places in the values of J
  std::vector<int> scalar_entries_, scalar_first_;
  std::vector<FlexibleColumns> flexible_;  // what results keep of each flexible body
  int norm_rows_ = 0;
  SwitchedRows switched_;
  std::shared_ptr<const FlexibleSystem> stiff_twin_;  // this system made stiff, for relax()
};

// A model as such a system, all that is drawn among its sections, without the rows left out.
template <class Attitude>
std::unique_ptr<FlexibleSystem<Attitude>> make_flexible_system(
    const Model& model, const std::string& source, const NotRowsOf<Attitude::dimension>& left_out);

extern template class FlexibleSystem<PlaneAngle>;
extern template class FlexibleSystem<BodyRates>;
extern template class FlexibleSystem<QuaternionRates>;

}  // namespace driftless
