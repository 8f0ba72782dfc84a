// Watches a run at its accepted steps: the largest constraint errors and where they stood, the energy balance, and
// whether the constraint error has passed the stated limit.
//   drift    max |g|, max |J v − ν|                                                                                 (1)
//   energy   max |E − E₀ − W| / max(E_kin + |E_pot − E_pot(0)|),   W the work done on the system                    (2)
//   limit    |g| ≤ c L,   |J v − ν| ≤ c L max(1, largest speed in units of the coordinates' scales)                  (3)
//   branch   s/s_max > min(100 max(|g|/L, 1e-15), 1e-6),   s the independence of the rows                          (4)
// (4): at a distance ε from a singular position where branches cross, s ~ ε² and they are ε apart. An error |g| is a
// distance |g|/ε: from |g| ~ ε² on nothing tells one branch from the other. A large |g| alone is (3)'s concern.
#pragma once

#include <optional>

#include "driftless/results/trajectory.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class Monitor {
 public:
  Monitor(const DescriptorSystem& system, double drift_limit);

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

  bool branch_is_clear() const { return branch_is_clear_; }  // (4)
  bool within_limit() const { return within_limit_; }
  const Drift& drift() const { return drift_; }
  std::optional<EnergySummary> energy() const;
  const Reading& last() const { return last_; }

 private:
  const DescriptorSystem& system_;
  double drift_limit_;
  Drift drift_;
  Reading last_;
  Terms terms_;
  Vec r_;
  double largest_speed_ = 1;
  bool within_limit_ = true, branch_is_clear_ = true;
  double most_independent_ = 0;
  bool started_ = false, has_potential_ = false;
  EnergySummary energy_;
  double potential0_ = 0, work0_ = 0, largest_error_ = 0, largest_energy_ = 0;
};

}  // namespace driftless
