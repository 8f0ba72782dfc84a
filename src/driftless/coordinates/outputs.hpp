// Output channels of models: what can be read off a motion by name. The types of outputs are the same in planar and spatial
// models; planar_outputs.cpp and spatial_outputs.cpp compile them into channels.
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

// An output channel, compiled: reads one number off a motion, seen as a PlanarView or a SpatialView.
template <class View>
struct OutputChannel {
  std::string name, unit;
  std::function<double(const View& view)> measure;  // null: reads `reaction`
  ReactionPick reaction = {};
  std::function<double(const View& view)> rate =
      {};  // given: `measure` is an angle known modulo 2π, this its rate
};

// All channels at one state of `system`, with its terms there; reactions of joints are asked for, into `reactions`, if a
// channel reads one.
template <class View>
void measure_channels(const std::vector<OutputChannel<View>>& channels,
                      const View& view,
                      const ObservableSystem& system,
                      ConstVec q,
                      ConstVec v,
                      const Reaction& reaction,
                      Terms& terms,
                      std::vector<JointReaction>& reactions,
                      VecRef out) {
  bool asked = false;
  for (size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].measure) {
      out[static_cast<Eigen::Index>(i)] = channels[i].measure(view);
      continue;
    }
    if (!asked) system.observe_reactions(view.t, q, v, reaction, terms, reactions);
    asked = true;
    out[static_cast<Eigen::Index>(i)] = channels[i].reaction.of(reactions);
  }
}

template <class View>
std::vector<int> wrapped_channels(const std::vector<OutputChannel<View>>& channels) {
  std::vector<int> indices;
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].rate) indices.push_back(static_cast<int>(i));
  return indices;
}

// Angles of the channels known modulo 2π and their rates, in the order of wrapped_channels().
template <class View>
void measure_wrapped(const std::vector<OutputChannel<View>>& channels,
                     const View& view,
                     VecRef value,
                     VecRef rate) {
  Eigen::Index k = 0;
  for (const auto& channel : channels) {
    if (!channel.rate) continue;
    value[k] = channel.measure(view);
    rate[k++] = channel.rate(view);
  }
}

// ---- what both kinds of models compile in the same way ------------------------------------------------------------

// What is wrong with an output, in words; empty: nothing.
struct OutputTrouble {
  std::string expected;
};

template <class View>
OutputChannel<View> reaction_channel(const Element& output, const Model& model) {
  OutputChannel<View> channel;
  channel.name = output.name;
  int index = 0;
  const std::string& wanted = output.get<std::string>("joint");
  for (const auto* list : {&model.joints, &model.drivers})
    for (const Element& element : *list) {
      if (element.name == wanted) channel.reaction.joint = index;
      ++index;
    }
  const std::string& component = output.get<std::string>("component");
  channel.reaction.component = component[1] - 'x' + (component[0] == 't' ? 3 : 0);
  channel.reaction.joint_axes = output.has("frame") && output.get<std::string>("frame") == "joint";
  channel.unit = component[0] == 't' ? "N m" : "N";
  return channel;
}

// A channel on one force element, whatever its kind: the element says what it measures.
template <class View, class Kind>
OutputChannel<View> element_channel(const Element& output, const Kind& element, OutputTrouble& trouble) {
  if constexpr (requires { Kind::outputs; }) {
    const std::string& value = output.get<std::string>("value");
    for (size_t k = 0; k < Kind::outputs.size(); ++k) {
      if (value != Kind::outputs[k].name) {
        trouble.expected += std::string(k > 0 ? ", '" : "'") + Kind::outputs[k].name + "'";
        continue;
      }
      trouble.expected.clear();
      return {output.name, Kind::outputs[k].unit,
              [element, k](const View& view) { return element.measure(k, view); }};
    }
  } else {
    trouble.expected = "a force with values to read: tsda, rsda, bushing or tyre";
  }
  return {};
}

}  // namespace driftless
