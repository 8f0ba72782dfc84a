// Point on a curve: a point of the second body stays on a curve of the first, free to slide and to turn.
//   p_b − p_a = Σ e_k ξ_k(σ),   3 rows and the scalar σ                                                              (1)
//   planar: the distance from the curve is zero, 1 row, plane_curve.hpp                                              (2)
// ξ are cubic splines through the given points over the cumulative length σ of their chords: natural and continued by
// straight lines where the curve is open, periodic where it is closed. σ starts at the point of the curve nearest to b.
#include <algorithm>

#include "driftless/constraints/curve_splines.hpp"
#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

using Curve = std::array<Spline, 3>;

// Parameter of the point nearest to p: the best of many samples, then a search by thirds between its neighbours.
double nearest(const Curve& xi, const std::vector<double>& knots, const Vec3& p) {
  const auto distance = [&](double sigma) {
    return (p - Vec3(xi[0](sigma), xi[1](sigma), xi[2](sigma))).norm();
  };
  constexpr int kSamples = 20;  // of a piece
  std::vector<double> samples;
  for (size_t i = 0; i + 1 < knots.size(); ++i)
    for (int k = 0; k < kSamples; ++k)
      samples.push_back(std::lerp(knots[i], knots[i + 1], k / double(kSamples)));
  samples.push_back(knots.back());
  const auto best = std::min_element(samples.begin(), samples.end(),
                                     [&](double a, double b) { return distance(a) < distance(b); });
  double low = best == samples.begin() ? *best : *(best - 1);
  double high = best + 1 == samples.end() ? *best : *(best + 1);
  for (int k = 0; k < 80; ++k) {
    const double left = std::lerp(low, high, 1.0 / 3), right = std::lerp(low, high, 2.0 / 3);
    (distance(left) < distance(right) ? high : low) = distance(left) < distance(right) ? right : left;
  }
  return (low + high) / 2;
}

}  // namespace

extern const JointRecord point_on_curve_joint;
const JointRecord point_on_curve_joint = {
    .element = {"point-on-curve",
                "bead on a wire: a point of the second body stays on a curve of the first",
                {point_field("a", "origin of the curve, on the first body"),
                 point_field("b", "point on the second body that stays on the curve"),
                 {"curve",
                  FieldKind::curve,
                  true,
                  {},
                  "m",
                  "points of the curve from the origin, in the axes of the first body; a cubic spline goes "
                  "through them",
                  {}}},
                Spaces::both,
                {.symbol = "slider"}},
    .planar =
        {.frames = &point_frames,
         .expand =
             [](const Element& joint, const JointFramesOf<2>& frames, Expansion<2>& model) {
               const auto& [F, M] = frames;
               markers::OnCurve<2> block;  // (2)
               block.x = {model.mark(F.origin), model.mark(M.origin), model.axis(F, 0), model.axis(F, 1)};
               block.curve = PlaneCurve(joint.get<CurvePoints>("curve"));
               model.add(block, {"distance"});
             }},
    .spatial = {.frames = &point_frames,
                .expand =
                    [](const Element& joint, const JointFrames& frames, SpatialExpansion& model) {
                      const auto& [F, M] = frames;
                      const CurveSplines splines = spline_through(joint.get<CurvePoints>("curve"));
                      markers::Follow<3, 1> block;
                      block.curve = splines.xi;
                      const Vec3 p = model.start(F.origin.body).R.transpose() *
                                     (model.place(M.origin) - model.place(F.origin));
                      block.s = {model.parameter(nearest(splines.xi, splines.knots, p), "parameter")};
                      block.x = {model.mark(F.origin), model.mark(M.origin), model.axis(F, 0),
                                 model.axis(F, 1), model.axis(F, 2)};
                      model.add(block, {"x", "y", "z"});
                    }},
};

}  // namespace driftless
