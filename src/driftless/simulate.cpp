// The whole path of a run, top to bottom: choose methods, start, then step → locate events → record, until the end.
#include "driftless/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include <fmt/format.h>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/resumable.hpp"
#include "driftless/integrator/sudden_watch.hpp"
#include "driftless/results/angle_tracker.hpp"
#include "driftless/results/doubts.hpp"
#include "driftless/results/event_finder.hpp"
#include "driftless/results/failure.hpp"
#include "driftless/results/implied_by_chance.hpp"
#include "driftless/results/monitor.hpp"
#include "driftless/results/output_times.hpp"
#include "driftless/results/recorder.hpp"
#include "driftless/system/vector_space.hpp"

namespace driftless {
namespace {

double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void require(bool good, const char* option, const std::string& expected, double found) {
  if (!good) throw InputError("run settings", Complaint{option, expected, fmt::format("{}", found), ""});
}

void check_setup(const DescriptorSystem& system, const State& start, const Setup& setup) {
  const Layout& layout = system.layout();
  if (start.q.size() != layout.nq || start.v.size() != layout.nv)
    throw InputError("start",
                     Complaint{"state", fmt::format("{} positions and {} velocities", layout.nq, layout.nv),
                               fmt::format("{} and {}", start.q.size(), start.v.size()), ""});
  if (!start.q.allFinite() || !start.v.allFinite())
    throw InputError("start", Complaint{"state", "finite numbers", "NaN or infinity", ""});
  require(std::isfinite(setup.t_end) && setup.t_end > start.t, "--t-end",
          fmt::format("a time after {}", start.t), setup.t_end);
  require(setup.rtol > 0 && setup.rtol < 1, "--rtol", "a number in (0, 1)", setup.rtol);
  require(setup.atol >= 0 && std::isfinite(setup.atol), "--atol", "a number > 0", setup.atol);
  require(setup.step >= 0 && std::isfinite(setup.step), "--step", "a number > 0", setup.step);
  require(setup.initial_step >= 0 && std::isfinite(setup.initial_step), "--initial-step", "a number > 0",
          setup.initial_step);
  require(setup.max_step >= 0 && std::isfinite(setup.max_step), "--max-step", "a number > 0", setup.max_step);
  require(setup.max_steps >= 0, "--max-steps", "a whole number > 0", static_cast<double>(setup.max_steps));
  require(setup.output_step >= 0 && std::isfinite(setup.output_step), "--output-step", "a number > 0",
          setup.output_step);
  require(setup.drift_limit >= 0, "--drift-limit", "a number > 0", setup.drift_limit);
}

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

// In characteristic lengths: what the user says, or what suits the tolerance where something holds the constraints.
DriftLimit drift_limit(const Choices& choices, const Setup& setup, const StepControl& control) {
  if (setup.drift_limit > 0) return {setup.drift_limit, setup.drift_limit};
  const std::string& chosen = choices.stabilization->method.name;
  const bool was_taken_off =
      (chosen == "none" || chosen == "velocity-only") && chosen != choices.formulation->default_stabilization;
  const bool is_gated = choices.stabilization_options.values().contains("datol") &&
                        choices.stabilization_options.number("datol") > 0;
  return usual_drift_limit(control, choices.integrator->order, !was_taken_off && !is_gated);
}

// Rows to leave out: those a checkpoint names, or those implied by others at the start. Their names, and a notice, go to
// the results.
std::vector<int> note_redundancy(const DescriptorSystem& system,
                                 const State& start,
                                 const std::vector<int>& saved,
                                 Results& results) {
  const Layout& layout = system.layout();
  if (!std::is_sorted(saved.begin(), saved.end()) ||
      (!saved.empty() && (saved.front() < 0 || saved.back() >= layout.m)))
    throw InputError("checkpoint", Complaint{"dropped_rows", fmt::format("rows from 0 to {}", layout.m - 1),
                                             "others", "it belongs to another mechanism"});
  Redundancy redundancy = find_redundancy(system, start);
  if (!saved.empty()) redundancy.rows = saved;
  for (const int row : redundancy.rows) results.redundant_rows.push_back(layout.row_names[size_t(row)]);
  results.redundancy = redundancy_notice(layout, redundancy);
  if (!results.redundancy.empty()) results.notices.push_back(results.redundancy);
  return redundancy.rows;
}

}  // namespace

Results simulate(const DescriptorSystem& system, const State& start, const Setup& setup) {
  const double cpu_start = cpu_now();
  check_setup(system, start, setup);
  const Choices choices =
      choose_methods(setup.formulation, setup.integrator, setup.stabilization, setup.options, setup.step > 0);
  StepControl control = step_control(setup);
  if (choices.formulation->needs_mass && system.layout().mass_is_implicit)
    throw InputError("run settings",
                     Complaint{"--formulation", "a formulation that does without the mass matrix",
                               fmt::format("'{}'", choices.formulation->method.name),
                               "compile the relative coordinates with mass=formed, or use lagrange"});
  if (choices.integrator->needs_vector_space && choices.formulation->kind == FormKind::residual &&
      !is_vector_space(system, start))
    throw InputError(
        "run settings",
        Complaint{"--integrator", "an integrator for coordinates whose velocities are not their derivatives",
                  fmt::format("'{}'", choices.integrator->method.name),
                  "use generalized-alpha, or --coordinates euler-parameters or natural"});

  Results results;
  results.provenance = provenance_of(choices, setup, control);
  if (!choices.remark.empty()) results.notices.push_back(choices.remark);
  if (const auto caution = system.caution(control.rtol); !caution.empty()) results.notices.push_back(caution);

  // The four choices become objects; each owns its workspace, sized here once.
  const auto form = choices.make_form(system);
  const auto stabilization =
      choices.stabilization->make(system, choices.stabilization_options, form->make_kernel());
  form->statistics = &results.statistics;
  form->stabilization = stabilization.get();
  if (stabilization) stabilization->statistics = &results.statistics;
  SuddenWatch sudden(system, control);
  if (!sudden.idle()) control.sudden = &sudden;
  const auto integrator =
      choices.integrator->make(*form, results.statistics, control, choices.integrator_options);
  if (setup.checkpoint && setup.checkpoint->y.size() != form->size())
    throw InputError("checkpoint", Complaint{"y", fmt::format("{} components", form->size()),
                                             fmt::format("{}", setup.checkpoint->y.size()),
                                             "resume with the methods the checkpoint was made with"});
  Monitor monitor(system, drift_limit(choices, setup, control));
  ImpliedByChance chance;
  RowWatch watch;
  AngleTracker angles(system);
  Recorder recorder(system, setup.record ? choices.make_form(system) : nullptr, angles);

  // Rows that others imply are left out of every solve, from here to the end; the monitor goes on watching them.
  const std::vector<int> saved = setup.checkpoint ? setup.checkpoint->dropped_rows : std::vector<int>();
  std::vector<int> dropped = note_redundancy(system, start, saved, results);
  std::unique_ptr<Stabilization>
      projection;  // of what the run itself needs put on the constraints: events, other rows
  const auto drop_rows = [&] {
    if (stabilization) stabilization->drop_rows(dropped);
    if (projection) projection->drop_rows(dropped);
    recorder.drop_rows(dropped);
  };
  const auto put_on_constraints = [&](State& at) {
    if (!projection) {
      projection = make_projection(system, form->make_kernel());
      if (!dropped.empty()) projection->drop_rows(dropped);
    }
    return projection->settle(at.t, at.q, at.v);
  };
  if (!dropped.empty()) {
    form->drop_rows(dropped);
    drop_rows();
  }
  if (setup.sink != nullptr) {
    Results beginning = results;
    beginning.status = Status::interrupted;
    std::swap(beginning.trajectory, recorder.trajectory);
    setup.sink->begin(beginning);
    std::swap(beginning.trajectory, recorder.trajectory);
  }
  OutputTimes outputs(start.t, setup);
  EventFinder events(setup.events, system, angles);
  std::vector<double> breaks =
      system.break_times(setup.checkpoint ? std::min(setup.checkpoint->t, start.t) : start.t, setup.t_end);
  breaks.push_back(setup.t_end);
  auto limit = breaks.begin();

  State state = start;
  double work = 0;
  long newton = 0;  // iterations up to the last accepted step
  Vec y(form->size());
  form->pack(start, 0, y);
  Status status = setup.checkpoint ? integrator->resume(*setup.checkpoint)
                                   : integrator->start(start.t, y, *limit - start.t);
  const auto* resumed = dynamic_cast<const Resumable*>(integrator.get());
  if (setup.checkpoint && status == Status::ok && (resumed == nullptr || !resumed->went_on_exactly()))
    results.notices.push_back(
        fmt::format("{} with {} starts anew at t = {:g}, its past is not in the checkpoint: equal to the "
                    "uninterrupted run to "
                    "the tolerance, not to round-off",
                    choices.integrator->method.name, choices.formulation->method.name, setup.checkpoint->t));
  const auto read_state = [&] { work = form->unpack(integrator->t(), integrator->y(), state); };
  if (status == Status::ok) {
    read_state();
    monitor.observe(state, work);
    angles.start(state, start.t, setup.quantities ? &*setup.quantities : nullptr);
    events.start(state);
    status = monitor.status();
    if (status == Status::ok && setup.record && outputs.wants_start())
      recorder.record(start, work, monitor.last());
  }

  // Everything about a run that ends where it is now, its records included; `solver` solves the final v̇ and λ.
  const auto conclude = [&](Results& out, Status ending, OdeForm& solver) {
    out.status = ending;
    out.drift = monitor.drift();
    out.energy = monitor.energy();
    const auto message = [&] {
      return failure_message({out.status, state, system, *integrator, *form, stabilization.get(), monitor,
                              control, out.redundant_rows, chance.found()});
    };
    out.message = message();  // here: the solve of finish() would forget which row failed
    const Status last = recorder.finish(solver, state, out);
    if (ending == Status::ok && last != Status::ok) {
      out.status = last;
      out.message = message();
    }
    if (out.good() || out.status == Status::interrupted)
      for (std::string& doubt :
           doubts({system, monitor, control, choices.integrator->order, start, out.final}))
        out.warnings.push_back(std::move(doubt));
    out.trajectory = std::move(recorder.trajectory);
    out.checkpoint = integrator->checkpoint();
    out.checkpoint->dropped_rows = dropped;
    for (const std::string& remark : {form->remark(), integrator->remark()})
      if (!remark.empty()) out.notices.push_back(remark);
    for (const std::string& warning : {sudden.warning(), integrator->warning()})
      if (!warning.empty()) out.warnings.push_back(warning);
    out.statistics.cpu_seconds = cpu_now() - cpu_start;
  };
  // Records go to the sink: between steps with everything else, alone where one step has several blocks of them. false:
  // it takes no more.
  const auto has_blocks = [&](size_t count) {
    return setup.sink != nullptr && bytes_of(recorder.trajectory) >= count * RecordSink::kBlockBytes;
  };
  const auto hand_over_block = [&] {
    const bool goes_on = setup.sink->add(recorder.trajectory);
    clear_rows(recorder.trajectory);
    return goes_on;
  };
  const auto hand_over_all = [&] {
    const Statistics counted = results.statistics;  // looking on must not count
    Results so_far = results;
    conclude(so_far, Status::interrupted, setup.record ? recorder.reader() : *form);
    results.statistics = counted;
    const bool goes_on = setup.sink->update(so_far);
    recorder.trajectory = std::move(so_far.trajectory);
    clear_rows(recorder.trajectory);
    return goes_on;
  };

  while (status == Status::ok && integrator->t() < setup.t_end) {
    if (setup.interrupt != nullptr && setup.interrupt->load(std::memory_order_relaxed)) {
      status = Status::interrupted;
      break;
    }
    if ((has_blocks(1) || (setup.sink != nullptr && setup.sink->is_due())) && !hand_over_all()) {
      status = Status::interrupted;
      break;
    }
    // step
    status = integrator->advance(*limit);
    if (status != Status::ok) break;
    if (dropped.size() == form->dropped_rows().size() && dropped != form->dropped_rows()) {
      dropped = form->dropped_rows();
      drop_rows();
    }
    read_state();
    const Monitor::Reading reading = monitor.observe(state, work, form->terms());
    if (!dropped.empty()) chance.observe(system.layout(), form->terms(), dropped);
    angles.advance(state, form->terms());
    if (setup.record) {
      recorder.record_step(state.t, state.t - integrator->t_before(), reading,
                           results.statistics.newton_iterations - newton);
      newton = results.statistics.newton_iterations;
    }
    monitor.observe_rows(form->row_independence());
    if (status = monitor.status(); status != Status::ok) break;

    // locate events: the first one cuts the step short
    const auto found = events.find(*integrator, *form, state);
    const double t_reached = found ? found->t : state.t;

    // record what lies inside the step, then its end
    for (; setup.record && outputs.next() < t_reached; outputs.pop()) {
      integrator->interpolate(outputs.next(), y);
      recorder.record_between(outputs.next(), y, reading);
      if (has_blocks(4) && !hand_over_block()) status = Status::interrupted;
    }
    if (status != Status::ok) break;
    if (found) {
      integrator->interpolate(found->t, y);
      work = form->unpack(found->t, y, state);
      if (status = put_on_constraints(state); status != Status::ok) break;
      recorder.trajectory.events.push_back({found->t, found->event->name});
      if (found->event->action) {
        found->event->action(state);
        if (status = put_on_constraints(state); status != Status::ok) break;
      }
      angles.cut(state);
    }
    if (setup.record && (outputs.wants(t_reached) || (found && found->event->stop)))
      recorder.record(state, work, reading);
    outputs.pop_until(t_reached);
    if (found && found->event->stop) {
      status = Status::stopped;
      break;
    }

    // a residual form keeps its rows while its scheme runs: where they have worn, others, and a new start of the scheme
    const bool renewed = choices.formulation->kind == FormKind::residual && !dropped.empty() && !found &&
                         state.t < setup.t_end &&
                         renew_choice(watch, system.layout(), form->terms(), dropped);
    if (renewed) {
      watch.reset();
      form->drop_rows(dropped);
      drop_rows();
      if (status = put_on_constraints(state); status != Status::ok) break;  // which the new rows are off
    }

    // a discontinuity, known or located: start anew behind it
    const bool at_break = !found && state.t == *limit && *limit < setup.t_end;
    if (at_break) {
      recorder.trajectory.events.push_back({state.t, "discontinuity"});
      ++limit;
    }
    if (found || at_break || renewed) {
      form->pack(state, work, y);
      sudden.restart();
      if (status = integrator->restart(state.t, y); status != Status::ok) break;
      monitor.observe(state, work);
      status = monitor.status();
      events.start(state);
    }
    if (setup.on_progress && results.statistics.accepted % 64 == 0)
      setup.on_progress({state.t, start.t, setup.t_end, results.statistics.steps()});
  }

  conclude(results, status, *form);
  return results;
}

}  // namespace driftless
