// Forces of elements whose strains at t + W1 h are combined as displacements are, for all members of GSSSS:
//   P̃ = Σ EA l0 ε̃ ∂ε(q̃),   ε̃ = ε + (W1Λ1 − W3Λ3/λ3) h ε̇ + (W2Λ2 − ½ W3Λ3/λ3) h² ε̈ + W3Λ3/λ3 (ε₁ − ε)                 (1)
// the weights of q̃ with q₁ as the unknown (gssss_coefficients.hpp); members that take forces in the middle of the step have
// ε̃ = ½ (ε + ε₁), the discrete gradient of trusses.                                              Hoitink 2011, (2.3)–(2.9)
// To ∂V(q̃) the difference is added; its derivative by d is a central difference along each coordinate, q₁ and q̃ moving as the
// scheme moves them.                                                                                                   (2)
#pragma once

#include <cmath>
#include <limits>

#include "driftless/integrator/structural/gssss_coefficients.hpp"
#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/element_potential.hpp"

namespace driftless {

class StrainForces {
 public:
  explicit StrainForces(const DescriptorSystem& system)
      : elements_(dynamic_cast<const ElementPotential*>(&system)), scale_(system.layout().q_scale) {
    for (Vec* x : {&q0_, &v0_, &a0_, &q1_, &middle_, &plus_, &minus_}) x->setZero(scale_.size());
    is_there_ = elements_ != nullptr && elements_->strain_forces(rule_, here(), plus_);
  }
  bool is_there() const { return is_there_; }  // the system has such elements

  void begin(const GssssCoefficients& c, double h, const Vec& q0, const Vec& v0, const Vec& a0) {
    const GssssWeights weights = gssss_step(c, GssssUnknown::displacement, h).middle;
    rule_ = {weights.P[1], weights.P[2], weights.C};
    q0_ = q0;
    v0_ = v0;
    a0_ = a0;
  }
  void add(const Vec& q1, const Vec& middle, VecRef out) {  // (1)
    q1_ = q1;
    middle_ = middle;
    elements_->strain_forces(rule_, here(), plus_);
    out += plus_;
  }
  // (2), where add() was called last: q₁ and q̃ move by `end` and `middle` times d.
  void add_tangent(double end, double middle, Mat& K) {
    const double part = std::cbrt(std::numeric_limits<double>::epsilon());
    for (Eigen::Index j = 0; j < scale_.size(); ++j) {
      const double step = part * scale_[j], at_end = q1_[j], in_middle = middle_[j];
      const auto shifted = [&](double by, Vec& out) {
        q1_[j] = at_end + by;
        middle_[j] = in_middle + middle / end * by;
        elements_->strain_forces(rule_, here(), out);
      };
      shifted(step, plus_);
      shifted(-step, minus_);
      q1_[j] = at_end;
      middle_[j] = in_middle;
      K.col(j) += end / (2 * step) * (plus_ - minus_);
    }
  }

 private:
  StrainedStep here() const { return {q0_, v0_, a0_, q1_, middle_}; }

  const ElementPotential* elements_;
  const Vec scale_;
  StrainRule rule_;
  bool is_there_ = false;
  Vec q0_, v0_, a0_, q1_, middle_, plus_, minus_;
};

}  // namespace driftless
