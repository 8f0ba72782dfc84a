// The whole path of a run, top to bottom: choose methods, start, then step → locate events → record, until the end.
#include "driftless/simulate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/real_time.hpp"
#include "driftless/integrator/resumable.hpp"
#include "driftless/integrator/step_loop.hpp"
#include "driftless/results/doubts.hpp"
#include "driftless/results/failure.hpp"
#include "driftless/results/simulation.hpp"

namespace driftless {
namespace {

constexpr double kFirstLook = 1e-3;  // of the run: how long a step is taken for where none was made yet
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kMostAgain = 8;    // times that a step is made again
constexpr double kLeast = 1e-9;  // of the time: less is not stepped again

double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Simulation::Simulation(const DescriptorSystem& system, const State& start, const Setup& setup)
    : cpu_start_(cpu_now()),
      own_(system_in_mode(system, start, setup, mode_)),
      system_(own_ ? *own_ : system),
      switching_(own_ ? switching_of(*own_) : nullptr),
      start_(start),
      setup_(setup),
      choices_(chosen_methods(system, start, setup)),
      control_(step_control(setup)),
      form_(choices_.make_form(system_)),
      stabilization_(
          choices_.stabilization->make(system_, choices_.stabilization_options, form_->make_kernel())),
      sudden_(system_, control_),
      monitor_(system_, drift_limit(choices_, setup, control_)),
      angles_(system_),
      recorder_(system_, setup.record ? choices_.make_form(system_) : nullptr, angles_, control_),
      outputs_(start.t, setup),
      events_(setup.events, system_, switching_, mode_, angles_),
      looker_(events_.idle() ? nullptr : choices_.make_form(system_)),
      switch_terms_(switching_ ? system_.make_terms() : Terms()),
      chatter_(switching_ ? switching_->switches().size() : 0, setup.events.size(), setup.t_end - start.t),
      state_(start),
      y_(form_->size()),
      probe_(form_->size()),
      slope_(form_->size()),
      seen_(form_->size()) {
  results_.provenance = provenance_of(choices_, setup, control_);
  if (!choices_.remark.empty()) results_.notices.push_back(choices_.remark);
  if (const auto caution = system.caution(control_.rtol); !caution.empty())
    results_.notices.push_back(caution);
  if (!choices_.integrator->takes_jacobian)
    if (const auto* strained = dynamic_cast<const Strained*>(&system))
      for (std::string& remark : vibration_remarks(strained->vibrations()))
        results_.notices.push_back(std::move(remark));
  form_->statistics = &results_.statistics;
  form_->stabilization = stabilization_.get();
  if (stabilization_) stabilization_->statistics = &results_.statistics;
  if (!sudden_.idle()) control_.sudden = &sudden_;
  control_.realtime = realtime_of(choices_.integrator_options, control_.step);
  integrator_ = choices_.integrator->make(*form_, results_.statistics, control_, choices_.integrator_options);
  if (setup.record_scheme) listen_to_scheme();
  if (setup.checkpoint && setup.checkpoint->y.size() != form_->size())
    throw InputError("checkpoint", Complaint{"y", fmt::format("{} components", form_->size()),
                                             fmt::format("{}", setup.checkpoint->y.size()),
                                             "resume with the methods the checkpoint was made with"});
  const std::vector<int> saved = setup.checkpoint ? setup.checkpoint->dropped_rows : std::vector<int>();
  events_.use(looker_.get(), control_, [this](State& at) { return put_on_constraints(at); });
  dropped_ = note_redundancy(system_, start, saved, mode_, results_);
  if (!dropped_.empty()) {
    form_->drop_rows(dropped_);
    drop_rows();
  }
  breaks_ =
      system.break_times(setup.checkpoint ? std::min(setup.checkpoint->t, start.t) : start.t, setup.t_end);
  breaks_.push_back(setup.t_end);
}

bool Simulation::is_interrupted() const {
  return setup_.interrupt != nullptr && setup_.interrupt->load(std::memory_order_relaxed);
}

double Simulation::look_ahead() const {
  return last_step_ > 0 ? last_step_ : kFirstLook * (setup_.t_end - start_.t);
}

Results Simulation::carry_out() {
  begin();
  while (status_ == Status::ok && integrator_->t() < setup_.t_end) {
    if (status_ = hand_over(); status_ != Status::ok) break;
    if (status_ = step(); status_ != Status::ok) break;
    const Found found = events_.find(*integrator_, *form_, state_);  // the first one cuts the step short
    if (found && has_not_seen(*found)) {
      if (status_ = step_again(*found); status_ != Status::ok) break;
      continue;
    }
    if (status_ = found ? cut_at(*found) : look_at_end(); status_ != Status::ok) break;
    if (status_ = record_inside(state_.t); status_ != Status::ok) break;
    if (found)
      if (status_ = switch_over(*found); status_ != Status::ok) break;
    record_end(state_.t, found);
    if (found && status_ == Status::ok)
      for (const size_t k : found->events)
        if (setup_.events[k].stop) status_ = Status::stopped;
    if (status_ != Status::ok) break;
    const bool has_other_rows = renew_rows(found);
    if (status_ != Status::ok) break;
    const bool is_behind_break = pass_break();
    if (found || is_behind_break || has_other_rows)
      if (status_ = restart(); status_ != Status::ok) break;
    report_progress();
  }
  conclude(results_, status_, *form_);
  return std::move(results_);
}

void Simulation::begin() {
  if (setup_.sink != nullptr) {
    Results beginning = results_;
    beginning.status = Status::interrupted;
    std::swap(beginning.trajectory, recorder_.trajectory);
    setup_.sink->begin(beginning);
    std::swap(beginning.trajectory, recorder_.trajectory);
  }
  form_->pack(start_, 0, y_);
  status_ = setup_.checkpoint ? integrator_->resume(*setup_.checkpoint)
                              : integrator_->start(start_.t, y_, breaks_[limit_] - start_.t);
  const auto* resumed = dynamic_cast<const Resumable*>(integrator_.get());
  if (setup_.checkpoint && status_ == Status::ok && (resumed == nullptr || !resumed->went_on_exactly()))
    results_.notices.push_back(fmt::format(
        "{} with {} starts anew at t = {:g}, its past is not in the checkpoint: equal to the uninterrupted "
        "run "
        "to the tolerance, not to round-off",
        choices_.integrator->method.name, choices_.formulation->method.name, setup_.checkpoint->t));
  if (status_ != Status::ok) return;
  read_state();
  if (setup_.checkpoint) restarted_at_ = state_.t;  // it may be from before a step that was cut
  monitor_.observe(state_, work_);
  angles_.start(state_, start_.t, setup_.quantities ? &*setup_.quantities : nullptr);
  status_ = monitor_.status();
  if (status_ == Status::ok && setup_.record && outputs_.wants_start())
    recorder_.record(start_, work_, monitor_.last());
  events_.start(state_, look_ahead());
  if (status_ == Status::ok && !events_.immediate().empty()) {
    status_ = carry_out_switch(events_.immediate());
    if (status_ == Status::ok) status_ = restart();
  }
}

// Between steps: does the user, and does the sink, let the run go on?
Status Simulation::hand_over() {
  if (is_interrupted()) return Status::interrupted;
  before_.reset();
  if (inside_ >= kManyInside) before_ = complete(integrator_->checkpoint());
  const bool is_due = has_blocks(1) || (setup_.sink != nullptr && setup_.sink->is_due());
  return is_due && !hand_over_all() ? Status::interrupted : Status::ok;
}

// Only where the scheme carries accelerations and multipliers of its own.
void Simulation::listen_to_scheme() {
  const auto* loop = dynamic_cast<const StepLoop*>(integrator_.get());
  if (loop != nullptr && setup_.record && loop->scheme().tell(carried_)) {
    telling_ = &loop->scheme();
    recorder_.add_scheme_columns();
    return;
  }
  if (!setup_.record) return;
  results_.notices.push_back(fmt::format(
      "{} has no accelerations and multipliers of its own: those of the records are all there are",
      choices_.integrator->method.name));
}

Status Simulation::step() {
  const double limit = std::min(breaks_[limit_], std::exchange(at_most_, kNever));
  if (const Status status = integrator_->advance(limit); status != Status::ok) return status;
  if (dropped_.size() == form_->dropped_rows().size() && dropped_ != form_->dropped_rows()) {
    dropped_ = form_->dropped_rows();
    drop_rows();
  }
  read_state();
  last_step_ = state_.t - integrator_->t_before();
  angles_.advance(state_, form_->terms());
  return Status::ok;
}

// The end of a step that stands as it is.
Status Simulation::look_at_end() {
  // Looking for events may have moved the terms of the form: some dense outputs evaluate F.
  Terms& terms = events_.idle() ? form_->terms() : monitor_.terms_at(state_);
  reading_ = monitor_.observe(state_, work_, terms);
  if (!dropped_.empty()) chance_.observe(system_.layout(), terms, dropped_);
  if (setup_.record) {
    const double h = state_.t - integrator_->t_before();
    const long newton = results_.statistics.newton_iterations - newton_;
    if (telling_ != nullptr && telling_->tell(carried_))
      recorder_.record_step(state_.t, h, reading_, newton, carried_, dropped_);
    else
      recorder_.record_step(state_.t, h, reading_, newton);
    newton_ = results_.statistics.newton_iterations;
  }
  monitor_.observe_rows(form_->row_independence());
  return monitor_.status();
}

Status Simulation::record_inside(double t_reached) {
  inside_ = 0;
  for (; setup_.record && outputs_.next() < t_reached; outputs_.pop()) {
    const double t = outputs_.next();
    integrator_->interpolate(t, y_);
    recorder_.record_between(t, y_, reading_);
    ++inside_;
    if (has_blocks(4) && !hand_over_block()) return Status::interrupted;
    if (before_ && is_interrupted()) return end_inside(t);
  }
  return Status::ok;
}

// Among the many records of a step the run ends at the last one, and can go on from before the step.
Status Simulation::end_inside(double t) {
  work_ = form_->unpack(t, y_, state_);
  kept_ = before_;
  const Status status = put_on_constraints(state_);
  return status == Status::ok ? Status::interrupted : status;
}

// A first step behind a discontinuity may go far beyond a mode that ends in it: none of its stages was there then, and its error says
// nothing. It has seen the mode if half-way through it the dense output ẏ is what F has there, over its time, to the root of the
// tolerance of what y is.
bool Simulation::has_not_seen(const EventFinder::Found& found) {
  const double begin = integrator_->t_before(), lasted = found.t - begin;
  if (found.roots.empty() || control_.step > 0 || begin != restarted_at_ || again_ >= kMostAgain)
    return false;
  if (!(lasted > kLeast * std::abs(found.t) && integrator_->t() - begin > 2 * lasted)) return false;
  const double middle = begin + 0.5 * lasted, by = 0.125 * lasted;
  integrator_->interpolate(middle - by, y_);
  integrator_->interpolate(middle + by, seen_);
  seen_ = (seen_ - y_) / (2 * by);
  integrator_->interpolate(middle, probe_);
  ++results_.statistics.evaluations;
  if (form_->derivative(middle, probe_, slope_) != Status::ok) return true;
  form_->magnitudes(probe_, y_);
  const Vec& scale = form_->scale();
  const double share = std::sqrt(std::max(control_.rtol, control_.atol));
  for (Eigen::Index i = 0; i < y_.size(); ++i)
    if (scale[i] > 0 && lasted * std::abs(slope_[i] - seen_[i]) > share * (scale[i] + y_[i])) return true;
  return false;
}

// From where it began, to a quarter of what was passed over.
Status Simulation::step_again(const EventFinder::Found& found) {
  keep_checkpoint();
  const double begin = integrator_->t_before();
  integrator_->interpolate(begin, y_);
  work_ = form_->unpack(begin, y_, state_);
  angles_.cut(state_);
  at_most_ = begin + 0.25 * (found.t - begin);
  ++again_;
  sudden_.restart();
  if (const Status status = integrator_->restart(begin, y_); status != Status::ok) return status;
  events_.start(state_, at_most_ - begin, fired_);
  return Status::ok;
}

// The step ends where something happens; state_ is the state before it.
Status Simulation::cut_at(const EventFinder::Found& found) {
  integrator_->interpolate(found.t, y_);
  keep_checkpoint();
  work_ = work_until(found.t, form_->unpack(found.t, y_, state_));
  if (const Status status = put_on_constraints(state_); status != Status::ok) return status;
  angles_.cut(state_);
  reading_ = monitor_.observe(state_, work_);
  if (setup_.record) {
    recorder_.record_step(found.t, found.t - integrator_->t_before(), reading_,
                          results_.statistics.newton_iterations - newton_);
    newton_ = results_.statistics.newton_iterations;
  }
  return monitor_.status();
}

// What the last step has of the work at t: nothing tests W for errors, and it bends more than what is tested, so that dense output
// may miss it by far more than the tolerance. By Gauss's formula of order 10 from its power instead, along the motion.
double Simulation::work_until(double t, double interpolated) {
  constexpr std::array kNodes = {-0.906179845938664, -0.538469310105683, 0.0, 0.538469310105683,
                                 0.906179845938664};
  constexpr std::array kWeights = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                                   0.236926885056189};
  const double begin = integrator_->t_before(), half = 0.5 * (t - begin);
  const Eigen::Index last = form_->size() - 1;
  if (!system_.exchanges_energy() || !(half > 0)) return interpolated;
  integrator_->interpolate(begin, probe_);
  double work = probe_[last];
  for (size_t i = 0; i < kNodes.size(); ++i) {
    const double at = begin + half * (1 + kNodes[i]);
    integrator_->interpolate(at, probe_);
    ++results_.statistics.evaluations;
    if (form_->derivative(at, probe_, slope_) != Status::ok) return interpolated;
    work += half * kWeights[i] * slope_[last];
  }
  return work;
}

// A step that was cut for the end of the run has something happen in it: where and how a longer run meets that is not known
// from here. It goes on from before the step.
void Simulation::keep_checkpoint() {
  if (kept_ || breaks_[limit_] < setup_.t_end) return;
  Checkpoint before = integrator_->checkpoint();
  if (before.t < integrator_->t()) kept_ = complete(std::move(before));
}

Checkpoint Simulation::complete(Checkpoint checkpoint) const {
  checkpoint.dropped_rows = dropped_;
  checkpoint.mode = mode_.values;
  checkpoint.held = mode_.held;
  return checkpoint;
}

void Simulation::record_end(double t_reached, Found found) {
  bool stops = false, is_recorded = false;
  if (found) {
    for (const size_t k : found->events) stops |= setup_.events[k].stop;
    for (const size_t k : found->events) is_recorded |= bool(setup_.events[k].action);
    for (const int root : found->roots) is_recorded |= !switching_->is_quiet(root);
  }
  if (setup_.record && !is_recorded && (outputs_.wants(t_reached) || stops))
    recorder_.record(state_, work_, reading_);
  outputs_.pop_until(t_reached);
}

// A residual form keeps its rows while its scheme runs: where they have worn, others, which the state is off.
bool Simulation::renew_rows(Found found) {
  if (choices_.formulation->kind != FormKind::residual || dropped_.empty() || found ||
      state_.t >= setup_.t_end || !renew_choice(watch_, system_.layout(), form_->terms(), dropped_))
    return false;
  watch_.reset();
  form_->drop_rows(dropped_);
  drop_rows();
  status_ = put_on_constraints(state_);
  return true;
}

bool Simulation::pass_break() {
  if (state_.t != breaks_[limit_] || breaks_[limit_] >= setup_.t_end) return false;
  recorder_.trajectory.events.push_back({state_.t, "discontinuity"});
  ++limit_;
  return true;
}

// Behind a discontinuity, known or located.
Status Simulation::restart() {
  form_->pack(state_, work_, y_);
  sudden_.restart();
  if (const Status status = integrator_->restart(state_.t, y_); status != Status::ok) return status;
  monitor_.observe(state_, work_);
  events_.start(state_, look_ahead(), happened_);
  restarted_at_ = state_.t;
  again_ = 0;
  fired_.swap(happened_);
  happened_.clear();
  if (events_.immediate().empty()) return monitor_.status();
  const std::vector<int> before = mode_.values;
  const Vec v = state_.v;
  if (const Status status = carry_out_switch(events_.immediate()); status != Status::ok) return status;
  // What switches nothing stands on its root: starting once more would meet it again, for ever.
  return before == mode_.values && v == state_.v ? monitor_.status() : restart();
}

void Simulation::report_progress() const {
  if (setup_.on_progress && results_.statistics.accepted % 64 == 0)
    setup_.on_progress({state_.t, start_.t, setup_.t_end, results_.statistics.steps()});
}

// Everything about a run that ends where it is now, its records included; `solver` solves the final v̇ and λ.
void Simulation::conclude(Results& out, Status ending, OdeForm& solver) {
  out.status = ending;
  out.drift = monitor_.drift();
  out.energy = monitor_.energy();
  const auto message = [&] {
    return failure_message({out.status, state_, system_, *integrator_, *form_, stabilization_.get(), monitor_,
                            control_, out.redundant_rows, chance_.found(), switching_trouble_});
  };
  out.message = message();  // here: the solve of finish() would forget which row failed
  const Status last = recorder_.finish(solver, state_, out);
  if (ending == Status::ok && last != Status::ok) {
    out.status = last;
    out.message = message();
  }
  if (out.good() || out.status == Status::interrupted)
    for (std::string& doubt : doubts({system_, monitor_, recorder_.farthest_move(), control_,
                                      choices_.integrator->order, start_, out.final}))
      out.warnings.push_back(std::move(doubt));
  out.trajectory = std::move(recorder_.trajectory);
  out.checkpoint = kept_ ? *kept_ : complete(integrator_->checkpoint());
  out.final_mode = mode_.values;
  for (const std::string& remark : {form_->remark(), integrator_->remark()})
    if (!remark.empty()) out.notices.push_back(remark);
  if (gained_ > 0)
    out.notices.push_back(
        fmt::format("impacts gained {:.4g} J by Newton's law of restitution with friction", gained_));
  for (const std::string& warning : {sudden_.warning(), integrator_->warning()})
    if (!warning.empty()) out.warnings.push_back(warning);
  out.statistics.cpu_seconds = cpu_now() - cpu_start_;
}

void Simulation::drop_rows() {
  if (stabilization_) stabilization_->drop_rows(dropped_);
  if (projection_) projection_->drop_rows(dropped_);
  recorder_.drop_rows(dropped_);
  if (looker_) looker_->drop_rows(dropped_);
}

Status Simulation::put_on_constraints(State& at) {
  if (!projection_) {
    projection_ = make_projection(system_, form_->make_kernel());
    if (!dropped_.empty()) projection_->drop_rows(dropped_);
  }
  return projection_->settle(at.t, at.q, at.v);
}

// Records go to the sink: alone where one step has several blocks of them, else between steps with everything else. false:
// it takes no more.
bool Simulation::hand_over_block() {
  const bool goes_on = setup_.sink->add(recorder_.trajectory);
  clear_rows(recorder_.trajectory);
  return goes_on;
}

bool Simulation::hand_over_all() {
  const Statistics counted = results_.statistics;  // looking on must not count
  Results so_far = results_;
  conclude(so_far, Status::interrupted, setup_.record ? recorder_.reader() : *form_);
  results_.statistics = counted;
  const bool goes_on = setup_.sink->update(so_far);
  recorder_.trajectory = std::move(so_far.trajectory);
  clear_rows(recorder_.trajectory);
  return goes_on;
}

Results simulate(const DescriptorSystem& system, const State& start, const Setup& setup) {
  return Simulation(system, start, setup).carry_out();
}

}  // namespace driftless
