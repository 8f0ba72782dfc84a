#include "driftless/constraints/spatial_expansion.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/model/characteristic_length.hpp"
#include "driftless/model/geometry.hpp"

namespace driftless {

SpatialExpansion::SpatialExpansion(const Model& model)
    : index_(model), length_(characteristic_length(model)) {
  for (const Body& body : model.bodies) {
    SpatialFrame<double> frame;
    frame.R = start_pose(body, model.space).rotation;
    frame.r = body.position + frame.R * body.center_of_mass;
    start_.push_back(frame);
  }
  start_.emplace_back();
  markers_of_.resize(start_.size());
}

int SpatialExpansion::body(const std::string& name) const { return index_.body(name); }

SpatialPoint SpatialExpansion::point(const PointRef& ref) const {
  Vec3 at = resolve_point(index_, ref);
  if (const Body* owner = index_.find_body(ref.body)) at -= owner->center_of_mass;
  return {body(ref.body), at};
}

SpatialDirection SpatialExpansion::direction(const DirectionRef& ref, int default_body) const {
  std::string owner;
  const std::string fallback =
      default_body == ground() ? "ground" : model().bodies[size_t(default_body)].name;
  const Vec3 u = resolve_direction(index_, ref, fallback, owner);
  return {body(owner), u};
}

SpatialDirection SpatialExpansion::carried(const SpatialDirection& d, int body) const {
  if (body == d.body) return d;
  return {body, start(body).R.transpose() * world(d)};
}

JointFrame SpatialExpansion::frame(const SpatialPoint& p,
                                   const SpatialDirection& axis,
                                   const Vec3& towards) const {
  const SpatialDirection own = carried(axis, p.body);
  return {p, axes_about(own.u, start(p.body).R.transpose() * towards)};
}

JointFrame SpatialExpansion::aligned(const SpatialPoint& p, const JointFrame& f) const {
  if (p.body == f.origin.body) return {p, f.axes};
  return {p, start(p.body).R.transpose() * (start(f.origin.body).R * f.axes)};
}

JointFrame SpatialExpansion::bent(const SpatialPoint& p,
                                  const JointFrame& f,
                                  const SpatialDirection& axis) const {
  const Mat3 axes = start(f.origin.body).R * f.axes;
  const Vec3 z = world(axis).dot(axes.col(2)) < 0 ? Vec3(-world(axis)) : world(axis);
  const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(axes.col(2), z).toRotationMatrix();
  return {p, start(p.body).R.transpose() * (turn * axes)};
}

int SpatialExpansion::mark(const Marker<3>& marker) {
  for (const int known : markers_of_[size_t(marker.body)])
    if (markers[size_t(known)].kind == marker.kind && markers[size_t(known)].at == marker.at) return known;
  markers.push_back(marker);
  markers_of_[size_t(marker.body)].push_back(static_cast<int>(markers.size()) - 1);
  return markers_of_[size_t(marker.body)].back();
}

int SpatialExpansion::mark(const SpatialPoint& p) { return mark(Marker<3>{MarkerKind::point, p.body, p.at}); }

int SpatialExpansion::mark(const SpatialDirection& d) {
  return mark(Marker<3>{MarkerKind::direction, d.body, d.u});
}

int SpatialExpansion::find_scalar(Scalar::Kind kind, const JointFrame& a, const JointFrame& b) const {
  const auto same = [](const JointFrame& f, const JointFrame& g) {
    return f.origin.body == g.origin.body && f.origin.at == g.origin.at && f.axes == g.axes;
  };
  const auto found = std::find_if(scalars.begin(), scalars.end(), [&](const Scalar& s) {
    return s.kind == kind && kind != Scalar::Kind::parameter && same(s.a, a) && same(s.b, b);
  });
  return found == scalars.end() ? -1 : static_cast<int>(found - scalars.begin());
}

int SpatialExpansion::scalar(
    Scalar::Kind kind, const JointFrame& a, const JointFrame& b, double start, const std::string& label) {
  if (const int known = find_scalar(kind, a, b); known >= 0) return known;
  scalars.push_back({element_ + "." + label, element_, kind, a, b, start});
  return static_cast<int>(scalars.size()) - 1;
}

int SpatialExpansion::angle(const JointFrame& a, const JointFrame& b, const std::string& label) {
  const Mat3 A = start(a.origin.body).R * a.axes, B = start(b.origin.body).R * b.axes;
  const double now = std::atan2(A.col(1).dot(B.col(0)), A.col(0).dot(B.col(0)));
  return scalar(Scalar::Kind::angle, a, b, now, label);
}

int SpatialExpansion::displacement(const JointFrame& a, const JointFrame& b, const std::string& label) {
  const Vec3 z = start(a.origin.body).R * a.axes.col(2);
  return scalar(Scalar::Kind::displacement, a, b, z.dot(place(b.origin) - place(a.origin)), label);
}

int SpatialExpansion::parameter(double start, const std::string& label) {
  return scalar(Scalar::Kind::parameter, {}, {}, start, label);
}

void SpatialExpansion::add_coincident(const SpatialPoint& a, const SpatialPoint& b) {
  add(markers::Coincident<3>{{}, {mark(a), mark(b)}, {}}, {"x", "y", "z"});
}

void SpatialExpansion::add_parallel(const JointFrame& a, const JointFrame& b) {
  markers::Parallel<3> block;
  block.x = {axis(a, 2), axis(b, 0), axis(b, 1)};
  block.w = axis(b, 2);
  block.length = length_;
  add(block, {"axis_1", "axis_2"});
}

void SpatialExpansion::add_dot(const SpatialDirection& u,
                               const SpatialDirection& w,
                               double cosine,
                               const char* label) {
  markers::Dot<3> block;
  block.x = {mark(u), mark(w)};
  block.length = length_;
  block.cosine = cosine;
  add(block, {label});
}

void SpatialExpansion::add_no_turn(const JointFrame& a, const JointFrame& b) {
  add_dot({a.origin.body, a.axes.col(0)}, {b.origin.body, b.axes.col(1)}, 0, "turn");
}

void SpatialExpansion::add_on_axis(const JointFrame& a, const SpatialPoint& b) {
  add_along(a, 0, b, TimeFunction(), "normal_1");
  add_along(a, 1, b, TimeFunction(), "normal_2");
}

void SpatialExpansion::add_along(
    const JointFrame& a, int k, const SpatialPoint& b, const TimeFunction& f, const char* label) {
  markers::Along<3, 0> block;
  block.x = {axis(a, k), mark(a.origin), mark(b)};
  block.f = f;
  add(block, {label});
}

void SpatialExpansion::add_angle(const JointFrame& a,
                                 const JointFrame& b,
                                 const TimeFunction& f,
                                 const char* label) {
  markers::Angle<3, 0> block;
  block.x = {axis(a, 0), axis(a, 1), axis(b, 0)};
  block.length = length_;
  block.f = f;
  add(block, {label});
}

void SpatialExpansion::add_value(int scalar, const TimeFunction& f, const char* label) {
  markers::Sum<3, 1> block;
  block.s = {scalar};
  block.length = block.c[0] = scalars[size_t(scalar)].kind == Scalar::Kind::angle ? length_ : 1;
  block.f = f;
  add(block, {label});
}

void SpatialExpansion::define(int index) {
  const Scalar& s = scalars[size_t(index)];
  const std::string label = s.name.substr(s.owner.size() + 1);
  if (s.kind == Scalar::Kind::angle) {
    markers::Angle<3, 1> block;
    block.x = {axis(s.a, 0), axis(s.a, 1), axis(s.b, 0)};
    block.s = {index};
    block.length = length_;
    rows.add(block, s.owner, {label});
  }
  if (s.kind == Scalar::Kind::displacement) {
    markers::Along<3, 1> block;
    block.x = {axis(s.a, 2), mark(s.a.origin), mark(s.b.origin)};
    block.s = {index};
    block.c = {1.0};
    rows.add(block, s.owner, {label});
  }
}

}  // namespace driftless
