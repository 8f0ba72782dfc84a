// Coefficients of the three-stage Radau IIA scheme, order 5.                                       Hairer & Wanner IV.5, IV.8
//   c = ((4 − √6)/10, (4 + √6)/10, 1);   A⁻¹ = T Λ T⁻¹ with the real eigenvalue g and the pair a ± ib,                       (1)
//   g = 3 + 3^(2/3) − 3^(1/3),   a = 3 + (3^(1/3) − 3^(2/3))/2,   b = (3^(5/6) + 3^(7/6))/2
//   γ₀ = 1/g,   eᵢ = γ₀/3 (−13 − 7√6, −13 + 7√6, −1)                                                                          (2)
//   the cubic through (0, 0), (cᵢ, zᵢ) at θ                                                                                   (3)
#pragma once

#include <cmath>
#include <complex>

#include <Eigen/LU>

#include "driftless/math/types.hpp"

namespace driftless {

// T: its columns are the real eigenvector, and real and imaginary part of the one of a − ib, so that Λ acts on w₂ + iw₃ as
// multiplication with a + ib.
struct RadauCoefficients {
  Eigen::Vector3d c;
  Eigen::Matrix3d A, inverse, T, T_inverse;
  double g, a, b, gamma0;
  Eigen::Vector3d e;

  RadauCoefficients() {
    const double s = std::sqrt(6.0);
    c << (4 - s) / 10, (4 + s) / 10, 1;
    A << (88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225,  //
        (296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225,   //
        (16 - s) / 36, (16 + s) / 36, 1.0 / 9;
    inverse = A.inverse();
    const double root = std::cbrt(3.0);
    g = 3 + root * root - root;
    a = 3 + (root - root * root) / 2;
    b = (std::pow(3.0, 5.0 / 6) + std::pow(3.0, 7.0 / 6)) / 2;
    gamma0 = 1 / g;
    e = gamma0 / 3 * Eigen::Vector3d(-13 - 7 * s, -13 + 7 * s, -1);
    T.col(0) = eigenvector({g, 0}).real();
    const Eigen::Vector3cd pair = eigenvector({a, -b});
    T.col(1) = pair.real();
    T.col(2) = pair.imag();
    T_inverse = T.inverse();
  }

  // (3): the weights of z₁, z₂, z₃.
  Eigen::Vector3d cubic(double theta) const {
    Eigen::Vector3d weights;
    for (int i = 0; i < 3; ++i) {
      weights[i] = theta / c[i];
      for (int j = 0; j < 3; ++j)
        if (j != i) weights[i] *= (theta - c[j]) / (c[i] - c[j]);
    }
    return weights;
  }

 private:
  // Null vector of A⁻¹ − λI: the cross product of two of its rows.
  Eigen::Vector3cd eigenvector(std::complex<double> lambda) const {
    Eigen::Matrix3cd shifted = inverse.cast<std::complex<double>>();
    shifted.diagonal().array() -= lambda;
    const Eigen::Vector3cd p = shifted.row(0).transpose(), q = shifted.row(1).transpose();
    const Eigen::Vector3cd x(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
    return x / x[2];
  }
};

// Combines three columns by a matrix.
inline void combine_stages(const Eigen::Matrix3d& by, const Mat& in, Mat& out) {
  for (int i = 0; i < 3; ++i) out.col(i) = by(i, 0) * in.col(0) + by(i, 1) * in.col(1) + by(i, 2) * in.col(2);
}

}  // namespace driftless
