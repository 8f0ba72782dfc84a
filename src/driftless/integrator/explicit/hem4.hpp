// The coefficients of hem4.cpp, for its tests: stages 1 … 5 and the end of the step as the sixth.
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

struct HalfExplicitTableau {
  Eigen::Matrix<double, 6, 1> c;
  Eigen::Matrix<double, 6, 5> a;  // the last row is b
};

HalfExplicitTableau hem4_tableau();

}  // namespace driftless
