#include "driftless/results/monitor.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double kRest = 1e-8, kRoundOff = 1e-12;        // (2)
constexpr double kInBalance = 0.1, kBeyondReason = 1e7;  // (5)

// Largest magnitude and where it stands; NaN if any is.
double largest(ConstVec x, Eigen::Index& where) {
  where = -1;
  return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&where);
}

void keep_largest(double value, Eigen::Index row, const Layout& layout, double& max, std::string& name) {
  if (!(value > max)) return;
  max = value;
  name = layout.row_names[static_cast<size_t>(row)];
}

}  // namespace

Monitor::Monitor(const DescriptorSystem& system, DriftLimit drift_limit)
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
  last_way_ = (state.t - last_t_) * (state.v.cwiseQuotient(layout.v_scale)).lpNorm<Eigen::Infinity>();
  last_t_ = state.t;
  is_finite_ = state.q.allFinite() && state.v.allFinite() && std::isfinite(now.position + now.velocity);
  within_limit_ = now.position <= drift_limit_.position * layout.length &&
                  now.velocity <= drift_limit_.velocity * layout.length * largest_speed_;  // (3)

  now.kinetic = system_.kinetic_energy(state.v, terms);
  const auto potential = system_.potential_energy(state.t, state.q, terms);
  now.potential = potential.value_or(std::nan(""));
  last_ = now;
  observe_energy(state, work, terms, potential.has_value());
  return now;
}

void Monitor::observe_energy(const State& state, double work, const Terms& terms, bool has_potential) {
  const double total = last_.kinetic + last_.potential;
  if (!started_) {
    started_ = true;
    has_potential_ = has_potential;
    potential0_ = last_.potential;
    work0_ = work;
    energy_.initial = total;
    rest_energy_ = kRest * kRest *
                   terms.M.diagonal().dot(system_.layout().v_scale.cwiseProduct(system_.layout().v_scale));
    balanced_energy_ =
        last_.kinetic + std::abs(last_.potential) + terms.f.cwiseAbs().dot(system_.layout().v_scale);  // (5)
  }
  if (!has_potential_) return;
  energy_.final = total;
  energy_.work = work - work0_;
  const double error = std::abs(total - energy_.initial - energy_.work + energy_.lost);  // (2)
  const double energy = last_.kinetic + std::abs(last_.potential - potential0_);
  largest_potential_ = std::max(largest_potential_, std::abs(last_.potential));
  largest_force_ = std::max(largest_force_, terms.f.cwiseAbs().dot(system_.layout().v_scale));
  if (!std::isfinite(error)) {
    if (energy_is_known_) energy_worst_at_ = state.t;
    energy_is_known_ = false;
    return;
  }
  if (error > largest_error_) {
    largest_error_ = error;
    if (energy_is_known_) energy_worst_at_ = state.t;
  }
  largest_energy_ = std::max(largest_energy_, energy);
  if (error <= kInBalance * energy) balanced_energy_ = std::max(balanced_energy_, energy);
  has_blown_up_ = energy > kBeyondReason * std::max(drift_limit_.position, 0.1) * balanced_energy_ &&
                  error > kInBalance * energy && last_way_ > 1;  // (5)
}

Status Monitor::status() const {
  if (!is_finite_) return Status::not_finite;
  if (!within_limit_ || has_blown_up_) return Status::drift_exceeded;
  return branch_is_clear_ ? Status::ok : Status::singular;
}

Monitor::Reading Monitor::observe(const State& state, double work) {
  system_.evaluate(state.t, state.q, state.v, terms_);
  return observe(state, work, terms_);
}

Terms& Monitor::terms_at(const State& state) {
  system_.evaluate(state.t, state.q, state.v, terms_);
  return terms_;
}

double Monitor::energy_at(const State& state) {
  terms_at(state);
  return system_.kinetic_energy(state.v, terms_) +
         system_.potential_energy(state.t, state.q, terms_).value_or(std::nan(""));
}

void Monitor::observe_rows(double independence) {  // (4)
  most_independent_ = std::max(most_independent_, independence);
  const double blur = std::min(100 * std::max(last_.position / system_.layout().length, 1e-15), 1e-6);
  branch_is_clear_ = independence > blur * most_independent_;
}

bool Monitor::energy_is_off(double relative, double path) const {
  return largest_error_ >
         std::max({relative * largest_energy_, path * largest_force_, kRoundOff * largest_potential_});
}

std::optional<EnergySummary> Monitor::energy() const {
  if (!has_potential_) return std::nullopt;
  EnergySummary summary = energy_;
  const double size =
      std::max({largest_energy_, kRest * std::max(largest_potential_, largest_force_), rest_energy_});
  summary.max_relative_error = !energy_is_known_ ? std::nan("") : size > 0 ? largest_error_ / size : 0;
  return summary;
}

}  // namespace driftless
