// A joint type: what it is called, its fields, and how it expands into constraint blocks. One file per joint, one line
// in joints.def. Drivers are joints with a time function; they are listed in drivers.def.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driftless/constraints/expansion.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

template <int D>
using JointFramesOf = std::pair<JointFrameOf<D>, JointFrameOf<D>>;  // F on the first body, M on the second
using JointFrames = JointFramesOf<3>;

// One motion a spatial joint allows. Axes are those of F; after the motions before it have been made.
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
// In the plane: along x of F, and by the angle of the bodies, which is `angle` where the joint does not turn.
struct PlaneFreedoms {
  bool slides = false, turns = false;
  double angle = 0;
};
template <int D>
using MobilityOf = std::conditional_t<D == 2, PlaneFreedoms, SpatialMobility>;

template <int D>
struct Teeth;  // teeth.hpp

// What a joint is in the plane (D = 2) or in space.
template <int D>
struct JointRules {
  // Frames of the joint. They carry its coordinates: `angle` of x_M from x_F about z_F (of the bodies, in the plane) and
  // `displacement` of M along the axis of F on which it slides (frame.hpp). Its reaction acts at the origin of M.
  JointFramesOf<D> (*frames)(const Element& joint, const Expansion<D>& model) = nullptr;
  void (*expand)(const Element& joint, const JointFramesOf<D>& frames, Expansion<D>& model) = nullptr;
  // Null: the joint can only be cut.
  MobilityOf<D> (*mobility)(const Element& joint) = nullptr;
  std::vector<std::string> coordinates = {};  // of "angle", "displacement": those of the two the joint has
  bool axes_on_first = false;  // components of its reaction are those along the axes of F, not of M
  Teeth<D> (*teeth)(const Element& joint, const Expansion<D>& model) = nullptr;  // of gears: who pushes whom
};
using SpatialJoint = JointRules<3>;

struct JointRecord {
  ElementRecord element;
  JointRules<2> planar = {};  // no `expand`: not available in models of this kind
  JointRules<3> spatial = {};
  // What only the joint can see is wrong, in a model that is sound otherwise; `where` is the field. Null: nothing.
  std::vector<Complaint> (*check)(const Element& joint, const Model& model) = nullptr;
  // What is allowed and hardly ever meant, a sentence each, in a valid model. Null: nothing.
  void (*doubt)(const Element& joint, const Model& model, std::vector<std::string>& out) = nullptr;

  template <int D>
  const JointRules<D>& rules() const {
    if constexpr (D == 2)
      return planar;
    else
      return spatial;
  }
  // Names of its coordinates in models of this kind.
  const std::vector<std::string>& coordinates(Space space) const {
    return space == Space::planar ? planar.coordinates : spatial.coordinates;
  }
};

std::span<const JointRecord* const> joint_records();
std::span<const JointRecord* const> driver_records();

// For `expand` written once: the dimension of the expansion it is given.
template <class Model>
inline constexpr int dimension_of = std::remove_cvref_t<Model>::dimension;

// Rows that keep the attitude of the bodies to each other; in the plane it is the field "angle".
template <class Frames, class Model>
void keep_attitude(const Element& joint, const Frames& frames, Model& model) {
  model.add_parallel(frames.first, frames.second);
  if constexpr (dimension_of<Model> == 2)
    model.add_angle(frames.first, frames.second, joint.number("angle", 0), "angle");
  else
    model.add_no_turn(frames.first, frames.second);
}

// ---- fields most joints have

FieldSpec point_field(const char* name, const char* help);
FieldSpec body_field(const char* name, const char* help);
FieldSpec axis_field();  // "axis", planar models only
FieldSpec optional_field(const char* name,
                         FieldKind kind,
                         const char* unit,
                         const char* help,
                         std::vector<std::string> choices = {},
                         Spaces spaces = Spaces::both);
FieldSpec relative_angle_field();  // "angle", planar models only
FieldSpec spatial_axis_field(const char* help,
                             const char* name = "axis",
                             bool required = true);  // spatial models only
FieldSpec spatial_axis_b_field();                    // "axis_b", optional
FieldSpec coordinate_field(const char* name);        // "angle" or "displacement", optional

// ---- stops and dry friction (switching/switched_joint.cpp)

std::vector<FieldSpec> stop_fields(const char* unit);  // of the coordinate: "rad", "m"
std::vector<FieldSpec> friction_fields(bool turns, bool slides, bool by_reaction);
FieldSpec impact_field(const char* name);
std::vector<FieldSpec> with_switched(std::vector<FieldSpec> fields,
                                     std::vector<FieldSpec> more,
                                     std::vector<FieldSpec> others = {});
// What is wrong with them.
std::vector<Complaint> check_switched_joint(const Element& joint, const Model& model);
std::vector<Complaint> check_restitution(const Element& element, const std::string& field);
std::vector<Complaint> check_friction(const Element& element, const char* coefficient, const char* resting);
// Their rows, behind those of the joint.
template <int D>
void expand_switched_joint(const Element& joint,
                           const JointRules<D>& rules,
                           const JointFramesOf<D>& frames,
                           Expansion<D>& model);

// ---- joints that come and go (switching/joint_switch.cpp)

const ElementRecord& joint_switch_record();
// What is wrong with the switches of a model that is sound otherwise, by their paths.
std::vector<Complaint> check_joint_switches(const Model& model);
// Whether a joint or driver comes and goes, and whether it is there when a run starts: unless its first switch is "on".
struct JointComings {
  bool switches = false, starts_on = true;
};
JointComings comings_of(const Model& model, const std::string& joint);
TriggerSpec trigger_of(const Element& joint_switch);  // its `of_state` is left to who knows outputs

// ---- frames of joints

// Frames with the origins at the points `a` and `b`, the first along the field `axis`, given in the frame of the body of `a`:
// its x in the plane, where M has the axes of its body; its z in space, where M is aligned with F in the initial position,
// so that the angle counts from there. With a field `axis_b` z of M is along that (axes are lines: whichever way it points),
// and the rest of M as near to F as can be.
template <int D>
JointFramesOf<D> axis_frames(const Element& joint, const Expansion<D>& model);
// The same for joints without an axis: the axes are those of the body of `a`.
template <int D>
JointFramesOf<D> point_frames(const Element& joint, const Expansion<D>& model);
// The same for joints whose `a` and `b` are bodies: the origins are the centres of mass.
template <int D>
JointFramesOf<D> body_frames(const Element& joint, const Expansion<D>& model);
// In the plane: a frame at a point with x along the field `axis`.
JointFrameOf<2> frame_along(const PointOf<2>& p, const Element& joint);

// ---- joints that build on other joints

// The joint of that name, and its record.
const Element& joint_called(const std::string& name, const Model& model);
const JointRecord& record_of_joint(const Element& joint);
// Frames of a joint of the model.
template <int D>
JointFramesOf<D> frames_of(const std::string& joint, const Expansion<D>& model) {
  const Element& element = joint_called(joint, model.model());
  return record_of_joint(element).template rules<D>().frames(element, model);
}
// Which coordinate of a joint an element means: the one it names, or the first.
std::string chosen_coordinate(const Element& element,
                              const char* joint_field,
                              const char* coordinate_field,
                              const Model& model);
// "a joint with a coordinate of its own, of type 'revolute', …": for messages.
std::string joint_with_coordinate(Space space);
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
