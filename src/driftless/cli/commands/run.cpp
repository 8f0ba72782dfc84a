// driftless run: what the command line asks for, run, reported.

#include "driftless/run/run.hpp"

#include <optional>

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/interrupt.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/summary.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/compare/advise.hpp"
#include "driftless/compare/method_text.hpp"

namespace driftless::cli {
namespace {

void print_report(const RunReport& report, const RunArguments& arguments) {
  if (arguments.json)
    print_bytes(run_json(report));
  else if (!arguments.quiet)
    print_summary(report);
  print_notice(report.results->redundancy);
  if (!report.results->good()) print_error(report.input->name + ": " + report.results->message);
  print_error(report.write_trouble);
}

// --method: a word as `compare` reads it, or auto, what `advise` recommends; single options go before it.
void apply_method(const RunArguments& arguments, RunSettings& settings) {
  if (!arguments.method) return;
  if (*arguments.method == "auto") {
    AdviseArguments ask;
    ask.target = arguments.target;
    ask.set = arguments.set;
    ask.json = arguments.json;
    const Advice advice = advice_for(ask, settings);
    settings = with_advice(settings, advice);
    if (!arguments.quiet && !arguments.json) print_notice("--method auto chose" + advice_options(advice));
    return;
  }
  const MethodText method = parse_method(*arguments.method);
  const auto fill = [](std::optional<std::string>& into, const std::optional<std::string>& from) {
    if (!into) into = from;
  };
  fill(settings.coordinates, method.coordinates);
  fill(settings.formulation, method.formulation);
  fill(settings.integrator, method.integrator);
  fill(settings.stabilization, method.stabilization);
  for (const auto& [name, value] : method.options) settings.options.emplace(name, value);
}

// The arguments with what --method stood for, so that the command in the results needs no trials.
RunArguments resolved(RunArguments arguments, const RunSettings& settings) {
  if (!arguments.method) return arguments;
  arguments.settings["coordinates"] = settings.coordinates;
  arguments.settings["formulation"] = settings.formulation;
  arguments.settings["integrator"] = settings.integrator;
  arguments.settings["stabilization"] = settings.stabilization;
  if (auto& rtol = arguments.settings["rtol"]; settings.rtol && !rtol)
    rtol = fmt::format("{}", *settings.rtol);
  arguments.options.clear();
  for (const auto& [name, value] : settings.options) arguments.options.push_back(name + "=" + value);
  return arguments;
}

}  // namespace

int run(const RunArguments& arguments) {
  const PageFiles pages{arguments.report, arguments.png};
  RunRequest request;
  request.settings = command_line_settings(arguments);
  request.checkpoint_every = checkpoint_interval(arguments);
  check_page_files(pages);
  request.target = find_target(arguments.target, arguments.set);
  apply_method(arguments, request.settings);
  request.from = arguments.from;
  request.out = arguments.out;
  request.keep = request.smooth = pages.wanted();
  request.record_scheme = arguments.record_scheme;
  request.command = reproducing_command(resolved(arguments, request.settings));
  const InterruptScope interrupt;  // until the file is written
  request.interrupt = interrupt.flag();
  request.cut_off = interrupt.cut_off_flag();
  std::optional<ProgressBar> bar;
  if (stderr_is_terminal() && !arguments.json && !arguments.quiet) {
    bar.emplace();
    request.on_progress = [&bar](const Progress& progress) { bar->update(progress); };
  }
  const RunOutcome done = driftless::run(request);
  bar.reset();

  RunReport report{done.input.get(), &done.results, done.setup, done.records, {}, {}, done.write_trouble};
  if (report.write_trouble.empty() && !done.is_left_in_part) report.out = arguments.out;
  if (pages.wanted()) {
    const std::string& name = done.input->name;
    report.pages = write_pages({.title = name, .note = {}, .runs = {{name, &done.results}}}, pages, {});
    if (!report.write_trouble.empty() && !report.pages.trouble.empty()) report.write_trouble += "\n";
    report.write_trouble += report.pages.trouble;
  }
  print_report(report, arguments);
  return done.results.good() && report.write_trouble.empty() ? kOk : kFailed;
}

}  // namespace driftless::cli
