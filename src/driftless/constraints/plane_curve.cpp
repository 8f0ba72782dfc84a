#include "driftless/constraints/plane_curve.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/constraints/curve_splines.hpp"

namespace driftless {

PlaneCurve::PlaneCurve(const CurvePoints& curve) {
  const auto [knots, xi] = spline_through(curve);
  x_ = xi[0];
  y_ = xi[1];
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
  const double wide = 1 - kappa * foot.distance;
  foot.bend = -kappa / wide;
  const double kappa_rate =  // per length
      ((x.rate * y_.third(sigma) - y.rate * x_.third(sigma)) / (speed * speed * speed) -
       3 * kappa * (x.rate * x.acceleration + y.rate * y.acceleration) / (speed * speed)) /
      speed;
  foot.bend_slope =
      -kappa_rate / (wide * wide * wide) * foot.tangent - foot.bend * foot.bend * foot.normal;  // (3)
  return foot;
}

}  // namespace driftless
