// A joint type: what it is called, its fields, and how it expands into constraint blocks. One file per joint, one line
// in joints.def. Drivers are joints with a time function; they are listed in drivers.def.
#pragma once

#include <span>

#include "driftless/constraints/planar_sink.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

struct JointRecord {
  ElementRecord element;
  void (*expand_planar)(const Element& joint, PlanarConstraintSink& sink) = nullptr;
  // The joint's own coordinate (angle of a revolute, displacement of a translational), prescribed to be f: serves
  // initial values and output channels. Null for joints that have none.
  void (*coordinate_planar)(const Element& joint,
                            const TimeFunction& f,
                            PlanarConstraintSink& sink) = nullptr;
  const char* coordinate = "";  // "angle" or "displacement"
};

std::span<const JointRecord* const> joint_records();
std::span<const JointRecord* const> driver_records();

// How far point `b` stands along `axis` from point `a`, prescribed to be f: the coordinate of joints that slide.
void add_axis_displacement(const Element& joint, const TimeFunction& f, PlanarConstraintSink& sink);

// Fields most joints have.
FieldSpec point_field(const char* name, const char* help);
FieldSpec body_field(const char* name, const char* help);
FieldSpec axis_field();
FieldSpec relative_angle_field();

}  // namespace driftless
