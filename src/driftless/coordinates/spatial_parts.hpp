// A spatial model, expanded: what every coordinate set compiles from, and what does not depend on coordinates (forces,
// energies, outputs, reactions), evaluated from frames and twists of the bodies.
#pragma once

#include <string>
#include <vector>

#include "driftless/constraints/spatial_expansion.hpp"
#include "driftless/coordinates/outputs.hpp"
#include "driftless/forces/spatial_forces.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/probe.hpp"

namespace driftless {

using SpatialChannel = OutputChannel<SpatialView>;

// Where the element of a force stands among all: batch of its kind, and place in it.
struct ForcePlace {
  size_t kind = 0, index = 0;
};

// Where a joint sits: its reaction acts on the second body at the origin of the second frame.
struct JointPlace {
  std::string name;
  JointFrames frames;
};

// What one worker needs of a spatial model between stages.
struct SpatialWork {
  std::vector<SpatialFrame<double>> frames;  // bodies, then ground
  std::vector<Twist> twists;                 // bodies, then ground at rest
  std::vector<Vec3> x, xdot, bias;           // markers
  std::vector<double> s, sdot;               // scalars
  std::vector<Vec3> dx;                      // gradients of the vector pairs of the rows
  std::vector<double> ds;                    // gradients of the scalar pairs of the rows
  std::vector<Wrench> wrenches;              // bodies, then ground
  std::vector<double> loads;                 // on scalars
  Vec curvature;                             // of the rows
  std::vector<JointReaction> reactions;      // measure()

  SpatialView view(double t) const { return {frames.data(), twists.data(), s.data(), sdot.data(), t}; }
  Places<double, 3> places(double t) const { return {x.data(), s.data(), t}; }
  Moving<3> moving(double t) const { return {places(t), xdot.data(), sdot.data()}; }
};

struct SpatialParts {
  std::vector<std::string> body_names;
  std::vector<double> masses;
  std::vector<Mat3> inertias;  // about the centre of mass, body axes
  std::vector<Marker<3>> markers;
  std::vector<Scalar> scalars;
  RowSet<3> rows;
  SpatialForces forces;
  std::vector<ForcePlace> force_places;  // in the order of the model
  std::vector<SpatialChannel> channels;
  std::vector<JointPlace> joints;
  std::vector<int> joint_of_row;  // index into `joints`; −1: a row of something else
  Vec3 gravity = Vec3::Zero();
  double length = 1;
  std::vector<SpatialFrame<double>> start;  // as the file gives it; ground last
  std::vector<Twist> start_twists;          // likewise

  size_t bodies() const { return masses.size(); }
  SpatialWork make_work() const;
  void assign_rows();  // fills joint_of_row; after rows.finish()

  // Markers from frames; their velocities and biases ω × (ω × a) from frames and twists.
  void place_markers(SpatialWork& work) const;
  void move_markers(SpatialWork& work) const;
  // Gravity and all forces: wrenches about the centres of mass, loads on scalars.
  void apply_forces(double t, SpatialWork& work) const;
  double potential(double t, const SpatialWork& work) const;
  double power(double t, const SpatialWork& work) const;
  bool exchanges_energy() const;
  std::vector<double> break_times(double t0, double t1) const;
  std::vector<Probe> probes() const;
  void probe_places(const SpatialWork& work, VecRef x) const;  // from frames and scalars
  // All channels of `system`, whose state `work`, the scratch of `terms`, holds.
  void measure(const ObservableSystem& system,
               double t,
               ConstVec q,
               ConstVec v,
               const Reaction& reaction,
               Terms& terms,
               SpatialWork& work,
               VecRef out) const {
    measure_channels(channels, work.view(t), system, q, v, reaction, terms, work.reactions, out);
  }
  std::vector<std::string> channel_names() const;
  std::vector<std::string> channel_units() const;
  std::vector<std::string> joint_names() const;
};

// What a start wants of joints or bodies, held by rows of auxiliary systems: a coordinate of a joint ("angle",
// "displacement") follows f, or a body's centre of mass keeps its "x", "y", "z", or the body its "orientation".
struct Prescribed {
  std::string element;  // joint or body
  std::string coordinate;
  bool of_body = false;
  TimeFunction f = {};
};

// What `initial` of the file asks for; InputError if a joint has no such coordinate.
struct SpatialStart {
  std::vector<Prescribed> values, rates;
};
SpatialStart spatial_start(const Model& model, const std::string& source);

// What is a coordinate and therefore no row: a set that stands on a tree of joints leaves these out.
struct NotRows {
  std::vector<bool> joints = {};                          // of the model; empty: none
  std::function<bool(const Scalar&)> is_coordinate = {};  // null: no scalar is
};

// The model's parts: all elements expanded, then `prescribed`; scalars are defined by rows of their own.
SpatialParts expand_spatial(const Model& model,
                            const std::vector<Prescribed>& prescribed,
                            const NotRows& left_out = {});

// The same with output channels, for the system that is integrated; InputError about channels that make no sense.
SpatialParts expand_spatial_model(const Model& model,
                                  const std::string& source,
                                  const NotRows& left_out = {});

// Output channels of a spatial model (coordinates/spatial_outputs.cpp); what makes no sense is added to `complaints`.
std::vector<SpatialChannel> compile_spatial_outputs(const Model& model,
                                                    const SpatialParts& parts,
                                                    std::vector<Complaint>& complaints);

// Force and torque of every joint on its second body, from the gradients of the rows in `work` and their multipliers:
//   F = −Σ λ ∂g/∂x over points of that body,  T = −Σ λ (x − p) × ∂g/∂x − Σ λ u × ∂g/∂u over its directions              (1)
// and −λ ∂g/∂s times what a unit load on the scalar does to the body: ∂s/∂x in the place of ∂g/∂x                        (2)
void joint_reactions(const SpatialParts& parts,
                     const SpatialWork& work,
                     ConstVec lambda,
                     std::vector<JointReaction>& out);

}  // namespace driftless
