// A FlexibleSystem all of whose potential has discrete gradients of its own: point masses and cables under gravity, with linear
// springs (tsda), trusses and bending springs between them. Conserving midpoint schemes then keep energy and momenta:
//   gravity   P = −m g                     spring   P_j = κ(1 − l0/l̄) r_m,  l̄ the mean length, r_m of the mean places    (1)
//   cable     (3) of cable_body.hpp        truss, bending: their own
// P is handed on to coordinates by the weights of the places, which do not depend on q.     Gonzalez 1996; Hoitink 2011, §4.2
#pragma once

#include "driftless/coordinates/flexible/flexible_system.hpp"
#include "driftless/system/element_potential.hpp"

namespace driftless {

template <class Attitude>
class ConservingSystem final : public FlexibleSystem<Attitude>, public ElementPotential {
 public:
  using Base = FlexibleSystem<Attitude>;
  static constexpr int D = Attitude::dimension;
  ConservingSystem(const Model& model, Parts<D> parts, int drawn);
  // Whether a model is such.
  static bool fits(const Model& model, const Parts<D>& parts);
  void discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const override;
  bool strain_forces(const StrainRule& rule, const StrainedStep& step, VecRef out) const override;  // trusses
  std::unique_ptr<DescriptorSystem> copy_in(const Mode& mode) const override;

 private:
  VecOf<double, D> place_of(const PointOf<D>& p, ConstVec q) const;
  VecOf<double, D> between(const PointOf<D>& a, const PointOf<D>& b, ConstVec q) const {
    return place_of(b, q) - place_of(a, q);
  }
  void add(int slot, const VecOf<double, D>& gradient, VecRef out) const;
};

extern template class ConservingSystem<PlaneAngle>;
extern template class ConservingSystem<BodyRates>;

}  // namespace driftless
