#include "driftless/results/event_finder.hpp"

#include <cmath>
#include <limits>

namespace driftless {

EventFinder::EventFinder(const std::vector<Event>& events,
                         const DescriptorSystem& system,
                         const AngleTracker& angles)
    : events_(events),
      system_(system),
      angles_(angles),
      none_{Vec::Zero(system.layout().nv), Vec::Zero(system.layout().m)},
      observer_(system),
      quantities_(static_cast<Eigen::Index>(system.quantity_names().size())),
      values_(events.size()) {}

double EventFinder::value(const Event& event, const State& state) {
  if (event.root) return event.root(state.t, state.q, state.v);
  system_.position(state.t, state.q, observer_.terms);
  observer_.quantities(state.t, state.q, state.v, none_, quantities_);
  angles_.unwrap(state.t, quantities_);
  return quantities_[event.quantity] - event.level;
}

void EventFinder::start(const State& state) {
  for (size_t i = 0; i < events_.size(); ++i) values_[i] = value(events_[i], state);
}

std::optional<EventFinder::Found> EventFinder::find(const Integrator& integrator,
                                                    OdeForm& form,
                                                    const State& end) {
  std::optional<Found> first;
  for (size_t i = 0; i < events_.size(); ++i) {
    const double before = values_[i], after = value(events_[i], end);
    values_[i] = after;
    // A run that starts on a root (or restarted on one) has left it only when the sign changes again.
    const bool crossed = (before < 0 && after >= 0) || (before > 0 && after <= 0);
    const bool wanted =
        events_[i].direction == Direction::any || (events_[i].direction == Direction::up) == (after > before);
    if (!crossed || !wanted) continue;
    const double t = locate(events_[i], integrator, form, before, after);
    if (!first || t < first->t) first = Found{t, &events_[i]};
  }
  return first;
}

double EventFinder::locate(
    const Event& event, const Integrator& integrator, OdeForm& form, double value0, double value1) {
  double t0 = integrator.t_before(), t1 = integrator.t();
  y_.resize(form.size());
  const double resolution = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1));
  int side = 0;
  for (int k = 0; k < 100 && t1 - t0 > resolution && value1 != 0; ++k) {
    double t = (t0 * value1 - t1 * value0) / (value1 - value0);
    if (!(t > t0 && t < t1)) t = 0.5 * (t0 + t1);
    integrator.interpolate(t, y_);
    form.unpack(t, y_, state_);
    const double now = value(event, state_);
    if ((now < 0) == (value1 < 0) && now != 0) {
      t1 = t;
      value1 = now;
      if (side == 1) value0 /= 2;  // Illinois: the end that stays loses weight
      side = 1;
    } else if (now == 0) {
      return t;
    } else {
      t0 = t;
      value0 = now;
      if (side == -1) value1 /= 2;
      side = -1;
    }
  }
  return t1;  // on the far side of the root, so that the event has happened
}

}  // namespace driftless
