#include "driftless/results/failure.hpp"

#include <fmt/format.h>

#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

std::string component_name(const Failure& f) {
  const int i = f.integrator.worst_component();
  if (i < 0) return "unknown";
  if (i < f.layout.nq) return f.layout.q_names[size_t(i)];
  if (i < f.layout.nq + f.layout.nv) return f.layout.v_names[size_t(i - f.layout.nq)];
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
      f.layout.row_names[size_t(row)], kPassing);
}

std::string step_budget_text(const Failure& f) {
  if (f.control.step > 0)
    return fmt::format("{} steps were not enough; raise --max-steps or --step", f.control.max_steps);
  return fmt::format(
      "{} steps were not enough; '{}' had the largest error in the last rejected step; raise --max-steps or "
      "loosen "
      "--rtol",
      f.control.max_steps, component_name(f));
}

std::string drift_text(const Failure& f) {
  const Drift& drift = f.monitor.drift();
  for (const std::string& row : f.redundant_rows)
    if (f.implied_by_chance && (row == drift.position_row || row == drift.velocity_row))
      return fmt::format(
          "row '{}' was implied by the others at the start and was left out, but is not any more: its error "
          "passed the "
          "limit ({:g}); the mechanism started in a singular position: start it a little beside that",
          row, f.drift_limit * f.layout.length);
  return fmt::format(
      "the constraint error passed its limit of {:g} characteristic lengths ({:g}): |g| = {:.3g} at '{}', "
      "|Jv - nu| = "
      "{:.3g} at '{}'; use a stabilization (pstab), smaller steps or a tighter --rtol; if a driver function "
      "jumps there, "
      "make it smooth",
      f.drift_limit, f.drift_limit * f.layout.length, drift.position_max, drift.position_row,
      drift.velocity_max, drift.velocity_row);
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
          "independent coordinates, Newton's method); try a tighter --rtol or a smaller --step; if "
          "the mechanism passes a singular position there, the formulations {}",
          kPassing));
    case Status::not_finite:
      return at(
          "the accelerations are not finite; check the forces there, or try a smaller --step or "
          "--initial-step");
    case Status::step_too_small:
      return at(fmt::format(
          "the step size fell below the resolution of time; the error test on '{}' forced it; try a "
          "looser --rtol, or look for a discontinuous force or a singular position there (the formulations "
          "{} "
          "pass those)",
          component_name(f), kPassing));
    case Status::too_many_steps:
      return at(step_budget_text(f));
    case Status::drift_exceeded:
      return at(drift_text(f));
  }
  return at("failed");
}

}  // namespace driftless
