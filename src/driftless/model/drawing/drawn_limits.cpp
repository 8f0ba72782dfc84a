#include "driftless/model/drawing/drawn_limits.hpp"

#include <cmath>

#include <Eigen/Geometry>

namespace driftless {
namespace {

Shape line() {
  Shape out;
  out.kind = ShapeKind::line;
  out.derived = true;
  return out;
}

}  // namespace

Shape drawn_floor(const Vec3& at, const Vec3& normal, double half, bool planar) {
  const Vec3 n = normal.stableNormalized();
  if (planar) return drawn_end(at - half * Vec3(n.y(), -n.x(), 0), at + half * Vec3(n.y(), -n.x(), 0));
  const double thick = 0.01 * half;
  Shape out;
  out.kind = ShapeKind::box;
  out.derived = true;
  out.size = Vec3(2 * half, 2 * half, thick);
  out.points.push_back({{}, at - 0.5 * thick * n});
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), n);
  out.orientation << turn.w(), turn.x(), turn.y(), turn.z();
  return out;
}

Shape drawn_road(const TimeFunction& road, const RoadFrame& frame, double from, double to) {
  constexpr int kPieces = 400;
  Shape out = line();
  for (int k = 0; k <= kPieces; ++k) {
    const double x = std::lerp(from, to, k / double(kPieces)), z = road(x);
    if (std::isfinite(z)) out.points.push_back({{}, frame.origin + x * frame.along + z * frame.up});
  }
  return out;
}

Shape drawn_end(const Vec3& from, const Vec3& to) {
  Shape out = line();
  out.points = {{{}, from}, {{}, to}};
  return out;
}

}  // namespace driftless
