// A curve through given points: cubic splines over the cumulative length of the chords, natural and continued by straight
// lines where the curve is open, periodic where it is closed. Planar curves have z = 0.
#pragma once

#include <array>
#include <vector>

#include "driftless/math/spline.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

struct CurveSplines {
  std::vector<double> knots;
  std::array<Spline, 3> xi;  // x, y, z
};
CurveSplines spline_through(const CurvePoints& curve);

}  // namespace driftless
