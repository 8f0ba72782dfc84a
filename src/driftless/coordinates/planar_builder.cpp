#include "driftless/coordinates/planar_builder.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// The size of things: the longest distance inside a body, or between bodies where these are points. Only distances
// count, so neither the origin nor the axes matter, and it scales with the unit of length.
double characteristic_length(const Model& model) {
  double within = 0;
  for (const Body& body : model.bodies) {
    std::vector<Vec3> places = {body.center_of_mass};
    for (const auto& point : body.points) places.push_back(point.at);
    for (const auto& a : places)
      for (const auto& b : places) within = std::max(within, (a - b).norm());
  }
  if (within > 0) return within;
  std::vector<Vec3> places;
  for (const auto& point : model.ground_points) places.push_back(point.at);
  for (const Body& body : model.bodies) places.push_back(body.position);
  double between = 0;
  for (const auto& place : places) between = std::max(between, (place - places.front()).norm());
  return between > 0 ? between : 1;
}

const std::vector<NamedPoint>& points_of(const Model& model, const std::string& body) {
  return body == "ground" ? model.ground_points : model.find_body(body)->points;
}

}  // namespace

PlanarBuilder::PlanarBuilder(const Model& model) : model_(model) {
  parts.length = characteristic_length(model);
  parts.gravity = model.gravity.head<2>();
  for (const Body& body : model.bodies) {
    parts.body_names.push_back(body.name);
    parts.masses.push_back(body.mass);
    parts.inertias.push_back(body.inertia);
    PlanarFrame<double> frame{
        {body.position.x(), body.position.y()}, body.angle, std::cos(body.angle), std::sin(body.angle)};
    frame.r = frame.point(body.center_of_mass.head<2>());
    start_.push_back(frame);
  }
  start_.emplace_back();
}

int PlanarBuilder::body(const std::string& name) const {
  const auto found = std::find(parts.body_names.begin(), parts.body_names.end(), name);
  return static_cast<int>(found - parts.body_names.begin());  // ground is the one past the last
}

PointOn PlanarBuilder::point(const PointRef& ref) const {
  Vec2 at = ref.at.head<2>();
  if (!ref.point.empty()) {
    const auto& points = points_of(model_, ref.body);
    at = std::find_if(points.begin(), points.end(), [&](const auto& p) {
           return p.name == ref.point;
         })->at.head<2>();
  }
  if (const Body* owner = model_.find_body(ref.body)) at -= owner->center_of_mass.head<2>();
  return {body(ref.body), at};
}

PlanarBuilder expand_planar(const Model& model, const std::vector<Element>& joints) {
  PlanarBuilder builder(model);
  const auto expand_all = [&](const std::vector<Element>& elements,
                              std::span<const JointRecord* const> records) {
    for (const Element& element : elements) {
      builder.begin(element.name);
      record_for(records, element).expand_planar(element, builder);
    }
  };
  expand_all(joints, joint_records());
  expand_all(model.drivers, driver_records());
  for (const Element& force : model.forces) record_for(force_records(), force).compile_planar(force, builder);
  return builder;
}

}  // namespace driftless
