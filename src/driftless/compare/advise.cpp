#include "driftless/compare/advise.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/compare/method_text.hpp"
#include "driftless/compare/model_facts.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/settings.hpp"

namespace driftless {
namespace {

std::string join_words(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

// What comes into question, by the facts.
std::vector<std::string> candidates_of(const ModelFacts& facts, const RunSettings& given) {
  std::vector<std::string> sets = {""};
  if (facts.is_model && !given.coordinates) sets = {"reference-point/", "relative/"};
  if (facts.has_points && !given.coordinates) sets = {"reference-point/"};  // the others refuse
  std::vector<std::string> methods;
  const bool is_free = facts.rows == 0;
  const std::string stabilized = is_free ? "" : "/pstab";
  if (facts.stiffness < 30)
    for (const char* integrator : {"dopri5", "dop853", "adams"})
      methods.push_back(std::string("lagrange/") + integrator + stabilized);
  if (facts.is_vibrating()) methods.emplace_back("index3/generalized-alpha");
  if (facts.stiffness > 0.5 || facts.is_vibrating() || !facts.eigenvalues_known) {
    methods.push_back("lagrange/radau-iia5" + stabilized);
    methods.emplace_back("lagrange/bdf" + stabilized);
  }
  if (facts.is_singular() || !facts.trial_trouble.empty()) {
    methods.emplace_back("augmented-lagrangian/dopri5");
    methods.emplace_back(
        "augmented-lagrangian/dop853[penalty=1e8]");  // stiff: exact behind singular positions
    methods.emplace_back("penalty/radau-iia5");
  }
  std::vector<std::string> out;
  for (const std::string& set : sets)
    for (const std::string& method : methods) out.push_back(set + method);
  return out;
}

double one_digit(double rtol) {  // towards the tighter
  const double power = std::pow(10, std::floor(std::log10(rtol)));
  return power * std::max(1.0, std::floor(rtol / power));
}

// The tolerance with which the method should reach half the error: between the two trials next to it, on logarithms.
double tolerance_for(const Comparison& trials, const std::string& method, double error) {
  const ComparedRun *above = nullptr, *below = nullptr;
  for (const ComparedRun& run : trials.runs) {
    if (run.method != method || !run.good || !(run.error > 0)) continue;
    if (run.error <= error / 2 && (below == nullptr || run.rtol > below->rtol)) below = &run;
    if (run.error > error / 2 && (above == nullptr || run.rtol < above->rtol)) above = &run;
  }
  if (below == nullptr) return 0;
  if (above == nullptr || above->rtol <= below->rtol) return below->rtol;
  const double share = std::log(2 * above->error / error) / std::log(above->error / below->error);
  const double rtol = above->rtol * std::pow(below->rtol / above->rtol, share);
  return one_digit(rtol);
}

// Errors do not fall evenly with the tolerance: the one found between trials is tried, and tightened until it meets the error.
bool settle_tolerance(const AdviseRequest& request, Advice& advice) {
  constexpr int kMostTries = 4;
  CompareRequest again{.target = request.target,
                       .settings = request.settings,
                       .methods = advice.method,
                       .reference = &advice.trials.reference,
                       .interrupt = request.interrupt,
                       .jobs = request.jobs,
                       .time_limit = request.time_limit};
  again.settings.t_end = advice.facts.trial_end;
  again.settings.step.reset();
  for (int i = 0; i < kMostTries; ++i) {
    again.tolerances = {advice.rtol};
    const Comparison tried = compare(again);
    if (tried.runs.empty() || !tried.runs.front().good) return true;  // nothing to go by
    if (!(tried.runs.front().error > request.error)) return true;
    advice.rtol = one_digit(advice.rtol / 3);
  }
  return false;
}

// Behind a singular position errors against a reference that nothing confirms say nothing: what passes it by design goes first. Where the
// reference is confirmed it does so if it costs less than twice the quickest: that one passes as long as no step ends too near.
void prefer_safe_passage(const AdviseRequest& request, std::vector<std::string>& ranked, Advice& out) {
  constexpr double kWorth = 1.6;  // times the quickest
  const auto is_safe = [](const std::string& method) {
    return method.find("augmented-lagrangian") != std::string::npos;
  };
  if (!out.trials.reference.is_trusted()) {
    std::stable_partition(ranked.begin(), ranked.end(), is_safe);
    out.reasons.emplace_back(
        "Behind a singular position the trials have no reference that two methods agree on: a formulation "
        "that passes it by design goes "
        "first, whatever the others measure.");
    return;
  }
  const auto safe = std::find_if(ranked.begin(), ranked.end(), is_safe);
  if (safe == ranked.begin() || safe == ranked.end()) return;
  const double least = time_at_error(out.trials, ranked.front(), request.error),
               own = time_at_error(out.trials, *safe, request.error);
  if (!(own <= kWorth * least)) return;
  out.reasons.push_back(
      fmt::format("{} passes singular positions by design and takes {:.1f} times as long as {}, which passes "
                  "them as long as none of its steps ends too near one: the safe one goes first.",
                  *safe, own / least, ranked.front()));
  std::rotate(ranked.begin(), safe, safe + 1);
}

void say_what_it_is(const ModelFacts& facts, std::vector<std::string>& out) {
  out.push_back(fmt::format(
      "{} has {} degree{} of freedom: {} velocities, {} constraint row{}{}{}.", facts.name, facts.dof,
      facts.dof == 1 ? "" : "s", facts.coordinates_count, facts.rows, facts.rows == 1 ? "" : "s",
      facts.nonholonomic > 0 ? fmt::format(", {} of them on velocities only", facts.nonholonomic) : "",
      facts.redundant > 0 ? fmt::format(", {} of them implied by others and left out", facts.redundant)
                          : ""));
  if (!facts.trial_trouble.empty())
    out.push_back("A trial run by lagrange/dopri5/pstab fails: " +
                  facts.trial_trouble.substr(0, facts.trial_trouble.find(';')) + ".");
  if (facts.eigenvalues_known)
    out.push_back(
        facts.is_stiff()
            ? fmt::format("The motion is stiff: along a trial run the linearised motion decays at up to "
                          "{:.2g} 1/s, and explicit "
                          "steps are as short as stability asks (decay times step {:.2g}), not accuracy. An "
                          "implicit scheme "
                          "takes longer ones.",
                          facts.decay, facts.stiffness)
            : fmt::format(
                  "The motion is not stiff: along a trial run the linearised motion decays at up to {:.2g} "
                  "1/s and "
                  "oscillates at up to {:.2g} rad/s, which explicit steps follow (decay times step {:.2g}, "
                  "stability allows about 3).",
                  facts.decay, facts.frequency, facts.stiffness));
  if (facts.flexible_bodies > 0)
    out.push_back(fmt::format(
        "{} flexible bod{} with {} elastic coordinates: absolute coordinates only{}.", facts.flexible_bodies,
        facts.flexible_bodies == 1 ? "y" : "ies", facts.elastic,
        facts.eigenvalues_known
            ? fmt::format(
                  ", and vibrations up to {:.2g} rad/s{}", facts.frequency,
                  facts.is_vibrating()
                      ? ", which keep explicit steps short though nobody may want to see them: implicit "
                        "schemes that damp them, or modes below the frequency of interest, take longer ones"
                      : "")
            : ""));
  else if (facts.is_vibrating())
    out.push_back(fmt::format(
        "Vibrations of up to {:.2g} rad/s keep explicit steps short (frequency times step {:.2g}).",
        facts.frequency, facts.vibration));
  if (facts.switches > 0)
    out.push_back(fmt::format(
        "{} thing{} can switch (contacts, friction, cases of laws); in the trial something did so {} time{}. "
        "Every "
        "time steps end there and the scheme starts anew: one-step methods lose nothing by it, methods "
        "with a memory begin at order 1.",
        facts.switches, facts.switches == 1 ? "" : "s", facts.switchings, facts.switchings == 1 ? "" : "s"));
  if (facts.is_singular())
    out.push_back(fmt::format(
        "Rows lose their independence near t = {:.4g} s{}: a singular position, where other motions may "
        "branch "
        "off. Formulations by penalties with iterated multipliers pass it.",
        facts.singular_at.front(),
        facts.singular_at.size() > 1 ? fmt::format(" and {} more times", facts.singular_at.size() - 1) : ""));
  if (std::abs(facts.energy_lost) > 1e-9)
    out.push_back(
        fmt::format("Dampers, motors and drivers do work of {:.2g} times the energy.", -facts.energy_lost));
  else
    out.push_back(
        "Nothing does work but the potential: the energy is kept, and a scheme that damps would be seen.");
  if (facts.trial_end < facts.t_end * (1 - 1e-12))
    out.push_back(fmt::format("The trials run to {:.3g} s of {:.3g} s.", facts.trial_end, facts.t_end));
}

}  // namespace

Advice advise(const AdviseRequest& request) {
  Advice out;
  out.facts = find_facts(request);
  say_what_it_is(out.facts, out.reasons);
  const std::vector<std::string> candidates = candidates_of(out.facts, request.settings);
  CompareRequest trials{.target = request.target,
                        .settings = request.settings,
                        .methods = join_words(candidates),
                        .tolerances = {1e-5, 1e-7, 1e-9},
                        .interrupt = request.interrupt,
                        .jobs = request.jobs,
                        .time_limit = request.time_limit,
                        .on_case = request.on_case};
  trials.settings.t_end = out.facts.trial_end;
  trials.settings.step.reset();
  out.trials = compare(trials);
  sort_runs(out.trials);

  std::vector<std::string> ranked;
  for (const ComparedRun& run : out.trials.runs)
    if (run.good && std::find(ranked.begin(), ranked.end(), run.method) == ranked.end())
      ranked.push_back(run.method);
  const std::string quickest = ranked.empty() ? "" : ranked.front();
  if (out.facts.is_singular()) prefer_safe_passage(request, ranked, out);
  if (ranked.empty()) {
    const MethodNames names = method_names(request.settings);
    out.coordinates = out.facts.coordinates;
    out.formulation = names.formulation;
    out.integrator = names.integrator;
    out.stabilization = names.stabilization;
    out.cpu_seconds = std::nan("");
    out.reasons.emplace_back(
        "No trial reached its end: the defaults stay. Look at the model with `driftless check`.");
    return out;
  }
  out.method = ranked.front();
  const bool is_least = out.method == quickest;
  out.cpu_seconds = time_at_error(out.trials, out.method, request.error);
  const MethodText best = parse_method(out.method);
  out.coordinates = best.coordinates.value_or(out.facts.coordinates);
  out.formulation = best.formulation.value_or("lagrange");
  out.integrator = best.integrator.value_or("");
  out.stabilization = best.stabilization.value_or("");
  out.options = best.options;
  out.rtol = tolerance_for(out.trials, out.method, request.error);
  const bool met = out.rtol > 0 && settle_tolerance(request, out);
  if (out.rtol == 0) out.rtol = 1e-9;
  if (!out.trials.reference.is_trusted())
    out.reasons.emplace_back(
        "No two methods of high accuracy agree at the end of the trials (chaotic or singular motion): errors "
        "are estimates.");
  if (!met && std::isfinite(out.cpu_seconds))
    out.reasons.emplace_back(
        "Errors do not fall steadily with the tolerance: look at the result with a tighter one, too.");
  if (std::isfinite(out.cpu_seconds))
    out.reasons.push_back(
        fmt::format("{} takes {:.2g} s of the processor to an error of {:g} at the end{}; "
                    "rtol {:g} reaches it.",
                    out.method, out.cpu_seconds, request.error,
                    is_least ? fmt::format(", the least of {} methods tried", ranked.size()) : "", out.rtol));
  else
    out.reasons.push_back(fmt::format("No method tried reaches an error of {:g}; {} comes nearest.",
                                      request.error, out.method));
  for (size_t i = 1; i < std::min<size_t>(ranked.size(), 5); ++i) {
    const double time = time_at_error(out.trials, ranked[i], request.error);
    out.others.push_back(
        std::isfinite(time) && std::isfinite(out.cpu_seconds)
            ? fmt::format("{} takes {:.1f} times as long.", ranked[i], time / out.cpu_seconds)
            : fmt::format("{} does not reach that error with the tolerances tried.", ranked[i]));
  }
  return out;
}

RunSettings with_advice(RunSettings settings, const Advice& advice) {
  const bool is_advised = !settings.formulation || *settings.formulation == advice.formulation;
  if (is_advised)
    for (const auto& [name, value] : advice.options)
      if (!settings.options.contains("formulation." + name)) settings.options.emplace(name, value);
  if (!settings.coordinates && advice.facts.is_model) settings.coordinates = advice.coordinates;
  if (!settings.formulation) settings.formulation = advice.formulation;
  if (!settings.integrator && !advice.integrator.empty()) settings.integrator = advice.integrator;
  if (!settings.stabilization && !advice.stabilization.empty()) settings.stabilization = advice.stabilization;
  if (!settings.rtol) settings.rtol = advice.rtol;
  return settings;
}

}  // namespace driftless
