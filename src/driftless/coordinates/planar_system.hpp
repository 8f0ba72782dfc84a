// Planar models in reference-point coordinates: (x, y, θ) of the centre of mass of each body, v = q̇.
//   M = diag(m, m, I) constant, no velocity terms in f; J and γ from the blocks of constraints/, f from forces/.
// The error of a body's place is measured against the characteristic length and its velocity by its speed, never by
// single coordinates: moving or turning the whole mechanism changes nothing but round-off.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "driftless/coordinates/planar_mechanism.hpp"

namespace driftless {

class PlanarSystem final : public PlanarMechanism {
 public:
  explicit PlanarSystem(PlanarParts parts);

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;

  // g on any scalar, from positions and time on that scalar: what tests differentiate with jets.
  template <class S>
  void residual(const S& t, const S* q, S* g) const {
    std::vector<PlanarFrame<S>> frames(parts_.body_names.size() + 1);
    for (size_t i = 0; i + 1 < frames.size(); ++i)
      frames[i] = {{q[3 * i], q[3 * i + 1]}, q[3 * i + 2], cos(q[3 * i + 2]), sin(q[3 * i + 2])};
    for_each_element(parts_.blocks, [&](const auto& placed) { placed.value(frames.data(), t, g); });
  }

 private:
  // Where the gradients of a block go in the values of J (−1: ground).
  template <class Block>
  using Slots = std::array<std::array<int, Block::bodies>, Block::rows>;

  std::unique_ptr<PlanarScratch> make_bodies() const override;
  void place(ConstVec q, PlanarScratch& scratch) const override;
  void move(ConstVec v, PlanarScratch& scratch) const override;

  PlanarBlocks<Slots> slots_;  // beside the blocks of parts_
};

}  // namespace driftless
