// The linear kernel of constrained dynamics:
//   [ M  Jᵀ ] [x]   [r1]
//   [ J  0  ] [y] = [r2]                                                                                         (1)
// regular iff J has full row rank and M is positive definite on its null space (Chin, Lemma 4.1): M itself may be
// singular. Two ways behind one interface, chosen by size; symbolic analysis is done once, nothing allocates later.
//
// direct (small systems): M first, then the rows in an order that fills little: the Schur complement, by LDLᵀ factors,
//   M̃ = L D Lᵀ,   X = L⁻¹ Jᵀ,   K = Xᵀ D⁻¹ X = J M̃⁻¹ Jᵀ = N E Nᵀ                                                   (2)
//   a = L⁻¹ r̃1,   y = K⁻¹ (Xᵀ D⁻¹ a − r2),   x = L⁻ᵀ D⁻¹ (a − X y)                                                (3)
//   with M̃ = M, r̃1 = r1; where M is singular, M̃ = M + σ JᵀJ and r̃1 = r1 + σ Jᵀ r2, which changes neither x nor y  (4)
//   because J x = r2; of those rows alone that hold coordinates without mass, if that does. Both matrices are positive, so no pivoting is needed. A pivot of K that vanishes against its
//   diagonal names the row that depends on those before it; one that lost four digits asks for a step of refinement.
//
// regularized (large systems): Eigen's SimplicialLDLT of the scaled, quasi-definite matrix
//   [ D M D + ε I    D Jᵀ S ]
//   [ S J D          −ε I   ],   D = diag(M)^−1/2, S: unit rows, ε = 1e-9, less for long chains                   (5)
//   which has such a factorisation for every ordering, so M and rows mix freely to fill least, followed by iterative
//   refinement against (1): one or two steps bring the error to 1e-14. Refinement that stalls means a rank deficient J;
//   the dependent rows are then found apart (row_choice.hpp).
#pragma once

#include <memory>
#include <vector>

#include "driftless/core/status.hpp"
#include "driftless/math/linear/kkt_kernel.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

class KktSolver {
 public:
  enum class Method { automatic, direct, regularized };

  // M (both triangles) and J give the patterns; their values are not read.
  KktSolver(const SparseRows& M, const SparseRows& J, Method method = Method::automatic);

  // `singular` leaves the first dependent row in dependent_row() (−1: M is not positive definite on ker J).
  Status factor(const SparseRows& M, const SparseRows& J) {
    const Status status = kernel_->factor(M, J);
    return status == Status::ok ? status : reason(status, M, J);
  }
  // Solves with the last factors. The matrices given to factor() must still hold the same values (refinement reads them).
  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) { return kernel_->solve(r1, r2, x, y); }
  // x alone for r1 = 0: the smallest x, in the metric of M, with J x = r2.
  Status project(ConstVec r2, VecRef x) { return kernel_->project(r2, x); }
  int dependent_row() const { return kernel_->dependent_row; }
  // How far the rows are from dependent: the smallest pivot of K against its diagonal, a squared sine. Known after a solve.
  double weakest_row() const { return kernel_->weakest_row; }
  bool is_direct() const { return direct_; }

  // Sizes nv + m up to this go to the direct kernel, unless its list of products passes ScheduledLdlt::kLongest. It is
  // the faster one for chains and loops of any size measured (benchmarks/micro); the limit bounds the time to plan it.
  static constexpr int kDirectLimit = 20000;

 private:
  // A matrix that is not finite fails like a singular one, but tells nothing of the mechanism.
  static Status reason(Status status, const SparseRows& M, const SparseRows& J);

  std::unique_ptr<KktKernel> kernel_;
  bool direct_;
};

}  // namespace driftless
