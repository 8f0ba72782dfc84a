// The trapezoidal rule with the energy as a constraint: a multiplier κ is one unknown more, and
//   D = T(q₁, v₁) + V(q₁) − E₀ − W = 0                                                                                 (1)
// one equation more, W the work done since E₀. Equilibrium at t₁ is M a₁ + J₁ᵀλ₁ + κ c = f₁ with
//   c = ∂(T + V)/∂q₁ = (2/h) M v₁ − f₁,   v₁ being a function of q₁ in the trapezoidal rule                            (2)
// (M constant; where it is not, c is a direction as good). Newton's equations W d = −r are bordered: with W e = −c,
//   δκ = −(D + c·d)/(c·e),   d ← d + δκ e                                                                              (3)
// one back-substitution more. The rule alone misses the energy by V‴ Δq³/12, and c goes like Δq, so κ vanishes where the motion
// turns. Accelerations are handed on without the force, a ← (a + κ (2/h) v₁)/(1 + κ): it belongs to one step, and carried on it
// would be balanced by one of opposite sign in the next.                                                               (4)
//                  Hughes, Caughey & Liu 1978 (J. Appl. Mech. 45, 366–370); García de Jalón & Bayo 1994, ch. 7
#pragma once

#include <cmath>
#include <limits>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/residual/residual_form.hpp"

namespace driftless {

class EnergyConstraint {
 public:
  explicit EnergyConstraint(ResidualForm& form)
      : form_(form), projected_(form.make_point()), direction_(Vec::Zero(form.system().layout().nv)) {}

  // E₀, where the terms of the form are.
  void begin(const DaePoint& at, double work) {
    const auto potential = form_.system().potential_energy(at.t, at.q, form_.terms());
    if (!potential)
      throw InputError("integrator newmark",
                       Complaint{"`option energy`", "'free' where the system knows no potential energy",
                                 "'constant'", ""});
    start_ = form_.system().kinetic_energy(at.v, form_.terms()) + *potential - work;
  }

  // A step of size h begins with this work and power.
  void open(double h, double work, double power) {
    h_ = h;
    work_ = work;
    power_ = power;
    multiplier_ = 0;
    defect_ = std::numeric_limits<double>::infinity();
  }

  // (1), (2) where residual() of the form was called last; κc joins the dynamics. `projects`: velocities will be put on the
  // constraints, so energy is that of such.
  void add(const DaePoint& at, bool projects, VecRef dynamics) {
    Terms& terms = form_.terms();
    mass_times(terms, at.v, direction_);
    direction_ = 2 / h_ * direction_ - terms.f;
    dynamics += multiplier_ * direction_;
    projected_ = at;
    if (projects && form_.project_velocity(projected_) != Status::ok) projected_ = at;
    const double kinetic = form_.system().kinetic_energy(projected_.v, terms);
    const double potential = form_.system().potential_energy(at.t, at.q, terms).value_or(0);
    double work = work_;
    if (form_.integrates_work()) work += 0.5 * h_ * (power_ + form_.power(projected_));
    before_ = std::abs(defect_);
    defect_ = kinetic + potential - start_ - work;
    size_ = kinetic + std::abs(potential) + std::abs(start_) + std::abs(work);
  }
  const Vec& direction() const { return direction_; }

  // (3): δκ from the increments d and e of q₁.
  double correct(ConstVec d, ConstVec e) {
    const double gain = direction_.dot(e);
    if (!(std::abs(gain) * kLost > std::abs(defect_ + direction_.dot(d)))) return 0;  // nothing moves
    const double change = -(defect_ + direction_.dot(d)) / gain;
    multiplier_ += change;
    return change;
  }

  // To round-off, or not falling any more.
  bool holds() const {
    return std::abs(defect_) <= 20 * std::numeric_limits<double>::epsilon() * size_ ||
           (before_ <= 1e-13 * size_ && std::abs(defect_) > 0.5 * before_);
  }

  void leave_out_of(DaePoint& end) const {  // (4)
    end.a = (end.a + 2 * multiplier_ / h_ * end.v) / (1 + multiplier_);
    end.lambda /= 1 + multiplier_;
  }

  void keep(Memory& memory) { memory(start_); }

 private:
  static constexpr double kLost = 1e3;  // a larger κ is no correction any more

  ResidualForm& form_;
  DaePoint projected_;
  Vec direction_;  // c
  double h_ = 0, work_ = 0, power_ = 0;
  double start_ = 0;  // E₀ less the work then
  double multiplier_ = 0, defect_ = 0, before_ = 0, size_ = 1;
};

}  // namespace driftless
