#include "driftless/system/switching/switched_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Gaps and speeds that are round-off are zero: behind a switch they stand where they are until they leave it.
double cleared(double x, double one) { return std::abs(x) <= 1e-13 * one ? 0.0 : x; }

}  // namespace

SwitchedRows::SwitchedRows(SwitchedSpecs specs, const SwitchedPlaces& places, int first, double length)
    : first_(first), length_(length) {
  const auto& row_of = places.row_of;
  for (UnilateralSpec& spec : specs.unilaterals) {
    const int row = row_of(spec.row);
    optional_.push_back(row);
    unilaterals_.push_back({std::move(spec), row});
  }
  for (FrictionSpec& spec : specs.frictions) {
    Friction f;
    f.row = row_of(spec.row);
    optional_.push_back(f.row);
    if (!spec.row_2.empty()) optional_.push_back(f.row_2 = row_of(spec.row_2));
    for (size_t i = 0; i < unilaterals_.size(); ++i)
      if (!spec.normal.empty() && unilaterals_[i].spec.row == spec.normal) f.normal = static_cast<int>(i);
    if (!spec.given && f.normal < 0) f.pressed = places.rows_of(spec.element);
    f.spec = std::move(spec);
    frictions_.push_back(std::move(f));
  }
  int held = 2 * static_cast<int>(frictions_.size());
  for (JointSpec& spec : specs.joints) {
    Joint& joint = joints_.emplace_back();
    joint.rows = places.rows_of_blocks(spec.first_block, spec.end_block);
    joint.held = held;
    held += static_cast<int>(joint.rows.size());
    optional_.insert(optional_.end(), joint.rows.begin(), joint.rows.end());
    joint.spec = std::move(spec);
  }
  for (TriggerSpec& spec : specs.triggers) {
    Trigger& trigger = triggers_.emplace_back();
    for (size_t i = 0; i < joints_.size(); ++i)
      if (joints_[i].spec.joint == spec.joint) trigger.joint = static_cast<int>(i);
    if (spec.when == TriggerSpec::When::output) {
      trigger.of = places.output_of(spec.of);
      trigger.period = places.period_of(trigger.of);
    }
    if (spec.when == TriggerSpec::When::reaction) trigger.of = places.joint_of(spec.of);
    trigger.spec = std::move(spec);
  }
  std::sort(optional_.begin(), optional_.end());
  const auto place = [&](int row) {
    return static_cast<int>(std::lower_bound(optional_.begin(), optional_.end(), row) - optional_.begin());
  };
  for (Unilateral& u : unilaterals_) u.k = place(u.row);
  for (Friction& f : frictions_) {
    f.k = place(f.row);
    if (f.row_2 >= 0) f.k_2 = place(f.row_2);
  }
  for (Joint& joint : joints_)
    for (const int row : joint.rows) joint.ks.push_back(place(row));
  all_off_.inactive = optional_;
  for (const Joint& joint : joints_)
    if (joint.spec.starts_on)
      for (const int row : joint.rows) std::erase(all_off_.inactive, row);
}

void SwitchedRows::describe(std::vector<Switch>& switches) const {
  for (const Unilateral& u : unilaterals_) {
    Switch out{
        u.spec.element, u.spec.kind, u.spec.kind == "stop" ? "stop " + u.spec.what : "", {"open", "closed"}};
    out.instead = "a restitution of 0, or \"stiffness\"";
    switches.push_back(out);
  }
  for (const Friction& f : frictions_) {
    Switch out{f.spec.element,
               f.spec.kind,
               f.spec.kind == "clutch" ? "" : "friction",
               {"slip -", "stick", "slip +", "apart"}};
    out.first = slip_minus;
    out.instead = "a limit that does not follow the motion so closely";
    switches.push_back(out);
  }
  for (const Joint& joint : joints_) {
    switches.push_back({joint.spec.joint, "joint", "", {"off", "on"}});
    switches.back().instead = "switches whose levels lie further apart";
  }
  for (const Trigger& trigger : triggers_) {
    const bool is_time = trigger.spec.when == TriggerSpec::When::time;
    switches.push_back(
        {trigger.spec.name, "switch", "", {is_time ? "before" : "below", is_time ? "after" : "above"}});
    switches.back().instead = "a level that the signal does not return to at once";
  }
}

void SwitchedRows::size_mode(Mode& mode) const {
  mode.values.resize(size_t(first_ + count()), 0);
  size_t held = 2 * frictions_.size();
  for (const Joint& joint : joints_) held += joint.rows.size();
  mode.held.resize(held + 1, 0.0);  // the last: whether what is in force is redundant
  mode.inactive = all_off_.inactive;
}

bool SwitchedRows::needs_reaction(const Mode& mode) const {
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (mode_of(mode, unilateral_at(i)) == closed && unilaterals_[i].spec.stiffness == 0) return true;
  for (size_t i = 0; i < frictions_.size(); ++i)
    if (mode_of(mode, friction_at(i)) != apart) return true;
  for (const Trigger& trigger : triggers_)
    if (!trigger.spec.of_state) return true;
  return false;
}

void SwitchedRows::set_inactive(Mode& mode) const {
  mode.inactive.clear();
  std::vector<char> in_force(optional_.size(), 0);
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (mode_of(mode, unilateral_at(i)) == closed && unilaterals_[i].spec.stiffness == 0)
      in_force[size_t(unilaterals_[i].k)] = 1;
  for (size_t i = 0; i < frictions_.size(); ++i)
    if (mode_of(mode, friction_at(i)) == stick) {
      in_force[size_t(frictions_[i].k)] = 1;
      if (frictions_[i].k_2 >= 0) in_force[size_t(frictions_[i].k_2)] = 1;
    }
  for (size_t i = 0; i < joints_.size(); ++i)
    if (mode_of(mode, joint_at(i)) == on)
      for (const int k : joints_[i].ks) in_force[size_t(k)] = 1;
  for (size_t k = 0; k < optional_.size(); ++k)
    if (!in_force[k]) mode.inactive.push_back(optional_[k]);
}

// ---- stages ----------------------------------------------------------------------------------------------------------

SwitchedWork& SwitchedRows::work_of(const DescriptorSystem& system, Terms& terms) const {
  if (!terms.extra) {
    auto work = std::make_unique<SwitchedWork>();
    size_t entries = 0;
    for (const int row : optional_)
      entries += size_t(terms.J.outerIndexPtr()[row + 1] - terms.J.outerIndexPtr()[row]);
    work->J.resize(entries);
    const auto rows = static_cast<Eigen::Index>(optional_.size());
    work->g.setZero(rows);
    work->nu.setZero(rows);
    work->gamma.setZero(rows);
    work->push.setZero(system.layout().nv);
    work->limit.setZero(static_cast<Eigen::Index>(frictions_.size()));
    terms.extra = std::move(work);
  }
  return static_cast<SwitchedWork&>(*terms.extra);
}

void SwitchedRows::position(const DescriptorSystem& system, Terms& terms) const {
  if (terms.mode == nullptr) terms.mode = &all_off_;  // outside a run nothing of this is in force
  SwitchedWork& work = work_of(system, terms);
  double* out = work.J.data();
  for (size_t k = 0; k < optional_.size(); ++k) {
    const int row = optional_[k];
    for (int i = terms.J.outerIndexPtr()[row]; i < terms.J.outerIndexPtr()[row + 1]; ++i)
      *out++ = terms.J.valuePtr()[i];
    work.g[Eigen::Index(k)] = row < terms.g.size() ? terms.g[row] : 0.0;
    work.nu[Eigen::Index(k)] = terms.nu[row];
  }
  if (!terms.mode->held.empty())
    for (const Joint& joint : joints_)
      for (size_t r = 0; r < joint.rows.size(); ++r)
        if (joint.rows[r] < terms.g.size())
          terms.g[joint.rows[r]] -= terms.mode->held[size_t(joint.held) + r];
  if (terms.mode->values.empty()) return;
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (mode_of(*terms.mode, friction_at(i)) != stick) continue;
    const double* held = terms.mode->held.data() + held_ + 2 * i;
    if (f.row < terms.g.size()) terms.g[f.row] -= held[0];
    if (f.spec.period > 0) terms.g[f.row] = std::remainder(terms.g[f.row], f.spec.period);
    if (f.row_2 >= 0 && f.row_2 < terms.g.size()) terms.g[f.row_2] -= held[1];
  }
}

void SwitchedRows::bias(const DescriptorSystem& system, Terms& terms) const {
  SwitchedWork& work = work_of(system, terms);
  for (size_t k = 0; k < optional_.size(); ++k) work.gamma[Eigen::Index(k)] = terms.gamma[optional_[k]];
}

double SwitchedRows::rate_of(int k, ConstVec v, const Terms& terms) const {
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  const double* values = work.J.data();
  for (int j = 0; j < k; ++j)
    values +=
        terms.J.outerIndexPtr()[optional_[size_t(j)] + 1] - terms.J.outerIndexPtr()[optional_[size_t(j)]];
  double sum = -work.nu[k];
  const int row = optional_[size_t(k)];
  for (int i = terms.J.outerIndexPtr()[row]; i < terms.J.outerIndexPtr()[row + 1]; ++i)
    sum += *values++ * v[terms.J.innerIndexPtr()[i]];
  return sum;
}

void SwitchedRows::push_along(int k, double force, const Terms& terms, VecRef f) const {
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  const double* values = work.J.data();
  for (int j = 0; j < k; ++j)
    values +=
        terms.J.outerIndexPtr()[optional_[size_t(j)] + 1] - terms.J.outerIndexPtr()[optional_[size_t(j)]];
  const int row = optional_[size_t(k)];
  for (int i = terms.J.outerIndexPtr()[row]; i < terms.J.outerIndexPtr()[row + 1]; ++i)
    f[terms.J.innerIndexPtr()[i]] += force * *values++;
}

// ---- roots -----------------------------------------------------------------------------------------------------------

void SwitchedRows::roots(const ObservableSystem& system,
                         double t,
                         ConstVec q,
                         ConstVec v,
                         const Mode& mode,
                         const Reaction& reaction,
                         const Terms& terms,
                         VecRef values,
                         VecRef rates) const {
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  const bool moving = reaction.vdot.size() == v.size();
  // dr/dt of J v − ν along the motion: J v̇ − γ
  const auto growth = [&](int k) {
    return moving ? rate_of(k, reaction.vdot, terms) + work.nu[k] - work.gamma[k] : kNone;
  };
  const bool redundant = is_redundant(mode);
  int first_held = -1;  // the root of all redundant ones
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const Unilateral& u = unilaterals_[i];
    const int at = unilateral_at(i);
    double* r = values.data() + 2 * at;
    double* dr = rates.data() + 2 * at;
    r[1] = dr[1] = dr[0] = kNone;
    if (mode_of(mode, at) == open) {
      r[0] = cleared(work.g[u.k], length_);
      dr[0] = rate_of(u.k, v, terms);
    } else if (u.spec.stiffness > 0) {
      r[0] = cleared(-work.g[u.k], length_);
      dr[0] = -rate_of(u.k, v, terms);
    } else {
      r[0] = moving && !redundant ? -reaction.lambda[u.row] : kNone;
      if (first_held < 0) first_held = 2 * at;
    }
  }
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    const int at = friction_at(i);
    double* r = values.data() + 2 * at;
    double* dr = rates.data() + 2 * at;
    r[0] = r[1] = dr[0] = dr[1] = kNone;
    const int value = mode_of(mode, at);
    if (value == apart || !moving) continue;
    if (value == stick && redundant) {
      if (first_held < 0) first_held = 2 * at;
      continue;
    }
    if (value == stick) {
      const double ell = limit_at(f, t, reaction.lambda, true);
      if (f.row_2 < 0) {
        r[0] = ell - reaction.lambda[f.row];
        r[1] = ell + reaction.lambda[f.row];
      } else {
        r[0] = ell - std::hypot(reaction.lambda[f.row], reaction.lambda[f.row_2]);
      }
      continue;
    }
    double direction[2];
    r[0] = cleared(slide_speed(f, v, terms, direction), length_);
    if (f.k_2 < 0) {
      dr[0] = value * growth(f.k);
    } else {
      // At rest, or 60° from the direction it began with: from there on that is another.
      const double* held = mode.held.data() + held_ + 2 * i;
      const double x = rate_of(f.k, v, terms), y = rate_of(f.k_2, v, terms), speed = std::hypot(x, y);
      const double dx = growth(f.k), dy = growth(f.k_2);
      r[0] = cleared(x * held[0] + y * held[1] - 0.5 * speed, length_);
      dr[0] = held[0] * dx + held[1] * dy -
              0.5 * (speed > kRestSpeed * length_ ? (x * dx + y * dy) / speed : std::hypot(dx, dy));
    }
  }
  if (redundant && moving && first_held >= 0)
    values[first_held] = margin(system, {t, q, v}, mode, reaction.lambda);
  for (size_t i = 0; i < joints_.size(); ++i)
    for (const int root : {2 * joint_at(i), 2 * joint_at(i) + 1}) values[root] = rates[root] = kNone;
  for (size_t i = 0; i < triggers_.size(); ++i) {
    const int at = trigger_at(i), side = mode_of(mode, at) == above ? 1 : -1;
    const bool is_time = triggers_[i].spec.when == TriggerSpec::When::time;
    values[2 * at] = is_time && side > 0 ? kNone : side * work.signal[Eigen::Index(i)];
    rates[2 * at] = is_time ? -1.0 : kNone;
    values[2 * at + 1] = rates[2 * at + 1] = kNone;
  }
}

}  // namespace driftless
