// The index-1 forms: y = (q, v[, W]), accelerations and multipliers from one solve
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [c]                                                                                          (1)
//   ẏ = (T v, v̇[, P]),   P = applied power − λᵀν                                                                 (2)
// With redundant rows derivative() takes the λ with zeros in the dropped ones (λᵀν is the same for all). Forms differ in
// the right side c, which is γ, or γ with terms that damp the drift, and in the kernel that solves (1).
//   ∂(v̇; λ) by one back-substitution an entry of q and of v from the factors of (1): (2) of system/motion_tangent.hpp  (3)
// so a Jacobian costs one factorisation, where differences of F cost nq + nv. It is of second order where T = I. Systems that
// never form M (articulated bodies) have none: (1) of motion_tangent.hpp reads it.
#pragma once

#include <memory>

#include "driftless/formulation/state_form.hpp"
#include "driftless/system/motion_tangent.hpp"

namespace driftless {

class IndexOneForm : public StateForm, public KeepsMemory {
 public:
  explicit IndexOneForm(const DescriptorSystem& system, KernelFactory kernel = {})
      : StateForm(system, std::move(kernel)), c_(m_) {}

  Status derivative(double t, ConstVec y, VecRef ydot) override;
  bool has_jacobian() const override { return !system_.layout().mass_is_implicit; }
  Status jacobian(double t, ConstVec y, FormJacobian& out) override;  // (3)
  void keep(Memory& memory) override;                                 // what columns of (3) touch

 protected:
  // Right side c of (1) from the terms at (t, q, v): γ itself, or `c` filled with something else.
  virtual const Vec& right_side(const Terms& terms, ConstVec v, Vec& c) = 0;

 private:
  void make_tangent();
  void kinematic_columns(double t, ConstVec q, ConstVec v, Mat& A);

  Vec c_;  // m    derivative()
  // ---- jacobian(); made when it is first asked for
  std::unique_ptr<MotionTangent> tangent_;
  Mat by_q_, by_v_;          // (nv + m) × nq, × nv
  Vec ydot_, moved_q_, dv_;  // size, nq, nv
  Vec ahead_, behind_;       // nq
  Vec r1_, r2_, dlambda_;    // nv, m, m
};

}  // namespace driftless
