// One run: the four choices as objects, each with its workspace, and what watches and records them. Of simulate.cpp, which
// goes through it from step to step, and simulation_switching.cpp: what happens where a step was cut.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/integrator/carried.hpp"
#include "driftless/integrator/scheme.hpp"
#include "driftless/integrator/sudden_watch.hpp"
#include "driftless/results/angle_tracker.hpp"
#include "driftless/results/events/chatter_guard.hpp"
#include "driftless/results/events/event_finder.hpp"
#include "driftless/results/events/implied_by_chance.hpp"
#include "driftless/results/output_times.hpp"
#include "driftless/results/record_sink.hpp"
#include "driftless/results/recorder.hpp"
#include "driftless/results/run_setup.hpp"

namespace driftless {

class Simulation {
 public:
  Simulation(const DescriptorSystem& system, const State& start, const Setup& setup);
  Results carry_out();

 private:
  using Found = const EventFinder::Found*;

  void begin();
  Status hand_over();
  void listen_to_scheme();
  Status step();
  Status look_at_end();
  Status record_inside(double t_reached);
  Status end_inside(double t);
  Status cut_at(const EventFinder::Found& found);
  bool has_not_seen(const EventFinder::Found& found);
  Status step_again(const EventFinder::Found& found);
  double work_until(double t, double interpolated);
  void keep_checkpoint();
  Checkpoint complete(Checkpoint checkpoint) const;
  bool is_new() const {
    return state_.t > start_.t || !setup_.checkpoint;
  }  // not before where this run begins
  Status switch_over(const EventFinder::Found& found);
  Status carry_out_switch(std::vector<int> fired);
  Status renew_mode_rows();
  Status act(const EventFinder::Found& found);
  void record_end(double t_reached, Found found);
  bool renew_rows(Found found);
  bool pass_break();
  Status restart();
  void report_progress() const;
  void conclude(Results& out, Status ending, OdeForm& solver);

  bool is_interrupted() const;
  double look_ahead() const;
  void read_state() { work_ = form_->unpack(integrator_->t(), integrator_->y(), state_); }
  void note(const std::string& event) {
    if (is_new()) recorder_.trajectory.events.push_back({state_.t, event});
  }
  void lose(double energy) {
    monitor_.lose(energy);
    recorder_.lost = monitor_.lost();
  }
  void drop_rows();
  Status put_on_constraints(State& at);
  bool has_blocks(size_t count) const {
    return setup_.sink != nullptr && bytes_of(recorder_.trajectory) >= count * RecordSink::kBlockBytes;
  }
  bool hand_over_block();
  bool hand_over_all();

  const double cpu_start_;
  Mode mode_;                                    // of a system that switches
  const std::unique_ptr<DescriptorSystem> own_;  // in this mode; null: it does not
  const DescriptorSystem& system_;
  const Switching* const switching_;  // null: it does not
  const State& start_;
  const Setup& setup_;
  const Choices choices_;
  StepControl control_;
  Results results_;
  std::unique_ptr<OdeForm> form_;
  std::unique_ptr<Stabilization> stabilization_;
  SuddenWatch sudden_;
  std::unique_ptr<Integrator> integrator_;
  Monitor monitor_;
  ImpliedByChance chance_;
  RowWatch watch_;
  AngleTracker angles_;
  Recorder recorder_;
  OutputTimes outputs_;
  EventFinder events_;
  std::unique_ptr<OdeForm> looker_;  // accelerations for roots and events, beside the run
  Terms switch_terms_;               // of transitions; none without switches
  ChatterGuard chatter_;
  std::string switching_trouble_;  // why a switch ended the run
  std::unique_ptr<Stabilization>
      projection_;  // of what the run itself needs on the constraints: events, other rows
  std::vector<int>
      dropped_;  // rows that others imply, left out of every solve: the monitor watches them, but for those out of force
  std::vector<double> breaks_;  // discontinuities ahead, and the end
  size_t limit_ = 0;            // the next of these
  State state_;
  double gained_ = 0;  // by laws of restitution with friction
  double work_ = 0;
  Monitor::Reading reading_;         // at the end of the last step
  const Scheme* telling_ = nullptr;  // whose own accelerations and multipliers are recorded
  Carried carried_;
  long newton_ = 0;  // iterations up to the last accepted step
  Vec y_, probe_, slope_, seen_;
  double last_step_ = 0;
  static constexpr long kManyInside = 1000;
  long inside_ = kManyInside;         // records between the ends of the last step; the first may have as many
  std::optional<Checkpoint> before_;  // the last step, if steps have so many records
  std::optional<Checkpoint> kept_;    // before what happened in a step that was cut for the end
  std::vector<size_t> happened_;      // events at the end of the last step
  std::vector<size_t> fired_;         // events where the scheme was started last
  double restarted_at_ = std::numeric_limits<double>::quiet_NaN();
  double at_most_ = std::numeric_limits<double>::infinity();  // where the next step ends at the latest
  int again_ = 0;                                             // steps made again from there
  Status status_ = Status::ok;
};

}  // namespace driftless
