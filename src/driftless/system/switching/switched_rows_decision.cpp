// Which modes are consistent at a state, and what impacts do: one contact problem for everything that touches or may slip.
//
// An impact first, if something that touches approaches: the contact problem of velocities, with friction of contacts by its
// coefficient in motion; given limits are finite and have no impulse. Then the one of accelerations: what touches and does not
// separate may stay closed; what has no velocity along a friction row may stick, with the limit at rest. What starts to slip has
// the limit in motion from there on, and the problem is solved again without it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/math/contact/contact_scale.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/system/switching/switched_decision.hpp"

namespace driftless {

// Rows in force that others in force imply share their forces in no unique way, and what single ones carry decides nothing.
std::string SwitchedRows::redundant_ones(const Decision& d) const {
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
  return symmetric_eigenvalues(W).minCoeff() > kContactRoundOff * d.W.cwiseAbs().maxCoeff() ? "" : names;
}

SwitchedRows::Candidates SwitchedRows::candidates(const Decision& d,
                                                  double t,
                                                  const Vec& lambda,
                                                  const Vec& free) const {
  Candidates out;
  Vec b = free;
  Mat W = d.W;
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (unilaterals_[i].spec.stiffness > 0 && d.unilateral_modes[i] == closed)
      b += d.W.col(unilaterals_[i].k) * (-unilaterals_[i].spec.stiffness * d.g[unilaterals_[i].k]);
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (d.friction_modes[i] != slip_plus && d.friction_modes[i] != slip_minus) continue;
    const Vec along =
        d.slip_x[i] * d.W.col(f.k) + (f.k_2 >= 0 ? Vec(d.slip_y[i] * d.W.col(f.k_2)) : Vec(0 * d.W.col(f.k)));
    if (f.normal >= 0)
      W.col(unilaterals_[size_t(f.normal)].k) -= f.spec.coefficient * along;
    else
      b -= limit_at(f, t, lambda, false) * along;
  }
  const auto add_row = [&](int k) {
    out.rows.push_back(k);
    return static_cast<int>(out.rows.size()) - 1;
  };
  const auto sticks = [&](size_t j) { return d.friction_modes[j] == stick && !d.frees[j]; };
  out.contact_of_friction.assign(frictions_.size(), -1);
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    if (d.unilateral_modes[i] != closed || unilaterals_[i].spec.stiffness > 0 || d.opens[i]) continue;
    ContactRows c;
    c.normal = add_row(unilaterals_[i].k);
    for (size_t j = 0; j < frictions_.size(); ++j) {
      const Friction& f = frictions_[j];
      if (f.normal != static_cast<int>(i) || !sticks(j)) continue;
      c.friction = f.spec.resting_coefficient;
      c.tangent = add_row(f.k);
      if (f.k_2 >= 0) c.tangent_2 = add_row(f.k_2);
      out.contact_of_friction[j] = static_cast<int>(out.problem.contacts.size());
    }
    out.closing.push_back(i);
    out.problem.contacts.push_back(c);
  }
  for (size_t j = 0; j < frictions_.size(); ++j) {
    const Friction& f = frictions_[j];
    if (f.normal >= 0 || !sticks(j)) continue;
    ContactRows c;
    c.tangent = add_row(f.k);
    if (f.k_2 >= 0) c.tangent_2 = add_row(f.k_2);
    c.limit = limit_at(f, t, lambda, true);
    out.contact_of_friction[j] = static_cast<int>(out.problem.contacts.size());
    out.problem.contacts.push_back(c);
  }
  const auto n = static_cast<Eigen::Index>(out.rows.size());
  out.problem.W.resize(n, n);
  out.problem.b.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    out.problem.b[i] = b[out.rows[size_t(i)]];
    for (Eigen::Index j = 0; j < n; ++j) out.problem.W(i, j) = W(out.rows[size_t(i)], out.rows[size_t(j)]);
  }
  return out;
}

// (7), in N: how much all of them could still lose.
double SwitchedRows::margin(const DescriptorSystem& system,
                            const State& at,
                            const Mode& mode,
                            const Vec& lambda) const {
  Decision d;
  for (size_t i = 0; i < joints_.size(); ++i) d.joint_modes.push_back(mode_of(mode, joint_at(i)));
  set_base(mode, d);
  measure(system, at, d);
  for (size_t i = 0; i < unilaterals_.size(); ++i) d.unilateral_modes[i] = mode_of(mode, unilateral_at(i));
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    d.friction_modes[i] = mode_of(mode, friction_at(i));
    if (!slides(f, mode)) continue;
    const double x = d.u[f.k], y = f.k_2 >= 0 ? d.u[f.k_2] : 0.0, speed = std::hypot(x, y);
    const double* held = mode.held.data() + held_ + 2 * i;
    const bool moves = f.k_2 >= 0 && has_own_direction(x, y, held);
    d.slip_x[i] = f.k_2 < 0 ? d.friction_modes[i] : moves ? x / speed : held[0];
    d.slip_y[i] = f.k_2 < 0 ? 0.0 : moves ? y / speed : held[1];
  }
  const Candidates all = candidates(d, at.t, lambda, d.a);
  std::vector<int> held;
  for (size_t c = 0; c < all.problem.contacts.size(); ++c) held.push_back(static_cast<int>(c));
  return hold_margin(all.problem, held, 1);
}

// At the limit two answers fit: what comes next is decided by what it would be a little later.
void SwitchedRows::look_beyond(const DescriptorSystem& system,
                               const State& at,
                               const Reaction& reaction,
                               Decision& d) const {
  constexpr double kStep = 1e-7, kFar = 1e-5, kFarthest = 1e5;  // s; of the accelerations; steps
  State later = at;
  later.t += kStep;
  if (reaction.vdot.size() == at.v.size()) later.v += kStep * reaction.vdot;
  system.retract(later.q, kStep * (at.v + 0.5 * (later.v - at.v)));
  Decision next;
  next.base = d.base;
  measure(system, later, next);
  const Vec change = next.a - d.a;
  const double size = max_abs(change), scale = std::max(1.0, max_abs(d.a));
  const double steps = size > 0 ? std::min(kFar * scale / size, kFarthest) : kFarthest;
  d.later_a = d.a + steps * change;
  d.later_t = at.t + steps * kStep;
}

void SwitchedRows::decide(const State& at, const Mode& mode, Decision& d, Transition& out) const {
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
    const bool stops = d.arrests[i] && (f.k_2 < 0 ? !out.jumped : speed <= kTurning * d.speed);
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
  const bool looks_beyond = d.later_a.size() > 0;
  const double t = looks_beyond ? d.later_t : at.t;
  const auto limits_of = [&](const Vec& lambda, bool resting, size_t i) {
    return limit_at(frictions_[i], t, lambda, resting);
  };
  Vec lambda = d.lambda;  // of the last solution, for limits of joints
  const Vec free_a = looks_beyond ? d.later_a : d.a;
  for (int round = 0; round < 200; ++round) {
    // What fired in stick slips against the force that held it, with its limit in motion.
    for (size_t j = 0; j < frictions_.size(); ++j)
      if (d.friction_modes[j] == stick && d.frees[j] == 1) {
        d.friction_modes[j] = d.slip_x[j] < 0 && frictions_[j].k_2 < 0 ? slip_minus : slip_plus;
        d.frees[j] = 2;
      }
    const Candidates may = candidates(d, t, lambda, free_a);
    const auto& [problem, rows, closing, contact_of_friction] = may;
    const auto n = static_cast<Eigen::Index>(rows.size());
    const ContactSolution solution = solve_contacts(problem);
    // Where redundant ones slide in space several answers fit, as many as ways to share the load: the one that was found is taken.
    const auto in_space = [&](const Friction& f) { return f.k_2 >= 0 && f.normal >= 0; };
    const bool shares = solution.answer == ContactAnswer::several &&
                        std::any_of(frictions_.begin(), frictions_.end(), in_space) &&
                        !redundant_ones(d).empty();
    if (solution.answer != ContactAnswer::solved && !shares) {
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
      if (d.opens[i] && d.unilateral_modes[i] == closed && a[unilaterals_[i].k] < -1e-9 * scale) {
        d.opens[i] = 0;
        again = true;
      }
    for (size_t j = 0; j < frictions_.size(); ++j) {
      const Friction& f = frictions_[j];
      if (d.frees[j] == 2 && f.k_2 < 0 && d.slip_x[j] * a[f.k] < -1e-9 * scale) {
        d.frees[j] = 0;
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
      if (d.opens[i]) d.unilateral_modes[i] = open;
    for (size_t j = 0; j < frictions_.size(); ++j)
      if (const int normal = frictions_[j].normal; normal >= 0 && d.unilateral_modes[size_t(normal)] == open)
        d.friction_modes[j] = apart;
    const std::string redundant = redundant_ones(d);
    d.redundant = !redundant.empty();
    // In space the direction of sliding differs from place to place: how redundant contacts share the load decides how what turns
    // while it slides is slowed down.
    bool slides_in_space = false;
    for (size_t j = 0; j < frictions_.size() && d.redundant; ++j)
      slides_in_space |=
          frictions_[j].k_2 >= 0 && frictions_[j].normal >= 0 && d.friction_modes[j] == slip_plus;
    if (slides_in_space)
      out.notices.push_back(fmt::format(
          "{} slide in space and are redundant: how they share the load is not unique, and decides the "
          "motion where they slide in different directions; they share it as feet of equal stiffness do",
          redundant));
    if (d.redundant)
      out.notices.push_back(
          fmt::format("what touches and sticks at {} is redundant: its forces are not unique, the least ones "
                      "are recorded; it holds "
                      "while some distribution is inside all limits",
                      redundant));
    return;
  }
  out.trouble = "no consistent modes of dry friction were found: limits that follow reactions do not settle";
}

}  // namespace driftless
