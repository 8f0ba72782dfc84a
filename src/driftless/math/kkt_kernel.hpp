// What the dense and the sparse KKT kernel share (see kkt_solver.hpp). Internal.
#pragma once

#include <memory>

#include "driftless/core/status.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

class KktKernel {
 public:
  virtual ~KktKernel() = default;
  virtual Status factor(const SparseRows& M, const SparseRows& J) = 0;
  virtual Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) = 0;
  int dependent_row = -1;
};

std::unique_ptr<KktKernel> make_dense_kkt(const SparseRows& M, const SparseRows& J);
std::unique_ptr<KktKernel> make_sparse_kkt(const SparseRows& M, const SparseRows& J);

}  // namespace driftless
