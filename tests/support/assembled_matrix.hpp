// A full matrix as the factorisations of Newton's method take it: every entry is part of its structure.
#pragma once

#include "driftless/math/linear/sparse_assembly.hpp"

namespace driftless::testing {

template <class Scalar>
SparseAssembly<Scalar> assembled_matrix(const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& W) {
  SparseAssembly<Scalar> out;
  out.size(static_cast<int>(W.rows()));
  out.assemble([&](SparseAssembly<Scalar>& sum) {
    for (int i = 0; i < W.rows(); ++i)
      for (int j = 0; j < W.cols(); ++j) sum.add(i, j, W(i, j));
  });
  return out;
}

}  // namespace driftless::testing
