// The index-1 forms: y = (q, v[, W]), accelerations and multipliers from one solve
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [c]                                                                                          (1)
//   ẏ = (T v, v̇[, P]),   P = applied power − λᵀν                                                                 (2)
// With redundant rows derivative() takes the λ with zeros in the dropped ones (λᵀν is the same for all). Forms differ in
// the kernel that solves (1) and in the right side,
//   c = γ − p (J v − ν) − s g,   nonholonomic rows γ − p_n (A v + b),   whose gains damp the drift                       (3)
// Jacobian: with the tangents K, C, S_q, S_v of system/tangents/tangents.hpp, those of (3) included, δF = (δ(T v), δa) where
//   [ M  Jᵀ ] [δa]   [−K δq − C δv  ]
//   [ J  0  ] [δλ] = [S_q δq + S_v δv]                                          Negrut, Haug & German (22)–(40)          (4)
// handed on as these blocks, so that Newton's matrix is as sparse as they are (integrator/implicit/form_matrix.hpp). Small systems with
// T = I solve (4) column by column instead, once for all c. Kernels whose rows yield
// (penalties) solve (4) their own way: their Jacobian is made column by column and full. Systems that never form M
// (articulated bodies) do for (4) if they can (system/formed_mass.hpp).
#pragma once

#include <memory>

#include "driftless/formulation/carries_velocities.hpp"
#include "driftless/formulation/state_form.hpp"
#include "driftless/math/linear/sparse_assembly.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/system/formed_mass.hpp"

namespace driftless {

// p, s and p_n of (3).
struct RowGains {
  double velocity = 0, position = 0, nonholonomic = 0;
  bool any() const { return velocity != 0 || position != 0 || nonholonomic != 0; }
  void right_side(const Terms& terms, ConstVec v, Vec& c) const;  // (3)
};

class IndexOneForm : public StateForm, public KeepsMemory, public CarriesVelocities {
 public:
  explicit IndexOneForm(const DescriptorSystem& system, KernelFactory kernel = {})
      : StateForm(system, std::move(kernel)), c_(m_) {}

  Status derivative(double t, ConstVec y, VecRef ydot) override;
  bool has_jacobian() const override;
  Status jacobian(double t, ConstVec y, FormJacobian& out) override;  // (4)
  void keep(Memory& memory) override;                                 // patterns learned

 protected:
  virtual RowGains gains() const { return {}; }

 private:
  void make_tangents();
  void make_rows(const RowGains& gains, MotionBlocks& out);  // S_q and S_v, with (3)
  // Column by column with the kernel.
  Status solve_column(ConstVec e, const SparseRows& by, const SparseRows& rows, VecRef column);
  Status make_whole(FormJacobian& out);
  Status make_full(FormJacobian& out);

  Vec c_;  // m    derivative()
  // ---- jacobian(); made when it is first asked for
  std::unique_ptr<Tangents> tangents_;
  std::unique_ptr<FormedMass> mass_;  // where the terms have none
  SparseAssembly<double> S_q_sum_, S_v_sum_;
  Vec ydot_, r1_, r2_, dv_, dlambda_;  // size, nv, m, nv, m
  Vec probe_, ahead_;                  // nv, nq
};

}  // namespace driftless
