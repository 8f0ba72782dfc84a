// Fills a Trajectory: decides nothing, only writes down. Output at requested times comes from the integrator's dense
// output, is put back on the constraints, and has v̇ and λ solved there.
// How far that moved them is measured in units of the error test, for doubts.hpp (7). Where it is far beyond the tolerance, the
// shortest way is taken instead if that is much shorter: the projection by the mass has made more of the error than it was.
// What is recorded never changes what is computed: records are read by a form, a projection and terms of their own, all made
// once; a record that cannot be completed is written with empty cells, and the run goes on.
#pragma once

#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/carried.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/results/angle_tracker.hpp"
#include "driftless/results/monitor.hpp"
#include "driftless/results/trajectory.hpp"
#include "driftless/stabilization/settled_motion.hpp"
#include "driftless/system/observable_system.hpp"

namespace driftless {

class Recorder {
 public:
  // `reader`: the formulation of the run, made a second time; null: nothing will be recorded.
  Recorder(const DescriptorSystem& system,
           std::unique_ptr<OdeForm> reader,
           const AngleTracker& angles,
           const StepControl& control);

  // A state on a step's end: written as it is.
  void record(const State& state, double work, const Monitor::Reading& step);
  // A point between steps: projected first. `step` is the reading at the end of the step it lies in.
  void record_between(double t, ConstVec y, const Monitor::Reading& step);
  // `newton`: iterations since the step before.
  void record_step(double t, double h, const Monitor::Reading& reading, long newton);
  // The same with what the scheme carries, `dropped` rows left out of it. Columns are added once, before the first step.
  void add_scheme_columns();
  void record_step(double t,
                   double h,
                   const Monitor::Reading& reading,
                   long newton,
                   const Carried& carried,
                   std::span<const int> dropped);

  void drop_rows(std::span<const int> rows);  // redundant ones
  // v̇, λ and quantities of the final state, by the form of the run; what is to be said about the records.
  Status finish(OdeForm& form, const State& state, Results& results);

  OdeForm& reader() {
    return *reader_;
  }  // for whoever looks on without touching the run; only if there is one

  // The record between steps that was moved farthest onto the constraints.
  struct Move {
    double size = 0, t = 0;  // in tolerances; with fixed steps in sizes of the coordinates
  };
  const Move& farthest_move() const { return farthest_; }

  Trajectory trajectory;
  double lost = 0;  // energy, so far: taken off the work of records

 private:
  double move_of(const State& from, const State& to);  // in tolerances
  bool put_nearer(double t, double moved);             // unmoved_, into between_
  // `factored`: whether motion_ stands at the state.
  void write(const State& state, double work, const Monitor::Reading& step, Status factored);

  const DescriptorSystem& system_;
  const AngleTracker& angles_;
  std::unique_ptr<OdeForm> reader_;
  std::unique_ptr<SettledMotion> motion_;
  std::unique_ptr<Stabilization> nearest_;  // made where it is needed
  std::vector<int> dropped_;
  bool kernel_yields_ = false;  // of motion_ (MotionSolver::yields)
  Observer observer_;
  double rtol_, atol_;
  State between_, unmoved_, nearer_;
  Vec q_size_, v_size_;
  Move farthest_;
  Reaction reaction_;
  long records_ = 0, unsolved_ = 0, unprojected_ = 0;
  Vec quantities_, strains_;
  const Strained* strained_ = nullptr;
  std::vector<Pose> poses_;
  std::vector<JointReaction> reactions_;
};

}  // namespace driftless
