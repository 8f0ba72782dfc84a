#include "driftless/constraints/curve_splines.hpp"

namespace driftless {

CurveSplines spline_through(const CurvePoints& curve) {
  std::vector<Vec3> points = curve.points;
  if (curve.closed) points.push_back(points.front());
  CurveSplines out;
  out.knots = {0.0};
  for (size_t i = 1; i < points.size(); ++i)
    out.knots.push_back(out.knots.back() + (points[i] - points[i - 1]).norm());
  for (int k = 0; k < 3; ++k) {
    std::vector<double> values;
    for (const Vec3& point : points) values.push_back(point[k]);
    out.xi[size_t(k)] =
        Spline(out.knots, values, curve.closed ? Spline::Ends::periodic : Spline::Ends::lines);
  }
  return out;
}

}  // namespace driftless
