#include "driftless/model/drawing/derived_shapes.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace driftless {
namespace {

constexpr double kBarRadius = 0.02, kPlate = 0.03, kBall = 0.05;  // of the characteristic length
constexpr double kSame = 1e-6;                                    // places nearer than this are one

Shape made(ShapeKind kind, const std::vector<Vec3>& points, double radius) {
  Shape shape;
  shape.kind = kind;
  for (const Vec3& at : points) shape.points.push_back({{}, at});
  shape.radius = radius;
  shape.derived = true;
  return shape;
}

std::vector<Vec3> distinct(const std::vector<Vec3>& places, double length) {
  std::vector<Vec3> out;
  for (const Vec3& p : places)
    if (p.allFinite() &&
        std::none_of(out.begin(), out.end(), [&](const Vec3& o) { return (o - p).norm() <= kSame * length; }))
      out.push_back(p);
  return out;
}

double turn(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// Convex hull in the x-y plane, counter-clockwise: Andrew's monotone chain.
std::vector<Vec3> hull(std::vector<Vec3> p) {
  std::sort(p.begin(), p.end(),
            [](const Vec3& a, const Vec3& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  std::vector<Vec3> out;
  const auto half = [&](auto begin, auto end) {
    const size_t start = out.size();
    for (auto at = begin; at != end; ++at) {
      while (out.size() >= start + 2 && turn(out[out.size() - 2], out.back(), *at) <= 0) out.pop_back();
      out.push_back(*at);
    }
    out.pop_back();
  };
  half(p.begin(), p.end());
  half(p.rbegin(), p.rend());
  return out;
}

// The two places farthest from one another.
std::vector<Vec3> extremes(const std::vector<Vec3>& places) {
  std::vector<Vec3> out = {places[0], places[0]};
  for (const Vec3& a : places)
    for (const Vec3& b : places)
      if ((a - b).norm() > (out[0] - out[1]).norm()) out = {a, b};
  return out;
}

// A plate through places with one z, unless they are nearly on a line.
std::optional<Shape> plate(const std::vector<Vec3>& places, double length) {
  for (const Vec3& p : places)
    if (std::abs(p.z() - places[0].z()) > kSame * length) return {};
  const std::vector<Vec3> corners = hull(places);
  double area = 0;
  for (size_t i = 2; i < corners.size(); ++i) area += turn(corners[0], corners[i - 1], corners[i]) / 2;
  const auto ends = extremes(places);
  const double span = (ends[1] - ends[0]).norm();
  if (corners.size() < 3 || area < 0.02 * span * span) return {};
  Shape shape = made(ShapeKind::polygon, corners, 0);
  shape.z = places[0].z();
  for (ShapePoint& point : shape.points) point.at.z() = 0;
  shape.thickness = kPlate * length;
  return shape;
}

Shape block(const Vec3& at, const Vec3& along, double length) {
  Shape shape = made(ShapeKind::box, {at}, 0);
  shape.size = Vec3(0.2, 0.12, 0.12) * length;
  const Eigen::Quaterniond q = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), along);
  shape.orientation = {q.w(), q.x(), q.y(), q.z()};
  return shape;
}

}  // namespace

Shape derived_wheel(const Vec3& center, const Vec3& axis, double radius, double length) {
  const Vec3 half = 0.5 * kPlate * length * axis.stableNormalized();
  return made(ShapeKind::cylinder, {center - half, center + half}, radius);
}

std::vector<Shape> derived_shapes(const HeldBody& body, bool planar, double length) {
  std::vector<Vec3> places = distinct(body.places, length);
  const ShapeKind rod = planar ? ShapeKind::line : ShapeKind::capsule;
  if (body.slides_along && places.size() <= 1)
    return {block(places.empty() ? body.center : places[0], *body.slides_along, length)};
  if (places.size() <= 1) {
    places.push_back(body.center);
    places = distinct(places, length);
    if (places.size() == 1) return {made(ShapeKind::sphere, places, kBall * length)};
    return {made(rod, places, kBarRadius * length), made(ShapeKind::sphere, {body.center}, kBall * length)};
  }
  if (places.size() == 2) return {made(rod, places, kBarRadius * length)};
  if (auto shape = plate(places, length)) return {std::move(*shape)};
  if (planar) return {made(rod, extremes(places), kBarRadius * length)};
  std::vector<Shape> out = {made(ShapeKind::sphere, {body.center}, kBall * length)};
  for (const Vec3& place : places)
    if ((place - body.center).norm() > kSame * length)
      out.push_back(made(rod, {body.center, place}, kBarRadius * length));
  return out;
}

}  // namespace driftless
