#include "driftless/coordinates/planar_builder.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/model/characteristic_length.hpp"
#include "driftless/model/geometry.hpp"

namespace driftless {
PlanarBuilder::PlanarBuilder(const Model& model) : index_(model) {
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

int PlanarBuilder::body(const std::string& name) const { return index_.body(name); }

PointOn PlanarBuilder::point(const PointRef& ref) const {
  Vec2 at = resolve_point(index_, ref).head<2>();
  if (const Body* owner = index_.find_body(ref.body)) at -= owner->center_of_mass.head<2>();
  return {body(ref.body), at};
}

std::pair<int, int> PlanarBuilder::joint_bodies(const std::string& joint) const {
  const Element& element = *index_.find_joint(joint);
  return {body(element.get<PointRef>("a").body), body(element.get<PointRef>("b").body)};
}

PlanarJoint PlanarBuilder::place_of(const Element& joint, const JointRecord& record) const {
  if (joint.has("joint")) {  // a driver of a joint sits where that does
    const Element& driven = *index_.find_joint(joint.get<std::string>("joint"));
    return place_of(driven, record_of_joint(driven));
  }
  const auto end = [&](const char* field) {
    const FieldValue& value = joint.fields.find(field)->second;
    if (const auto* name = std::get_if<std::string>(&value)) return PointOn{body(*name), Vec2::Zero()};
    return point(std::get<PointRef>(value));
  };
  PlanarJoint place;
  place.at = end(record.second);
  place.axes_body = place.at.body;
  if (joint.has("axis")) {
    const Vec3& axis = joint.get<Vec3>("axis");
    place.axes_body = end(joint.has("a") ? "a" : joint.has("carrier") ? "carrier" : record.second).body;
    place.axes_angle = std::atan2(axis.y(), axis.x());
  }
  return place;
}

void PlanarBuilder::begin_joint(const Element& joint, const JointRecord& record) {
  begin(joint.name);
  joint_ = static_cast<int>(parts.joints.size());
  parts.joints.push_back(place_of(joint, record));
  parts.joints.back().name = joint.name;
}

PlanarBuilder expand_planar(const Model& model, const std::vector<Element>& joints) {
  PlanarBuilder builder(model);
  const auto expand_all = [&](const std::vector<Element>& elements,
                              std::span<const JointRecord* const> records) {
    for (const Element& element : elements) {
      const JointRecord& record = record_for(records, element);
      builder.begin_joint(element, record);
      record.expand_planar(element, builder);
    }
  };
  expand_all(joints, joint_records());
  expand_all(model.drivers, driver_records());
  for (const Element& force : model.forces) record_for(force_records(), force).compile_planar(force, builder);
  return builder;
}

}  // namespace driftless
