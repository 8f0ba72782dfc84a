// Fills a Trajectory: decides nothing, only writes down. Output at requested times comes from the integrator's dense
// output, is put back on the constraints, and has v̇ and λ solved there.
#pragma once

#include "driftless/formulation/formulation.hpp"
#include "driftless/results/angle_tracker.hpp"
#include "driftless/results/monitor.hpp"
#include "driftless/results/trajectory.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

class Recorder {
 public:
  Recorder(const DescriptorSystem& system, OdeForm& form, const AngleTracker& angles);

  // A state on a step's end: written as it is.
  Status record(const State& state, double work, const Monitor::Reading& step);
  // A state between steps: projected first. `step` is the reading at the end of the step it lies in.
  Status record_between(State state, double work, const Monitor::Reading& step);
  // `newton`: iterations since the step before.
  void record_step(double t, double h, const Monitor::Reading& reading, long newton);

  void drop_rows(std::span<const int> rows) { projection_->drop_rows(rows); }  // redundant ones
  Status put_on_constraints(State& state);
  Status finish(const State& state, Results& results);  // v̇, λ and quantities of the final state

  Trajectory trajectory;

 private:
  const DescriptorSystem& system_;
  OdeForm& form_;
  const AngleTracker& angles_;
  std::unique_ptr<Stabilization> projection_;
  Terms terms_;
  Reaction reaction_;
  Vec quantities_;
  std::vector<Pose> poses_;
  std::vector<JointReaction> reactions_;
};

}  // namespace driftless
