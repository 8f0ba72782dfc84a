#include "driftless/results/angle_tracker.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace driftless {
namespace {

// The value ≡ angle (mod 2π) nearest to `estimate`.
double nearest(double angle, double estimate) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((estimate - angle) / turn);
}

}  // namespace

AngleTracker::AngleTracker(const DescriptorSystem& system)
    : system_(system), observables_(system.observables()), index_(observables_.wrapped_quantities()) {
  if (index_.empty()) return;
  terms_.emplace(system.make_terms());
  for (Mark* mark : {&before_, &now_, &next_}) {
    mark->value = Vec::Zero(static_cast<Eigen::Index>(index_.size()));
    mark->rate = mark->value;
  }
}

void AngleTracker::read(const State& state, Terms& terms, Mark& out) const {
  out.t = state.t;
  observables_.wrapped_values(state.t, state.q, state.v, terms, out.value, out.rate);
}

void AngleTracker::start(const State& state, double t_known, const Vec* known) {
  if (index_.empty()) return;
  system_.position(state.t, state.q, *terms_);
  read(state, *terms_, now_);
  if (known != nullptr)
    for (size_t i = 0; i < index_.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double factor = observables_.quantity_factor(index_[i]);
      now_.value[k] =
          nearest(now_.value[k], (*known)[index_[i]] / factor + now_.rate[k] * (now_.t - t_known));
    }
  before_ = now_;
}

void AngleTracker::advance(const State& end, Terms& terms) {
  if (index_.empty()) return;
  read(end, terms, next_);
  const double h = next_.t - now_.t;
  for (Eigen::Index k = 0; k < now_.value.size(); ++k)
    next_.value[k] =
        nearest(next_.value[k], now_.value[k] + h * 0.5 * (now_.rate[k] + next_.rate[k]));  // (1)
  std::swap(before_, now_);
  std::swap(now_, next_);
}

void AngleTracker::cut(const State& state) {
  if (index_.empty()) return;
  system_.position(state.t, state.q, *terms_);
  read(state, *terms_, next_);
  for (Eigen::Index k = 0; k < next_.value.size(); ++k)
    next_.value[k] = nearest(next_.value[k], estimate(k, state.t));
  std::swap(now_, next_);
}

double AngleTracker::estimate(Eigen::Index k, double t) const {
  const double h = now_.t - before_.t;
  if (h <= 0 || t >= now_.t) return now_.value[k] + now_.rate[k] * (t - now_.t);
  const double s = (t - before_.t) / h;
  const double rise = now_.value[k] - before_.value[k];
  // Hermite: a₀ + s rise + s (1 − s) ((1 − s) (h ȧ₀ − rise) − s (h ȧ₁ − rise))
  return before_.value[k] + s * rise +
         s * (1 - s) * ((1 - s) * (h * before_.rate[k] - rise) - s * (h * now_.rate[k] - rise));
}

void AngleTracker::unwrap(double t, VecRef quantities) const {
  for (size_t i = 0; i < index_.size(); ++i)
    quantities[index_[i]] = nearest(quantities[index_[i]], estimate(static_cast<Eigen::Index>(i), t));
  observables_.finish_quantities(t, quantities);
}

}  // namespace driftless
