// Tangents (system/tangents/tangents.hpp) of a FlexibleSystem, exact. Slots by jets of the few numbers z their coordinates act through
// (slot_jets.hpp), z by coordinates a constant matrix Z_s: how a slot's frame, twist and acceleration follow its coordinates,
//   δframe = J_s δq,   δtwist = T_s δq + J_s δv,   δacceleration = A_s δq + B_s δv                                               (0)
// Elements by jets (element_jets.hpp) of the frame and of the twist of one slot at a time; of accelerations rows are linear functions with
// the coefficients that they have of twists. With w_s the wrench on slot s of rows and forces, as residual,
//   ρ = Σ J_sᵀ w_s + members:   δρ = Σ J_sᵀ δw_s  element by element,  + δ(J_sᵀ)|w_s w_s  slot by slot                            (1)
// and the inertia and elasticity of the members by themselves: rigid bodies by jets of their attitudes, floating frames by
// floating_tangents.hpp with the attitude of the frame on jets, cables by their Hessian.                                          (2)
// Patterns: slots that share an element meet in K, those that share a force in C; members are blocks, arrows, bands.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "driftless/coordinates/flexible/flexible_system.hpp"
#include "driftless/coordinates/flexible/slot_jets.hpp"
#include "driftless/coordinates/mechanism/element_jets.hpp"
#include "driftless/flexible/floating_tangents.hpp"

namespace driftless {

template <class Attitude>
class FlexibleTangents final : public TangentWork {
 public:
  using System = FlexibleSystem<Attitude>;
  static constexpr int D = Attitude::dimension;
  FlexibleTangents(const System& system, Tangents& out);

  // λ but for rows that are not in force in `mode`, which are zero; for others to add to what acts along those.
  Vec& acting(ConstVec lambda, const Mode* mode);
  // At (t, q, v) with accelerations a and multipliers lambda; `work` as position() and force() leave it there.
  void fill(double t,
            ConstVec q,
            ConstVec v,
            ConstVec a,
            ConstVec lambda,
            typename System::Work& work,
            const Mode* mode,
            Tangents& out);

 private:
  using Kind = typename System::Kind;
  using Own = SlotJets<Attitude>;
  using Along = typename Own::Along;
  using Att = AttitudeJets<Attitude>;
  static constexpr int kSpin = Own::kSpin, kV = Own::kV, kW = Attitude::width, kQ = D + Attitude::positions,
                       N = Own::N, kWrench = D + kSpin;
  using Jets = ElementJets<D, kWrench>;  // along the motions of one slot
  using S = typename Jets::S;
  using Z = Dual<double, N>;  // along z
  using Triplets = std::vector<Eigen::Triplet<double>>;
  using Entries = std::vector<int>;  // of a dense block among the values, row by row; −1: not there

  struct SlotData {
    Mat Z;                                           // N × columns
    Mat J, twist_q, acceleration_q, acceleration_v;  // of (0): wrench × columns
    std::vector<int> columns;
    bool seen = false;                         // by some element
    typename Own::At at;                       // where it stands
    Mat by_motion, by_columns, turned;         // workspaces
    Eigen::Matrix<double, kWrench, 1> wrench;  // w_s
    Entries self;                              // its own block; of centres of floating bodies the body has it
  };
  struct ElementPlaces {  // seeded slot by seeded slot
    std::vector<const Entries*> on_slots;
    std::vector<Entries> on_rows;
  };
  struct Floating {
    std::unique_ptr<FloatingTangents<D>> tangents;
    typename FloatingTangents<D>::At at;
    Entries K_eta, C_eta;                                        // of its pattern
    Entries K_frame_eta, K_eta_frame, C_frame_eta, C_eta_frame;  // blocks beside it
  };

  int frames() const { return static_cast<int>(system_.slots_.size()); }
  bool is_frame(int slot) const { return slot < frames(); }
  static std::vector<int> scalar_slots(const System& system);
  void make_slots();
  void make_patterns(Tangents& out);
  void add_member_patterns(Triplets& K, Triplets& C) const;
  static Entries entries_of(const SparseRows& matrix,
                            const std::vector<int>& rows,
                            const std::vector<int>& columns);
  static std::vector<int> range(int first, int count);
  void find_places(const SparseRows& K, const SparseRows& C, const SparseRows& L);
  void stand(ConstVec q, ConstVec v, ConstVec a, typename System::Work& work);
  void find_wrenches(const typename System::Work& work, bool forces);
  void stand_slot(int slot, ConstVec q, ConstVec v, ConstVec a, const typename System::Work& work);
  void seed_frame(int slot);
  void seed_twist(int slot);
  // `chain`: how what is seeded follows the coordinates of its slot.
  void take_slots(const typename Jets::Element& element,
                  const ElementPlaces& places,
                  int seeded,
                  double sign,
                  const Mat& chain,
                  SparseRows& out);
  void take_row(const S& value, const Entries& places, double sign, const Mat& chain, SparseRows& out);
  void take_blocks(const JetParts& wanted, bool reactions, Tangents& out);
  void take_forces(Tangents& out);
  void slot_terms(int slot, SparseRows& K);
  void rigid_terms(int member, Tangents& out);
  void floating_terms(int member, typename System::Work& work, Tangents& out);
  void cable_terms(int member, ConstVec q, Tangents& out);
  void norm_terms(int member, ConstVec lambda, Tangents& out);
  int index_of(const typename Jets::Element& element, int slot) const;

  const System& system_;
  const Parts<D>& parts_;
  Jets jets_;
  std::vector<SlotData> slots_;  // frames, then scalars that are coordinates of their own
  std::vector<int> row_at_;
  std::map<std::pair<int, int>, Entries> K_blocks_, C_blocks_;
  std::vector<ElementPlaces> block_places_, force_places_, velocity_places_;
  std::vector<Entries> own_K_, own_C_, norm_rows_;  // of members
  std::vector<Floating> floating_;
  std::vector<std::vector<typename CableBody<D>::Block>> hessians_;  // of cables
  Vec lambda_, acting_;
  const double *q_ = nullptr, *v_ = nullptr, *a_ = nullptr;
  std::vector<TwistOf<double, D>> accelerations_;
  std::vector<double> sddot_;
};

}  // namespace driftless
