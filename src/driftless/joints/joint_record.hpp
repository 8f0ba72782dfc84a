// A joint type: what it is called, its fields, and how it expands into constraint blocks. One file per joint, one line
// in joints.def. Drivers are joints with a time function; they are listed in drivers.def.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "driftless/constraints/planar_sink.hpp"
#include "driftless/constraints/spatial_expansion.hpp"
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

// ---- spatial joints -------------------------------------------------------------------------------------------------

using JointFrames = std::pair<JointFrame, JointFrame>;  // F on the first body, M on the second

// One motion a joint allows. Axes are those of F; after the motions before it have been made.
struct ElementaryMotion {
  enum class Kind { turn, slide, screw, ball };
  Kind kind = Kind::turn;
  Vec3 axis = Vec3::UnitZ();
  std::string name = "angle";  // of the coordinate: JOINT.angle
  double pitch = 0;            // screw: advance along the axis per radian
};

// How M moves against F, for the relative set: with all coordinates zero the origins coincide and the axes of M are the
// columns of `zero`, in axes of F. The motions follow one another from F outwards.
struct SpatialMobility {
  std::vector<ElementaryMotion> motions;
  Mat3 zero = Mat3::Identity();
};

struct SpatialJoint {
  // Frames of the joint. They carry its coordinates: `angle` of x_M from x_F about z_F, `displacement` of M along z_F.
  JointFrames (*frames)(const Element& joint, const SpatialExpansion& model) = nullptr;
  void (*expand)(const Element& joint, const JointFrames& frames, SpatialExpansion& model) = nullptr;
  // Null: the joint can only be cut.
  SpatialMobility (*mobility)(const Element& joint) = nullptr;
  std::vector<std::string> coordinates = {};  // of "angle", "displacement": those of the two the joint has
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
  const char* second = "b";     // field with the point or body on which the reaction acts, in planar models
  // What the joint offers to relative coordinates. Null, or nothing returned: it is always rows.
  std::optional<PlanarMobility> (*mobility_planar)(const Element& joint,
                                                   const PlanarConstraintSink& sink) = nullptr;
  SpatialJoint spatial = {};  // no `expand`: not available in spatial models
  // What only the joint can see is wrong, in a model that is sound otherwise; `where` is the field. Null: nothing.
  std::vector<Complaint> (*check)(const Element& joint, const Model& model) = nullptr;

  // Names of its coordinates in models of this kind.
  std::vector<std::string> coordinates(Space space) const;
};

std::span<const JointRecord* const> joint_records();
std::span<const JointRecord* const> driver_records();

// How far point `b` stands along `axis` from point `a`, prescribed to be f: the coordinate of joints that slide.
void add_axis_displacement(const Element& joint, const TimeFunction& f, PlanarConstraintSink& sink);

// Second body slides along `axis` of the first through the points `a` and `b`; turning is left to the caller.
PlanarMobility axis_mobility(const Element& joint, const PlanarConstraintSink& sink);

// ---- fields most joints have

FieldSpec point_field(const char* name, const char* help);
FieldSpec body_field(const char* name, const char* help);
FieldSpec axis_field();            // "axis", planar models only
FieldSpec relative_angle_field();  // "angle", planar models only
FieldSpec spatial_axis_field(const char* help,
                             const char* name = "axis",
                             bool required = true);  // spatial models only
FieldSpec spatial_axis_b_field();                    // "axis_b", optional
FieldSpec coordinate_field(const char* name);        // "angle" or "displacement", optional

// ---- frames of spatial joints

// Frames with z along the field `axis` (given in the frame of the body of `a`), origins at the points `a` and `b`; M is
// aligned with F in the initial position, so that the angle counts from there. With a field `axis_b` z of M is along that
// (axes are lines: whichever way it points), and the rest of M as near to F as can be.
JointFrames axis_frames(const Element& joint, const SpatialExpansion& model);
// The same for joints without an axis: the axes are those of the body of `a`.
JointFrames point_frames(const Element& joint, const SpatialExpansion& model);
// The same for joints whose `a` and `b` are bodies: the origins are the centres of mass.
JointFrames body_frames(const Element& joint, const SpatialExpansion& model);

// ---- joints that build on other joints

// The joint of that name, and its record.
const Element& joint_called(const std::string& name, const Model& model);
const JointRecord& record_of_joint(const Element& joint);
// Frames of a joint of the model.
JointFrames frames_of(const std::string& joint, const SpatialExpansion& model);
// Which coordinate of a joint an element means: the one it names, or the first.
std::string chosen_coordinate(const Element& element,
                              const char* joint_field,
                              const char* coordinate_field,
                              const Model& model);
// What is wrong with that choice.
std::vector<Complaint> check_coordinate(const Element& element,
                                        const char* joint_field,
                                        const char* coordinate_field,
                                        const Model& model);

// How a wheel turns on a carrier about an axis: `sign` times the angle between two frames. They are those of the joint
// between the two about this axis, so that its angle serves, if there is one; else the angle counts from the initial
// position.
struct Shaft {
  JointFrames frames;
  double sign = 1;
};
Shaft find_shaft(int carrier, int wheel, const SpatialDirection& axis, const SpatialExpansion& model);

}  // namespace driftless
