#include "driftless/results/failure.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

std::string component_name(const Failure& f) {
  const int i = f.integrator.worst_component();
  if (i < 0) return "unknown";
  if (i < f.system.layout().nq) return f.system.layout().q_names[size_t(i)];
  if (i < f.system.layout().nq + f.system.layout().nv)
    return f.system.layout().v_names[size_t(i - f.system.layout().nq)];
  return "work";
}

constexpr const char* kPassing = "augmented-lagrangian, penalty and canonical-augmented";

std::string singular_text(const Failure& f) {
  if (!f.monitor.branch_is_clear())
    return fmt::format(
        "the mechanism is so close to a singular position that the constraint error of {:.2g} does not tell "
        "the branches that cross there apart: what follows might be another motion; the formulations {} "
        "pass singular positions",
        f.monitor.last().position, kPassing);
  int row = f.form.singular_row();
  if (row < 0 && f.stabilization != nullptr) row = f.stabilization->singular_row();
  if (row < 0)
    return "the equations of motion are singular: the mass matrix is not positive on the motions the "
           "constraints leave "
           "free; give every coordinate a mass or a constraint that holds it (solver=schur needs the mass: "
           "solver=kkt serves singular mass matrices)";
  return fmt::format(
      "the constraint matrix is rank deficient: row '{}' depends on the others there (a singular position, "
      "or "
      "constraints that say the same thing twice); the formulations {} pass singular positions; "
      "`driftless check` lists redundant constraints",
      f.system.layout().row_names[size_t(row)], kPassing);
}

std::string step_budget_text(const Failure& f) {
  if (f.control.step > 0)
    return fmt::format("{} steps were not enough; raise `max_steps` or `step`", f.control.max_steps);
  return fmt::format(
      "{} steps were not enough; '{}' had the largest error in the last rejected step; raise `max_steps` or "
      "loosen "
      "`rtol`",
      f.control.max_steps, component_name(f));
}

// The first entry that is not a finite number, by name.
std::optional<std::string> bad_entry(const char* what,
                                     ConstVec values,
                                     const std::vector<std::string>& names) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return fmt::format("{} '{}' is {}", what, names[size_t(i)], std::isnan(values[i]) ? "NaN" : "infinite");
  return std::nullopt;
}

// What is not finite at an instant, and when.
std::optional<std::string> bad_term(const DescriptorSystem& system, double t, ConstVec q, ConstVec v) {
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  system.evaluate(t, q, v, terms);
  auto found = bad_entry("the force on", terms.f, layout.v_names);
  if (!found) found = bad_entry("the constraint", terms.g, layout.row_names);
  if (!found) found = bad_entry("the velocity asked for by", terms.nu, layout.row_names);
  if (!found) found = bad_entry("the acceleration asked for by", terms.gamma, layout.row_names);
  if (found) *found += fmt::format(" at t = {:.9g}", t);
  return found;
}

// Terms at the last good state are finite, but at the start; so one looks ahead, at first as little as time resolves.
std::string not_finite_text(const Failure& f) {
  const DescriptorSystem& system = f.system;
  for (const double share : {0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2}) {
    const double ahead = share * (1 + std::abs(f.state.t));
    Vec q = f.state.q;
    system.retract(q, ahead * f.state.v);
    if (const auto bad = bad_term(system, f.state.t + ahead, q, f.state.v))
      return *bad + ": check the functions and forces that act there";
  }
  return "positions, velocities or accelerations are not finite any more: check the forces there, or try a "
         "smaller "
         "`step` or `initial_step`";
}

std::string drift_text(const Failure& f) {
  const Drift& drift = f.monitor.drift();
  if (f.monitor.has_blown_up())
    return fmt::format(
        "the motion has blown up: its energy is {:.2g} J, which neither forces nor drivers gave it (it was "
        "{:.2g} J "
        "at the start); take shorter steps or an implicit integrator",
        f.monitor.energy()->final, f.monitor.energy()->initial);
  for (const std::string& row : f.redundant_rows)
    if (f.implied_by_chance && (row == drift.position_row || row == drift.velocity_row))
      return fmt::format(
          "row '{}' was implied by the others at the start and was left out, but is not any more: its error "
          "passed the "
          "limit ({:g}); the mechanism started in a singular position: start it a little beside that",
          row, f.monitor.drift_limit().position * f.system.layout().length);
  const DriftLimit& limit = f.monitor.drift_limit();
  const double length = f.system.layout().length;
  const std::string passed =
      drift.position_max > limit.position * length
          ? fmt::format("{:g} characteristic lengths ({:g})", limit.position, limit.position * length)
          : fmt::format("{:g} of the largest speed ({:g})", limit.velocity,
                        limit.velocity * length * f.monitor.largest_speed());
  return fmt::format(
      "the constraint error passed its limit of {}: |g| = {:.3g} at '{}', |Jv - nu| = {:.3g} at '{}'; use a "
      "stabilization (pstab), smaller steps or a tighter `rtol`; if a driver function jumps there, make it "
      "smooth",
      passed, drift.position_max, drift.position_row, drift.velocity_max, drift.velocity_row);
}

}  // namespace

std::string failure_message(const Failure& f) {
  const auto at = [&](const std::string& text) { return fmt::format("at t = {:.9g}: {}", f.state.t, text); };
  switch (f.status) {
    case Status::ok:
    case Status::stopped:
      return {};
    case Status::interrupted:
      return at("interrupted; what was computed so far is kept");
    case Status::singular:
      return at(singular_text(f));
    case Status::not_converged:
      return at(fmt::format(
          "an iteration did not converge (projection onto the constraints, positions from "
          "independent coordinates, Newton's method); try a tighter `rtol` or a smaller `step`; if "
          "the mechanism passes a singular position there, the formulations {}",
          kPassing));
    case Status::not_finite:
      return at(not_finite_text(f));
    case Status::step_too_small:
      return at(fmt::format(
          "the step size fell below the resolution of time; the error test on '{}' forced it; try a "
          "looser `rtol`, or look for a discontinuous force or a singular position there (the formulations "
          "{} "
          "pass those)",
          component_name(f), kPassing));
    case Status::too_many_steps:
      return at(step_budget_text(f));
    case Status::drift_exceeded:
      return at(drift_text(f));
    case Status::chattering:
    case Status::no_mode:
      return at(std::string(f.switching));
  }
  return at("failed");
}

}  // namespace driftless
