// A smooth curve in the plane, through given points, and the signed distance of a point from it.
//   c(σ) cubic splines over the cumulative length σ of the chords; T = c'/|c'|, N = T⊥, κ = (c' × c'')/|c'|³           (1)
//   g(w) = N·(w − c) at the foot of w, T·(w − c) = 0;   ∂g/∂w = N,   ∂²g/∂w² = −κ/(1 − κ g) T Tᵀ                       (2)
//   with b = −κ/(1 − κ g):   δN = b (T·δw) T,   δT = −b (T·δw) N,   δb = −κ̇ (T·δw)/(1 − κ g)³ − b² N·δw, κ̇ per length   (3)
//   way s(w) = ∫ |c'| dσ up to the foot;   ∂s/∂w = m T,  m = 1/(1 − κ g) = 1 − b g,   δm = −g δb − b N·δw               (4)
// The distance needs no parameter among the unknowns of a system. It is smooth nearer to the curve than its radius of
// curvature, and wherever the foot is the only one near.
// A road is the curve (x, z(x)). That of the centre of a wheel is its offset at the radius ρ: the same T and N, g less ρ, and
// (2)–(4) hold with κ/(1 − κ ρ) for κ, which leaves b as it is.
#pragma once

#include <optional>
#include <vector>

#include "driftless/core/time_function.hpp"
#include "driftless/math/jet.hpp"
#include "driftless/math/spline.hpp"
#include "driftless/math/types.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

class PlaneCurve {
 public:
  PlaneCurve() = default;
  explicit PlaneCurve(const CurvePoints& points);
  // The offset at `radius` of the road with the height z(x), smooth; its side is above.
  PlaneCurve(const TimeFunction& road, double radius);

  struct Foot {
    double distance = 0;  // g
    double way = 0;       // s; not of roads
    Vec2 normal = Vec2::UnitY(), tangent = Vec2::UnitX();
    double bend = 0;                 // −κ/(1 − κ g)
    Vec2 bend_slope = Vec2::Zero();  // its gradient: of jets
  };
  Foot foot(const Vec2& w) const;
  double length() const { return ways_.empty() ? 0 : ways_.back(); }  // between the first point and the last

 private:
  struct Local {
    Vec2 place, slope, curl, third;  // c and its derivatives by the parameter
  };
  Local at(double sigma) const;
  double nearest(const Vec2& w) const;  // parameter of the foot
  double nearest_sample(const Vec2& w, double& reach) const;
  double way_between(double from, double to) const;

  std::optional<TimeFunction> road_;  // none: splines
  double radius_ = 0;
  Spline x_, y_;
  std::vector<double> sigma_;  // samples of the curve, for the search of the foot
  std::vector<Vec2> sample_;
  std::vector<double> ways_;  // there
};

// The foot on any scalar, (3).
template <class S>
struct FootOf {
  S distance;
  Eigen::Matrix<S, 2, 1> normal, tangent;
  S bend;
  double bend_rate;  // along the tangent
};
inline FootOf<double> foot_at(const PlaneCurve& curve, double w1, double w2) {
  const PlaneCurve::Foot foot = curve.foot({w1, w2});
  return {foot.distance, foot.normal, foot.tangent, foot.bend, foot.bend_slope.dot(foot.tangent)};
}
template <Jet S>
FootOf<S> foot_at(const PlaneCurve& curve, const S& w1, const S& w2) {
  const Vec2 here(value_of(w1), value_of(w2));
  const PlaneCurve::Foot foot = curve.foot(here);
  const S d1 = w1 - here.x(), d2 = w2 - here.y();
  const S along = d1 * foot.tangent.x() + d2 * foot.tangent.y();
  FootOf<S> out;
  out.distance = d1 * foot.normal.x() + d2 * foot.normal.y() + foot.distance;
  for (int i = 0; i < 2; ++i) {
    out.normal[i] = along * (foot.bend * foot.tangent[i]) + foot.normal[i];
    out.tangent[i] = along * (-foot.bend * foot.normal[i]) + foot.tangent[i];
  }
  out.bend = d1 * foot.bend_slope.x() + d2 * foot.bend_slope.y() + foot.bend;
  out.bend_rate = foot.bend_slope.dot(foot.tangent);
  return out;
}

}  // namespace driftless
