// S-full: positions and velocities corrected together.                                         Chin, algorithm 3.2
//   [dq]                       [g]        [ J  0 ]
//   [dv] = V⁻¹ Hᵀ (H V⁻¹ Hᵀ)⁻¹ [r],  H =  [ L  J ],   L = ∂(J v − ν)/∂q T,   V = diag(W, W)                          (1)
//   q = q̂ ⊕ −dq,   v = v̂ − dv;   nonholonomic rows have g = 0 here, as in the other methods of the family
// by blocks, all with the KKT solver of W and J (so singular mass matrices are served too). With K = J W⁻¹Jᵀ, P g the
// smallest change with J x = g, and Z the part of W⁻¹Lᵀ that the rows leave free,
//   (I + L Z K⁻¹) s = r − L P g,   dq = P g + Z K⁻¹ s,   dv = P s                                                    (2)
// Drift after a step of order p, ε = C hᵖ⁺¹: g, r = O(ε²). Needs L (2 nv evaluations of J by default) and 2 m + 2 solves:
// the most expensive of the family, of interest for its theory.
#include <Eigen/LU>

#include "driftless/stabilization/projector.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

class SFull final : public Stabilization {
 public:
  SFull(const DescriptorSystem& system, const Options& options, std::unique_ptr<MotionSolver> kernel)
      : system_(system),
        projector_(system, options, std::move(kernel)),
        difference_(system.layout()),
        scratch_(system.make_terms()),
        L_(system.layout().m, system.layout().nv),
        Z_(system.layout().nv, system.layout().m),
        K_inverse_(system.layout().m, system.layout().m),
        LZ_(system.layout().m, system.layout().m),
        A_(system.layout().m, system.layout().m),
        lu_(system.layout().m),
        no_force_(Vec::Zero(system.layout().nv)),
        no_rows_(Vec::Zero(system.layout().m)),
        force_(system.layout().nv),
        s_(system.layout().m),
        y_(system.layout().m),
        x_(system.layout().nv),
        dq_(system.layout().nv) {}

  Status settle(double t, VecRef q, VecRef v) override {
    if (projector_.within_tolerance(t, q, v)) return Status::ok;
    if (const Status status = projector_.freeze(t, q, statistics); status != Status::ok) return status;
    system_.velocity_residual_jacobian(t, q, v, scratch_, difference_, L_);
    MotionSolver& solver = projector_.solver();
    if (const Status status = solver.project(projector_.residual_rows(), dq_); status != Status::ok)
      return status;  // P g
    if (const Status status = couple(solver); status != Status::ok) return status;
    y_ = projector_.velocity_error();
    y_.noalias() -= L_ * dq_;
    if (y_.size() > 0) s_ = lu_.solve(y_);  // (2)
    if (const Status status = solver.project(s_, x_); status != Status::ok) return status;
    v -= x_;
    y_.noalias() = K_inverse_ * s_;
    dq_.noalias() += Z_ * y_;
    dq_ = -dq_;
    system_.retract(q, dq_);
    return Status::ok;
  }
  void drop_rows(std::span<const int> rows) override { projector_.drop_rows(rows); }
  int singular_row() const override { return projector_.dependent_row(); }

 private:
  // Z and K⁻¹ column by column, then the factors of I + L Z K⁻¹.
  Status couple(MotionSolver& solver) {
    for (Eigen::Index j = 0; j < L_.rows(); ++j) {
      force_ = L_.row(j).transpose();
      if (const Status status = solver.solve(force_, no_rows_, Z_.col(j), y_); status != Status::ok)
        return status;
      s_.setZero();
      s_[j] = 1;
      if (const Status status = solver.solve(no_force_, s_, x_, y_); status != Status::ok) return status;
      K_inverse_.col(j) = -y_;
    }
    LZ_.noalias() = L_ * Z_;
    A_.noalias() = LZ_ * K_inverse_;
    A_.diagonal().array() += 1;
    if (A_.size() > 0) lu_.compute(A_);
    return Status::ok;
  }

  const DescriptorSystem& system_;
  Projector projector_;
  DifferenceScratch difference_;
  Terms scratch_;
  Mat L_;                       // m × nv
  Mat Z_, K_inverse_, LZ_, A_;  // of (2); A_ = I + L Z K⁻¹
  Eigen::PartialPivLU<Mat> lu_;
  Vec no_force_, no_rows_, force_, s_, y_, x_, dq_;
};

}  // namespace

extern const StabilizationRecord s_full_stabilization;
const StabilizationRecord s_full_stabilization = {
    .method = {"s-full", "positions and velocities corrected together; needs second derivatives",
               "Chin 1995, algorithm 3.2", projector_options()},
    .make = [](const DescriptorSystem& system,
               const Options& options,
               std::unique_ptr<MotionSolver> kernel) -> std::unique_ptr<Stabilization> {
      return std::make_unique<SFull>(system, options, std::move(kernel));
    },
};

}  // namespace driftless
