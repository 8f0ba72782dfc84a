// The equations of motion as residuals, for implicit schemes that keep the constraints themselves:
//   ρ(t, q, v, a, λ) = M a + Jᵀλ − f = 0                                                                           (1)
//   q̇ = T (v − W⁻¹ J_hᵀ μ)                                                                                         (2)
//   rows: g(t, q) = 0 and (or) J v − ν = 0, as the form chooses                                                    (3)
// and their derivatives per local increment of q,
//   K = ∂ρ/∂q,   C = ∂ρ/∂v = −∂f/∂v,   ∂ρ/∂a = M,   ∂ρ/∂λ = Jᵀ,   ∂g/∂q = J_h,   ∂(J v − ν)/∂q = L                 (4)
// K, C and L by central differences (L: as the system gives it), relative accuracy about 1e-10, good for Newton's method;
// those of larger systems several columns at a time (column_groups.hpp).
// An integrator owns its points and combines the blocks with its own coefficients. As an OdeForm a residual form is the
// index-1 system: initial accelerations and multipliers, slopes of dense output and reactions come from one solve of it.
// Rows dropped as redundant appear nowhere: λ and μ are those of the kept ones, in order.
#pragma once

#include "driftless/formulation/column_groups.hpp"
#include "driftless/formulation/state_form.hpp"

namespace driftless {

// A point of an implicit scheme.
struct DaePoint {
  double t = 0;
  Vec q, v, a;     // nq, nv, nv
  Vec lambda, mu;  // kept rows; kept holonomic rows or none
};

// Blocks of (4), dense; `rows_*` are the derivatives of the chosen rows (3).
struct DaeTangent {
  Mat M, C, K;         // nv × nv
  Mat J;               // kept rows × nv
  Mat rows_q, rows_v;  // rows × nv
};

class ResidualForm : public StateForm {
 public:
  // Which of (3) hold. Nonholonomic rows always stand at velocity level.
  enum class Rows { position, velocity, both, none };  // none: no multipliers either
  ResidualForm(const DescriptorSystem& system, Rows rows, Vec weight = {}, KernelFactory kernel = {});

  Status derivative(double t, ConstVec y, VecRef ydot) override;
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
  // ∂(slip)/∂μ = W⁻¹J_hᵀ, nv × slips, from the J of `tangent`.
  void slip_tangent(const DaeTangent& tangent, Mat& out) const;
  // Ẇ at a point where residual() was called last.
  virtual double power(const DaePoint& point);
  bool integrates_work() const { return integrates_work_; }
  // Schemes on residuals need no factors at the end of a step: made here, so that the watch over the rows has them.
  double row_independence() override;
  const DescriptorSystem& system() const { return system_; }

 protected:
  Vec v_, plus_, minus_;  // nv   tangent()
  DifferenceScratch difference_;

 private:
  static constexpr int kGrouped = 24;  // increments from which on columns are grouped

  void dynamics_at(double t, ConstVec q, const DaePoint& point, VecRef out);
  template <class Difference>
  void by_differences(ColumnGroups& groups, Mat& out, Difference&& difference);

  Rows rows_;
  Vec inverse_weight_;     // W⁻¹ of (2), nv
  std::vector<int> kept_;  // rows
  int kept_holonomic_ = 0;
  Vec all_lambda_;     // m
  Vec r_;              // m
  Vec product_;        // nv
  Vec steps_, delta_;  // nv   by_differences()
  ColumnGroups K_groups_, C_groups_;
  Mat L_;  // m × nv
};

// Makes the residual form of a formulation whose record makes an ODE form, for schemes that name it; null if it has none.
using ResidualMaker = std::unique_ptr<ResidualForm> (*)(const DescriptorSystem& system,
                                                        const Options& options);
ResidualMaker residual_maker(const std::string& formulation);

}  // namespace driftless
