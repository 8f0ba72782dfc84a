// What the forms on independent coordinates share: the choice of B (independent_basis.hpp), positions and velocities that
// belong to the independent combination, the watch over the choice, and what happens where no choice is good.
//
// y = (q, v[, W]) carries all coordinates, but only B y counts. At every evaluation the rest follows from
//   g(t, q) = 0,   B (q ⊖ q_y) = 0        Newton: [J; B] δ = −[g; B (q ⊖ q_y)],  q ← q ⊕ δ                            (1)
//   v = v_y + S (ν − J v_y)               the solution of [J; B] v = [ν; B v_y]                                        (2)
//   v̇ = S γ + R (Rᵀ M R)⁻¹ Rᵀ (f − M S γ),   λ = Sᵀ (f − M v̇)                                                         (3)
// Schemes are linear, so integrating all of y and reading B y is integrating z = B q and ż = B v alone; the dependent
// entries are the first guess of (1). With T ≠ I the same holds for increments of q: any smooth way back to the
// constraints that leaves them alone keeps the order of the scheme. (1) reuses the factors of the evaluation before,
// renews them if an iteration gains less than a factor 10, and fails after 10 or where a correction is longer than one unit
// of a coordinate (another branch may lie there): the step is then shortened.
//
// Watch, behind every accepted step, never inside one:
//   growth      |R| > 1.5 of its value at the choice (null_space.hpp, (4)): choose anew                                (4)
//   condition   cond(J_u) > 1.25 of its value at the choice: the rule of Negrut, Haug & German. Blind to a uniform loss
//               of scale; with a single row it never fires, and the run fails or goes wrong: here for comparison only    (5)
// Singular positions: σ(J_u) against the best seen so far. Where it is below kWeak, or will be after one more step like the
// last two, and a fresh choice neither doubles it nor reaches kNear of the best, all of (q, v) is integrated by the augmented
// Lagrangian,
//   [M Jᵀ; J 0][v̇; λ] = [f; γ − 2Ω (J v − ν) − Ω² g] by (M + Jᵀ α J),  Ω = 10 1/s (nonholonomic rows: Ω (A v + b)),      (6)
// every step projected by that kernel, until a fresh choice has 2 kWeak again.        GJB (5.48)–(5.52); see penalty_solver.hpp
//
// Jacobian where (1) is solved (elsewhere schemes difference F), with L = ∂(J v − ν)/∂q and increments e = P δq of q:
//   e = R B P δq_y,   δv = R B δv_y − S L e,   δv̇ by back-substitution in (3),   δq̇ = N T e + T δv                     (7)
// along the f columns of R alone, and multiplied by Mᵣ: (3) of formulation.hpp with E = B, E_q = B P, so that nothing is solved for
// ∂v̇/∂q and ∂v̇/∂v and Newton's method needs matrices of size f, the number of degrees of freedom.
//                                                                  Negrut, Haug & German (29)–(46) in compact form
#pragma once

#include "driftless/formulation/carries_velocities.hpp"
#include "driftless/formulation/state_form.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/stabilization/stabilization.hpp"
#include "driftless/system/kernels/null_space.hpp"
#include "driftless/system/place.hpp"

namespace driftless {

// How positions are kept.
enum class Positions {
  solved,     // (1) at every evaluation
  corrected,  // integrated; one step of (1) at the end of each step
  drifting,   // integrated, and nothing else: (2) keeps their rates on the constraints
  damped,  // q and v integrated; γ with the terms of (6) from steps that end beyond the tolerance on, until one ends
           // within it; (1) and (2) where that does not hold them, or where the choice is wearing out
};

struct IndependentSettings {
  std::string formulation;  // its name, for messages
  IndependentBasis::Rule rule = IndependentBasis::Rule::pivot;
  Positions positions = Positions::solved;
  bool by_condition = false;       // (5) instead of (4)
  std::vector<std::string> names;  // the first choice, if not empty
  double tolerance = 0;            // of g and J v − ν in lengths (per second): Positions::damped
};

OptionSpec monitor_option();      // monitor=growth/condition
OptionSpec choice_option();       // choice=pivot/qr/svd
OptionSpec independent_option();  // independent=NAMES
IndependentBasis::Rule choice_rule(const Options& options);

class IndependentForm : public StateForm, public KeepsMemory {
 public:
  IndependentForm(const DescriptorSystem& system, IndependentSettings settings, int extra = 0);
  ~IndependentForm() override;

  void pack(const State& state, double work, VecRef y) override;
  Status derivative(double t, ConstVec y, VecRef ydot) override;
  bool has_jacobian() const override {
    return settings_.positions == Positions::solved && !handed_over_ && basis_.chosen();
  }
  Status jacobian(double t, ConstVec y, FormJacobian& out) override;  // (7)
  void begin_step(double) override {}
  Status settle(double t, VecRef y) override;
  Status after_step(double t, VecRef y, StepChange& change) override;
  void drop_rows(std::span<const int> rows) override;
  const std::vector<int>& dropped_rows() const override { return basis_.dropped(); }
  int singular_row() const override { return space_.dependent_row(); }
  std::string remark() const override;
  void keep(Memory& memory) override;

 protected:
  // For forms whose x is not v: v_ from y before the choice changes, and y from (q_, v_) after. Both with terms_ and
  // space_ at the q of y.
  virtual Status read_velocities(double t, ConstVec y);
  virtual void write_velocities(VecRef y);
  virtual void renew_scale();  // what is tested, for the choice in force

  void choose_first(double t, ConstVec q);                      // InputError if the user's set is none
  Status stand_at(double t, ConstVec q);                        // terms_ (g, J, ν) and space_ at q_ = q
  Status place(double t, ConstVec q_y);                         // the same at the solution q_ of (1)
  void settle_velocities();                                     // (2) on v_
  Status finish_terms(double t);                                // M, γ, f and Rᵀ M R at (q_, v_)
  Status refuge_derivative(double t, ConstVec y, VecRef ydot);  // (6)
  void note_choice();                                           // what the watch compares with

  IndependentSettings settings_;
  IndependentBasis basis_;
  NullSpace space_;
  Vec q_, v_;                 // nq, nv: where terms_ and space_ are
  double at_ = 0;             // and when
  bool stands_ = false;       // terms_ and space_ are at (at_, q_)
  bool plain_ = true;         // T = I: positions have velocities of their own
  bool handed_over_ = false;  // (6) is in force
  bool is_damping_ = false;   // Positions::damped: the last step ended beyond the tolerance

 private:
  Status factor_space();
  double position_error() const;
  double drift();        // |g| and |J v − ν|, the larger, at q_ with v_
  void position_step();  // one δ of (1), done to q_
  Status watch(double t, VecRef y, StepChange& change);
  Status try_to_return(double t, VecRef y, StepChange& change);
  bool choose_anew();
  bool is_weak(double sigma) const;
  void damped_rows();  // (6) into c_

  Place place_;
  const double goal_, acceptable_;  // of (1)
  std::unique_ptr<MotionSolver> refuge_;
  std::unique_ptr<Stabilization> projection_;  // by the kernel of (6)
  Vec anchor_;                                 // nq   (1)
  Vec delta_, offset_;                         // nv
  Vec rows_, c_;                               // m
  Vec z_;                                      // nv: freedom() of them in use
  std::vector<int> before_;                    // independent columns before a choice
  bool has_factors_ = false;                   // of the choice in force, of some q
  bool resumes_ = false;  // the next position asked for is the settled one of a checkpoint
  double reference_ = 1;  // |R| or cond(J_u) at the choice
  double best_sigma_ = 0, last_sigma_ = 0;
  int switches_ = 0, hand_overs_ = 0, returns_ = 0;
  // ---- jacobian(); made when it is first asked for
  struct Directions;
  std::unique_ptr<Directions> directions_;
  void make_directions();
  void keep_directions(Memory& memory);
  Vec ydot_, r1_;  // size, nv
};

// Of velocities, where canonical forms have momenta.
class IndependentVelocities final : public IndependentForm, public CarriesVelocities {
 public:
  using IndependentForm::IndependentForm;
  What carries() const override { return What::independent; }
  Status solve_positions(double t, VecRef q) override {
    if (settings_.positions != Positions::solved || !basis_.chosen() || handed_over_) return Status::ok;
    const Status status = place(t, q);
    if (status == Status::ok) q = q_;
    return status;
  }
};

}  // namespace driftless
