#include "driftless/coordinates/planar_builder.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/model/characteristic_length.hpp"
#include "driftless/model/geometry.hpp"

namespace driftless {
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
  Vec2 at = resolve_point(model_, ref).head<2>();
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
