// Event location: a root function that changes sign over a step is followed along the dense output by the Illinois
// variant of regula falsi, to the resolution of time. The first of several events in a step counts.
#pragma once

#include <optional>
#include <vector>

#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/results/angle_tracker.hpp"
#include "driftless/simulate.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {

class EventFinder {
 public:
  EventFinder(const std::vector<Event>& events, const DescriptorSystem& system, const AngleTracker& angles);

  struct Found {
    double t;
    const Event* event;
  };
  void start(const State& state);  // root values where the next step begins
  std::optional<Found> find(const Integrator& integrator, OdeForm& form, const State& end);

 private:
  double value(const Event& event, const State& state);
  double locate(
      const Event& event, const Integrator& integrator, OdeForm& form, double value0, double value1);

  const std::vector<Event>& events_;
  const DescriptorSystem& system_;
  const AngleTracker& angles_;
  Reaction none_;  // accelerations and multipliers are not known here
  Observer observer_;
  Vec quantities_;
  std::vector<double> values_;  // at the beginning of the step
  State state_;
  Vec y_;
};

}  // namespace driftless
