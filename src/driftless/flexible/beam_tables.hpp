// Integrals of the shape functions of a two-node beam element over its length, ξ = x/l:
//   N = (1−ξ, ξ)                                            axial displacement, torsion angle
//   H = (1−3ξ²+2ξ³, l(ξ−2ξ²+ξ³), 3ξ²−2ξ³, l(ξ³−ξ²))          transverse displacement                               (1)
// Exact; docs/theory/flexible.md, table 1.
#pragma once

#include "driftless/math/types.hpp"

namespace driftless::beam {

using Vec4 = Eigen::Vector4d;
using Mat2 = Eigen::Matrix2d;
using Mat4 = Eigen::Matrix4d;
using Mat24 = Eigen::Matrix<double, 2, 4>;

inline Vec2 N(double xi) { return {1 - xi, xi}; }
inline Vec4 H(double xi, double l) {
  const double x2 = xi * xi, x3 = x2 * xi;
  return {1 - 3 * x2 + 2 * x3, l * (xi - 2 * x2 + x3), 3 * x2 - 2 * x3, l * (x3 - x2)};
}
inline Vec4 dH(double xi, double l) {  // by x
  const double x2 = xi * xi;
  return {(6 * x2 - 6 * xi) / l, 1 - 4 * xi + 3 * x2, (6 * xi - 6 * x2) / l, 3 * x2 - 2 * xi};
}
inline Vec4 ddH(double xi, double l) {
  return {(12 * xi - 6) / (l * l), (6 * xi - 4) / l, (6 - 12 * xi) / (l * l), (6 * xi - 2) / l};
}

inline Vec2 int_N(double l) { return {l / 2, l / 2}; }
inline Vec2 int_xN(double l) { return {l * l / 6, l * l / 3}; }
inline Vec4 int_H(double l) { return {l / 2, l * l / 12, l / 2, -l * l / 12}; }
inline Vec4 int_dH(double) { return {-1, 0, 1, 0}; }
inline Vec4 int_xH(double l) { return {3 * l * l / 20, l * l * l / 30, 7 * l * l / 20, -l * l * l / 20}; }
inline Mat2 int_NN(double l) {
  Mat2 out;
  out << 2, 1, 1, 2;
  return out * (l / 6);
}
inline Mat2 int_dNdN(double l) {
  Mat2 out;
  out << 1, -1, -1, 1;
  return out / l;
}
inline Mat24 int_NH(double l) {
  Mat24 out;
  out << 7 * l / 20, l * l / 20, 3 * l / 20, -l * l / 30, 3 * l / 20, l * l / 30, 7 * l / 20, -l * l / 20;
  return out;
}
inline Mat24 int_NdH(double l) {
  Mat24 out;
  out << -0.5, l / 12, 0.5, -l / 12, -0.5, -l / 12, 0.5, l / 12;
  return out;
}
inline Mat4 int_HH(double l) {
  Mat4 out;
  out << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l, -13 * l,
      -3 * l * l, -22 * l, 4 * l * l;
  return out * (l / 420);
}
inline Mat4 int_dHdH(double l) {
  Mat4 out;
  out << 36, 3 * l, -36, 3 * l, 3 * l, 4 * l * l, -3 * l, -l * l, -36, -3 * l, 36, -3 * l, 3 * l, -l * l,
      -3 * l, 4 * l * l;
  return out / (30 * l);
}
inline Mat4 int_ddHddH(double l) {
  Mat4 out;
  out << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l,
      2 * l * l, -6 * l, 4 * l * l;
  return out / (l * l * l);
}

}  // namespace driftless::beam
