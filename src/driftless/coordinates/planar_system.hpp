// Planar models in reference-point coordinates: (x, y, θ) of the centre of mass of each body, v = q̇.
//   M = diag(m, m, I) constant, no velocity terms in f; J and γ from the blocks of constraints/, f from forces/.
// The error of a body's place is measured against the characteristic length and its velocity by its speed, never by
// single coordinates: moving or turning the whole mechanism changes nothing but round-off.
#pragma once

#include <tuple>
#include <vector>

#include "driftless/constraints/planar_blocks.hpp"
#include "driftless/coordinates/batches.hpp"
#include "driftless/coordinates/outputs.hpp"
#include "driftless/forces/planar_forces.hpp"
#include "driftless/model/model.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

// A block together with the row it starts at and where its gradients go in the values of J (−1: ground).
template <class Block>
struct Placed {
  Block block;
  int row = 0;
  std::array<std::array<int, Block::bodies>, Block::rows> slot{};
};

template <template <class> class Holder>
using PlanarBlocks = std::tuple<std::vector<Holder<Coincident>>,
                                std::vector<Holder<Along>>,
                                std::vector<Holder<Distance>>,
                                std::vector<Holder<AngleSum>>,
                                std::vector<Holder<Rack>>,
                                std::vector<Holder<Path>>>;

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
  std::vector<std::string> row_names;
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

class PlanarSystem final : public DescriptorSystem {
 public:
  explicit PlanarSystem(PlanarParts parts);

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const override;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  bool exchanges_energy() const override { return exchanges_energy_; }
  std::vector<std::string> body_names() const override { return parts_.body_names; }
  void poses(double t, ConstVec q, std::vector<Pose>& out) const override;
  std::vector<std::string> quantity_names() const override;
  std::vector<std::string> quantity_units() const override;
  void quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) const override;
  bool is_planar() const override { return true; }
  std::vector<std::string> joint_names() const override;
  void joint_reactions(double t,
                       ConstVec q,
                       ConstVec v,
                       const Reaction& reaction,
                       std::vector<JointReaction>& out) const override;
  std::vector<double> break_times(double t0, double t1) const override;

  // g on any scalar, from positions and time on that scalar: what tests differentiate with jets.
  template <class S>
  void residual(const S& t, const S* q, S* g) const {
    std::vector<PlanarFrame<S>> frames(parts_.body_names.size() + 1);
    for (size_t i = 0; i + 1 < frames.size(); ++i)
      frames[i] = {{q[3 * i], q[3 * i + 1]}, q[3 * i + 2], cos(q[3 * i + 2]), sin(q[3 * i + 2])};
    for_each_element(parts_.blocks,
                     [&](const auto& placed) { placed.block.value(frames.data(), t, g + placed.row); });
  }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override;

 private:
  PlanarParts parts_;
  bool exchanges_energy_ = false;
};

}  // namespace driftless
