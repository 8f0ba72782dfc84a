// A joint type: what it is called, its fields, and how it expands into constraint blocks. One file per joint, one line
// in joints.def. Drivers are joints with a time function; they are listed in drivers.def.
#pragma once

#include <optional>
#include <span>

#include "driftless/constraints/planar_sink.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

// How a joint lets its second body move against the first; what relative coordinates are made of.
//   θ_b = θ_a + φ,   p_b = p_a + d u,   u = R_a axis                                                               (1)
// The joint's coordinates are d if it slides and φ if it turns. One that does not slide has d = 0, one that does not
// turn φ = `angle`.
struct PlanarMobility {
  PointOn a, b;
  Vec2 axis = Vec2::UnitX();  // unit, in the frame of a's body
  double angle = 0;           // φ where it does not turn
  bool slides = false, turns = false;
};

struct JointRecord {
  ElementRecord element;
  void (*expand_planar)(const Element& joint, PlanarConstraintSink& sink) = nullptr;
  // The joint's own coordinate (angle of a revolute, displacement of a translational), prescribed to be f: serves
  // initial values and output channels. Null for joints that have none.
  void (*coordinate_planar)(const Element& joint,
                            const TimeFunction& f,
                            PlanarConstraintSink& sink) = nullptr;
  const char* coordinate = "";  // "angle" or "displacement"
  // What the joint offers to relative coordinates. Null, or nothing returned: it is always rows.
  std::optional<PlanarMobility> (*mobility_planar)(const Element& joint,
                                                   const PlanarConstraintSink& sink) = nullptr;
};

std::span<const JointRecord* const> joint_records();
std::span<const JointRecord* const> driver_records();

// How far point `b` stands along `axis` from point `a`, prescribed to be f: the coordinate of joints that slide.
void add_axis_displacement(const Element& joint, const TimeFunction& f, PlanarConstraintSink& sink);

// Second body slides along `axis` of the first through the points `a` and `b`; turning is left to the caller.
PlanarMobility axis_mobility(const Element& joint, const PlanarConstraintSink& sink);

// Fields most joints have.
FieldSpec point_field(const char* name, const char* help);
FieldSpec body_field(const char* name, const char* help);
FieldSpec axis_field();
FieldSpec relative_angle_field();

}  // namespace driftless
