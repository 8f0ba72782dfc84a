// The index-1 forms: y = (q, v[, W]), accelerations and multipliers from one solve
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [c]                                                                                          (1)
//   ẏ = (T v, v̇[, P]),   P = applied power − λᵀν                                                                 (2)
// With redundant rows derivative() takes the λ with zeros in the dropped ones (λᵀν is the same for all). Forms differ in
// the right side c, which is γ, or γ with terms that damp the drift, and in the kernel that solves (1).
#pragma once

#include "driftless/formulation/state_form.hpp"

namespace driftless {

class IndexOneForm : public StateForm {
 public:
  explicit IndexOneForm(const DescriptorSystem& system, KernelFactory kernel = {})
      : StateForm(system, std::move(kernel)), c_(m_) {}

  Status derivative(double t, ConstVec y, VecRef ydot) override;

 protected:
  // Right side c of (1) from the terms at (t, q, v): γ itself, or `c` filled with something else.
  virtual const Vec& right_side(const Terms& terms, ConstVec v, Vec& c) = 0;

 private:
  Vec c_;  // m    derivative()
};

}  // namespace driftless
