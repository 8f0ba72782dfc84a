// A smooth curve in the plane, through given points, and the signed distance of a point from it.
//   c(σ) cubic splines over the cumulative length σ of the chords; T = c'/|c'|, N = T⊥, κ = (c' × c'')/|c'|³           (1)
//   g(w) = N·(w − c) at the foot of w, T·(w − c) = 0;   ∂g/∂w = N,   ∂²g/∂w² = −κ/(1 − κ g) T Tᵀ                       (2)
// The distance needs no parameter among the unknowns of a system. It is smooth nearer to the curve than its radius of
// curvature, and wherever the foot is the only one near.
#pragma once

#include <vector>

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
    double bend = 0;  // −κ/(1 − κ g)
  };
  Foot foot(const Vec2& w) const;

 private:
  double nearest(const Vec2& w) const;  // parameter of the foot

  Spline x_, y_;
  std::vector<double> sigma_;  // samples of the curve, for the search of the foot
  std::vector<Vec2> sample_;
};

}  // namespace driftless
