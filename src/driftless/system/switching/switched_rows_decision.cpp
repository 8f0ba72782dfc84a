// Which modes are consistent at a state, and what impacts do: one contact problem for everything that touches or may slip.
//
// An impact first, if something that touches approaches: the contact problem of velocities, with friction of contacts by its
// coefficient in motion; given limits are finite and have no impulse. Then the one of accelerations: what touches and does not
// separate may stay closed; what has no velocity along a friction row may stick, with the limit at rest. What starts to slip has
// the limit in motion from there on, and the problem is solved again without it.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/math/dense.hpp"
#include "driftless/system/kernels/row_rank.hpp"
#include "driftless/system/switching/switched_rows.hpp"

namespace driftless {

struct SwitchedRows::Decision {
  Terms terms;  // all optional rows out of force, and kept
  std::unique_ptr<MotionSolver> solver;
  Vec vdot, lambda;       // with no optional row in force
  std::vector<Vec> x, y;  // per optional row: v̇ and λ for a unit force along it
  Mat W;                  // optional × optional
  Vec g, u, a;            // of optional rows; a for `vdot`
  std::vector<char> touches, struck, opens,
      frees;                  // unilaterals: near, impact; fired while closed; frictions: fired in stick
  std::vector<char> arrests;  // frictions: fired while slipping
  std::vector<int> unilateral_modes, friction_modes;
  std::vector<double> slip_x, slip_y;  // directions of what slips in space
  double speed = 1;                    // what counts as one
};

namespace {

constexpr double kTouch =
    1e-12;  // characteristic lengths: touching; at a start, which is assembled, kTouchStart
constexpr double kTouchStart = 1e-9;
constexpr double kResting = 1e-10;  // of the speeds there are: at rest

double row_product(const SparseRows& J, int row, const double* values, const Vec& x) {
  double sum = 0;
  for (int i = J.outerIndexPtr()[row]; i < J.outerIndexPtr()[row + 1]; ++i)
    sum += *values++ * x[J.innerIndexPtr()[i]];
  return sum;
}

}  // namespace

void SwitchedRows::measure(const DescriptorSystem& system, const State& at, Decision& d) const {
  d.terms = system.make_terms();
  d.terms.mode = &all_off_;
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
  for (Eigen::Index k = 0; k < n; ++k) {
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
  for (Eigen::Index i = 0; i < n; ++i) {
    impact.contacts.b[i] = d.u[rows[size_t(i)]];
    for (Eigen::Index j = 0; j < n; ++j) impact.contacts.W(i, j) = d.W(rows[size_t(i)], rows[size_t(j)]);
  }
  const ImpactSolution solution = solve_impact(impact);
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
  if (solution.energy_gain > 1e-9 * (before + std::abs(gained)))
    out.notices.push_back(
        fmt::format("the impact of {} gains energy by Newton's law of restitution with friction; \"impact\": "
                    "\"poisson\" does not",
                    names));
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
  measure(system, at, again);
  d.vdot = again.vdot;
  d.lambda = again.lambda;
  d.a = again.a;
}

void SwitchedRows::decide(const State& at, const Mode& mode, Decision& d, Transition& out) const {
  // Rows in force that others in force imply share their forces in no unique way, and what single ones carry decides nothing.
  const auto redundancy = [&]() -> std::string {
    std::vector<int> rows;
    std::string names;
    const auto take = [&](int k, const std::string& element) {
      if (k < 0) return;
      rows.push_back(k);
      if (names.find("'" + element + "'") == std::string::npos)
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", element);
    };
    for (size_t i = 0; i < unilaterals_.size(); ++i)
      if (d.unilateral_modes[i] == closed && unilaterals_[i].spec.stiffness == 0)
        take(unilaterals_[i].k, unilaterals_[i].spec.element);
    for (size_t j = 0; j < frictions_.size(); ++j)
      if (d.friction_modes[j] == stick) {
        take(frictions_[j].k, frictions_[j].spec.element);
        take(frictions_[j].k_2, frictions_[j].spec.element);
      }
    const auto n = static_cast<Eigen::Index>(rows.size());
    if (n == 0) return {};
    Mat W(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) W(i, j) = d.W(rows[size_t(i)], rows[size_t(j)]);
    if (symmetric_eigenvalues(W).minCoeff() > 1e-10 * d.W.cwiseAbs().maxCoeff()) return {};
    return fmt::format(
        "what touches and sticks at {} is redundant: how the forces are shared is not unique, and break-away "
        "by what is feasible is not "
        "there yet; leave out friction of one of them, or make one compliant",
        names);
  };
  const bool has_mode = !mode.values.empty();
  const auto near_rest = [&](double u) { return std::abs(u) <= kResting * d.speed; };
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const Unilateral& u = unilaterals_[i];
    if (u.spec.stiffness > 0) continue;
    d.unilateral_modes[i] = d.touches[i] && near_rest(d.u[u.k]) ? closed : open;
  }
  // Slip of frictions: known by their velocities, or to be found.
  std::vector<char> may_stick(frictions_.size(), 0);
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (f.normal >= 0 && d.unilateral_modes[size_t(f.normal)] == open) continue;  // apart
    const double ux = d.u[f.k], uy = f.k_2 >= 0 ? d.u[f.k_2] : 0.0, speed = std::hypot(ux, uy);
    const bool stuck = has_mode && mode_of(mode, friction_at(i)) == stick && !out.jumped;
    const bool stops = d.arrests[i] && (f.k_2 < 0 ? !out.jumped : speed <= 1e-6 * d.speed);
    may_stick[i] = stuck || stops || near_rest(speed);
    if (may_stick[i]) {
      d.friction_modes[i] = stick;
      continue;
    }
    d.friction_modes[i] = f.k_2 >= 0 || ux > 0 ? slip_plus : slip_minus;
    d.slip_x[i] = ux / speed;
    d.slip_y[i] = uy / speed;
  }
  // What fired leaves its mode: at the limit both answers fit, and it goes beyond.
  const auto limits_of = [&](const Vec& lambda, bool resting, size_t i) {
    return limit_at(frictions_[i], at.t, lambda, resting);
  };
  Vec lambda = d.lambda;  // of the last solution, for limits of joints
  std::vector<char> opens = d.opens, frees = d.frees;
  const Vec free_a = d.a;
  for (int round = 0; round < 200; ++round) {
    ContactProblem problem;
    std::vector<int> rows;  // optional rows with unknown forces
    std::vector<size_t> closing, sticking;
    Vec b = free_a;
    Mat W = d.W;
    for (size_t i = 0; i < unilaterals_.size(); ++i)
      if (unilaterals_[i].spec.stiffness > 0 && d.unilateral_modes[i] == closed)
        b += d.W.col(unilaterals_[i].k) * (-unilaterals_[i].spec.stiffness * d.g[unilaterals_[i].k]);
    for (size_t i = 0; i < frictions_.size(); ++i) {
      const Friction& f = frictions_[i];
      if (d.friction_modes[i] != slip_plus && d.friction_modes[i] != slip_minus) continue;
      const Vec along = d.slip_x[i] * d.W.col(f.k) +
                        (f.k_2 >= 0 ? Vec(d.slip_y[i] * d.W.col(f.k_2)) : Vec(0 * d.W.col(f.k)));
      if (f.normal >= 0)
        W.col(unilaterals_[size_t(f.normal)].k) -= f.spec.coefficient * along;
      else
        b -= limits_of(lambda, false, i) * along;
    }
    const auto add_row = [&](int k) {
      rows.push_back(k);
      return static_cast<int>(rows.size()) - 1;
    };
    std::vector<int> contact_of_friction(frictions_.size(), -1);
    for (size_t i = 0; i < unilaterals_.size(); ++i) {
      if (d.unilateral_modes[i] != closed || unilaterals_[i].spec.stiffness > 0 || opens[i]) continue;
      ContactRows c;
      c.normal = add_row(unilaterals_[i].k);
      for (size_t j = 0; j < frictions_.size(); ++j) {
        const Friction& f = frictions_[j];
        if (f.normal != static_cast<int>(i) || d.friction_modes[j] != stick || frees[j]) continue;
        c.friction = f.spec.resting_coefficient;
        c.tangent = add_row(f.k);
        if (f.k_2 >= 0) c.tangent_2 = add_row(f.k_2);
        contact_of_friction[j] = static_cast<int>(problem.contacts.size());
      }
      closing.push_back(i);
      problem.contacts.push_back(c);
    }
    for (size_t j = 0; j < frictions_.size(); ++j) {
      const Friction& f = frictions_[j];
      if (f.normal >= 0 || d.friction_modes[j] != stick || frees[j]) continue;
      ContactRows c;
      c.tangent = add_row(f.k);
      if (f.k_2 >= 0) c.tangent_2 = add_row(f.k_2);
      c.limit = limits_of(lambda, true, j);
      contact_of_friction[j] = static_cast<int>(problem.contacts.size());
      problem.contacts.push_back(c);
    }
    // What fired in stick slips against the force that held it.
    for (size_t j = 0; j < frictions_.size(); ++j) {
      const Friction& f = frictions_[j];
      if (d.friction_modes[j] != stick || !frees[j]) continue;
      d.friction_modes[j] = d.slip_x[j] < 0 && f.k_2 < 0 ? slip_minus : slip_plus;
    }
    if (std::any_of(frees.begin(), frees.end(), [](char c) { return c == 1; })) {
      bool changed = false;
      for (char& c : frees)
        if (c == 1) {
          c = 2;
          changed = true;
        }
      if (changed) continue;  // now they slip, with their limits in motion
    }
    const auto n = static_cast<Eigen::Index>(rows.size());
    problem.W.resize(n, n);
    problem.b.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      problem.b[i] = b[rows[size_t(i)]];
      for (Eigen::Index j = 0; j < n; ++j) problem.W(i, j) = W(rows[size_t(i)], rows[size_t(j)]);
    }
    const ContactSolution solution = solve_contacts(problem);
    if (solution.answer != ContactAnswer::solved) {
      std::string names;
      for (const size_t i : closing)
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", unilaterals_[i].spec.element);
      for (size_t j = 0; j < frictions_.size(); ++j)
        if (frictions_[j].normal < 0 && contact_of_friction[j] >= 0)
          names += fmt::format("{}'{}'", names.empty() ? "" : ", ", frictions_[j].spec.element);
      out.trouble = fmt::format(
          "the accelerations of rigid bodies with dry friction at {} have {}{}", names,
          to_text(solution.answer),
          solution.answer == ContactAnswer::undecided
              ? ""
              : ": Painlevé's paradox; a smaller coefficient of friction or a compliant contact has one");
      return;
    }
    // λ of this solution; limits that follow joints are fixed points of it.
    Vec now = d.lambda;
    Vec force = Vec::Zero(static_cast<Eigen::Index>(optional_.size()));
    for (Eigen::Index i = 0; i < n; ++i) force[rows[size_t(i)]] += solution.p[i];
    for (size_t i = 0; i < frictions_.size(); ++i) {
      const Friction& f = frictions_[i];
      if (d.friction_modes[i] != slip_plus && d.friction_modes[i] != slip_minus) continue;
      const double ell = f.normal >= 0 ? f.spec.coefficient * force[unilaterals_[size_t(f.normal)].k]
                                       : limits_of(lambda, false, i);
      force[f.k] -= ell * d.slip_x[i];
      if (f.k_2 >= 0) force[f.k_2] -= ell * d.slip_y[i];
    }
    for (Eigen::Index k = 0; k < force.size(); ++k)
      if (force[k] != 0) now += force[k] * d.y[size_t(k)];
    const Vec a = free_a + d.W * force;
    bool settled = true;
    for (const Friction& f : frictions_)
      if (!f.spec.given && f.normal < 0) {
        const double difference = std::abs(pressing(f, now) - pressing(f, lambda));
        settled &= difference <= 1e-13 * (1 + pressing(f, now));
      }
    lambda = now;
    if (!settled) continue;
    // What was let go but would come back at once stays.
    bool again = false;
    const double scale = std::max(1.0, max_abs(free_a));
    for (size_t i = 0; i < unilaterals_.size(); ++i)
      if (opens[i] && d.unilateral_modes[i] == closed && a[unilaterals_[i].k] < -1e-9 * scale) {
        opens[i] = 0;
        again = true;
      }
    for (size_t j = 0; j < frictions_.size(); ++j) {
      const Friction& f = frictions_[j];
      if (frees[j] == 2 && f.k_2 < 0 && d.slip_x[j] * a[f.k] < -1e-9 * scale) {
        frees[j] = 0;
        d.friction_modes[j] = stick;
        again = true;
      }
      const int c = contact_of_friction[j];
      if (c < 0) continue;
      const ContactMode found = solution.modes[size_t(c)];
      if (found == ContactMode::stick || found == ContactMode::open) continue;
      const double ax = a[f.k], ay = f.k_2 >= 0 ? a[f.k_2] : 0.0;
      d.slip_x[j] = ax / std::hypot(ax, ay);
      d.slip_y[j] = ay / std::hypot(ax, ay);
      d.friction_modes[j] = f.k_2 >= 0 || ax > 0 ? slip_plus : slip_minus;
      again = true;
    }
    if (again) continue;
    for (size_t c = 0; c < closing.size(); ++c)
      if (solution.modes[c] == ContactMode::open) d.unilateral_modes[closing[c]] = open;
    for (size_t i = 0; i < unilaterals_.size(); ++i)
      if (opens[i]) d.unilateral_modes[i] = open;
    for (size_t j = 0; j < frictions_.size(); ++j)
      if (const int normal = frictions_[j].normal; normal >= 0 && d.unilateral_modes[size_t(normal)] == open)
        d.friction_modes[j] = apart;
    out.trouble = redundancy();
    return;
  }
  out.trouble = "no consistent modes of dry friction were found: limits that follow reactions do not settle";
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
  set_inactive(mode);
}

void SwitchedRows::begin_mode(const DescriptorSystem& system, const State& at, Mode& mode) const {
  Decision d;
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

void SwitchedRows::transition(const DescriptorSystem& system,
                              std::span<const int> fired,
                              State& at,
                              const Reaction& reaction,
                              Mode& mode,
                              Transition& out) const {
  Decision d;
  measure(system, at, d);
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const Unilateral& u = unilaterals_[i];
    const int root = 2 * unilateral_at(i), value = mode_of(mode, unilateral_at(i));
    const bool fires = std::find(fired.begin(), fired.end(), root) != fired.end();
    if (u.spec.stiffness > 0) {
      d.unilateral_modes[i] = fires ? 1 - value : value;
      continue;
    }
    d.touches[i] = value == closed || (fires && value == open) || d.g[u.k] <= kTouch * length_;
    d.opens[i] = fires && value == closed;
  }
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const int root = 2 * friction_at(i), value = mode_of(mode, friction_at(i));
    const bool first = std::find(fired.begin(), fired.end(), root) != fired.end();
    const bool second = std::find(fired.begin(), fired.end(), root + 1) != fired.end();
    if (!first && !second) continue;
    if (value == stick) {
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
  if (out.trouble.empty()) decide(at, mode, d, out);
  if (out.trouble.empty()) adopt(d, mode, out);
}

}  // namespace driftless
