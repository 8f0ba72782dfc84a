// Vector and matrix types used everywhere. Vectors of a size known at run time are `Vec`; functions take `ConstVec`
// and `VecRef`, which also bind to segments of a longer vector without a copy.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace driftless {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;
using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using VecRef = Eigen::Ref<Eigen::VectorXd>;
using ConstVec = const Eigen::Ref<const Eigen::VectorXd>&;
// Compressed rows; the pattern is fixed when a system is built, only the values change.
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

// Copies a few numbers in line: std::copy would call memmove, which costs more than the work at these sizes.
inline void copy_values(const double* from, Eigen::Index count, double* to) {
  Eigen::Map<Vec>(to, count) = Eigen::Map<const Vec>(from, count);
}

// Largest magnitude; NaN if any entry is (Eigen's own norm may drop it); 0 for an empty vector, where Eigen asserts.
inline double max_abs(ConstVec x) {
  return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace driftless
