// What the canonical forms share: y = (q, p, extra[, W]) with momenta in place of velocities.
//                                                                 García de Jalón & Bayo (5.93)–(5.103), corrected
//   p = M v + Jᵀσ,   v and σ from   [ M  Jᵀ ] [v]   [p]
//                                   [ J  0  ] [σ] = [c]                                                          (1)
//   q̇ = T v,   ṗ = f + Ṁ v + J̇ᵀσ,   rates along the motion                                                       (2)
// with c = ν, or ν with terms that take errors back. (2) is the equation of motion once λ = σ̇ is chosen: neither λ nor
// v̇ nor γ is needed, the velocity constraints hold at every evaluation, and the drift of positions is that of index 2.
// (p − Jᵀs, σ − s) with a constant s is the same motion. Behind every step the momenta are therefore based anew, σ = 0:
//   v from (1), put on the constraints by the stabilization, then   p ← M v,   extra ← 0                           (3)
// Otherwise σ would grow like ∫λ dt, and singular positions be passed badly. The jump (3) is no error of the step:
// it is made in after_step(), for one evaluation more a step.
// For integrators that remember y of earlier steps (bdf) every jump would end their memory, and with it any order above the first: they
// ask that the base be kept (keeps_base.hpp),
//   p ← M v + Jᵀσ,   until |Jᵀσ| passes 100 |M v|, by scales; then (3), and the past is forgotten                          (3a)
// with extra ← 0 where the stabilization has put (q, v) on the constraints: what integrals say of rows would throw v off again.
// (1) is then solved for σ − σ₀ from p − Jᵀσ₀, σ₀ that of the last step: kernels that iterate stop by what is left of it         (3b)
//
// Errors of p count as errors of the velocities they mean: a component is measured by M_ii times what its velocity is
// measured by, M at the start (massless ones like the lightest).                                                 (4)
// Light ones (M_ii below 10⁻³ of the heaviest: thin rods about their axis, flat bodies in natural coordinates) count by a tenth
// of the inertia joints tie to them, 1/max|column i of K|, [K ·] the inverse of (1), but for 10⁻³ of the heaviest at most: the
// momentum of a light part takes up reactions of the whole mechanism and means no velocity of its own.             (5)
// Work: λ is solved for where ν ≠ 0 only.
#pragma once

#include "driftless/formulation/carries_velocities.hpp"
#include "driftless/formulation/keeps_base.hpp"
#include "driftless/formulation/state_form.hpp"
#include "driftless/math/memory.hpp"

namespace driftless {

class CanonicalForm : public StateForm, public KeepsMemory, public KeepsBase, public CarriesVelocities {
 public:
  explicit CanonicalForm(const DescriptorSystem& system, KernelFactory kernel = {}, int extra = 0);

  void magnitudes(ConstVec y, VecRef out) const override;         // (4)
  void pack(const State& state, double work, VecRef y) override;  // p = M v, extra = 0
  double unpack(double t, ConstVec y, State& state) override;     // (1); v is NaN if that is singular
  Status derivative(double t, ConstVec y, VecRef ydot) override;  // (2)
  Status settle(double, VecRef) override { return Status::ok; }
  Status after_step(double t, VecRef y, StepChange& change) override;  // (3)
  void keep(Memory& memory) override;
  void keep_base() override { keeps_base_ = true; }
  What carries() const override { return What::momenta; }

 protected:
  // Right side c of (1) from the terms after position(): ν itself, or `c` filled with something else.
  virtual const Vec& velocity_rows(const Terms& terms, ConstVec extra, Vec& c);
  // Rates of `extra` in ẏ, and what a method adds to ṗ, from terms_ at (q, v).
  virtual void add_rates(ConstVec v, VecRef ydot);

 private:
  bool knows(double t, ConstVec y) const;  // v_ belongs to this point
  void remember(double t, ConstVec y);
  void measure_inertia();                                      // from aside_
  Status find_velocities(double t, ConstVec y, Terms& terms);  // v_, σ by (1)
  Status velocities_at(double t, ConstVec y, Terms& terms, Vec& v, Vec& sigma);

  DifferenceScratch differences_;
  bool measured_ = false, keeps_base_ = false;
  Vec inertia_;  // what a momentum is divided by to be measured as a velocity    first pack()
  double known_t_ = 0;
  Vec known_y_;                            // q, p, extra that v_ and sigma_ belong to
  Vec v_, sigma_, read_sigma_, base_, c_;  // nv, m, m, m (3b), m
  Vec vdot_, rate_;                        // nv
  mutable Vec guess_;                      // nv   magnitudes()
  Vec above_;                              // nv   (3b)
};

}  // namespace driftless
