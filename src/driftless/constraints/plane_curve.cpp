#include "driftless/constraints/plane_curve.hpp"

#include <algorithm>
#include <array>
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
  ways_.push_back(0);
  for (size_t i = 0; i + 1 < sigma_.size(); ++i)
    ways_.push_back(ways_.back() + way_between(sigma_[i], sigma_[i + 1]));
}

PlaneCurve::PlaneCurve(const TimeFunction& road, double radius) : road_(road), radius_(radius) {}

PlaneCurve::Local PlaneCurve::at(double sigma) const {
  if (road_) {
    const Derivatives z = road_->at(sigma);
    // A road has two derivatives; the third, which only tangents see, is a difference.
    const double step = 1e-5 * (1 + std::abs(sigma));
    const double third =
        (road_->at(sigma + step).acceleration - road_->at(sigma - step).acceleration) / (2 * step);
    return {{sigma, z.value}, {1, z.rate}, {0, z.acceleration}, {0, third}};
  }
  const Derivatives x = x_.at(sigma), y = y_.at(sigma);
  return {{x.value, y.value},
          {x.rate, y.rate},
          {x.acceleration, y.acceleration},
          {x_.third(sigma), y_.third(sigma)}};
}

// Gauss's rule of ten points, on no more than the piece of one sample.
double PlaneCurve::way_between(double from, double to) const {
  constexpr std::array<double, 5> places = {0.148874338981631211, 0.433395394129247191, 0.679409568299024406,
                                            0.865063366688984511, 0.973906528517171720};
  constexpr std::array<double, 5> weights = {0.295524224714752870, 0.269266719309996355, 0.219086362515982044,
                                             0.149451349150580593, 0.066671344308688138};
  const double middle = (from + to) / 2, half = (to - from) / 2;
  double sum = 0;
  for (size_t k = 0; k < places.size(); ++k)
    for (const double side : {-1.0, 1.0}) {
      const double sigma = middle + side * half * places[k];
      sum += weights[k] * std::hypot(x_.at(sigma).rate, y_.at(sigma).rate);
    }
  return sum * half;
}

double PlaneCurve::nearest_sample(const Vec2& w, double& reach) const {
  if (road_) {  // the foot is no further off than the road below
    const double off = std::abs(w.y() - (*road_)(w.x()));
    constexpr int kSamples = 16;
    reach = 2 * off / kSamples;
    double best = w.x(), least = off * off;
    for (int k = -kSamples; k <= kSamples; ++k) {
      const double x = w.x() + k * off / kSamples;
      const double distance = (w - Vec2(x, (*road_)(x))).squaredNorm();
      if (distance < least) {
        least = distance;
        best = x;
      }
    }
    return best;
  }
  reach = 2 * (sigma_.back() - sigma_.front()) / double(sigma_.size());
  size_t best = 0;
  double least = (w - sample_[0]).squaredNorm();
  for (size_t i = 1; i < sample_.size(); ++i) {
    const double distance = (w - sample_[i]).squaredNorm();
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return sigma_[best];
}

double PlaneCurve::nearest(const Vec2& w) const {
  // Newton on c'·(c − w) = 0, whose slope |c'|² + c''·(c − w) is positive around a foot that is near.
  double reach = 0;
  double sigma = nearest_sample(w, reach);
  const double size = road_ ? std::abs(sigma) + radius_ : sigma_.back() - sigma_.front();
  for (int k = 0; k < 12; ++k) {
    const Local c = at(sigma);
    const Vec2 off = c.place - w;
    const double step =
        c.slope.dot(off) / std::max(c.slope.squaredNorm() + c.curl.dot(off), 0.1 * c.slope.squaredNorm());
    sigma -= std::clamp(step, -reach, reach);
    if (std::abs(step) < 1e-15 * size) break;
  }
  return sigma;
}

PlaneCurve::Foot PlaneCurve::foot(const Vec2& w) const {
  const double sigma = nearest(w);
  const Local c = at(sigma);
  const double speed = c.slope.norm();
  Foot foot;  // (1), (2)
  foot.tangent = c.slope / speed;
  foot.normal = Vec2(-foot.tangent.y(), foot.tangent.x());
  const double distance = foot.normal.dot(w - c.place);
  foot.distance = distance - radius_;
  const double kappa = (c.slope.x() * c.curl.y() - c.slope.y() * c.curl.x()) / (speed * speed * speed);
  const double wide = 1 - kappa * distance;
  foot.bend = -kappa / wide;
  const double kappa_rate =  // per length
      ((c.slope.x() * c.third.y() - c.slope.y() * c.third.x()) / (speed * speed * speed) -
       3 * kappa * c.slope.dot(c.curl) / (speed * speed)) /
      speed;
  foot.bend_slope =
      -kappa_rate / (wide * wide * wide) * foot.tangent - foot.bend * foot.bend * foot.normal;  // (3)
  if (!road_) {                                                                                 // (4)
    const auto behind = std::upper_bound(sigma_.begin(), sigma_.end(), sigma) - sigma_.begin();
    const size_t k = behind > 0 ? size_t(behind - 1) : 0;
    foot.way = ways_[k] + way_between(sigma_[k], sigma);
  }
  return foot;
}

}  // namespace driftless
