// The central interface: a constrained mechanical system in chosen coordinates.
//
//   q̇ = T(t,q) v                                            (1)  kinematics
//   M(t,q) v̇ + J(t,q)ᵀ λ = f(t,q,v)                          (2)  dynamics; the constraints act with −Jᵀλ
//   g(t,q) = 0                     (mh holonomic rows)       (3)  position
//   J v = ν(t,q)                   (m = mh + mn rows)        (4)  velocity: J = [∂g/∂q·T; A], ν = [−g_t; −b]
//   J v̇ = γ(t,q,v)                                           (5)  acceleration: γ = dν/dt − J̇ v
//
// A system is const and may be shared between threads; everything that changes while it is evaluated lives in `Terms`,
// which belongs to one worker. The terms are filled in stages and by name:
//   position(t,q)  g, J, ν      mass(t,q)  M      bias(t,q,v)  γ      force(t,q,v)  f
// `position` comes first at every new (t,q); the other three may use what it left in the scratch space of the terms.
// The sparsity of M and J is fixed at construction: only values change.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/math/types.hpp"
#include "driftless/system/state.hpp"
#include "driftless/system/switching/mode.hpp"
#include "driftless/system/tangents/tangents.hpp"

namespace driftless {

// Sizes, names, scales and patterns of a system: fixed when it is built.
struct Layout {
  int nq = 0;  // positions
  int nv = 0;  // velocities
  int mh = 0;  // holonomic rows, which come first
  int m = 0;   // all rows: holonomic and nonholonomic

  std::vector<std::string> q_names;    // nq   "crank.x", "crank.theta"
  std::vector<std::string> v_names;    // nv   "crank.vx", "crank.omega"
  std::vector<std::string> row_names;  // m    "pin_B.x": the joint's name before the last dot
  std::vector<std::string> q_units;    // nq   "m", "rad"
  std::vector<std::string> v_units;    // nv   "m/s", "rad/s"
  std::vector<std::string> row_units;  // m    of g (or of A v for nonholonomic rows)

  // What counts as "one" in each coordinate: 1 for angles, the characteristic length for lengths. Tolerances multiply
  // them, so that a model written in millimetres behaves as it does in metres.
  Vec q_scale;        // nq
  Vec v_scale;        // nv   per second
  double length = 1;  // characteristic length: scale of the rows of g
  double mass = 1;    // total mass

  SparseRows M;  // pattern of M (both triangles), values zero   nv × nv
  SparseRows J;  // pattern of J, values zero                    m × nv

  // M does not depend on t and q.
  bool mass_is_constant = false;
  // M is never formed: its pattern is the bare diagonal, mass() leaves terms.M alone, and only make_solver() and
  // kinetic_energy() know the mass.
  bool mass_is_implicit = false;
};

// Base of what a system keeps in the terms between stages (sines, transformed points …).
struct Scratch {
  virtual ~Scratch() = default;
};

struct Terms {
  SparseRows M;  // mass matrix                    nv × nv   mass()
  SparseRows J;  // constraint Jacobian            m × nv    position()
  Vec g;         // position residual              mh        position()
  Vec nu;        // right side of J v = ν          m         position()
  Vec gamma;     // right side of J v̇ = γ          m         bias()
  Vec f;         // applied and gyroscopic forces  nv        force()
  std::unique_ptr<Scratch> scratch;
  std::unique_ptr<Scratch> extra;  // of rows that come and go (switched_rows.hpp); null: none
  const Mode* mode =
      nullptr;  // of the run they belong to; null: branches are taken as they come (switching.hpp)
};

// Work vectors of differences taken through a system; sized once, owned by the caller.
struct DifferenceScratch {
  explicit DifferenceScratch(const Layout& layout);
  Vec q, delta;         // nq, nv
  Vec plus, minus;      // m
  Vec ahead, back;      // nv
  bool stands = false;  // the terms in use hold positions and masses where nothing has moved
};

class MotionSolver;  // system/kernels/motion_solver.hpp
class Observables;   // system/observables.hpp

class DescriptorSystem {
 public:
  virtual ~DescriptorSystem() = default;

  const Layout& layout() const { return layout_; }
  Terms make_terms() const;  // sized, patterned, with the system's own scratch space

  virtual void position(double t, ConstVec q, Terms& terms) const = 0;           // g, J, ν
  virtual void mass(double t, ConstVec q, Terms& terms) const = 0;               // M
  virtual void bias(double t, ConstVec q, ConstVec v, Terms& terms) const = 0;   // γ
  virtual void force(double t, ConstVec q, ConstVec v, Terms& terms) const = 0;  // f

  // All four stages at one point, as right-hand sides need them. Small systems override it with the same four calls,
  // made direct: at a hundred nanoseconds a stage, four virtual calls show.
  virtual void evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const;

  // Systems whose velocities are not the derivatives of their positions override these four. Defaults: T = I.
  virtual void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const;  // q̇ = T v
  virtual void retract(VecRef q, ConstVec delta) const;                          // q ← q ⊕ δ
  virtual void difference(ConstVec from, ConstVec to, VecRef delta) const;       // δ with from ⊕ δ = to
  // Puts q on the manifold of its coordinates (unit quaternions). Explicit formulas leave it; stabilizations call this
  // before they evaluate g, J and ν: without it the drift of a settled step keeps the order of the scheme.
  virtual void normalize(VecRef q) const;

  // The linear kernel of (2) and (5), with the system's mass and rows: by default KktSolver on terms.M and terms.J.
  virtual std::unique_ptr<MotionSolver> make_solver() const;

  // ---- optional capabilities --------------------------------------------------------------------------------------
  // How large a state is, component by component: the relative tolerance multiplies it. Default |q|, |v|. Systems whose
  // coordinates depend on the choice of origin and axes override it, so that their results do not.
  virtual void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const;

  // ---- derivatives (tangents.hpp). `tangents` fills what make_tangents() was asked for, at (t, q, v) with accelerations a
  // and multipliers lambda of all rows; it leaves the terms at (t, q) with position() and mass() done. Systems made of
  // elements override both; others may override tangent_along, which gives the change of ρ, r (by q alone) and σ along
  // (dq, dv): differences of accuracy 1e-10 unless they do. tangent_pattern: where the entries are, if that is known.
  virtual Tangents make_tangents(const TangentParts& parts) const;
  virtual void tangents(
      double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out) const;
  virtual bool fills_tangents() const { return false; }  // by batches: all columns cost little more than one
  virtual void tangent_along(const MotionPoint& at,
                             ConstVec dq,
                             ConstVec dv,
                             const TangentParts& parts,
                             Terms& terms,
                             DifferenceScratch& scratch,
                             MotionChange& out) const;
  virtual std::optional<TangentPattern> tangent_pattern() const { return std::nullopt; }
  // Where T ≠ I. Default: column by column and full.
  virtual void kinematic_tangents(double t, ConstVec q, ConstVec v, KinematicTangents& out) const;

  // Ṁ v + J̇ᵀ s, the rates taken along the motion q̇ = T v: what the momentum forms need besides f. Default: differences
  // of sixth order along that motion, relative accuracy about 1e-12. `terms` is overwritten.
  virtual void momentum_rate(double t,
                             ConstVec q,
                             ConstVec v,
                             ConstVec s,
                             Terms& terms,
                             DifferenceScratch& scratch,
                             VecRef out) const;

  // ½ vᵀ M v, after position(t,q) and mass(t,q).
  virtual double kinetic_energy(ConstVec v, Terms& terms) const;
  // Potential of the conservative part of f, after position(t,q); nothing if it is not known.
  virtual std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const;
  // Power of what the potential does not cover (dampers, actuators, time-dependent forces), after position(t,q) and
  // force(t,q,v). The power of rheonomic constraints, −λᵀν, is added by the formulation.
  virtual double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const;
  // Whether any work can be done on the system: a force outside the potential, or a row with ν ≠ 0.
  virtual bool exchanges_energy() const { return false; }

  // Instants strictly inside (t0, t1) where a term or one of its derivatives jumps: integrators restart there.
  virtual std::vector<double> break_times(double t0, double t1) const;

  // A remark the user should see before a run at tolerance rtol (accuracy of differences and the like); empty if none.
  virtual std::string caution(double /*rtol*/) const { return {}; }

  // ---- what can be seen of it: names, units, poses, quantities, reactions (observables.hpp) ---------------------------
  virtual const Observables& observables() const;  // default: nothing
  // The same in one call, with terms made for it; whoever asks record by record has an Observer (observable_system.hpp).
  std::vector<std::string> body_names() const;
  std::vector<std::string> quantity_names() const;
  std::vector<std::string> quantity_units() const;
  std::vector<std::string> joint_names() const;
  bool is_planar() const;
  void poses(double t, ConstVec q, std::vector<Pose>& out) const;
  void quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) const;
  void joint_reactions(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, std::vector<JointReaction>& out) const;

 protected:
  explicit DescriptorSystem(Layout layout) : layout_(std::move(layout)) {}
  virtual std::unique_ptr<Scratch> make_scratch() const { return nullptr; }
  Layout layout_;
  const Mode* mode_ = nullptr;  // of the run a copy was made for (Switching::in_mode)
};

// ---- small services every user of terms needs ---------------------------------------------------------------------

// r = J v − ν, the velocity residual of (4), from terms filled by position().
void velocity_residual(const Terms& terms, ConstVec v, VecRef r);

// out = M v, from terms filled by mass().
void mass_times(const Terms& terms, ConstVec v, VecRef out);

// out ← out + c Jᵀ y, from terms filled by position().
void add_transposed_rows(const Terms& terms, double c, ConstVec y, VecRef out);

// δ with from ⊕ δ = to where only T and ⊕ are known: δ ← δ + T⁺ (to − from ⊕ δ). For systems given by a retraction; may
// allocate.
void find_difference(const DescriptorSystem& system, ConstVec from, ConstVec to, VecRef delta);

// Throws std::invalid_argument unless sizes, names, scales and patterns of a layout agree: called by constructors.
void check_layout(const Layout& layout);

// Names "q1", "q2", … where a layout leaves them out, unit scales and full patterns likewise: for systems written by
// hand, which need only give nq, nv, mh and m.
Layout completed(Layout layout);

}  // namespace driftless
