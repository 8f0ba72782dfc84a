#include "driftless/flexible/vibrations.hpp"

#include <cmath>

#include <Eigen/SparseCholesky>

#include "driftless/flexible/modes.hpp"

namespace driftless {
namespace {

constexpr Eigen::Index kMostDense = 120;
constexpr double kRigid = 3e-7;  // of the highest: round-off of zero
using Sparse = Eigen::SparseMatrix<double>;

// The largest ρ with A x = ρ B x.
double largest(const Sparse& A, const Sparse& B) {
  const Eigen::SimplicialLDLT<Sparse> factors(B);
  if (factors.info() != Eigen::Success) return 0;
  Vec x(A.rows());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = 1 + std::sin(3.7 * double(i));  // nothing special
  double rho = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec y = factors.solve(Vec(A * x));
    const double length = std::sqrt(y.dot(Vec(B * y)));
    if (!(length > 0) || !std::isfinite(length)) return 0;
    x = y / length;
    const double next = x.dot(Vec(A * x));
    if (std::abs(next - rho) <= 1e-8 * next) return next;
    rho = next;
  }
  return rho;
}

}  // namespace

Vibrations vibrations_of(const SparseRows& K, const SparseRows& M) {
  Vibrations out;
  if (K.rows() == 0) return out;
  if (K.rows() <= kMostDense) {
    const Vec all = eigenmodes(Mat(K), Mat(M), 0, 0, {}).frequencies;
    out.highest = all.maxCoeff();
    for (const double frequency : all)
      if (frequency > kRigid * out.highest) {
        out.lowest = frequency;
        break;
      }
    return out;
  }
  const Sparse k(K), m(M);
  out.highest = std::sqrt(largest(k, m));
  const double inverse = largest(m, k);
  if (inverse > 0 && 1 > kRigid * out.highest * std::sqrt(inverse)) out.lowest = 1 / std::sqrt(inverse);
  return out;
}

}  // namespace driftless
