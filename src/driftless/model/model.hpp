// A mechanism, as an engineer describes it: bodies, joints, drivers, forces, where it starts, what to record. A plain
// value; names connect things; nothing here knows coordinates or equations. SI units, radians.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/core/errors.hpp"
#include "driftless/model/fields.hpp"
#include "driftless/model/flexible_spec.hpp"
#include "driftless/model/shape.hpp"

namespace driftless {

// A point or, among axes, a direction of any length but zero.
struct NamedPoint {
  std::string name;
  Vec3 at = Vec3::Zero();  // body frame
};

struct Body {
  std::string name;
  double mass = 0;                     // kg, > 0
  double inertia = 0;                  // planar: about the centre of mass, kg m², > 0
  Vec3 center_of_mass = Vec3::Zero();  // body frame
  std::vector<NamedPoint> points;      // body frame
  // Where the body frame starts (rough is good enough: assembly closes the joints) and how it moves.
  Vec3 position = Vec3::Zero();  // of the body frame's origin
  double angle = 0;              // planar
  Vec3 velocity = Vec3::Zero();  // of the body frame's origin
  double angular_velocity = 0;   // planar
  // Spatial.
  std::vector<NamedPoint> axes;                              // named directions, body frame
  Eigen::Matrix3d inertia_tensor = Eigen::Matrix3d::Zero();  // about the centre of mass, body axes, kg m²
  Eigen::Vector4d orientation{1, 0, 0, 0};                   // unit quaternion w, x, y, z: body → world
  Vec3 spin = Vec3::Zero();                                  // angular velocity, world axes
  std::vector<Shape> shapes;                                 // what it looks like; none: made up when drawn
  // What is not a rigid body. A point mass has mass and place, no inertia and no attitude; of a flexible body mass, inertia
  // and centre of mass follow from its mesh.
  bool point = false;
  std::optional<FlexibleSpec> flexible;
  bool is_rigid() const { return !point && !flexible; }
};

// Value and rate a joint's own coordinate starts with ("angle" of a revolute, "displacement" of a translational).
struct JointStart {
  std::string joint;
  std::optional<double> value;
  std::optional<double> rate;
  std::string coordinate = {};  // of joints with several; empty: the joint's first
};

struct Initial {
  std::vector<JointStart> joints;
  std::vector<std::string> hold;  // coordinates assembly must not move ("crank.theta")
};

// Run settings a model file carries; the command line overrides them.
struct RunSettings {
  std::optional<double> t_end, rtol, atol, step, initial_step, max_step, output_step, drift_limit;
  std::optional<long> max_steps;
  std::optional<std::string> coordinates, formulation, integrator, stabilization;
  std::optional<std::string> record;  // "all": outputs that nobody declared, too; "declared"
  std::map<std::string, std::string> options;
};

// A stop condition: the run ends where an output channel passes a value.
struct StopWhen {
  std::string output;
  double crosses = 0;
  std::string direction = "any";  // any, up, down
};

// A number with a name, fixed when the model is read: every number of a model file may be an expression in them. A model that
// a program builds has none: there the language has names for numbers.
struct Parameter {
  std::string name;  // those of an included file with its prefix
  double value = 0;
  std::string unit;
  std::optional<double> min, max;
  std::string text;                  // the expression it was given by; empty: a number
  bool set = false;                  // the caller's value has taken the place of the file's
  std::vector<std::string> used_in;  // JSON paths
};

// A value that lives while a run goes on: laws of forces read it by its name. It is a function of time, an expression in outputs
// and other inputs, or what a program computes from t and from the values it reads, in the order of `reads`.
struct Input {
  std::string name;
  TimeFunction value;
  std::string unit = {};
  double every = 0;  // s; > 0: taken at multiples of this time, and held in between
  std::function<double(double t, std::span<const double> read)> function = {};  // instead of `value`
  std::vector<std::string> reads = {};                                          // by `function`
  bool set = false;  // the caller's value has taken the place of the file's

  // The signals it depends on.
  const std::vector<std::string>& signals() const { return function ? reads : value.signals(); }
};

// New values by name.
using ParameterValues = std::map<std::string, double>;

// What a model was read from.
struct ModelText {
  std::string text, source;
};

struct Model {
  std::string name;
  std::string description;
  Space space = Space::planar;
  Vec3 gravity = Vec3::Zero();  // explicit: a model without it floats
  std::vector<NamedPoint> ground_points;
  std::vector<NamedPoint> ground_axes;  // spatial
  std::vector<Shape> ground_shapes;
  std::vector<Body> bodies;
  std::vector<Element> joints;
  std::vector<Element> drivers;
  std::vector<Element> contacts;
  std::vector<Element> forces;
  std::vector<Element> outputs;
  std::vector<Element> switches;  // joints and drivers that come and go
  Initial initial;
  RunSettings simulate;
  std::vector<StopWhen> stop_when;
  std::vector<Parameter> parameters;
  std::vector<Input> inputs;
  std::shared_ptr<const ModelText> origin;  // null: built by a program

  const Body* find_body(std::string_view name) const;
  bool all_rigid() const;
  // Contacts, stops, dry friction, clutches, joints that are switched: constraints that come and go.
  bool has_switched_rows() const { return !switched_rows().empty(); }
  std::string switched_rows() const;  // one of them, in words; empty: none
};

// The element types a model may use; coordinates/catalogue.hpp has the built-in ones.
struct Catalogue {
  std::vector<const ElementRecord*> joints, drivers, forces, outputs, contacts = {}, switches = {};
};

// Everything wrong with a model at once, each entry by its JSON path ("joints[2].b"). Empty: the model is sound.
std::vector<Complaint> validate(const Model& model, const Catalogue& catalogue);

}  // namespace driftless
