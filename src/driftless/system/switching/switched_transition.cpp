// Rows that come and go, at a switch: measured, struck, and the answer of decide() adopted.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/math/contact/contact_scale.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/system/kernels/row_rank.hpp"
#include "driftless/system/switching/switched_decision.hpp"

namespace driftless {
namespace {

double row_product(const SparseRows& J, int row, const double* values, const Vec& x) {
  double sum = 0;
  for (int i = J.outerIndexPtr()[row]; i < J.outerIndexPtr()[row + 1]; ++i)
    sum += *values++ * x[J.innerIndexPtr()[i]];
  return sum;
}

}  // namespace

void SwitchedRows::measure(const DescriptorSystem& system, const State& at, Decision& d) const {
  d.terms = system.make_terms();
  d.terms.mode = &d.base;
  const auto n = static_cast<Eigen::Index>(optional_.size());
  // A mode without values: rows are kept and silenced, no friction acts.
  system.position(at.t, at.q, d.terms);
  system.mass(at.t, at.q, d.terms);
  system.bias(at.t, at.q, at.v, d.terms);
  auto& work = static_cast<SwitchedWork&>(*d.terms.extra);
  system.force(at.t, at.q, at.v, d.terms);
  d.solver = system.make_solver();
  d.solver->drop_rows(redundant_rows(system.layout(), d.terms));
  d.vdot = Vec::Zero(system.layout().nv);
  d.lambda = Vec::Zero(system.layout().m);
  if (d.solver->factor(d.terms) != Status::ok ||
      d.solver->solve(d.terms.f, d.terms.gamma, d.vdot, d.lambda) != Status::ok)
    d.vdot.setConstant(std::numeric_limits<double>::quiet_NaN());
  d.x.assign(size_t(n), Vec::Zero(system.layout().nv));
  d.y.assign(size_t(n), Vec::Zero(system.layout().m));
  d.W = Mat::Zero(n, n);
  d.g = work.g;
  d.u = d.a = Vec::Zero(n);
  Vec force(system.layout().nv);
  const Vec none = Vec::Zero(system.layout().m);
  std::vector<const double*> values;
  const double* next = work.J.data();
  for (const int row : optional_) {
    values.push_back(next);
    next += d.terms.J.outerIndexPtr()[row + 1] - d.terms.J.outerIndexPtr()[row];
  }
  std::vector<char> of_joint(size_t(n), 0);
  for (const Joint& joint : joints_)
    for (const int k : joint.ks) of_joint[size_t(k)] = 1;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (of_joint[size_t(k)]) continue;
    force.setZero();
    push_along(static_cast<int>(k), 1, d.terms, force);
    if (d.solver->solve(force, none, d.x[size_t(k)], d.y[size_t(k)]) != Status::ok)
      d.x[size_t(k)].setConstant(std::numeric_limits<double>::quiet_NaN());
    for (Eigen::Index j = 0; j < n; ++j)
      d.W(j, k) = row_product(d.terms.J, optional_[size_t(j)], values[size_t(j)], d.x[size_t(k)]);
    d.u[k] = rate_of(static_cast<int>(k), at.v, d.terms);
    d.a[k] = row_product(d.terms.J, optional_[size_t(k)], values[size_t(k)], d.vdot) - work.gamma[k];
  }
  d.W = (0.5 * (d.W + d.W.transpose())).eval();
  // Forces of compliant stops that are closed are added by decide(), which knows the modes.
  d.speed = std::max({length_, max_abs(d.u), 0.0});
  d.touches.assign(unilaterals_.size(), 0);
  d.struck = d.opens = d.touches;
  d.frees.assign(frictions_.size(), 0);
  d.arrests = d.frees;
  d.unilateral_modes.assign(unilaterals_.size(), open);
  d.friction_modes.assign(frictions_.size(), apart);
  d.slip_x.assign(frictions_.size(), 0);
  d.slip_y = d.slip_x;
}

namespace {

// What rocks from one contact to another, without restitution, also does so infinitely often in finite time: where everything
// that touches is slow, it comes to rest on all of them.
bool settle_slow(const ContactProblem& contacts, double zeno, ImpactSolution& solution) {
  if (solution.answer != ContactAnswer::solved) return false;
  bool rocks = false;
  for (const ContactRows& c : contacts.contacts) {
    if (std::abs(contacts.b[c.normal]) >= zeno || solution.u[c.normal] >= zeno) return false;
    rocks |= solution.u[c.normal] > kResting * zeno && solution.p[c.normal] <= 0;
  }
  if (!rocks) return false;
  solution.p += least_squares(contacts.W, -solution.u, kContactRoundOff);
  solution.u = contacts.b + contacts.W * solution.p;
  solution.energy_gain = 0.5 * solution.p.dot(contacts.b + solution.u);
  return true;
}

}  // namespace

// Impulses where something that touches approaches; changes at.v and d.u.
void SwitchedRows::strike(const DescriptorSystem& system, State& at, Decision& d, Transition& out) const {
  bool approaches = false;
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    approaches |= d.touches[i] && d.u[unilaterals_[i].k] < -1e-14 * d.speed;
  if (!approaches) return;
  ImpactProblem impact;
  std::vector<int> rows;  // optional rows that take part
  std::vector<size_t> owners;
  const double zeno = kZenoSpeed * length_;
  bool slowed = false;
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    if (!d.touches[i]) continue;
    const Unilateral& u = unilaterals_[i];
    ContactRows c;
    c.normal = static_cast<int>(rows.size());
    rows.push_back(u.k);
    for (const Friction& f : frictions_)
      if (f.normal == static_cast<int>(i)) {
        c.friction = f.spec.coefficient;
        c.tangent = static_cast<int>(rows.size());
        rows.push_back(f.k);
        if (f.k_2 >= 0) {
          c.tangent_2 = static_cast<int>(rows.size());
          rows.push_back(f.k_2);
        }
      }
    const bool is_slow = u.spec.restitution > 0 && -d.u[u.k] * u.spec.restitution < zeno;
    slowed |= is_slow && d.u[u.k] < -1e-14 * d.speed;
    impact.restitution.push_back(is_slow ? 0 : u.spec.restitution);
    if (u.spec.law == ImpactLaw::poisson) impact.law = ImpactLaw::poisson;
    impact.contacts.contacts.push_back(c);
    owners.push_back(i);
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  impact.contacts.W.resize(n, n);
  impact.contacts.b.resize(n);
  impact.approach.resize(d.approach.size() > 0 ? n : 0);
  for (Eigen::Index i = 0; i < n; ++i) {
    impact.contacts.b[i] = d.u[rows[size_t(i)]];
    if (d.approach.size() > 0) impact.approach[i] = d.approach[rows[size_t(i)]];
    for (Eigen::Index j = 0; j < n; ++j) impact.contacts.W(i, j) = d.W(rows[size_t(i)], rows[size_t(j)]);
  }
  ImpactSolution solution = solve_impact(impact);
  slowed |= settle_slow(impact.contacts, zeno, solution);
  std::string names;
  for (const size_t i : owners)
    if (d.u[unilaterals_[i].k] < 0)
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", unilaterals_[i].spec.element);
  if (solution.answer != ContactAnswer::solved) {
    out.trouble = fmt::format("the impact of {} has {}", names, to_text(solution.answer));
    return;
  }
  const double before = system.kinetic_energy(at.v, d.terms);
  for (Eigen::Index i = 0; i < n; ++i) at.v += solution.p[i] * d.x[size_t(rows[size_t(i)])];
  const double gained = system.kinetic_energy(at.v, d.terms) - before;
  for (size_t c = 0; c < owners.size(); ++c) {
    const ContactRows& contact = impact.contacts.contacts[c];
    const Unilateral& u = unilaterals_[owners[c]];
    if (!(solution.p[contact.normal] > 0)) continue;
    d.struck[owners[c]] = 1;
    double size = solution.p[contact.normal] * solution.p[contact.normal];
    for (const int row : {contact.tangent, contact.tangent_2})
      if (row >= 0) size += solution.p[row] * solution.p[row];
    out.impulses.push_back({u.spec.element, std::sqrt(size)});
  }
  out.jumped = true;
  out.energy_lost -= solution.energy_gain;
  out.work += gained - solution.energy_gain;
  if (solution.energy_gain > 1e-9 * (before + std::abs(gained))) {
    out.energy_gained += solution.energy_gain;
    out.notices.push_back(
        fmt::format("the impact of {} gains energy by Newton's law of restitution with friction; \"impact\": "
                    "\"poisson\" does not",
                    names));
  }
  if (slowed)
    out.notices.push_back(
        fmt::format("impacts that rebound slower than {:g} m/s are inelastic: {} came to rest", zeno, names));
  for (int k = 0; k < static_cast<int>(optional_.size()); ++k) d.u[k] = rate_of(k, at.v, d.terms);
  // What the law says to the last bit: rest is rest.
  for (size_t c = 0; c < owners.size(); ++c) {
    const ContactRows& contact = impact.contacts.contacts[c];
    for (const int row : {contact.normal, contact.tangent, contact.tangent_2})
      if (row >= 0 && std::abs(solution.u[row]) <= kResting * d.speed) d.u[rows[size_t(row)]] = 0;
  }
  // Velocities have changed, and with them what depends on them.
  Decision again;
  again.base = d.base;
  measure(system, at, again);
  d.vdot = again.vdot;
  d.lambda = again.lambda;
  d.a = again.a;
}

// What touches and leaves so slowly that it rises less than Mode::settle_below stays: its velocity is taken away, contact by
// contact. Where steps are too coarse for such a hop, its end is found at its beginning, for ever.
void SwitchedRows::settle(
    const DescriptorSystem& system, const Mode& mode, State& at, Decision& d, Transition& out) const {
  std::string names;
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const Unilateral& u = unilaterals_[i];
    const double rate = d.u[u.k], pressed = -d.a[u.k], mobility = d.W(u.k, u.k);
    if (!d.touches[i] || !(rate > 0 && pressed > 0 && mobility > 0)) continue;
    if (rate * rate > 2 * pressed * mode.settle_below) continue;
    at.v -= rate / mobility * d.x[size_t(u.k)];
    out.energy_lost += 0.5 * rate * rate / mobility;
    for (int k = 0; k < static_cast<int>(optional_.size()); ++k) d.u[k] = rate_of(k, at.v, d.terms);
    d.u[u.k] = 0;
    out.jumped = true;
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", u.spec.element);
  }
  if (names.empty()) return;
  out.notices.push_back(fmt::format(
      "rebounds that rise less than {:.2g} m, which the tolerance does not resolve, are inelastic: "
      "{} came to rest",
      mode.settle_below, names));
  Decision again;
  again.base = d.base;
  measure(system, at, again);
  d.vdot = again.vdot;
  d.lambda = again.lambda;
  d.a = again.a;
}

void SwitchedRows::adopt(const Decision& d, Mode& mode, Transition& out) const {
  const auto change = [&](int at, int value) {
    if (mode.values[size_t(at)] == value) return false;
    mode.values[size_t(at)] = value;
    out.switched.push_back(at);
    return true;
  };
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const UnilateralSpec& spec = unilaterals_[i].spec;
    const bool changed = change(unilateral_at(i), d.unilateral_modes[i]);
    if (!changed && !d.struck[i]) continue;
    const std::string name =
        spec.kind == "stop" ? fmt::format("{}: stop {}", spec.element, spec.what) : spec.element;
    out.events.push_back(name +
                         (changed ? (d.unilateral_modes[i] == closed ? ": closed" : ": open") : ": impact"));
  }
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    double* held = mode.held.data() + held_ + 2 * i;
    const bool was_stuck = mode.values[size_t(friction_at(i))] == stick && !out.jumped && mode.count > 0;
    const bool changed = change(friction_at(i), d.friction_modes[i]);
    if (d.friction_modes[i] == stick && !(was_stuck && !changed)) {
      held[0] = d.g[f.k];
      held[1] = f.k_2 >= 0 ? d.g[f.k_2] : 0.0;
    } else if (d.friction_modes[i] == slip_plus || d.friction_modes[i] == slip_minus) {
      held[0] = d.slip_x[i];
      held[1] = d.slip_y[i];
    }
    if (!changed) continue;
    static const char* const names[] = {"slips -", "sticks", "slips +", "apart"};
    if (d.friction_modes[i] != apart)
      out.events.push_back(fmt::format("{}: {}", f.spec.element, names[d.friction_modes[i] + 1]));
  }
  mode.held.back() = d.redundant ? 1 : 0;
  adopt_joints(d, mode, out);
  std::sort(out.switched.begin(), out.switched.end());
  set_inactive(mode);
}

void SwitchedRows::begin_mode(const ObservableSystem& system, const State& at, Mode& mode) const {
  Decision d;
  for (size_t i = 0; i < joints_.size(); ++i)
    mode.values[size_t(joint_at(i))] = d.joint_modes.emplace_back(joints_[i].spec.starts_on ? on : off);
  begin_triggers(system, at, mode);
  set_base(mode, d);
  measure(system, at, d);
  std::vector<Complaint> complaints;
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const Unilateral& u = unilaterals_[i];
    if (u.spec.stiffness > 0) {
      d.unilateral_modes[i] = d.g[u.k] < 0 ? closed : open;
      continue;
    }
    if (d.g[u.k] < -kTouchStart * length_)
      complaints.push_back({u.spec.element, "a start at which nothing is inside anything else",
                            fmt::format("a gap of {:g} m in its {}", d.g[u.k], u.spec.kind), ""});
    d.touches[i] = d.g[u.k] <= kTouchStart * length_;
  }
  if (!complaints.empty()) throw InputError("start", std::move(complaints));
  Transition out;
  decide(at, Mode(), d, out);
  if (!out.trouble.empty())
    throw InputError("start", Complaint{"mode", "one consistent mode", out.trouble, ""});
  mode.count = 0;
  adopt(d, mode, out);
}

void SwitchedRows::transition(const ObservableSystem& system,
                              std::span<const int> fired,
                              State& at,
                              const Reaction& reaction,
                              Mode& mode,
                              Transition& out) const {
  Decision d;
  pull_triggers(system, fired, at, reaction, mode, d, out);
  set_base(mode, d);
  measure(system, at, d);
  join(system, at, mode, d, out);
  if (!out.trouble.empty()) return;
  const bool redundant = is_redundant(mode);
  bool breaks = false;  // (7) has come to its end
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const Unilateral& u = unilaterals_[i];
    const int root = 2 * unilateral_at(i), value = mode_of(mode, unilateral_at(i));
    const bool fires = std::find(fired.begin(), fired.end(), root) != fired.end();
    if (u.spec.stiffness > 0) {
      d.unilateral_modes[i] = fires ? 1 - value : value;
      continue;
    }
    d.touches[i] = value == closed || (fires && value == open) || d.g[u.k] <= kTouch * length_;
    // What is open and touches stays open, unless it would be pressed by more than round-off: else what opens closes again at once.
    d.opens[i] = !redundant && (fires ? value == closed : value == open);
    breaks |= fires && value == closed && redundant;
  }
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const int root = 2 * friction_at(i), value = mode_of(mode, friction_at(i));
    const bool first = std::find(fired.begin(), fired.end(), root) != fired.end();
    const bool second = std::find(fired.begin(), fired.end(), root + 1) != fired.end();
    if (!first && !second) continue;
    if (value == stick && redundant) {
      breaks = true;
    } else if (value == stick) {
      // Root 2k: λ at +ℓ; the row acts with −λ and holds back what would go to +. The other one: to −.
      const Friction& f = frictions_[i];
      const bool known = f.row_2 >= 0 && reaction.lambda.size() > f.row_2;
      const double x = known   ? reaction.lambda[f.row]
                       : first ? 1
                               : -1,
                   y = known ? reaction.lambda[f.row_2] : 0;
      d.frees[i] = 1;
      d.slip_x[i] = x / std::hypot(x, y);
      d.slip_y[i] = y / std::hypot(x, y);
    } else if (value != apart) {
      d.arrests[i] = 1;
    }
  }
  strike(system, at, d, out);
  if (mode.settle_below > 0 && out.trouble.empty()) settle(system, mode, at, d, out);
  if (breaks && !out.jumped) look_beyond(system, at, reaction, d);
  if (out.trouble.empty()) decide(at, mode, d, out);
  if (!out.trouble.empty()) return;
  const size_t before = out.switched.size();
  adopt(d, mode, out);
  if (breaks && out.switched.size() == before && !out.jumped)
    out.trouble =
        fmt::format("redundant contacts cannot hold any longer, but nothing is found that lets go: {}",
                    redundant_ones(d));
}

}  // namespace driftless
