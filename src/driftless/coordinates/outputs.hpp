// Output channels of models: what can be read off a motion by name. outputs.cpp has the types, output_channels.cpp compiles them
// into channels, in the plane and in space.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "driftless/core/errors.hpp"
#include "driftless/forces/force_element.hpp"
#include "driftless/model/model.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {

std::span<const ElementRecord* const> output_records();

// One component of what a joint exerts on its second body.
struct ReactionPick {
  int joint = -1;     // in the order of joint_names(); −1: none
  int component = 0;  // fx, fy, fz, tx, ty, tz
  bool joint_axes = false;

  double of(const std::vector<JointReaction>& reactions) const;
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

// An output channel, compiled: reads one number off a motion.
template <int D>
struct OutputChannel {
  using View = ViewOf<double, D>;
  std::string name, unit;
  std::function<double(const View& view)> measure;  // null: reads `reaction`
  ReactionPick reaction = {};
  std::function<double(const View& view)> rate =
      {};              // given: `measure` is an angle known modulo 2π, this its rate
  BeamPick beam = {};  // given: the system reads it off its elastic coordinates
};

// All channels at one state of `system`, with its terms there; reactions of joints are asked for, into `reactions`, if a
// channel reads one.
template <int D>
void measure_channels(const std::vector<OutputChannel<D>>& channels,
                      const ViewOf<double, D>& view,
                      const ObservableSystem& system,
                      ConstVec q,
                      ConstVec v,
                      const Reaction& reaction,
                      Terms& terms,
                      std::vector<JointReaction>& reactions,
                      VecRef out) {
  bool asked = false;
  for (size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].beam.slot >= 0) continue;
    if (channels[i].measure) {
      out[static_cast<Eigen::Index>(i)] = channels[i].measure(view);
      continue;
    }
    if (!asked) system.observe_reactions(view.t, q, v, reaction, terms, reactions);
    asked = true;
    out[static_cast<Eigen::Index>(i)] = channels[i].reaction.of(reactions);
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
                     const ViewOf<double, D>& view,
                     VecRef value,
                     VecRef rate) {
  Eigen::Index k = 0;
  for (const auto& channel : channels) {
    if (!channel.rate) continue;
    value[k] = channel.measure(view);
    rate[k++] = channel.rate(view);
  }
}

}  // namespace driftless
