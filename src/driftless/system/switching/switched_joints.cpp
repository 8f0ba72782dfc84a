// Joints and drivers that come and go as a whole: triggers that make them, and the impact by which they come.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/math/linear/dense.hpp"
#include "driftless/system/switching/switched_decision.hpp"

namespace driftless {
namespace {

constexpr double kFits = 1e-6;     // characteristic lengths: a joint that is no further off comes on
constexpr double kFollows = 1e-8;  // of the speeds there are: rows that others imply must agree with them
constexpr double kHolds = 1e-8;    // of the largest: rows of one joint are independent
constexpr double kRoundOff =
    1e-12;  // of a level, or of the characteristic length: nearer a signal stands on it
constexpr double kNextLook = 1e-6;  // s: where a signal goes that stands on its level

Reaction nothing(const DescriptorSystem& system) {
  return {Vec::Zero(system.layout().nv), Vec::Zero(system.layout().m)};
}

}  // namespace

void SwitchedRows::read_signals(const ObservableSystem& system,
                                double t,
                                ConstVec q,
                                ConstVec v,
                                const Reaction& reaction,
                                Terms& terms) const {
  if (triggers_.empty()) return;
  auto& work = static_cast<SwitchedWork&>(*terms.extra);
  work.signal.resize(static_cast<Eigen::Index>(triggers_.size()));
  const auto asks = [&](TriggerSpec::When when) {
    return std::any_of(triggers_.begin(), triggers_.end(),
                       [&](const Trigger& trigger) { return trigger.spec.when == when; });
  };
  if (asks(TriggerSpec::When::output)) {
    work.quantities.resize(static_cast<Eigen::Index>(system.quantity_names().size()));
    system.observe_quantities(t, q, v, reaction, terms, work.quantities);
    system.finish_quantities(t, work.quantities);
  }
  if (asks(TriggerSpec::When::reaction)) system.observe_reactions(t, q, v, reaction, terms, work.reactions);
  for (size_t i = 0; i < triggers_.size(); ++i) {
    const Trigger& trigger = triggers_[i];
    double signal = t;
    if (trigger.spec.when == TriggerSpec::When::output) signal = work.quantities[trigger.of];
    if (trigger.spec.when == TriggerSpec::When::reaction) {
      const JointReaction& r = work.reactions[size_t(trigger.of)];
      const int k = trigger.spec.component;
      signal = k < 0 ? r.force.norm() : k < 3 ? r.force[k] : r.torque[k - 3];
    }
    signal -= trigger.spec.level;
    work.signal[Eigen::Index(i)] = trigger.period > 0 ? std::remainder(signal, trigger.period) : signal;
  }
}

// Which side of their levels signals begin on. Limits of reactions begin below: those that are exceeded switch at once.
void SwitchedRows::begin_triggers(const ObservableSystem& system, const State& at, Mode& mode) const {
  if (triggers_.empty()) return;
  Terms terms = system.make_terms();
  const Reaction none = nothing(system);
  const auto read = [&](const State& state) {
    system.position(state.t, state.q, terms);
    system.bias(state.t, state.q, state.v, terms);
    read_signals(system, state.t, state.q, state.v, none, terms);
    return static_cast<SwitchedWork&>(*terms.extra).signal;
  };
  const Vec now = read(at);
  State later = at;
  later.t += kNextLook;
  system.retract(later.q, kNextLook * at.v);
  const Vec next = read(later);
  for (size_t i = 0; i < triggers_.size(); ++i) {
    const Eigen::Index k = Eigen::Index(i);
    const bool stands =
        std::abs(now[k]) <= kRoundOff * std::max(1 + std::abs(triggers_[i].spec.level), length_);
    const bool is_above = triggers_[i].spec.of_state && (stands ? next[k] > 0 : now[k] > 0);
    mode.values[size_t(trigger_at(i))] = is_above ? above : below;
  }
}

void SwitchedRows::pull_triggers(const ObservableSystem& system,
                                 std::span<const int> fired,
                                 const State& at,
                                 const Reaction& reaction,
                                 Mode& mode,
                                 Decision& d,
                                 Transition& out) const {
  d.holds.assign(joints_.size(), 0);
  d.joint_modes.clear();
  for (size_t i = 0; i < joints_.size(); ++i) d.joint_modes.push_back(mode_of(mode, joint_at(i)));
  Vec signal;
  for (size_t i = 0; i < triggers_.size(); ++i) {
    const Trigger& trigger = triggers_[i];
    const int at_trigger = trigger_at(i);
    if (std::find(fired.begin(), fired.end(), 2 * at_trigger) == fired.end()) continue;
    int& side = mode.values[size_t(at_trigger)];
    side = side == above ? below : above;
    out.switched.push_back(at_trigger);
    if (trigger.period > 0) {  // on the other side of the circle it has jumped by a turn, and passed nothing
      if (signal.size() == 0) {
        Terms terms = system.make_terms();
        system.position(at.t, at.q, terms);
        system.bias(at.t, at.q, at.v, terms);
        read_signals(system, at.t, at.q, at.v, reaction.vdot.size() > 0 ? reaction : nothing(system), terms);
        signal = static_cast<SwitchedWork&>(*terms.extra).signal;
      }
      if (std::abs(signal[Eigen::Index(i)]) > trigger.period / 4) continue;
    }
    const int direction = side == above ? 1 : -1;
    if (trigger.spec.direction != 0 && trigger.spec.direction != direction) continue;
    d.joint_modes[size_t(trigger.joint)] = trigger.spec.on ? on : off;
    d.holds[size_t(trigger.joint)] = trigger.spec.on && trigger.spec.hold;
  }
}

// Rows in force but for contacts, stops and friction.
void SwitchedRows::set_base(const Mode& mode, Decision& d) const {
  d.base.inactive = optional_;
  d.base.held = mode.held;
  for (size_t i = 0; i < joints_.size(); ++i)
    if (d.joint_modes[i] == on)
      for (const int row : joints_[i].rows) std::erase(d.base.inactive, row);
}

// (6). `d` is measured before and behind it.
void SwitchedRows::join(
    const DescriptorSystem& system, State& at, const Mode& mode, Decision& d, Transition& out) const {
  std::vector<size_t> coming;
  for (size_t i = 0; i < joints_.size(); ++i)
    if (d.joint_modes[i] == on && mode_of(mode, joint_at(i)) == off) coming.push_back(i);
  if (coming.empty()) return;
  for (const size_t i : coming) {
    const Joint& joint = joints_[i];
    double off_by = 0;
    for (size_t r = 0; r < joint.rows.size(); ++r) {
      const double g = d.g[joint.ks[r]];
      d.base.held[size_t(joint.held) + r] = d.holds[i] ? g : 0.0;
      off_by = std::max(off_by, std::abs(g));
    }
    if (!d.holds[i] && off_by > kFits * length_) {
      out.trouble = fmt::format(
          "joint '{}' is to come on but is off by {:.3g} m (at most {:.3g} m): switch it where it fits, or "
          "give the switch \"hold\": "
          "\"here\"",
          joint.spec.joint, off_by, kFits * length_);
      return;
    }
    // Its own rows, in units of the coordinates: at some attitudes they say less than they should.
    const auto n = static_cast<Eigen::Index>(joint.rows.size());
    Mat rows = Mat::Zero(n, system.layout().nv);
    for (Eigen::Index r = 0; r < n; ++r) {
      Vec along = Vec::Zero(system.layout().nv);
      push_along(joint.ks[size_t(r)], 1, d.terms, along);
      rows.row(r) = along.cwiseProduct(system.layout().v_scale).transpose();
    }
    const Vec sizes = symmetric_eigenvalues(Mat(rows * rows.transpose()));
    if (sizes.minCoeff() <= kHolds * sizes.maxCoeff()) {
      out.trouble = fmt::format("joint '{}' is to come on at an attitude where its conditions are dependent",
                                joint.spec.joint);
      return;
    }
  }
  d.approach = d.u;
  const double before = system.kinetic_energy(at.v, d.terms);
  Vec r(system.layout().m), jump = Vec::Zero(system.layout().nv), y = Vec::Zero(system.layout().m);
  r = d.terms.J * at.v - d.terms.nu;
  const double speed = std::max(length_, max_abs(r));
  if (d.solver->solve(Vec::Zero(system.layout().nv), -r, jump, y) != Status::ok) {
    out.trouble = fmt::format("joint '{}' cannot come on: the equations of its impact are singular",
                              joints_[coming.front()].spec.joint);
    return;
  }
  at.v += jump;
  const Vec left = d.terms.J * at.v - d.terms.nu;
  if (max_abs(left) > kFollows * speed) {
    out.trouble = fmt::format("joint '{}' is to come on but contradicts others by {:.3g} m/s",
                              joints_[coming.front()].spec.joint, max_abs(left));
    return;
  }
  const double lost = 0.5 * r.dot(y), gained = system.kinetic_energy(at.v, d.terms) - before;
  out.jumped = true;
  out.energy_lost += lost;
  out.work += gained + lost;
  for (const size_t i : coming) {
    double size = 0;
    for (const int row : joints_[i].rows) size += y[row] * y[row];
    out.impulses.push_back({joints_[i].spec.joint, std::sqrt(size)});
  }
  measure(system, at, d);
}

void SwitchedRows::adopt_joints(const Decision& d, Mode& mode, Transition& out) const {
  for (size_t i = 0; i < joints_.size(); ++i) {
    int& value = mode.values[size_t(joint_at(i))];
    if (value == d.joint_modes[i]) continue;
    value = d.joint_modes[i];
    out.switched.push_back(joint_at(i));
    out.events.push_back(fmt::format("{}: {}", joints_[i].spec.joint, value == on ? "on" : "off"));
    for (size_t r = 0; r < joints_[i].rows.size(); ++r) {
      const size_t held = size_t(joints_[i].held) + r;
      mode.held[held] = value == on ? d.base.held[held] : 0.0;
    }
  }
}

}  // namespace driftless
