// More than 50 switches of one element within 1e-12 max(|t|, time scale of the run): neither of its branches lasts. Coulomb friction
// written with sign(v) does it at rest, a ball that bounces for ever when it has come to lie.
// Impacts that follow one another as fast as 50 of them before, where restitution would have made them follow faster, are kept up by errors
// of position: those are put to rest if they rise less than the tolerance resolves.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driftless/simulate.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

class ChatterGuard {
 public:
  ChatterGuard(size_t switches, size_t events, double time_scale)
      : bursts_(switches + events + 1), hops_(2 * switches), switches_(switches), time_scale_(time_scale) {}

  // One more of a switch, or of an event; false: too many.
  bool note_switch(int k, double t) { return note(size_t(k), t); }
  bool note_event(size_t k, double t) { return note(switches_ + k, t); }

  // A switch fired and nothing switched.
  bool note_idle(double t) { return note(bursts_.size() - 1, t); }
  // Whether to try once more, with hops that are lost in the tolerance at rest: not twice at one time.
  bool may_settle(double t) { return once(t, settled_); }
  // Whether to pass over what fired, where nothing was to be put to rest: not twice at one time either.
  bool may_pass(double t) { return once(t, passed_); }

  // A root fired, with or without a change of its switch.
  void note_hop(int root, double t, bool has_switched) {
    Hops& hops = hops_[size_t(root)];
    if (has_switched) {
      hops = {};
      return;
    }
    const double interval = t - hops.last;
    hops.last = t;
    if (interval == 0 || ++hops.count < kMost) return;
    hops.go_on = interval > kAsFast * hops.interval;
    hops.interval = interval;
    hops.count = 0;
  }
  bool hops_on(int root) const { return hops_[size_t(root)].go_on; }

  static std::string idle_message() {
    return "something that switches fires again and again without time passing, and nothing switches: what "
           "opens there closes "
           "again faster than time can be resolved; start at rest there, or with a larger velocity";
  }
  static std::string message(const Switch& at) {
    return fmt::format(
        "'{}' ({}) switches back and forth without time passing: neither of its branches lasts; use {}",
        at.element, at.what,
        at.instead.empty() ? "another law, or smooth(...), which makes no events" : at.instead);
  }
  static std::string message(const Event& event) {
    return fmt::format(
        "the event '{}' happens again and again without time passing: let its action end the motion",
        event.name);
  }

 private:
  static constexpr int kMost = 50;
  static constexpr double kWindow = 1e-12;
  static constexpr double kAsFast = 0.9;
  struct Burst {
    double since = 0;
    int count = 0;
  };
  struct Hops {
    double last = -std::numeric_limits<double>::infinity();
    double interval = std::numeric_limits<double>::infinity();  // kMost of them ago
    int count = 0;
    bool go_on = false;
  };
  bool note(size_t k, double t) {
    Burst& burst = bursts_[k];
    if (burst.count == 0 || t - burst.since > window(t)) burst = {t, 0};
    return ++burst.count <= kMost;
  }
  bool once(double t, double& last) {
    if (t - last <= window(t)) return false;
    last = t;
    bursts_.back().count = 0;
    return true;
  }
  double window(double t) const { return kWindow * std::max(std::abs(t), time_scale_); }

  std::vector<Burst> bursts_;
  std::vector<Hops> hops_;  // of the roots of the system
  size_t switches_;
  double time_scale_;
  double settled_ = -std::numeric_limits<double>::infinity(), passed_ = settled_;
};

}  // namespace driftless
