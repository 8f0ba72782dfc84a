// driftless run: find the case, simulate, write, report.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "driftless/cli/case.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/interrupt.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/summary.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/io/results_io.hpp"

namespace driftless::cli {
namespace {

void check_end_time(const Setup& setup, const Case& input) {
  if (setup.t_end > input.start.t) return;
  throw InputError("", Complaint{"--t-end", fmt::format("a time after the start at {} s", input.start.t),
                                 fmt::format("{}", setup.t_end), ""});
}

// A slip in --output-step must not fill the memory until the system ends the program.
void check_output_size(const Setup& setup, const Case& input) {
  if (setup.output_step <= 0) return;
  const DescriptorSystem& system = *input.system;
  const Layout& layout = system.layout();
  const double width = 1.0 + layout.nq + 2.0 * layout.nv + layout.m + 6.0 +
                       static_cast<double>(system.quantity_names().size() + 7 * system.body_names().size() +
                                           12 * system.joint_names().size());
  const double bytes_per_record = sizeof(double) * width;
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const double span = setup.t_end - input.start.t;
  if (memory <= 0 || span / setup.output_step * bytes_per_record < memory / 2) return;
  throw InputError("",
                   Complaint{"--output-step",
                             fmt::format("at least {:.2g} s: the records of this run must fit into memory",
                                         span * bytes_per_record / (memory / 2)),
                             fmt::format("{}", setup.output_step), ""});
}

Results simulate_interruptibly(const Case& input,
                               Setup setup,
                               const InterruptScope& interrupt,
                               const RunArguments& arguments) {
  setup.interrupt = interrupt.flag();
  std::optional<ProgressBar> bar;
  if (stderr_is_terminal() && !arguments.json && !arguments.quiet) {
    bar.emplace();
    setup.on_progress = [&bar](const Progress& progress) { bar->update(progress); };
  }
  return simulate(*input.system, input.start, setup);
}

void complete(Results& results, const Case& input, const RunArguments& arguments) {
  Provenance& p = results.provenance;
  p.problem = input.name;
  p.source = input.source;
  p.coordinates = input.coordinates;
  p.command = reproducing_command(arguments);
  for (const auto& [name, value] : input.options) p.options[name] = value;
  results.notices.insert(results.notices.begin(), input.notices.begin(), input.notices.end());
  results.drawing = input.drawing;
  if (results.status == Status::interrupted)
    results.message = fmt::format("interrupted at t = {} s{}", results.final.t,
                                  arguments.out ? "; results up to there are written" : "");
  if (!succeeded(results) && results.message.empty()) results.message = name(results.status);
}

// Without anyone saying when to record, a page gets enough records to move smoothly; a result file keeps its own.
void record_for_page(Setup& setup, const Case& input, const RunArguments& arguments) {
  constexpr int kRecords = 1000;
  const bool wanted = arguments.report || arguments.png;
  if (wanted && !arguments.out && setup.output_step == 0)
    setup.output_step = (setup.t_end - input.start.t) / kRecords;
}

// What stood in the way of the file, empty if nothing did: the figures are worth showing all the same.
std::string write(const Results& results, const RunArguments& arguments) {
  if (!arguments.out) return {};
  try {
    write_results(results, *arguments.out);
    return {};
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
}

void print_report(const RunReport& report, const RunArguments& arguments) {
  if (arguments.json)
    print_bytes(run_json(report));
  else if (!arguments.quiet)
    print_summary(report);
  print_notice(report.results->redundancy);
  if (!succeeded(*report.results)) print_error(report.input->name + ": " + report.results->message);
  print_error(report.write_trouble);
}

}  // namespace

int run(const RunArguments& arguments) {
  const RunSettings command = command_line_settings(arguments);
  if (arguments.out) check_results_path(*arguments.out);
  check_page_files({arguments.report, arguments.png});
  const Target target = find_target(arguments.target);
  const Case input =
      arguments.from ? prepare_continuation(target, command, *arguments.from) : prepare(target, command);

  Setup setup = make_setup(input.settings);
  setup.events = input.events;
  setup.checkpoint = input.checkpoint;
  setup.quantities = input.quantities;
  check_end_time(setup, input);
  record_for_page(setup, input, arguments);
  check_output_size(setup, input);

  const InterruptScope interrupt;  // until the file is written
  Results results = simulate_interruptibly(input, setup, interrupt, arguments);
  complete(results, input, arguments);
  RunReport report{&input, &results, setup, {}, {}, write(results, arguments)};
  if (report.write_trouble.empty()) report.out = arguments.out;
  if (const PageFiles files{arguments.report, arguments.png}; files.wanted()) {
    report.pages =
        write_pages({.title = input.name, .note = {}, .runs = {{input.name, &results}}}, files, {});
    if (!report.write_trouble.empty() && !report.pages.trouble.empty()) report.write_trouble += "\n";
    report.write_trouble += report.pages.trouble;
  }
  print_report(report, arguments);
  return succeeded(results) && report.write_trouble.empty() ? kOk : kFailed;
}

}  // namespace driftless::cli
