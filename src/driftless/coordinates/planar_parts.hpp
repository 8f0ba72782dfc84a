// What a planar mechanism is made of, whatever its coordinates: bodies, constraint blocks, force elements, output
// channels. Elements of one kind stand in one batch.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "driftless/constraints/planar_blocks.hpp"
#include "driftless/coordinates/batches.hpp"
#include "driftless/coordinates/outputs.hpp"
#include "driftless/forces/planar_forces.hpp"

namespace driftless {

// A block together with the row it starts at.
template <class Block>
struct Placed {
  Block block;
  int row = 0;
  bool velocity_only = false;  // no position: it restricts velocities alone

  template <class S>
  void value(const PlanarFrame<S>* frames, const S& t, S* g) const {
    if constexpr (is_holonomic<Block>)
      if (!velocity_only) block.value(frames, t, g + row);
  }
};

template <template <class> class Holder>
using PlanarBlocks = std::tuple<std::vector<Holder<Coincident>>,
                                std::vector<Holder<Along>>,
                                std::vector<Holder<Distance>>,
                                std::vector<Holder<AngleSum>>,
                                std::vector<Holder<Rack>>,
                                std::vector<Holder<Path>>,
                                std::vector<Holder<OnCurve>>,
                                std::vector<Holder<Skate>>>;
// Applies `visit` to every batch of blocks and the batch beside it in `others`.
template <class Blocks, class Others, class Visit>
void for_each_batch(Blocks& blocks, Others& others, Visit&& visit) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    (..., visit(std::get<I>(blocks), std::get<I>(others)));
  }(std::make_index_sequence<std::tuple_size_v<Others>>());
}

// Applies `visit` to every block and what a system keeps beside it.
template <class Blocks, class Others, class Visit>
void for_each_pair(Blocks& blocks, Others& others, Visit&& visit) {
  for_each_batch(blocks, others, [&](auto& one_kind, auto& beside) {
    for (size_t i = 0; i < one_kind.size(); ++i) visit(one_kind[i], beside[i]);
  });
}

using PlanarChannel = OutputChannel<PlanarView>;

// Where a joint or driver sits: its reaction acts on the second body at this point. Joint axes turn with a body.
struct PlanarJoint {
  std::string name;
  PointOn at;
  int axes_body = 0;
  double axes_angle = 0;
};

struct PlanarParts {
  std::vector<std::string> body_names;
  std::vector<double> masses, inertias;
  PlanarBlocks<Placed> blocks;
  std::vector<std::string> row_names;  // those with a position first
  int holonomic = 0;                   // how many these are
  std::vector<PlanarJoint> joints;
  std::vector<int> joint_of_row;  // index into `joints`; −1: a row of something else
  PlanarForces forces;
  Vec2 gravity = Vec2::Zero();
  std::vector<PlanarChannel> channels;
  double length = 1;
};

// Force and torque of every joint on its second body, from the multipliers of the rows: −λ ∂g/∂(x, y, θ) of that body,
// its moment taken about the joint's point.
void joint_reactions(const PlanarParts& parts,
                     const PlanarView& view,
                     ConstVec lambda,
                     std::vector<JointReaction>& out);

// force_joint and torque_joint from force and torque.
void turn_to_joint_axes(const PlanarJoint& joint, const PlanarView& view, JointReaction& reaction);

}  // namespace driftless
