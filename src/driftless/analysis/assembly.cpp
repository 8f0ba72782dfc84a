// Positions: the point of g = 0 nearest to the given one, by Gauss–Newton on the KKT system         docs/theory/assembly.md
//   [ W Jᵀ; J 0 ] [d; ·] = [ W (q* − q); −g ],   q ← q ⊕ s d,  s halved until |g| falls                               (1)
//   where that fails (far starts): Levenberg–Marquardt steps (JᵀJ + μ W) d = −Jᵀ g                                     (2)
//   W = 1/scale², a held coordinate 1e10 times that. Rows that others imply, to within what |g| lets tell, are left out
//   of a step (system/kernels/row_rank.hpp); |g| is always that of all rows.
// Velocities: [ M Jᵀ; J 0 ] [v; ·] = [ M v*; ν ], the nearest in the metric of M, implied rows left out.                (3)
//   What has no mass (angles of springs) has no wanted velocity either: where these alone can make up for J v* − ν, all
//   others stay as they are, to the last bit.
// Accelerations and multipliers: the same matrix with (f; γ), as every formulation needs them at its start.            (4)
#include "driftless/analysis/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/system/kernels/minimum_norm.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/kernels/row_rank.hpp"
#include "driftless/system/place.hpp"
#include "driftless/system/relaxing.hpp"
#include "driftless/system/strained.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {
namespace {

constexpr int kMaxIterations = 200;

// Names of the joints behind rows, worst first: "pin_B" of "pin_B.x".
std::string joints_behind(const Layout& layout, ConstVec residual, double tolerance) {
  std::vector<int> order;
  for (int i = 0; i < residual.size(); ++i)
    if (std::abs(residual[i]) > std::max(tolerance, 0.05 * max_abs(residual))) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::abs(residual[a]) > std::abs(residual[b]); });
  std::string text;
  std::set<std::string> seen;
  for (const int i : order) {
    const std::string& row = layout.row_names[size_t(i)];
    const std::string joint = row.substr(0, row.rfind('.'));
    if (!seen.insert(joint).second || seen.size() > 6) continue;
    text +=
        fmt::format("{}'{}' ({} off by {:.3g})", text.empty() ? "" : ", ", joint, row, std::abs(residual[i]));
  }
  return text;
}

class PositionAssembly {
 public:
  PositionAssembly(const DescriptorSystem& system, const State& guess, const std::vector<int>& held)
      : system_(system),
        layout_(system.layout()),
        terms_(system.make_terms()),
        t_(guess.t),
        q_(guess.q),
        wanted_(guess.q),
        d_(layout_.nv),
        y_(layout_.m),
        rows_(Vec::Zero(layout_.m)) {
    weight_ = layout_.v_scale.array().square().inverse();
    for (const int i : held) weight_[i] *= 1e10;
    far_ = Place(system).farthest(guess.t, guess.q);
    if (!std::isfinite(far_)) far_ = 0;
  }

  // Iterates until g = 0 and the distance to the given point no longer falls; false if g = 0 is out of reach.
  bool solve() {
    double error = evaluate(q_);
    if (error <= tolerance()) return true;  // no point is nearer than the given one
    for (; iterations < kMaxIterations; ++iterations) {
      const bool closed = error <= tolerance();
      if (closed && (nearest_ || !pulls() || layout_.m == 0)) return true;
      if (newton_step(error)) continue;
      if (closed) return true;  // on the constraints, and no step improves on it: round-off
      if (!damped_step(error)) break;
    }
    return error <= tolerance();
  }

  const Vec& q() const { return q_; }
  const Vec& residual() const { return terms_.g; }
  double tolerance() const {  // round-off of coordinates and places themselves, in lengths
    return 1e-13 * layout_.length *
           (1 + std::max(far_, max_abs(q_.cwiseQuotient(layout_.q_scale.cwiseMax(1e-300)))));
  }
  int iterations = 0;

 private:
  // From far away the pull to the given point fights the curvature of g = 0 and (1) creeps: it is given up then, and the
  // nearest point is that of each step.
  bool pulls() const { return layout_.nq == layout_.nv && iterations < 30; }

  double evaluate(const Vec& q) {
    system_.position(t_, q, terms_);
    const double error = terms_.g.norm();
    return std::isfinite(error) ? error : 1e300;
  }

  bool newton_step(double& error) {  // (1)
    Vec pull = Vec::Zero(layout_.nv);
    if (pulls()) pull = weight_.cwiseProduct(wanted_ - q_);
    rows_.head(layout_.mh) = -terms_.g;
    if (!solve_step(pull)) return false;
    const double size = max_abs(d_.cwiseQuotient(layout_.v_scale));
    for (double s = 1; s > 1e-3; s /= 2) {
      Vec trial = q_;
      system_.retract(trial, s * d_);
      const double next = evaluate(trial);
      if (next <= std::max((1 - 1e-4 * s) * error, tolerance())) {
        q_ = trial;
        error = next;
        nearest_ = size < 1e-9;
        return true;
      }
    }
    evaluate(q_);
    return false;
  }

  // (1) with the rows in force; where these are weaker than |g| lets tell from dependent, with others left out.
  bool solve_step(const Vec& pull) {
    if (!solver_) solver_ = make_weighted_motion_solver(layout_, weight_);  // most models start closed
    const double tell = std::clamp(10 * max_abs(terms_.g) / layout_.length, 1e-7, 1e-3);
    for (const bool last : {false, true}) {
      const bool solved =
          solver_->factor(terms_) == Status::ok && solver_->solve(pull, rows_, d_, y_) == Status::ok;
      if (solved && solver_->independence() > tell * tell) return d_.allFinite();
      if (last) return solved && d_.allFinite();
      solver_->drop_rows(redundant_rows(layout_, terms_, tell));
    }
    return false;
  }

  bool damped_step(double& error) {  // (2)
    const Mat J = Mat(terms_.J.topRows(layout_.mh));
    const Vec slope = J.transpose() * terms_.g;
    const Mat normal = J.transpose() * J;
    for (int tries = 0; tries < 30; ++tries) {
      Mat damped = normal;
      damped.diagonal() += mu_ * weight_ * layout_.length * layout_.length;
      d_ = -solve_symmetric(damped, slope);
      Vec trial = q_;
      system_.retract(trial, d_);
      const double next = evaluate(trial);
      if (next < error * (1 - 1e-9)) {
        q_ = trial;
        error = next;
        mu_ = std::max(mu_ / 10, 1e-15);
        return true;
      }
      mu_ = std::min(mu_ * 10, 1e6);
    }
    evaluate(q_);
    return false;
  }

  const DescriptorSystem& system_;
  const Layout& layout_;
  Terms terms_;
  Vec weight_;
  std::unique_ptr<MotionSolver> solver_;  // with W in place of M
  double t_;
  Vec q_, wanted_, d_, y_, rows_;
  double far_ = 0;  // from the origin, in lengths
  double mu_ = 1e-3;
  bool nearest_ = false;
};

// Wanted velocities with those of massless coordinates taken from `v`.
Vec with_massless(const Layout& layout, const Terms& terms, const Vec& wanted, const Vec& v) {
  Vec out = wanted;
  if (layout.mass_is_implicit) return out;
  for (int i = 0; i < layout.nv; ++i)
    if (terms.M.row(i).squaredNorm() == 0) out[i] = v[i];
  return out;
}

Vec assemble_velocity(
    const DescriptorSystem& system, double t, const Vec& q, const Vec& wanted, const std::string& source) {
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  system.position(t, q, terms);
  system.mass(t, q, terms);
  Vec r(layout.m);
  const auto error_of = [&](const Vec& v) {
    velocity_residual(terms, v, r);
    return max_abs(r);
  };
  const double tolerance =
      1e-12 * layout.length * std::max(1.0, max_abs(wanted.cwiseQuotient(layout.v_scale)));
  if (error_of(wanted) <= tolerance) return wanted;
  const auto solver = system.make_solver();
  solver->drop_rows(redundant_rows(layout, terms));
  Vec v = wanted, change(layout.nv);
  // (3), solved for the change: momentum along the free directions stays what it was. The second time for round-off.
  for (int k = 0; k < 2 && error_of(v) > 0; ++k) {
    if (solver->factor(terms) != Status::ok || solver->project(r, change) != Status::ok) break;
    v -= change;
    const Vec least = with_massless(layout, terms, wanted, v);
    if (error_of(least) <= tolerance) return least;
  }
  if (!(error_of(v) <= 1e6 * tolerance))
    throw InputError(source, Complaint{"initial velocities", "velocities the joints and drivers allow",
                                       "contradicting ones at " + joints_behind(layout, r, tolerance),
                                       "check the rates given in `initial.joints` and the drivers"});
  return v;
}

void report_movement(const Layout& layout, const State& guess, const State& state, AssemblyReport& report) {
  double most = 0;
  for (int i = 0; i < layout.nq; ++i) {
    const double change = std::abs(state.q[i] - guess.q[i]);
    double& kind = layout.q_units[size_t(i)] == "rad" ? report.moved_angle : report.moved_length;
    kind = std::max(kind, change);
    if (change / layout.q_scale[i] > most) {
      most = change / layout.q_scale[i];
      report.moved_most = layout.q_names[size_t(i)];
    }
  }
}

// Rates of what has no mass are not counted: nobody wanted others.
void report_velocities(const DescriptorSystem& system,
                       const Vec& wanted,
                       const State& state,
                       AssemblyReport& report) {
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  system.position(state.t, state.q, terms);
  system.mass(state.t, state.q, terms);
  const Vec given = with_massless(layout, terms, wanted, state.v);
  Vec r(layout.m);
  velocity_residual(terms, given, r);
  report.velocity_residual = max_abs(r);
  report.velocity_change = max_abs((state.v - given).cwiseQuotient(layout.v_scale));
}

// Of an assembly in reference-point coordinates and the one in others behind it.
AssemblyReport joined(const AssemblyReport& there, const AssemblyReport& here) {
  AssemblyReport out = there;
  out.iterations += here.iterations;
  if (std::max(here.moved_length, here.moved_angle) > std::max(there.moved_length, there.moved_angle))
    out.moved_most = here.moved_most;
  out.moved_length = std::max(there.moved_length, here.moved_length);
  out.moved_angle = std::max(there.moved_angle, here.moved_angle);
  out.velocity_change = std::max(there.velocity_change, here.velocity_change);
  out.position_residual = std::max(there.position_residual, here.position_residual);
  out.velocity_residual = std::max(there.velocity_residual, here.velocity_residual);
  return out;
}

// The constrained position nearest to the guess.
Vec closed_position(const DescriptorSystem& system,
                    const State& guess,
                    const std::vector<int>& held,
                    const std::string& source,
                    int& iterations) {
  PositionAssembly positions(system, guess, held);
  if (!positions.solve())
    throw InputError(
        source, Complaint{"joints", "an initial position in which all joints close",
                          "none near the given one; not closed: " +
                              joints_behind(system.layout(), positions.residual(), positions.tolerance()),
                          "check lengths and points of these, or start from a better initial position"});
  iterations = positions.iterations;
  return positions.q();
}

// All but the accelerations.
Assembly assemble_state(const DescriptorSystem& system,
                        const DescriptorSystem& for_position,
                        const DescriptorSystem& for_velocity,
                        const State& guess,
                        const std::vector<int>& held,
                        const std::string& source) {
  if (!guess.q.allFinite() || !guess.v.allFinite())
    throw InputError(source, Complaint{"initial state", "finite numbers", "NaN or infinity", ""});
  Assembly out;
  const Layout& layout = system.layout();
  {
    Terms terms = system.make_terms();
    system.position(guess.t, guess.q, terms);
    out.report.position_residual = max_abs(terms.g);
  }
  out.state = {guess.t, closed_position(for_position, guess, held, source, out.report.iterations), guess.v};
  out.state.v = assemble_velocity(for_velocity, guess.t, out.state.q, guess.v, source);
  report_movement(layout, guess, out.state, out.report);
  report_velocities(system, guess.v, out.state, out.report);
  return out;
}

std::vector<int> without_elastic(const DescriptorSystem& system, std::vector<int> held) {
  if (const auto* strained = dynamic_cast<const Strained*>(&system))
    for (const FlexibleColumns& body : strained->flexible_columns())
      std::erase_if(held, [&](int k) { return k >= body.v && k < body.v + body.size; });
  return held;
}

// In the coordinates a model starts in: its own, with what its file asks of the start.
Assembly assemble_own_state(const CompiledModel& model, double t, const std::string& source) {
  State guess = model.guess;
  guess.t = t;
  const DescriptorSystem& system = *model.system;
  const auto holding = [&](const State& near, const std::vector<int>& held) {
    return assemble_state(system, model.position_start ? *model.position_start : system,
                          model.velocity_start ? *model.velocity_start : system, near, held, source);
  };
  // Elastic coordinates stay as they are where frames alone can close the joints; elsewhere bodies bend.
  const std::vector<int> firm = without_elastic(system, model.held);
  const auto assembled = [&](const State& near) {
    if (firm.size() == model.held.size()) return holding(near, firm);
    try {
      return holding(near, model.held);
    } catch (const InputError&) {
      return holding(near, firm);
    }
  };
  Assembly out = assembled(guess);
  double before = 1e300;
  const auto* relaxing = dynamic_cast<const Relaxing*>(&system);
  if (relaxing == nullptr || !relaxing->has_relaxed()) return out;
  for (int k = 0;; ++k) {  // elastic coordinates without acceleration; frames follow them
    State next = out.state;
    const double change = relaxing->relax(next);
    next.v = guess.v;
    if (change == 0 || (change < 1e-9 && change >= before)) break;
    if (!(change < 1e3) || k == 50)
      throw InputError(
          source, Complaint{"bodies", "a start at which flexible bodies are at rest in their frames",
                            "none near the given one",
                            "leave `initial.relaxed` out of bodies that turn too fast for their stiffness"});
    const int iterations = out.report.iterations;
    out = assembled(next);
    out.report.iterations += iterations;
    before = change;
  }
  report_movement(system.layout(), guess, out.state, out.report);
  return out;
}

}  // namespace

Assembly assemble(const CompiledModel& model, double t, const std::string& source) {
  if (model.reference) {  // what is left to do here should be round-off: it is reported all the same
    const Assembly there = assemble_own_state(*model.reference, t, source);
    Assembly out = assemble(*model.system, model.from_reference(there.state), source);
    out.report = joined(there.report, out.report);
    return out;
  }
  return assemble_own_state(model, t, source);
}

Assembly assemble(const DescriptorSystem& system, const State& guess, const std::string& source) {
  return assemble_state(system, system, system, guess, {}, source);
}

Reaction initial_reaction(const DescriptorSystem& system, const State& state) {  // (4)
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  system.evaluate(state.t, state.q, state.v, terms);
  const auto solver = system.make_solver();
  solver->drop_rows(redundant_rows(system, state));
  Reaction reaction{Vec(layout.nv), Vec(layout.m)};
  const bool solved = solver->factor(terms) == Status::ok &&
                      solver->solve(terms.f, terms.gamma, reaction.vdot, reaction.lambda) == Status::ok &&
                      MinimumNorm(layout).apply(*solver, terms.J, reaction.lambda) == Status::ok;
  return solved ? reaction : Reaction();
}

RankReport analyze_rank(const DescriptorSystem& system, const State& state) {
  const Layout& layout = system.layout();
  Redundancy redundancy = find_redundancy(system, state);
  // Rows that come and go are out of force outside a run: neither redundant nor counted.
  int optional = 0;
  if (const Switching* switching = switching_of(system)) {
    const std::vector<int> out = switching->optional_rows();
    optional = static_cast<int>(out.size());
    for (size_t i = redundancy.rows.size(); i-- > 0;)
      if (std::binary_search(out.begin(), out.end(), redundancy.rows[i])) {
        redundancy.rows.erase(redundancy.rows.begin() + std::ptrdiff_t(i));
        redundancy.implied_by.erase(redundancy.implied_by.begin() + std::ptrdiff_t(i));
      }
  }
  RankReport report;
  report.coordinates = layout.nv;
  report.rows = layout.m;
  for (const int row : redundancy.rows) report.redundant_rows.push_back(layout.row_names[size_t(row)]);
  report.redundant_joints = redundancy.joints(layout);
  report.notice = redundancy_notice(layout, redundancy);
  report.rank = layout.m - optional - static_cast<int>(redundancy.rows.size());
  report.dof_counted = layout.nv - layout.m + optional;
  report.dof = layout.nv - report.rank;
  return report;
}

}  // namespace driftless
