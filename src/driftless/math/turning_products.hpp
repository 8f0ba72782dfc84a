// R a and Rᵀ a by components. Products of 3 × 3 matrices that Eigen forms pass through memory, stored one number at a time and
// loaded two at a time: that stalls the innermost loops of spatial systems (a third of the terms of bricard).
#pragma once

#include <Eigen/Core>

namespace driftless {

template <class S, class A>
[[gnu::always_inline]] inline Eigen::Matrix<S, 3, 1> times(const Eigen::Matrix<S, 3, 3>& R, const A& a) {
  return {R(0, 0) * a[0] + R(0, 1) * a[1] + R(0, 2) * a[2], R(1, 0) * a[0] + R(1, 1) * a[1] + R(1, 2) * a[2],
          R(2, 0) * a[0] + R(2, 1) * a[1] + R(2, 2) * a[2]};
}

template <class S, class A>
[[gnu::always_inline]] inline Eigen::Matrix<S, 3, 1> transposed_times(const Eigen::Matrix<S, 3, 3>& R,
                                                                      const A& a) {
  return {R(0, 0) * a[0] + R(1, 0) * a[1] + R(2, 0) * a[2], R(0, 1) * a[0] + R(1, 1) * a[1] + R(2, 1) * a[2],
          R(0, 2) * a[0] + R(1, 2) * a[1] + R(2, 2) * a[2]};
}

}  // namespace driftless
