// Which differential equations are handed to the scheme. Two kinds: ODE forms, here, and residual forms
// (residual_form.hpp), which add the equations as implicit schemes want them. An OdeForm integrates a vector y with ẏ = F(t, y). It is laid
// out as y = (q, x, extra, W): positions; one entry per velocity, which is v itself or a momentum; whatever a method adds
// (integrals of the constraints); and, where energy is exchanged with the outside, the work W done on the system. Entries
// whose scale is zero are carried along but take no part in error control.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/core/method_record.hpp"
#include "driftless/core/statistics.hpp"
#include "driftless/core/status.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/tangents/tangents.hpp"

namespace driftless {

class ResidualForm;    // formulation/residual/residual_form.hpp
class TurningVectors;  // system/turning_vectors.hpp
class Stabilization;

// What after_step() did to y.
enum class StepChange {
  same,       // nothing
  moved,      // values changed: evaluate F again, history may be kept
  redefined,  // y means something else now: forget history, predictors and weights
};

// The blocks of ∂F/∂y where F = (T v, a) and a comes out of equations of motion:
//   [ M  Jᵀ ] [δa]   [−K e − C δv ]
//   [ J  0  ] [δλ] = [S_q e + S_v δv],   e = P δq local increments,   δ(T v) = N δq + T δv                             (1)
struct MotionBlocks {
  SparseRows M, C, K;      // nv × nv
  SparseRows J, S_q, S_v;  // m × nv
  std::vector<int> kept;   // rows that take part
  bool is_plain = true;    // T = I, and no kinematics follow
  KinematicTangents kinematics;
};

// The same where y follows from f independent increments: the motion of these, multiplied by their mass so that nothing is solved for
// it, and how the rest goes along.                                               Negrut, Haug & German 2003, (29)–(46)
//   M̂ z̈ = M̂J₁ z + M̂J₂ ż,    δq̇ = Q₁ z + Q₂ ż,    δv̇ = R z̈ + B₁ z + B₂ ż,      E_q Q₁ = W,  E_q Q₂ = I,  E R = I        (3)
// W = 0, and left empty, where q̇ = v.
struct ReducedBlocks {
  Mat mass, MJ1, MJ2, W;  // f × f
  Mat E_q, E;             // f × nq, f × nv
  Mat Q1, Q2;             // nq × f
  Mat R, B1, B2;          // nv × f
};

// ∂F/∂y as a form knows it; solved with by integrator/implicit/form_matrix.hpp. Row and column of the work W are zero: it has no
// influence and no vote.
//   full       A, size × size
//   motion     the blocks (1): as sparse as the mechanism
//   second     q̇ = v and all of it is of second order: δv̇ = J₁ δq + J₂ δv
//   reduced    F is of second order in f combinations z = E_q δq, ż = E δv; with the mass M̂ of these, as (3) has it
struct FormJacobian {
  enum class Kind { full, motion, second, reduced };
  Kind kind = Kind::full;
  Mat A;  // full
  MotionBlocks motion;
  Mat J1, J2;  // second
  ReducedBlocks reduced;
  // y has velocities in other axes than A: with S = [I 0; T B] it is S⁻¹ A S (turning_form.hpp). Only where q̇ = v.
  const TurningVectors* turning = nullptr;
  Vec turning_q;  // where B is
  SparseRows T;
};

// The axes of a form whose velocities are not those of the system.
struct TurningAxes {
  const TurningVectors* vectors = nullptr;
  int size = 0;  // of q and of v
};

class OdeForm {
 public:
  virtual ~OdeForm() = default;

  virtual int size() const = 0;          // length of y
  virtual const Vec& scale() const = 0;  // what counts as one in each component; 0: not tested
  virtual void magnitudes(ConstVec y, VecRef out) const = 0;  // how large y is, for relative tolerances
  virtual void pack(const State& state, double work, VecRef y) = 0;
  virtual double unpack(double t, ConstVec y, State& state) = 0;     // returns the work W
  virtual Status derivative(double t, ConstVec y, VecRef ydot) = 0;  // one evaluation of F
  // The system's terms (g, J, ν, M …) where derivative() was called last: what monitors read without evaluating again.
  virtual Terms& terms() = 0;
  // Accelerations and multipliers of the motion itself at a state: without the terms a formulation adds to hold the
  // constraints (docs/theory/baumgarte.md). Not counted as an evaluation.
  virtual Status react(const State& state, Reaction& out) = 0;

  // ∂F/∂y at (t, y), where a form knows it better than by differences of F. It may know it at some points only. Costs one
  // evaluation of F, which it counts for itself, and leaves terms() there.
  virtual bool has_jacobian() const { return false; }
  virtual Status jacobian(double t, ConstVec y, FormJacobian& out);
  virtual TurningAxes turning_axes() const { return {}; }  // of Jacobians

  // ---- the way of a step ----------------------------------------------------------------------------------------------
  // A step of size h is about to be tried.
  virtual void begin_step(double h) = 0;
  // Brings the candidate at the end of a step back to the constraints, before it is accepted: schemes that reuse their
  // last stage call it in front of that stage. Must change y by no more than the error of the step.
  virtual Status settle(double t, VecRef y) = 0;
  // Behind an accepted step, where y may change more freely: other independent coordinates, momenta based anew. Dense
  // output and events of the step just made use the y before it.
  virtual Status after_step(double t, VecRef y, StepChange& change);

  // ---- rows that depend on others -------------------------------------------------------------------------------------
  // Leaves rows that depend on the others out of every solve (ascending). react() then gives the smallest multipliers.
  // The formulation may come to leave out others of the same number between steps: dropped_rows() says which.
  virtual void drop_rows(std::span<const int> rows) = 0;
  virtual const std::vector<int>& dropped_rows() const = 0;
  // Index of the row that made the last `singular`, −1 if it was none of the rows.
  virtual int singular_row() const = 0;
  // How independent the rows were at the last evaluation (MotionSolver::independence).
  virtual double row_independence() { return 1; }
  // The linear kernel corrections and outputs of this formulation are made with; null: the system's own.
  virtual std::unique_ptr<MotionSolver> make_kernel() const { return nullptr; }

  // Something the user should know after a run; empty if there is nothing.
  virtual std::string remark() const { return {}; }
  // The form as residuals of the equations themselves, if that is what it is.
  virtual ResidualForm* as_residual() { return nullptr; }

  Statistics* statistics = nullptr;  // where factorizations are counted; set by simulate
  Stabilization* stabilization =
      nullptr;  // what settle() and after_step() correct with; null: nothing; set by simulate
};

enum class FormKind { ode, residual };

// The constraint rows among the equations of a residual form: none (forces stand for them), positions, velocities, or both with
// multipliers for each (Gear, Gupta & Leimkuhler).
enum class ResidualRows { none, position, velocity, both };

struct FormulationRecord {
  MethodRecord method;
  std::string default_integrator;
  std::string default_stabilization;
  std::unique_ptr<OdeForm> (*make)(const DescriptorSystem& system, const Options& options);
  bool needs_mass = false;  // reads M itself: relative coordinates must form it (mass=formed)
  // ---- what it offers to integrators; what they need of it is in their records (IntegratorRecord)
  FormKind kind = FormKind::ode;  // of what `make` makes
  bool is_smooth =
      true;  // y runs on smoothly behind a step; false: it is based anew, and F of past steps is that of other variables
  std::optional<ResidualRows> rows = {};  // of its residual form, if it has one
  // Its residual form, where `make` makes an ODE form.
  std::unique_ptr<OdeForm> (*make_residual)(const DescriptorSystem& system, const Options& options) = nullptr;
};

std::span<const FormulationRecord* const> formulation_records();

}  // namespace driftless
