// Eigen's sparse LDLᵀ of a matrix that is in its fill-reducing order already, factored again and again in place.
#pragma once

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>

#include "driftless/math/types.hpp"

namespace driftless {

using SparseColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// Reads the upper triangle. Eigen's factorize() copies the matrix through a temporary; the ordered one is reused here
// instead.
class OrderedLdlt : public Eigen::SimplicialLDLT<SparseColumns, Eigen::Upper, Eigen::NaturalOrdering<int>> {
 public:
  void factor_again(const SparseColumns& A) { this->template factorize_preordered<true>(A); }
  void solve_in_place(Vec& b) const {
    matrixL().solveInPlace(b);
    b.array() /= m_diag.array();  // vectorD() would copy it
    matrixU().solveInPlace(b);
  }
  const Vec& pivots() const { return m_diag; }
};

}  // namespace driftless
