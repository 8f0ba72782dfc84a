#include "driftless/results/run_setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/results/doubts.hpp"
#include "driftless/system/user/vector_space.hpp"

namespace driftless {
namespace {

void require(bool good, const char* option, const std::string& expected, double found) {
  if (!good) throw InputError("settings", Complaint{option, expected, fmt::format("{}", found), ""});
}

void check_setup(const DescriptorSystem& system, const State& start, const Setup& setup) {
  const Layout& layout = system.layout();
  if (start.q.size() != layout.nq || start.v.size() != layout.nv)
    throw InputError("start",
                     Complaint{"state", fmt::format("{} positions and {} velocities", layout.nq, layout.nv),
                               fmt::format("{} and {}", start.q.size(), start.v.size()), ""});
  if (!start.q.allFinite() || !start.v.allFinite())
    throw InputError("start", Complaint{"state", "finite numbers", "NaN or infinity", ""});
  require(std::isfinite(setup.t_end) && setup.t_end > start.t, "`t_end`",
          fmt::format("a time after {}", start.t), setup.t_end);
  require(setup.rtol > 0 && setup.rtol < 1, "`rtol`", "a number in (0, 1)", setup.rtol);
  require(setup.atol >= 0 && std::isfinite(setup.atol), "`atol`", "a number > 0", setup.atol);
  require(setup.step >= 0 && std::isfinite(setup.step), "`step`", "a number > 0", setup.step);
  require(setup.initial_step >= 0 && std::isfinite(setup.initial_step), "`initial_step`", "a number > 0",
          setup.initial_step);
  require(setup.max_step >= 0 && std::isfinite(setup.max_step), "`max_step`", "a number > 0", setup.max_step);
  require(setup.max_steps >= 0, "`max_steps`", "a whole number > 0", static_cast<double>(setup.max_steps));
  require(setup.output_step >= 0 && std::isfinite(setup.output_step), "`output_step`", "a number > 0",
          setup.output_step);
  require(setup.drift_limit >= 0, "`drift_limit`", "a number > 0", setup.drift_limit);
}

void check_methods(const DescriptorSystem& system, const State& start, const Choices& choices) {
  if (choices.formulation->needs_mass && system.layout().mass_is_implicit)
    throw InputError("settings",
                     Complaint{"`formulation`", "a formulation that does without the mass matrix",
                               fmt::format("'{}'", choices.formulation->method.name),
                               "compile the relative coordinates with mass=formed, or use lagrange"});
  if (choices.integrator->needs_vector_space && choices.formulation->kind == FormKind::residual &&
      !is_vector_space(system, start))
    throw InputError(
        "settings",
        Complaint{"`integrator`", "an integrator for coordinates whose velocities are not their derivatives",
                  fmt::format("'{}'", choices.integrator->method.name),
                  "use generalized-alpha, or `coordinates=euler-parameters` or natural"});
}

}  // namespace

StepControl step_control(const Setup& setup) {
  StepControl control;
  control.rtol = setup.rtol;
  control.atol = setup.atol > 0 ? setup.atol : setup.rtol / 10;
  control.step = setup.step;
  control.initial_step = setup.initial_step;
  control.max_step = setup.max_step;
  if (setup.step > 0)
    control.max_steps = std::numeric_limits<long>::max();  // the user has counted them already
  if (setup.max_steps > 0) control.max_steps = setup.max_steps;
  return control;
}

Provenance provenance_of(const Choices& choices, const Setup& setup, const StepControl& control) {
  Provenance provenance;
  provenance.formulation = choices.formulation->method.name;
  provenance.integrator = choices.integrator->method.name;
  provenance.stabilization = choices.stabilization->method.name;
  provenance.options = choices.in_force();
  provenance.options["t_end"] = fmt::format("{}", setup.t_end);
  if (setup.step > 0)
    provenance.options["step"] = fmt::format("{}", setup.step);
  else {
    provenance.options["rtol"] = fmt::format("{}", control.rtol);
    provenance.options["atol"] = fmt::format("{}", control.atol);
  }
  return provenance;
}

DriftLimit drift_limit(const Choices& choices, const Setup& setup, const StepControl& control) {
  if (setup.drift_limit > 0) return {setup.drift_limit, setup.drift_limit};
  const std::string& chosen = choices.stabilization->method.name;
  const bool was_taken_off =
      (chosen == "none" || chosen == "velocity-only") && chosen != choices.formulation->default_stabilization;
  const bool is_gated = choices.stabilization_options.values().contains("datol") &&
                        choices.stabilization_options.number("datol") > 0;
  return usual_drift_limit(control, choices.integrator->order, !was_taken_off && !is_gated);
}

std::vector<int> note_redundancy(const DescriptorSystem& system,
                                 const State& start,
                                 const std::vector<int>& saved,
                                 const Mode& mode,
                                 Results& results) {
  const Layout& layout = system.layout();
  if (!std::is_sorted(saved.begin(), saved.end()) ||
      (!saved.empty() && (saved.front() < 0 || saved.back() >= layout.m)))
    throw InputError("checkpoint", Complaint{"dropped_rows", fmt::format("rows from 0 to {}", layout.m - 1),
                                             "others", "it belongs to another mechanism"});
  Redundancy redundancy = find_redundancy(system, start);
  if (!saved.empty()) redundancy.rows = saved;
  const std::vector<int> out = redundancy.rows;
  for (size_t i = redundancy.rows.size(); i-- > 0;)
    if (std::binary_search(mode.inactive.begin(), mode.inactive.end(), redundancy.rows[i])) {
      redundancy.rows.erase(redundancy.rows.begin() + std::ptrdiff_t(i));
      if (i < redundancy.implied_by.size())
        redundancy.implied_by.erase(redundancy.implied_by.begin() + std::ptrdiff_t(i));
    }
  for (const int row : redundancy.rows) results.redundant_rows.push_back(layout.row_names[size_t(row)]);
  results.redundancy = redundancy_notice(layout, redundancy);
  if (!results.redundancy.empty()) results.notices.push_back(results.redundancy);
  return out;
}

std::unique_ptr<DescriptorSystem> system_in_mode(const DescriptorSystem& system,
                                                 const State& start,
                                                 const Setup& setup,
                                                 Mode& mode) {
  const Switching* switching = switching_of(system);
  if (switching == nullptr) return nullptr;
  mode = switching->make_mode();
  auto own = switching->in_mode(mode);
  if (!setup.checkpoint) {
    Terms terms = own->make_terms();
    switching_of(*own)->begin_mode(start, nullptr, terms, mode);
    return own;
  }
  if (setup.checkpoint->mode.size() != mode.values.size() ||
      setup.checkpoint->held.size() != mode.held.size())
    throw InputError("checkpoint", Complaint{"mode", fmt::format("{} switches", mode.values.size()),
                                             fmt::format("{}", setup.checkpoint->mode.size()),
                                             "it belongs to another mechanism"});
  mode.values = setup.checkpoint->mode;
  mode.held = setup.checkpoint->held;
  switching->set_inactive(mode);
  mode.count = 1;
  return own;
}

Choices chosen_methods(const DescriptorSystem& system, const State& start, const Setup& setup) {
  check_setup(system, start, setup);
  Choices choices =
      choose_methods(setup.formulation, setup.integrator, setup.stabilization, setup.options, setup.step > 0);
  check_methods(system, start, choices);
  return choices;
}

}  // namespace driftless
