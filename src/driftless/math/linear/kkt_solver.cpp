#include "driftless/math/linear/kkt_solver.hpp"

namespace driftless {

KktSolver::KktSolver(const SparseRows& M, const SparseRows& J, Method method)
    : direct_(method != Method::regularized) {
  if (direct_ && (method == Method::direct || M.rows() + J.rows() <= kDirectLimit))
    kernel_ = make_direct_kkt(M, J);
  if (kernel_) return;
  direct_ = false;
  kernel_ = make_regularized_kkt(M, J);
}

Status KktSolver::reason(Status status, const SparseRows& M, const SparseRows& J) {
  if (status == Status::singular && !(M.coeffs().allFinite() && J.coeffs().allFinite()))
    return Status::not_finite;
  return status;
}

}  // namespace driftless
