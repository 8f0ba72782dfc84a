// Watches a run at its accepted steps: the largest constraint errors and where they stood, the energy balance, and
// whether the constraint error has passed the stated limit.
//   drift    max |g|, max |J v − ν|                                                                                 (1)
//   energy   max |E − E₀ − W + lost| / max(E_kin + |E_pot − E_pot(0)|, 1e-8 max(|E_pot|, Σ|fᵢ|sᵢ), 1e-16 ΣMᵢᵢsᵢ²),        (2)
//            W the work done on the system, sᵢ the scales: a body at rest has no energy to compare with but that of its
//            forces over a path of 1e-8 lengths, or of 1e-8 lengths a second, far above round-off and far below any
//            motion
//   limit    |g| ≤ c L,   |J v − ν| ≤ d L max(1, largest speed in units of the coordinates' scales)                  (3)
//   branch   s/s_max > min(100 max(|g|/L, 1e-15), 1e-6),   s the independence of the rows                          (4)
// (4): at a distance ε from a singular position where branches cross, s ~ ε² and they are ε apart. An error |g| is a
// distance |g|/ε: from |g| ~ ε² on nothing tells one branch from the other. A large |g| alone is (3)'s concern.
//   blown up E_kin + |E_pot − E_pot(0)| > 10⁷ max(c, 0.1) max(what it was while the balance held to 10 %,
//            E_kin + |E_pot| + Σ|fᵢ|sᵢ at the start), out of balance, and some coordinate goes more than its scale from
//            one step to the next: a raised c lets a blow-up be shown                                               (5)
#pragma once

#include <cmath>
#include <optional>

#include "driftless/results/trajectory.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

struct DriftLimit {
  double position, velocity;  // c, d of (3)
};

class Monitor {
 public:
  Monitor(const DescriptorSystem& system, DriftLimit drift_limit);

  struct Reading {
    double position = 0, velocity = 0;  // drift at this state
    double kinetic = 0, potential = 0;
  };
  // The end of a step: `terms` hold g, J, ν and M there.
  Reading observe(const State& state, double work, Terms& terms);
  // A state no step ended at (a start, a restart): evaluated here.
  Reading observe(const State& state, double work);

  // How independent the rows were there (OdeForm::row_independence), after observe().
  void observe_rows(double independence);

  // Energy that went with impulses, or came by an event: the balance (2) is without it.
  void lose(double energy) {
    if (std::isfinite(energy)) energy_.lost += energy;
  }
  double lost() const { return energy_.lost; }
  Terms& terms_at(const State& state);   // its own, evaluated there
  double energy_at(const State& state);  // NaN where the potential is not known

  // Whether the run may go on: not finite, (3), (5) or (4) end it.
  Status status() const;
  bool branch_is_clear() const { return branch_is_clear_; }  // (4)
  bool has_blown_up() const { return has_blown_up_; }        // (5)
  const Drift& drift() const { return drift_; }
  const DriftLimit& drift_limit() const { return drift_limit_; }
  double largest_speed() const { return largest_speed_; }  // of (3)
  std::optional<EnergySummary> energy() const;
  const Reading& last() const { return last_; }
  double energy_worst_at() const { return energy_worst_at_; }  // when the balance was off most
  // Whether it was off by more than `relative` of the energy of the motion, and by more than forces do over a path of so
  // many scales, and by more than round-off.
  bool energy_is_off(double relative, double path) const;
  bool energy_is_known() const { return energy_is_known_; }  // false: it became NaN, at energy_worst_at()

 private:
  void observe_energy(const State& state, double work, const Terms& terms, bool has_potential);
  const DescriptorSystem& system_;
  double last_t_ = 0,
         last_way_ = 0;  // when it was looked at last, and how far the coordinates came since, in scales
  DriftLimit drift_limit_;
  Drift drift_;
  Reading last_;
  Terms terms_;
  Vec r_;
  double largest_speed_ = 1;
  bool is_finite_ = true, within_limit_ = true, branch_is_clear_ = true, has_blown_up_ = false;
  double most_independent_ = 0;
  bool started_ = false, has_potential_ = false;
  EnergySummary energy_;
  bool energy_is_known_ = true;
  double potential0_ = 0, work0_ = 0, largest_error_ = 0, largest_energy_ = 0;
  double largest_potential_ = 0, largest_force_ = 0;  // |E_pot|, Σ|fᵢ|sᵢ
  double balanced_energy_ = 0;                        // of (5)
  double rest_energy_ = 0;                            // of (2)
  double energy_worst_at_ = 0;
};

}  // namespace driftless
