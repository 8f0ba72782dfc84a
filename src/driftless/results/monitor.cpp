#include "driftless/results/monitor.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// Largest magnitude and where it stands.
double largest(ConstVec x, Eigen::Index& where) {
  where = -1;
  return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(&where);
}

void keep_largest(double value, Eigen::Index row, const Layout& layout, double& max, std::string& name) {
  if (!(value > max)) return;
  max = value;
  name = layout.row_names[static_cast<size_t>(row)];
}

}  // namespace

Monitor::Monitor(const DescriptorSystem& system, double drift_limit)
    : system_(system), drift_limit_(drift_limit), terms_(system.make_terms()), r_(system.layout().m) {
  // Names are copied into these while a run goes on: room for the longest, so that it happens without allocation.
  size_t longest = 0;
  for (const auto& name : system.layout().row_names) longest = std::max(longest, name.size());
  drift_.position_row.reserve(longest);
  drift_.velocity_row.reserve(longest);
}

Monitor::Reading Monitor::observe(const State& state, double work, Terms& terms) {
  const Layout& layout = system_.layout();
  Reading now;
  Eigen::Index row = -1;
  now.position = largest(terms.g, row);  // (1)
  keep_largest(now.position, row, layout, drift_.position_max, drift_.position_row);
  velocity_residual(terms, state.v, r_);
  now.velocity = largest(r_, row);
  keep_largest(now.velocity, row, layout, drift_.velocity_max, drift_.velocity_row);
  largest_speed_ = std::max(largest_speed_, state.v.cwiseQuotient(layout.v_scale).lpNorm<Eigen::Infinity>());
  const double limit = drift_limit_ * layout.length;
  within_limit_ = now.position <= limit && now.velocity <= limit * largest_speed_;  // (3)

  now.kinetic = system_.kinetic_energy(state.v, terms);
  const auto potential = system_.potential_energy(state.t, state.q, terms);
  now.potential = potential.value_or(std::nan(""));
  if (!started_) {
    started_ = true;
    has_potential_ = potential.has_value();
    potential0_ = now.potential;
    work0_ = work;
    energy_.initial = now.kinetic + now.potential;
  }
  if (has_potential_) {
    energy_.final = now.kinetic + now.potential;
    energy_.work = work - work0_;
    largest_error_ =
        std::max(largest_error_, std::abs(energy_.final - energy_.initial - energy_.work));  // (2)
    largest_energy_ = std::max(largest_energy_, now.kinetic + std::abs(now.potential - potential0_));
  }
  last_ = now;
  return now;
}

Monitor::Reading Monitor::observe(const State& state, double work) {
  system_.position(state.t, state.q, terms_);
  system_.mass(state.t, state.q, terms_);
  return observe(state, work, terms_);
}

void Monitor::observe_rows(double independence) {  // (4)
  most_independent_ = std::max(most_independent_, independence);
  const double blur = std::min(100 * std::max(last_.position / system_.layout().length, 1e-15), 1e-6);
  branch_is_clear_ = independence > blur * most_independent_;
}

std::optional<EnergySummary> Monitor::energy() const {
  if (!has_potential_) return std::nullopt;
  EnergySummary summary = energy_;
  summary.max_relative_error = largest_energy_ > 0 ? largest_error_ / largest_energy_ : 0;
  return summary;
}

}  // namespace driftless
