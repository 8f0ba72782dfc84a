// An output type: what it is called, its fields, and how it compiles into a channel, which reads one number off a motion. One file
// per type, one line in outputs.def.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "driftless/core/errors.hpp"
#include "driftless/forces/force_kinds.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/model/model.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {

// One component of what a joint exerts on its second body.
struct ReactionPick {
  int joint = -1;     // in the order of joint_names(); −1: none
  int component = 0;  // fx, fy, fz, tx, ty, tz
  bool joint_axes = false;

  double of(const std::vector<JointReaction>& reactions) const;
};

// A factor of the multiplier of a row.
struct MultiplierPick {
  std::string row = {};  // empty: none
  double factor = 1;
};

// A deflection, strain or section force of a flexible body at a place of its axis.
struct BeamPick {
  int slot = -1;  // −1: none
  int body = 0, element = 0;
  double xi = 0;
  std::string value;    // of the output type `beam`
  double y = 0, z = 0;  // strain, stress: where in the section
  bool chord = false;   // deflections from the line between the ends
};

// What a channel may look at: places and velocities, and accelerations where it asked for them.
template <int D>
struct MotionOf : ViewOf<double, D> {
  const TwistOf<double, D>* accelerations = nullptr;  // of the bodies, ground last; null: not asked for
};

// An output channel, compiled. One of measure, reaction, multiplier, beam and combine says what it reads.
template <int D>
struct OutputChannel {
  using Measure = std::function<double(const MotionOf<D>& motion)>;
  std::string name, unit;
  Measure measure = {};
  ReactionPick reaction = {};
  Measure rate = {};  // given: `measure` is an angle known modulo 2π, this its rate, both in rad
  bool needs_accelerations = false;
  MultiplierPick multiplier = {};
  BeamPick beam = {};  // given: the system reads it off its elastic coordinates
  // From the channels before it, once their turns are counted.
  std::function<double(double t, std::span<const double> channels)> combine = {};
  double factor = 1;  // of what is shown: 180/π for degrees; applied by combine_channels
};

// Where the element of a force stands among all: batch of its kind, and place in it.
struct ForcePlace {
  size_t kind = 0, index = 0;
};

// Where a joint sits: its reaction acts on the second body at the origin of the second frame; its components are given along
// the axes of the world and along those of `axes`, one of the two.
template <int D>
struct JointPlaceOf {
  std::string name;
  JointFramesOf<D> frames;
  JointFrameOf<D> axes;
};

// What a channel is compiled from.
template <int D>
struct OutputContext {
  const Model& model;
  const Expansion<D>& expansion;  // for points, directions and bodies
  const std::vector<JointPlaceOf<D>>& joints;
  const Forces<D>& forces;
  const std::vector<ForcePlace>& force_places;
  const std::vector<OutputChannel<D>>& before;  // channels of the outputs listed before this one
};

// `trouble`: what was expected instead; empty: nothing.
template <int D>
using CompileOutput = OutputChannel<D> (*)(const Element& output,
                                           const OutputContext<D>& context,
                                           std::string& trouble);

struct OutputRecord {
  ElementRecord element;
  CompileOutput<2> compile_planar = nullptr;
  CompileOutput<3> compile_spatial = nullptr;
  // Found from places and velocities alone, so that a stop condition may use it.
  bool is_of_state = true;

  template <int D>
  CompileOutput<D> compile() const {
    if constexpr (D == 2)
      return compile_planar;
    else
      return compile_spatial;
  }
};

std::span<const OutputRecord* const> output_records();

// Whether a stop condition may use the output: it, and those it is computed from, are of places and velocities.
bool is_of_state(const Element& output, const Model& model);

// All channels of a model; what makes no sense is added to `complaints`, what elements ask of slots that these have not to
// `refused`. Sections of flexible bodies that nothing but an output looks at are added to `sections`.
template <int D>
std::vector<OutputChannel<D>> compile_outputs(const Model& model,
                                              const std::vector<JointPlaceOf<D>>& joints,
                                              const Forces<D>& forces,
                                              const std::vector<ForcePlace>& force_places,
                                              std::vector<SectionSlot>& sections,
                                              std::vector<Complaint>& refused,
                                              std::vector<Complaint>& complaints);

// ---- fields most outputs have

FieldSpec choice_field(const char* name,
                       const char* help,
                       std::vector<std::string> choices,
                       Spaces spaces = Spaces::both);
// "unit": "rad" (default) or "deg".
FieldSpec angle_unit_field();
// The channel shows its angle, or its rate, in the unit the output asks for.
template <int D>
OutputChannel<D> in_angle_unit(OutputChannel<D> channel, const Element& output);

// ---- evaluation

// Where the multipliers are that channels read; −1: it reads none.
template <int D>
std::vector<int> multiplier_rows(const std::vector<OutputChannel<D>>& channels, const Layout& layout) {
  std::vector<int> rows(channels.size(), -1);
  for (size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].multiplier.row.empty()) continue;
    const auto found =
        std::find(layout.row_names.begin(), layout.row_names.end(), channels[i].multiplier.row);
    rows[i] = static_cast<int>(found - layout.row_names.begin());
  }
  return rows;
}

// All channels at one state of `system`, with its terms there; reactions of joints are asked for, into `reactions`, if a
// channel reads one; `rows` are kept from call to call. Angles are in rad, and what combines others is left alone: combine_channels() finishes.
template <int D>
void measure_channels(const std::vector<OutputChannel<D>>& channels,
                      const MotionOf<D>& motion,
                      const ObservableSystem& system,
                      ConstVec q,
                      ConstVec v,
                      const Reaction& reaction,
                      Terms& terms,
                      std::vector<JointReaction>& reactions,
                      std::vector<int>& rows,
                      VecRef out) {
  bool asked = false;
  if (rows.size() != channels.size()) rows = multiplier_rows(channels, system.layout());
  for (size_t i = 0; i < channels.size(); ++i) {
    double& value = out[static_cast<Eigen::Index>(i)];
    if (channels[i].beam.slot >= 0) continue;
    if (channels[i].measure) {
      value = channels[i].measure(motion);
      continue;
    }
    if (channels[i].combine) {
      value = 0;
      continue;
    }
    if (rows[i] >= 0) {
      value = reaction.lambda.size() > rows[i] ? channels[i].multiplier.factor * reaction.lambda[rows[i]] : 0;
      continue;
    }
    if (!asked) system.observe_reactions(motion.t, q, v, reaction, terms, reactions);
    asked = true;
    value = channels[i].reaction.of(reactions);
  }
}

// The last touch, when turns have been counted: units, and outputs that combine others. In the order of the list.
template <int D>
void combine_channels(const std::vector<OutputChannel<D>>& channels, double t, VecRef out) {
  for (size_t i = 0; i < channels.size(); ++i) {
    double& value = out[static_cast<Eigen::Index>(i)];
    if (channels[i].combine)
      value = channels[i].combine(t, {out.data(), i});
    else if (channels[i].factor != 1)
      value *= channels[i].factor;
  }
}

template <int D>
std::vector<int> wrapped_channels(const std::vector<OutputChannel<D>>& channels) {
  std::vector<int> indices;
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].rate) indices.push_back(static_cast<int>(i));
  return indices;
}

// Angles of the channels known modulo 2π and their rates, in the order of wrapped_channels().
template <int D>
void measure_wrapped(const std::vector<OutputChannel<D>>& channels,
                     const MotionOf<D>& motion,
                     VecRef value,
                     VecRef rate) {
  Eigen::Index k = 0;
  for (const auto& channel : channels) {
    if (!channel.rate) continue;
    value[k] = channel.measure(motion);
    rate[k++] = channel.rate(motion);
  }
}

}  // namespace driftless
