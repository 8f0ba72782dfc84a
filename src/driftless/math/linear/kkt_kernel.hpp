// What the direct and the regularised KKT kernel share (see kkt_solver.hpp). Internal.
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
  virtual Status project(ConstVec r2, VecRef x) = 0;
  int dependent_row = -1;
  double weakest_row = 1;
};

// Null where the elimination fills too much to be listed.
std::unique_ptr<KktKernel> make_direct_kkt(const SparseRows& M, const SparseRows& J);
std::unique_ptr<KktKernel> make_regularized_kkt(const SparseRows& M, const SparseRows& J);

}  // namespace driftless
