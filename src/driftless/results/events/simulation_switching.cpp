// What happens where a step was cut: roots that switch the system, actions of events, both sides of them in the records.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/results/simulation.hpp"

namespace driftless {
namespace {

constexpr double kUnresolved = 10;  // tolerances a hop must rise
// "floor: impact, 3.2 N s": rows of angles are lengths, so all impulses are of forces.
std::string with_impulse(const std::string& event, const std::vector<Impulse>& impulses) {
  for (const Impulse& one : impulses)
    if (event.starts_with(one.element + ":") &&
        (event.ends_with("impact") || event.ends_with("closed") || event.ends_with(": on")))
      return fmt::format("{}, {:.6g} N s", event, one.size);
  return event;
}

}  // namespace

// Both sides of what happens are recorded, unless it changes nothing but the curvature of the motion.
Status Simulation::switch_over(const EventFinder::Found& found) {
  bool is_loud = false;
  for (const int root : found.roots) is_loud |= !switching_->is_quiet(root);
  for (const size_t k : found.events) is_loud |= bool(setup_.events[k].action);
  if (setup_.record && is_loud && is_new()) recorder_.record(state_, work_, reading_);
  if (!found.roots.empty())
    if (const Status status = carry_out_switch(found.roots); status != Status::ok) return status;
  if (const Status status = act(found); status != Status::ok) return status;
  if (!is_loud) return Status::ok;
  reading_ = monitor_.observe(state_, work_);
  if (setup_.record && is_new()) recorder_.record(state_, work_, reading_);
  return monitor_.status();
}

Status Simulation::act(const EventFinder::Found& found) {
  for (const size_t k : found.events) {
    const Event& event = setup_.events[k];
    note(event.name);
    if (!event.action) continue;
    if (!chatter_.note_event(k, state_.t)) {
      switching_trouble_ = ChatterGuard::message(event);
      return Status::chattering;
    }
    const double before = monitor_.energy_at(state_);
    event.action(state_);
    if (const Status status = put_on_constraints(state_); status != Status::ok) return status;
    lose(before - monitor_.energy_at(state_));
  }
  happened_ = found.events;
  return Status::ok;
}

// The mode behind roots that fired, and behind those that fire at once in that.
Status Simulation::carry_out_switch(std::vector<int> fired) {
  const double h = look_ahead();
  Reaction reaction;
  while (!fired.empty()) {
    if (switching_->needs_reaction(mode_))
      if (const Status status = looker_->react(state_, reaction); status != Status::ok) return status;
    const double unresolved = kUnresolved * (setup_.rtol + setup_.atol) * system_.layout().length;
    for (const int root : fired)
      if (chatter_.hops_on(root)) mode_.settle_below = unresolved;
    const std::vector<int> inactive = mode_.inactive;
    const double before = monitor_.energy_at(state_);
    const Transition done = switching_->transition(fired, state_, reaction, switch_terms_, mode_);
    mode_.settle_below = 0;
    for (const int root : fired)
      chatter_.note_hop(root, state_.t,
                        std::binary_search(done.switched.begin(), done.switched.end(), root / 2));
    // The edge of a road moves the spring of a tyre at once: work from outside, no error of the motion.
    if (const double stored = monitor_.energy_at(state_) - before; !done.jumped && std::isfinite(stored))
      work_ += stored;
    for (const std::string& event : done.events) note(with_impulse(event, done.impulses));
    for (const std::string& notice : done.notices)
      if (std::find(results_.notices.begin(), results_.notices.end(), notice) == results_.notices.end())
        results_.notices.push_back(notice);
    lose(done.energy_lost - done.work);
    gained_ += done.energy_gained;
    if (!done.trouble.empty()) {
      switching_trouble_ = done.trouble;
      return Status::no_mode;
    }
    for (const int k : done.switched)
      if (!chatter_.note_switch(k, state_.t)) {
        switching_trouble_ = ChatterGuard::message(switching_->switches()[size_t(k)]);
        return Status::chattering;
      }
    if (inactive != mode_.inactive)
      if (const Status status = renew_mode_rows(); status != Status::ok) return status;
    events_.start(state_, h);
    // What switched nothing stands on its root to round-off: it would go on for ever. So would a run that comes back to it at once,
    // and velocities that jump without end.
    if (done.switched.empty()) {
      if (!chatter_.note_idle(state_.t)) {
        if (chatter_.may_settle(state_.t)) {
          mode_.settle_below = unresolved;
          continue;
        }
        if (chatter_.may_pass(state_.t)) {
          events_.pass_over(fired);
          break;
        }
        switching_trouble_ = ChatterGuard::idle_message();
        return Status::chattering;
      }
      if (!done.jumped) break;
    }
    fired = events_.immediate();
  }
  return Status::ok;
}

// Other rows are in force: which of them others imply is decided anew.
Status Simulation::renew_mode_rows() {
  dropped_ = redundant_rows(system_, state_);
  form_->drop_rows(dropped_);
  drop_rows();
  return put_on_constraints(state_);
}

}  // namespace driftless
