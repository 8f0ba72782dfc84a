// A comparison that NaN passes is how garbage gets accepted: std::max drops it, and so may Eigen's maxCoeff. For whatever is
// held against a tolerance afterwards.
#pragma once

#include <cmath>

namespace driftless {

// The larger of two; NaN if either is.
inline double max_or_nan(double a, double b) { return a < b || std::isnan(b) ? b : a; }

}  // namespace driftless
