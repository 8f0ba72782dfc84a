// Rows that come and go: contacts and stops that open and close, dry friction that sticks and slips. The same for every
// coordinate set, because all is said by rows: their g, J, ν, γ, and forces along them.
//   closed    the row of the gap is in force; it presses with p = −λ ≥ 0                                            (1)
//   stick     the row of the slip is in force with g held at its value when it stuck: no creep, ever                 (2)
//   slip ±    the row is out of force; f gets −± ℓ Jᵀ, with ℓ the limit in motion                                    (3)
//   joint     its rows are in force as they are, or with g held at its value when it came on; it comes by an impact, (6)
//   ℓ = μ p   of another row: p is linear in the forces (3); with S the signs times μ, and p = p₀ + C S p by solutions of the
//             equations of motion for unit forces, (I − C S) p = p₀: Schur complement and LU, inside force()          (4)
//   ℓ = μ r |R|   R: the multipliers of a joint: the same by the fixed point ℓ ← μ r |R₀ + C ℓ|, contraction μ r |C| < 1 (5)
//   v⁺ = v⁻ − M⁻¹ Jᵀ y,  y = (J M⁻¹ Jᵀ)⁻¹ r,  r = J v⁻ − ν:  ½ rᵀ y is lost, moving drivers give −νᵀ y                (6)
//   redundant rows share forces in no unique way: they hold while some distribution is inside all limits, a linear programme
//             whose margin is the one root of all of them (hold_margin)                                                 (7)
// Modes are consistent when they solve the contact problem of math/contact/complementarity.hpp for accelerations; impacts solve it for
// velocities. Pfeiffer & Glocker, Multibody Dynamics with Unilateral Contacts (1996); Glocker, Set-Valued Force Laws (2001)
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/system/kernels/minimum_norm.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/switching/switched_rows_spec.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

// What the terms of one worker keep of rows that may be out of force (Terms::extra), and the work of (4) and (5).
struct SwitchedWork : Scratch {
  std::vector<double> J;  // rows one after the other, in the pattern of terms.J
  Vec g, nu, gamma;       // per optional row
  Vec all;                // λ with what slips
  Vec push;               // forces of sliding and of compliant stops            nv
  Vec limit;              // ℓ of every friction that slips, 0 of others
  bool plain = false;     // forces (4) and (5) are left out
  Terms inner;            // plain
  std::unique_ptr<MotionSolver> solver;
  std::optional<MinimumNorm> least;  // of redundant contacts
  long chosen_at = -1;               // Mode::count then
  Vec vdot, lambda, x, y, zero, r1;
  std::vector<Vec> dlambda;  // per friction: change of λ by a unit force
  Vec signal;                // per trigger: what it watches less its level
  Vec quantities;
  std::vector<JointReaction> reactions;
};

// Where what the specs name stands in a system.
struct SwitchedPlaces {
  std::function<int(const std::string&)> row_of;                // number of a row in the layout
  std::function<std::vector<int>(const std::string&)> rows_of;  // those of the force of a joint, (5)
  std::function<std::vector<int>(int, int)> rows_of_blocks;     // those of a joint as a whole
  std::function<int(const std::string&)> output_of;             // its quantity
  std::function<double(int)> period_of;                         // of a quantity known but for turns; 0: none
  std::function<int(const std::string&)> joint_of;              // its reaction
};

class SwitchedRows {
 public:
  SwitchedRows() = default;
  // None, behind `first` other switches.
  explicit SwitchedRows(int first) : first_(first) {}
  // The first switch of all these is number `first`. `length`, the characteristic one, says what is near.
  SwitchedRows(SwitchedSpecs specs, const SwitchedPlaces& places, int first, double length);

  int first() const { return first_; }
  bool empty() const { return unilaterals_.empty() && frictions_.empty() && joints_.empty(); }
  bool exchanges_energy() const { return !frictions_.empty(); }
  void describe(std::vector<Switch>& switches) const;
  int count() const {
    return static_cast<int>(unilaterals_.size() + frictions_.size() + joints_.size() + triggers_.size());
  }
  void size_mode(Mode& mode) const;  // behind what others put there
  void set_inactive(Mode& mode) const;
  // Out of force outside a run.
  const std::vector<int>& optional_rows() const { return all_off_.inactive; }
  bool needs_reaction(const Mode& mode) const;

  // ---- stages of the terms; nothing is done without a mode
  // Before rows are silenced: keeps them; g of what sticks is measured from where it does.
  void position(const DescriptorSystem& system, Terms& terms) const;
  void bias(const DescriptorSystem& system, Terms& terms) const;
  void force(const DescriptorSystem& system, double t, ConstVec q, ConstVec v, Terms& terms) const;
  double power(ConstVec v, const Terms& terms) const;  // of forces of sliding, behind force()
  double potential(const Terms& terms) const;          // of compliant stops, behind position()
  // λ of rows that are out of force but slip, as if they were in force; for reactions.
  void fill_lambda(double t, ConstVec v, const Terms& terms, VecRef lambda) const;
  // What forces of rows that are out of force add to K and C (tangents.hpp) besides Jᵀλ with these λ: k JᵀJ of compliant stops, and,
  // in space, ℓ/|u| Jᵀ(1 − d dᵀ)J of sliding, whose direction d = u/|u| follows v. That ℓ follows λ, and d follows q, is left out.
  // The pattern of K must have what a row sees. Behind force().
  void add_tangents(ConstVec v, const Terms& terms, SparseRows& K, SparseRows& C) const;

  // ---- Switching; terms are those of `system` in its mode, and are overwritten
  void begin_mode(const ObservableSystem& system, const State& at, Mode& mode) const;
  // What triggers watch, for roots(); behind position() and bias().
  void read_signals(const ObservableSystem& system,
                    double t,
                    ConstVec q,
                    ConstVec v,
                    const Reaction& reaction,
                    Terms& terms) const;
  void roots(const ObservableSystem& system,
             double t,
             ConstVec q,
             ConstVec v,
             const Mode& mode,
             const Reaction& reaction,
             const Terms& terms,  // behind position() and bias()
             VecRef values,
             VecRef rates) const;
  void transition(const ObservableSystem& system,
                  std::span<const int> fired,
                  State& at,
                  const Reaction& reaction,
                  Mode& mode,
                  Transition& out) const;

  // Characteristic lengths a second: slower in space, what slides has the direction it started in, if it still goes that way.
  // Friction across u is a damper ℓ/|u|, and |u| grows like (t − t₀)² where a force slowly exceeds ℓ: explicit schemes would creep.
  static constexpr double kStartSpeed = 1e-7, kStraight = 1e-2, kRestSpeed = 1e-9;
  static constexpr double kZenoSpeed = 1e-4;  // characteristic lengths a second: slower rebounds end in rest

 private:
  struct Unilateral {
    UnilateralSpec spec;
    int row = 0, k = 0;  // in the layout; among optional rows
  };
  struct Friction {
    FrictionSpec spec;
    int row = 0, row_2 = -1, k = 0, k_2 = -1;
    int normal = -1;           // unilateral that presses; −1: given limit or a joint
    std::vector<int> pressed;  // rows of the joint, (5)
  };
  struct Joint {
    JointSpec spec;
    std::vector<int> rows, ks;  // in the layout; among optional rows
    int held = 0;               // the first of its offsets in Mode::held
  };
  struct Trigger {
    TriggerSpec spec;
    int joint = 0, of = -1;  // index of its joint; quantity or reaction it watches
    double period = 0;       // of an angle known but for turns
  };
  enum : int { open = 0, closed = 1 };
  enum : int { off = 0, on = 1 };
  enum : int { below = 0, above = 1 };
  enum : int { slip_minus = -1, stick = 0, slip_plus = 1, apart = 2 };

  int unilateral_at(size_t i) const { return first_ + static_cast<int>(i); }
  int friction_at(size_t i) const { return first_ + static_cast<int>(unilaterals_.size() + i); }
  int joint_at(size_t i) const { return friction_at(frictions_.size()) + static_cast<int>(i); }
  int trigger_at(size_t i) const { return joint_at(joints_.size()) + static_cast<int>(i); }
  int mode_of(const Mode& mode, int at) const { return mode.values[size_t(at)]; }
  double given_limit(const Friction& f, double t, bool resting) const;
  double pressing(const Friction& f, ConstVec lambda) const;
  double limit_at(const Friction& f, double t, ConstVec lambda, bool resting) const;
  double slide_speed(const Friction& f, ConstVec v, const Terms& terms, double direction[2]) const;
  bool slides(const Friction& f, const Mode& mode) const;
  bool has_own_direction(double x, double y, const double* held) const;
  SwitchedWork& work_of(const DescriptorSystem& system, Terms& terms) const;
  double rate_of(int k, ConstVec v, const Terms& terms) const;  // J v − ν of an optional row
  void push_along(int k, double force, const Terms& terms, VecRef f) const;
  void couple(const DescriptorSystem& system, double t, ConstVec q, ConstVec v, Terms& terms) const;

  // One decision: state, rows there, and the answer as it grows (switched_rows_decision.cpp).
  struct Decision;
  void measure(const DescriptorSystem& system, const State& at, Decision& d) const;
  void strike(const DescriptorSystem& system, State& at, Decision& d, Transition& out) const;
  void settle(
      const DescriptorSystem& system, const Mode& mode, State& at, Decision& d, Transition& out) const;
  void decide(const State& at, const Mode& mode, Decision& d, Transition& out) const;
  // What may press and stick, with forces of sliding taken into account.
  struct Candidates;
  Candidates candidates(const Decision& d, double t, const Vec& lambda, const Vec& free) const;
  // Redundant contacts: forces of single ones mean nothing, (7).
  bool is_redundant(const Mode& mode) const { return !mode.held.empty() && mode.held.back() > 0; }
  std::string redundant_ones(const Decision& d) const;
  double margin(const DescriptorSystem& system, const State& at, const Mode& mode, const Vec& lambda) const;
  void look_beyond(const DescriptorSystem& system,
                   const State& at,
                   const Reaction& reaction,
                   Decision& d) const;
  void adopt(const Decision& d, Mode& mode, Transition& out) const;
  // Joints that come and go (switched_joints.cpp).
  void begin_triggers(const ObservableSystem& system, const State& at, Mode& mode) const;
  void pull_triggers(const ObservableSystem& system,
                     std::span<const int> fired,
                     const State& at,
                     const Reaction& reaction,
                     Mode& mode,
                     Decision& d,
                     Transition& out) const;
  void set_base(const Mode& mode, Decision& d) const;
  void join(const DescriptorSystem& system, State& at, const Mode& mode, Decision& d, Transition& out) const;
  void adopt_joints(const Decision& d, Mode& mode, Transition& out) const;

  std::vector<Unilateral> unilaterals_;
  std::vector<Friction> frictions_;
  std::vector<Joint> joints_;
  std::vector<Trigger> triggers_;
  std::vector<int> optional_;  // rows, ascending
  Mode all_off_;               // none of them in force, but joints that are there from the start
  int first_ = 0;
  static constexpr int held_ = 0;  // the first of theirs in Mode::held, two a friction
  double length_ = 1;
};

}  // namespace driftless
