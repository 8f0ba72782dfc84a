// A model, expanded: what every coordinate set compiles from, and what does not depend on coordinates (forces, energies,
// outputs, reactions), evaluated from frames and twists of the bodies.
#pragma once

#include <algorithm>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "driftless/constraints/expansion.hpp"
#include "driftless/forces/force_kinds.hpp"
#include "driftless/joints/gears/teeth.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/outputs/output_record.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/probe.hpp"
#include "driftless/system/switching/switched_rows.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

// What one worker needs of a model between stages.
template <int D>
struct WorkOf {
  using V = VecOf<double, D>;
  std::vector<FrameOf<double, D>> frames;     // slots: bodies, ground, sections of flexible bodies
  std::vector<TwistOf<double, D>> twists;     // likewise, ground at rest
  std::vector<V> x, arm;                      // markers; arm: from the centre of mass, of a direction itself
  std::vector<V> xdot, bias;                  // of the swift ones
  std::vector<double> s, sdot;                // scalars
  std::vector<V> dx;                          // gradients of the vector pairs of the rows
  std::vector<double> ds;                     // gradients of the scalar pairs of the rows
  std::vector<WrenchOf<double, D>> wrenches;  // on slots
  std::vector<double> loads;                  // on scalars
  Vec curvature;                              // of the rows
  std::vector<JointReaction> reactions;       // measure()
  std::vector<int> multiplier_rows;           // likewise
  const Mode* mode = nullptr;                 // of the run; null: branches are taken as they come
  std::vector<TwistOf<double, D>> accelerations;  // bodies, then ground; where a channel reads them

  ViewOf<double, D> view(double t) const {
    return {frames.data(), twists.data(), s.data(), sdot.data(), t, mode};
  }
  MotionOf<D> motion(double t) const { return {view(t), accelerations.data()}; }
  Places<double, D> places(double t) const { return {x.data(), s.data(), t}; }
  Moving<D> moving(double t) const { return {places(t), xdot.data(), sdot.data()}; }
};

// About the centre of mass: a number in the plane, a tensor in body axes in space.
template <int D>
using InertiaOf = std::conditional_t<D == 2, double, Mat3>;

// An input that is taken at multiples of a time and held in between.
template <int D>
struct SampledInput {
  std::string name;
  double every = 1;
  SignalPtr<D> source;
  int mode = 0;  // its place among Mode::values: how many times it has been taken
};
template <int D>
struct InputSignal {
  std::string name, unit;
  SignalPtr<D> value;  // as laws see it
};

template <int D>
struct Parts {
  using V = VecOf<double, D>;
  std::vector<std::string> body_names;
  std::vector<double> masses;
  std::vector<InertiaOf<D>> inertias;  // of rigid bodies
  std::vector<SectionSlot> sections;   // slots behind that of the ground
  std::vector<Complaint> refused;      // what elements ask of slots that these have not; by names of elements
  std::vector<Marker<D>> markers;
  std::vector<ScalarOf<D>> scalars;
  RowSet<D> rows;
  Forces<D> forces;
  std::vector<ForcePlace> force_places;  // in the order of the model
  std::vector<OutputChannel<D>> channels;
  std::vector<JointPlaceOf<D>> joints;
  std::vector<Teeth<D>> teeth;
  std::vector<InputSignal<D>> inputs;
  std::vector<SampledInput<D>> sampled;
  struct Mover {  // a marker that is not on ground
    int marker, body;
    V at;
  };
  std::vector<Mover> moving_points, moving_directions;
  std::vector<int> swift;         // those of them whose velocities some row asks for
  std::vector<int> joint_of_row;  // index into `joints`; −1: a row of something else
  SwitchedSpecs switched;         // rows that come and go
  V gravity = V::Zero();
  std::vector<WrenchOf<double, D>> weights;  // per slot
  double length = 1;
  std::vector<FrameOf<double, D>> start;         // as the file gives it; ground last
  std::vector<TwistOf<double, D>> start_twists;  // likewise

  std::vector<Switch> switches;    // of forces, in the order of Mode::values
  const Mode* run_mode = nullptr;  // of the run these parts are a copy for; null: none

  size_t bodies() const { return masses.size(); }
  size_t slots() const { return bodies() + 1 + sections.size(); }
  WorkOf<D> make_work() const;
  // Fills joint_of_row, the moving markers, those that are swift, and weights; after rows.finish().
  void assign_rows();

  // Markers from frames; velocities and biases of the swift ones from frames and twists, bias(marker) as the coordinates have it.
  void place_markers(WorkOf<D>& work) const;
  template <class Bias>
  void move_markers(WorkOf<D>& work, const Bias& bias) const {
    for (const int i : swift) {
      const Marker<D>& marker = markers[size_t(i)];
      const TwistOf<double, D>& twist = work.twists[size_t(marker.body)];
      V& rate = work.xdot[size_t(i)];
      put_swing(twist.omega, work.arm[size_t(i)], rate);
      if (marker.kind == MarkerKind::point) rate += twist.r;
      work.bias[size_t(i)] = bias(i);
    }
  }
  // ω × (ω × a): the bias of a marker on a body that does not accelerate.
  [[gnu::always_inline]] V whirl(const WorkOf<D>& work, int marker) const {
    const SpinOf<double, D>& omega = work.twists[size_t(markers[size_t(marker)].body)].omega;
    return swing(omega, V(swing(omega, work.arm[size_t(marker)])));
  }
  // Gravity and all forces: wrenches about the centres of mass, loads on scalars.
  void apply_forces(double t, WorkOf<D>& work) const;
  double potential(double t, const WorkOf<D>& work) const;
  double power(double t, const WorkOf<D>& work) const;
  bool exchanges_energy() const;
  std::vector<double> break_times(double t0, double t1) const;
  std::vector<Probe> probes() const;
  void probe_places(const WorkOf<D>& work, VecRef x) const;  // from frames and scalars
  // ---- switching (parts_switching.cpp); `work` holds places and velocities
  void number_switches(const Model& model);
  int root_count() const;
  Mode make_mode() const;
  double& held(const SampledInput<D>& input, Mode& mode) const {
    return mode.held[mode.held.size() - sampled.size() + size_t(&input - sampled.data())];
  }
  bool is_quiet(int root) const { return switches[size_t(root) / 2].quiet; }
  void begin_mode(double t, const WorkOf<D>& work, Mode& mode) const;
  void roots(double t, const WorkOf<D>& work, VecRef values, VecRef rates) const;
  void cross(std::span<const int> fired, double t, const WorkOf<D>& work, Mode& mode, Transition& out) const;

  bool needs_accelerations() const;  // some channel does
  // All channels of `system`, whose state `work`, the scratch of `terms`, holds, with accelerations if they are needed.
  void measure(const ObservableSystem& system,
               double t,
               ConstVec q,
               ConstVec v,
               const Reaction& reaction,
               Terms& terms,
               WorkOf<D>& work,
               VecRef out) const {
    measure_channels(channels, work.motion(t), system, q, v, reaction, terms, work.reactions,
                     work.multiplier_rows, out);
  }
  std::vector<std::string> channel_names() const;
  std::vector<std::string> channel_units() const;
  std::vector<std::string> joint_names() const;
};

using SpatialWork = WorkOf<3>;
using SpatialParts = Parts<3>;

// The rows of a model that come and go; `row_at` numbers rows of the parts in the layout.
template <int D, class RowAt>
SwitchedRows switched_rows(const Parts<D>& parts, RowAt&& row_at) {
  const int first = static_cast<int>(parts.switches.size());
  if (parts.switched.empty()) return SwitchedRows(first);
  const auto& names = parts.rows.names();
  SwitchedPlaces places;
  places.row_of = [&](const std::string& name) {
    return row_at(static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
  };
  places.rows_of = [&](const std::string& joint) {  // what presses on a pin or a slider
    std::vector<int> rows;
    for (const char* label : {"x", "y", "z", "normal", "normal_1", "normal_2"})
      if (const auto found = std::find(names.begin(), names.end(), joint + "." + label); found != names.end())
        rows.push_back(row_at(static_cast<int>(found - names.begin())));
    return rows;
  };
  places.rows_of_blocks = [&](int begin, int end) {
    std::vector<int> rows;
    for (int row = 0; row < parts.rows.rows(); ++row)
      if (const int block = parts.rows.block_of()[size_t(row)]; block >= begin && block < end)
        rows.push_back(row_at(row));
    return rows;
  };
  const auto index_of = [](const auto& list, const std::string& name) {
    return static_cast<int>(
        std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; }) -
        list.begin());
  };
  places.output_of = [&](const std::string& name) { return index_of(parts.channels, name); };
  places.period_of = [&](int channel) {
    if (parts.channels.empty())
      return 0.0;  // a system for the start alone: measures nothing, switches nothing
    const OutputChannel<D>& one = parts.channels[size_t(channel)];
    return D == 3 && one.rate ? 2 * std::numbers::pi * one.factor : 0.0;
  };
  places.joint_of = [&](const std::string& name) { return index_of(parts.joints, name); };
  return SwitchedRows(parts.switched, places, first, parts.length);
}

// What a start wants of joints or bodies, held by rows of auxiliary systems: a coordinate of a joint ("angle",
// "displacement") follows f, or, in space, a body's centre of mass keeps its "x", "y", "z", or the body its "orientation".
struct Prescribed {
  std::string element;  // joint or body
  std::string coordinate;
  bool of_body = false;
  TimeFunction f = {};
};

// What `initial` of the file asks for; InputError if a joint has no such coordinate.
struct PrescribedStart {
  std::vector<Prescribed> values, rates;
};
template <int D>
PrescribedStart prescribed_start(const Model& model, const std::string& source);

// What is a coordinate and therefore no row: a set that stands on a tree of joints leaves these out.
template <int D>
struct NotRowsOf {
  std::vector<bool> joints = {};                               // of the model; empty: none
  std::function<bool(const ScalarOf<D>&)> is_coordinate = {};  // null: no scalar is
};
using NotRows = NotRowsOf<3>;
// In the plane the angles of bodies are coordinates of sets that count turns.
inline const NotRowsOf<2> kAnglesAreCoordinates = {{}, [](const ScalarOf<2>&) { return true; }};

// The model's parts: all elements expanded, then `prescribed`; scalars are defined by rows of their own.
template <int D>
Parts<D> expand(const Model& model,
                const std::vector<Prescribed>& prescribed,
                const NotRowsOf<D>& left_out = {});

// The same with output channels, for the system that is integrated; InputError about channels that make no sense.
template <int D>
Parts<D> expand_model(const Model& model, const std::string& source, const NotRowsOf<D>& left_out = {});
inline SpatialParts expand_spatial_model(const Model& model,
                                         const std::string& source,
                                         const NotRows& left_out = {}) {
  return expand_model<3>(model, source, left_out);
}

// InputError if elements ask of slots what these have not: the attitude of a point mass.
template <int D>
void check_refused(const Model& model, const Parts<D>& parts, const std::string& source);

// Force and torque of every joint on its second body, in world axes, from the gradients of the rows in `work` and their
// multipliers:
//   F = −Σ λ ∂g/∂x over points of that body,  T = −Σ λ (x − p) × ∂g/∂x − Σ λ u × ∂g/∂u over its directions              (1)
// and −λ ∂g/∂s times what a unit load on the scalar does to the body: ∂s/∂x in the place of ∂g/∂x                        (2)
template <int D>
void row_reactions(const Parts<D>& parts,
                   const WorkOf<D>& work,
                   ConstVec lambda,
                   std::vector<JointReaction>& out);
// What is left when all joints have their forces and torques: the push of teeth, teeth.hpp (5), and the components along
// the joints' own axes.
template <int D>
void finish_reactions(const Parts<D>& parts, const WorkOf<D>& work, std::vector<JointReaction>& out);
template <int D>
void joint_reactions(const Parts<D>& parts,
                     const WorkOf<D>& work,
                     ConstVec lambda,
                     std::vector<JointReaction>& out) {
  row_reactions(parts, work, lambda, out);
  finish_reactions(parts, work, out);
}

}  // namespace driftless
