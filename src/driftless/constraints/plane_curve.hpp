// A smooth curve in the plane, through given points, and the signed distance of a point from it.
//   c(σ) cubic splines over the cumulative length σ of the chords; T = c'/|c'|, N = T⊥, κ = (c' × c'')/|c'|³           (1)
//   g(w) = N·(w − c) at the foot of w, T·(w − c) = 0;   ∂g/∂w = N,   ∂²g/∂w² = −κ/(1 − κ g) T Tᵀ                       (2)
//   with b = −κ/(1 − κ g):   δN = b (T·δw) T,   δT = −b (T·δw) N,   δb = −κ̇ (T·δw)/(1 − κ g)³ − b² N·δw, κ̇ per length   (3)
// The distance needs no parameter among the unknowns of a system. It is smooth nearer to the curve than its radius of
// curvature, and wherever the foot is the only one near.
#pragma once

#include <vector>

#include "driftless/math/jet.hpp"
#include "driftless/math/spline.hpp"
#include "driftless/math/types.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

class PlaneCurve {
 public:
  PlaneCurve() = default;
  explicit PlaneCurve(const CurvePoints& points);

  struct Foot {
    double distance = 0;  // g
    Vec2 normal = Vec2::UnitY(), tangent = Vec2::UnitX();
    double bend = 0;                 // −κ/(1 − κ g)
    Vec2 bend_slope = Vec2::Zero();  // its gradient: of jets
  };
  Foot foot(const Vec2& w) const;

 private:
  double nearest(const Vec2& w) const;  // parameter of the foot

  Spline x_, y_;
  std::vector<double> sigma_;  // samples of the curve, for the search of the foot
  std::vector<Vec2> sample_;
};

// The foot on any scalar, (3).
template <class S>
struct FootOf {
  S distance;
  Eigen::Matrix<S, 2, 1> normal, tangent;
  S bend;
};
inline FootOf<double> foot_at(const PlaneCurve& curve, double w1, double w2) {
  const PlaneCurve::Foot foot = curve.foot({w1, w2});
  return {foot.distance, foot.normal, foot.tangent, foot.bend};
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
  return out;
}

}  // namespace driftless
