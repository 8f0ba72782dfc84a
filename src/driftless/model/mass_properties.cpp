#include "driftless/model/mass_properties.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace driftless {
namespace {

using Eigen::Matrix3d;

Vec3 place_of(const ShapePoint& point, const std::vector<NamedPoint>& points) {
  if (point.name.empty()) return point.at;
  const auto found = std::find_if(points.begin(), points.end(),
                                  [&](const NamedPoint& named) { return named.name == point.name; });
  if (found == points.end()) throw std::invalid_argument(fmt::format("no point is called '{}'", point.name));
  return found->at;
}

Matrix3d turn_of_shape(const Shape& shape) {
  const auto& e = shape.orientation;
  return Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
}

// Inertia about the point from which xxᵀ was taken → about the centre of mass.
MassProperties from_moments(double density, double volume, const Vec3& first, const Matrix3d& second) {
  MassProperties out;
  out.mass = density * volume;
  out.center = first / volume;
  const Matrix3d about = density * (second - volume * out.center * out.center.transpose());
  out.inertia = about.trace() * Matrix3d::Identity() - about;
  return out;
}

// A body of revolution about e: moments along and across its axis.
MassProperties revolved(double mass, const Vec3& center, const Vec3& e, double along, double across) {
  return {mass, center, across * Matrix3d::Identity() + (along - across) * e * e.transpose()};
}

MassProperties of_cylinder(const Shape& shape, const std::vector<NamedPoint>& points, bool rounded) {
  const Vec3 a = place_of(shape.points[0], points), b = place_of(shape.points[1], points);
  const double l = (b - a).norm(), r = shape.radius, pi = std::numbers::pi;
  const Vec3 e = l > 0 ? Vec3((b - a) / l) : Vec3(Vec3::UnitZ());
  const double m = shape.density * pi * r * r * l;
  double mass = m, along = m * r * r / 2, across = m * (3 * r * r + l * l) / 12;
  if (rounded) {  // both half spheres together; each has its centre 3r/8 from its plane
    const double s = shape.density * 4 / 3 * pi * r * r * r, far = l / 2 + 3 * r / 8;
    mass += s;
    along += s * 2 * r * r / 5;
    across += s * (83.0 / 320 * r * r + far * far);
  }
  return revolved(mass, 0.5 * (a + b), e, along, across);
}

MassProperties of_box(const Shape& shape, const std::vector<NamedPoint>& points) {
  MassProperties out;
  out.mass = shape.density * shape.size.prod();
  if (!shape.points.empty()) out.center = place_of(shape.points[0], points);
  const Vec3 square = shape.size.cwiseAbs2();
  const Matrix3d R = turn_of_shape(shape);
  const Vec3 principal(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
  out.inertia = out.mass / 12 * R * principal.asDiagonal() * R.transpose();
  return out;
}

MassProperties of_sphere(const Shape& shape, const std::vector<NamedPoint>& points) {
  const double r = shape.radius;
  MassProperties out;
  out.mass = shape.density * 4 / 3 * std::numbers::pi * r * r * r;
  if (!shape.points.empty()) out.center = place_of(shape.points[0], points);
  out.inertia = 0.4 * out.mass * r * r * Matrix3d::Identity();
  return out;
}

// A prism over a polygon; whichever way its corners are listed.
MassProperties of_polygon(const Shape& shape, const std::vector<NamedPoint>& points) {
  const double h = shape.thickness;
  if (!(h > 0)) throw std::invalid_argument("a polygon with a density needs a \"thickness\"");
  std::vector<Vec2> corners;
  for (const ShapePoint& point : shape.points) corners.push_back(place_of(point, points).head<2>());
  const Vec2 from = corners.front();
  double area = 0;
  Vec2 first = Vec2::Zero();
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec2 a = corners[i] - from, b = corners[(i + 1) % corners.size()] - from, s = a + b;
    const double w = (a.x() * b.y() - a.y() * b.x()) / 2;
    area += w;
    first += w / 3 * s;
    second += w / 12 * (s * s.transpose() + a * a.transpose() + b * b.transpose());
  }
  if (area == 0) throw std::invalid_argument("the polygon has no area");
  if (area < 0) {
    area = -area;
    first = -first;
    second = -second;
  }
  const double volume = area * h;
  Matrix3d moments = Matrix3d::Zero();
  moments.topLeftCorner<2, 2>() = h * second;
  moments(2, 2) = volume * h * h / 12;
  MassProperties out = from_moments(shape.density, volume, Vec3(h * first.x(), h * first.y(), 0), moments);
  out.center += Vec3(from.x(), from.y(), shape.z);
  return out;
}

void check_closed(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> passed;  // how often each way
  const auto corner = [&](std::uint32_t i) {
    return fmt::format("({:g}, {:g}, {:g})", mesh.vertices[3 * i], mesh.vertices[3 * i + 1],
                       mesh.vertices[3 * i + 2]);
  };
  for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
    for (size_t k = 0; k < 3; ++k) ++passed[{mesh.triangles[t + k], mesh.triangles[t + (k + 1) % 3]}];
  for (const auto& [edge, count] : passed) {
    const auto back = passed.find({edge.second, edge.first});
    const int returned = back == passed.end() ? 0 : back->second;
    if (count == 1 && returned == 1) continue;
    throw std::invalid_argument(fmt::format(
        "the mesh is not closed or not well wound: the edge from {} to {} is passed {} time{} one "
        "way and {} time{} back, not once each",
        corner(edge.first), corner(edge.second), count, count == 1 ? "" : "s", returned,
        returned == 1 ? "" : "s"));
  }
}

MassProperties of_mesh(const Shape& shape, const std::vector<NamedPoint>& points) {
  const Mesh& mesh = shape.mesh;
  check_closed(mesh);
  const auto vertex = [&](std::uint32_t i) {
    return Vec3(mesh.vertices[3 * i], mesh.vertices[3 * i + 1], mesh.vertices[3 * i + 2]);
  };
  const Vec3 from = vertex(mesh.triangles[0]);
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {  // (2)
    const std::array<Vec3, 3> p = {vertex(mesh.triangles[t]) - from, vertex(mesh.triangles[t + 1]) - from,
                                   vertex(mesh.triangles[t + 2]) - from};
    const Vec3 s = p[0] + p[1] + p[2];
    const double w = p[0].dot(p[1].cross(p[2])) / 6;
    volume += w;
    first += w / 4 * s;
    second += w / 20 * s * s.transpose();
    for (const Vec3& x : p) second += w / 20 * x * x.transpose();
  }
  if (volume == 0) throw std::invalid_argument("the mesh encloses nothing");
  if (!(volume > 0))
    throw std::invalid_argument(
        "the mesh is inside out: its triangles must be counter-clockwise seen from outside");
  MassProperties out = from_moments(shape.density, volume, first, second);
  const double k = shape.scale;
  const Matrix3d R = turn_of_shape(shape);
  out.mass *= k * k * k;
  out.center = R * (k * (out.center + from));
  if (!shape.points.empty()) out.center += place_of(shape.points[0], points);
  out.inertia = std::pow(k, 5) * R * out.inertia * R.transpose();
  return out;
}

}  // namespace

MassProperties mass_properties(const Shape& shape, const std::vector<NamedPoint>& points) {
  switch (shape.kind) {
    case ShapeKind::box:
      return of_box(shape, points);
    case ShapeKind::cylinder:
      return of_cylinder(shape, points, false);
    case ShapeKind::capsule:
      return of_cylinder(shape, points, true);
    case ShapeKind::sphere:
      return of_sphere(shape, points);
    case ShapeKind::polygon:
      return of_polygon(shape, points);
    case ShapeKind::mesh:
      return of_mesh(shape, points);
    case ShapeKind::line:
      break;
  }
  throw std::invalid_argument("a line has no volume");
}

MassProperties combined(const std::vector<MassProperties>& parts) {
  MassProperties out;
  for (const MassProperties& part : parts) {
    out.mass += part.mass;
    out.center += part.mass * part.center;
  }
  out.center /= out.mass;
  for (const MassProperties& part : parts) {
    const Vec3 d = part.center - out.center;
    out.inertia += part.inertia + part.mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
  }
  return out;
}

}  // namespace driftless
