#include "driftless/constraints/plane_curve.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

PlaneCurve::PlaneCurve(const CurvePoints& curve) {
  std::vector<Vec3> points = curve.points;
  if (curve.closed) points.push_back(points.front());
  std::vector<double> knots = {0.0}, x = {points[0].x()}, y = {points[0].y()};
  for (size_t i = 1; i < points.size(); ++i) {
    knots.push_back(knots.back() + (points[i] - points[i - 1]).norm());
    x.push_back(points[i].x());
    y.push_back(points[i].y());
  }
  const auto ends = curve.closed ? Spline::Ends::periodic : Spline::Ends::lines;
  x_ = Spline(knots, x, ends);
  y_ = Spline(knots, y, ends);
  constexpr int kSamples = 16;  // of a piece
  for (size_t i = 0; i + 1 < knots.size(); ++i)
    for (int k = 0; k < kSamples; ++k)
      sigma_.push_back(std::lerp(knots[i], knots[i + 1], k / double(kSamples)));
  sigma_.push_back(knots.back());
  for (const double s : sigma_) sample_.emplace_back(x_(s), y_(s));
}

double PlaneCurve::nearest(const Vec2& w) const {
  size_t best = 0;
  double least = (w - sample_[0]).squaredNorm();
  for (size_t i = 1; i < sample_.size(); ++i) {
    const double distance = (w - sample_[i]).squaredNorm();
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  // Newton on c'·(c − w) = 0, whose slope |c'|² + c''·(c − w) is positive around a foot that is near.
  double sigma = sigma_[best];
  const double reach = 2 * (sigma_.back() - sigma_.front()) / double(sigma_.size());
  for (int k = 0; k < 12; ++k) {
    const Derivatives x = x_.at(sigma), y = y_.at(sigma);
    const Vec2 off(x.value - w.x(), y.value - w.y()), slope(x.rate, y.rate),
        curl(x.acceleration, y.acceleration);
    const double step =
        slope.dot(off) / std::max(slope.squaredNorm() + curl.dot(off), 0.1 * slope.squaredNorm());
    sigma -= std::clamp(step, -reach, reach);
    if (std::abs(step) < 1e-15 * (sigma_.back() - sigma_.front())) break;
  }
  return sigma;
}

PlaneCurve::Foot PlaneCurve::foot(const Vec2& w) const {
  const double sigma = nearest(w);
  const Derivatives x = x_.at(sigma), y = y_.at(sigma);
  const Vec2 slope(x.rate, y.rate);
  const double speed = slope.norm();
  Foot foot;  // (1), (2)
  foot.tangent = slope / speed;
  foot.normal = Vec2(-foot.tangent.y(), foot.tangent.x());
  foot.distance = foot.normal.dot(w - Vec2(x.value, y.value));
  const double kappa = (x.rate * y.acceleration - y.rate * x.acceleration) / (speed * speed * speed);
  foot.bend = -kappa / (1 - kappa * foot.distance);
  return foot;
}

}  // namespace driftless
