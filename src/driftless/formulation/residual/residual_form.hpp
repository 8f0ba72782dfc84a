// The equations of motion as residuals, for implicit schemes that keep the constraints themselves:
//   ρ(t, q, v, a, λ) = M a + Jᵀλ − f = 0                                                                           (1)
//   q̇ = T (v − W⁻¹ J_hᵀ μ)                                                                                         (2)
//   rows: g(t, q) = 0 and (or) J v − ν = 0, as the form chooses                                                    (3)
// and their derivatives per local increment of q,
//   K = ∂ρ/∂q,   C = ∂ρ/∂v = −∂f/∂v,   ∂ρ/∂a = M,   ∂ρ/∂λ = Jᵀ,   ∂g/∂q = J_h,   ∂(J v − ν)/∂q = L                 (4)
// K, C and L are the system's tangents (system/tangents/tangents.hpp). All blocks are sparse.
// An integrator owns its points and combines the blocks with its own coefficients. As an OdeForm a residual form is the
// index-1 system: initial accelerations and multipliers, slopes of dense output and reactions come from one solve of it.
// Rows dropped as redundant appear nowhere: λ and μ are those of the kept ones, in order.
#pragma once

#include "driftless/formulation/state_form.hpp"
#include "driftless/math/linear/sparse_assembly.hpp"

namespace driftless {

// A point of an implicit scheme.
struct DaePoint {
  double t = 0;
  Vec q, v, a;     // nq, nv, nv
  Vec lambda, mu;  // kept rows; kept holonomic rows or none
};

// Blocks of (4). Derivatives of the chosen rows (3): J by q in those of positions, L by q and J by v in those of velocities.
struct DaeTangent {
  SparseRows M, C, K;  // nv × nv
  SparseRows J;        // kept rows × nv
  SparseRows L;        // velocity rows × nv
  double mean_mass() const {
    const double mean = M.rows() > 0 ? M.diagonal().mean() : 1;
    return mean > 0 ? mean : 1;
  }
};

class ResidualForm : public StateForm, public KeepsMemory {
 public:
  ResidualForm* as_residual() override { return this; }

  // Which of (3) hold. Nonholonomic rows always stand at velocity level.
  using Rows = ResidualRows;  // none: no multipliers either
  ResidualForm(const DescriptorSystem& system, Rows rows, Vec weight = {}, KernelFactory kernel = {});

  Status derivative(double t, ConstVec y, VecRef ydot) override;
  void keep(Memory& memory) override;
  void drop_rows(std::span<const int> rows) override;

  int multipliers() const { return static_cast<int>(kept_.size()); }       // λ
  int slips() const { return rows_ == Rows::both ? kept_holonomic_ : 0; }  // μ
  int position_rows() const { return rows_ == Rows::velocity ? 0 : kept_holonomic_; }
  int velocity_rows() const { return multipliers() - (rows_ == Rows::position ? kept_holonomic_ : 0); }
  int rows() const { return position_rows() + velocity_rows(); }
  DaePoint make_point() const;
  DaeTangent make_tangent() const;

  // Accelerations and multipliers that fit (t, q, v) of a point, by (1) and J v̇ = γ; μ = 0.
  virtual Status complete(DaePoint& point);
  // v brought to J v = ν by the smallest change in the norm of M, where residual() was called last. f follows.
  Status project_velocity(DaePoint& point);
  // For half-explicit schemes: a and λ (all rows) with
  //   M a + Jᵀλ = f where `at` was filled, all but γ;   J₁ a = c for the rows J₁ where `ahead` was, positions only     (5)
  // by the factors of the symmetric system at `at` and a defect correction of its rows, which gains a factor of about
  // |J₁ − J|/|J| an iteration: to round-off, or not_converged where the two places are too far apart.
  Status solve_ahead(const Terms& at, const Terms& ahead, ConstVec c, VecRef a, VecRef lambda);
  // ρ of (1), the slip W⁻¹J_hᵀμ of (2), and the rows (3): positions first, then velocities. Leaves terms() there.
  virtual void residual(const DaePoint& point, VecRef dynamics, VecRef slip, VecRef rows);
  // (4) there. terms() is lost.
  virtual void tangent(const DaePoint& point, DaeTangent& out);
  // ∂(slip)/∂μ = W⁻¹J_hᵀ, nv × slips, from the J of a tangent: visit(row, column, value), slips one after the other.
  template <class Visit>
  void slip_tangent(const DaeTangent& tangent, Visit&& visit) const {
    for (int j = 0; j < slips(); ++j)
      for (SparseRows::InnerIterator e(tangent.J, j); e; ++e)
        visit(static_cast<int>(e.col()), j, inverse_weight_[e.col()] * e.value());
  }
  // The rows of Newton's matrix W from `row` on: positions J; velocities c_q L + c_v J, the latter from column_v on.
  template <class Scalar>
  void add_rows(const DaeTangent& tangent,
                SparseAssembly<Scalar>& W,
                int row,
                int column_q,
                int column_v,
                Scalar c_q,
                Scalar c_v) const {
    const int positions = position_rows(), m = multipliers();
    W.add_rows(tangent.J, 0, positions, row, column_q, Scalar(1));
    W.add_block(tangent.L, row + positions, column_q, c_q);
    W.add_rows(tangent.J, m - velocity_rows(), m, row + positions, column_v, c_v);
  }
  // Ẇ at a point where residual() was called last.
  virtual double power(const DaePoint& point);
  bool integrates_work() const { return integrates_work_; }
  // Schemes on residuals need no factors at the end of a step: made here, so that the watch over the rows has them.
  double row_independence() override;
  const DescriptorSystem& system() const { return system_; }

 protected:
  virtual TangentParts parts() const;  // what tangent() needs
  Tangents& tangents();                // made when they are first asked for
  Vec v_;                              // nv

 private:
  void dynamics_at(double t, ConstVec q, const DaePoint& point, VecRef out);
  void spread(const DaePoint& point);  // λ of the kept rows into all_lambda_

  std::unique_ptr<Tangents> tangents_;
  Rows rows_;
  Vec inverse_weight_;     // W⁻¹ of (2), nv
  std::vector<int> kept_;  // rows
  int kept_holonomic_ = 0;
  Vec all_lambda_;  // m
  Vec r_;           // m
  Vec product_;     // nv
};

// That of the formulation `penalty`.
std::unique_ptr<OdeForm> make_penalty_residual(const DescriptorSystem& system, const Options& options);

}  // namespace driftless
