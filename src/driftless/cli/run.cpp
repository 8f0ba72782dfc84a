// driftless run: find the case, simulate, write, report.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "driftless/cli/case.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/interrupt.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/run_records.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/summary.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/results_io.hpp"

namespace driftless::cli {
namespace {

void check_end_time(const Setup& setup, const Case& input) {
  if (setup.t_end > input.start.t) return;
  throw InputError("", Complaint{"--t-end", fmt::format("a time after the start at {} s", input.start.t),
                                 fmt::format("{}", setup.t_end), ""});
}

double bytes_per_record(const DescriptorSystem& system) {
  const Layout& layout = system.layout();
  const double width = 1.0 + layout.nq + 2.0 * layout.nv + layout.m + 6.0 +
                       static_cast<double>(system.quantity_names().size() + 7 * system.body_names().size() +
                                           12 * system.joint_names().size());
  return sizeof(double) * width;
}

// What there is for records: memory, or with a file any disk there is. A disk that is full before the end of a run keeps
// what fitted.
std::pair<double, const char*> room_for_records(const RunArguments& arguments, bool keep) {
  constexpr double kLargestFile = 1e15;
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (keep || !arguments.out) return {memory / 2, "into memory"};
  return {kLargestFile, "on a disk"};
}

// A slip in --output-step must not fill the memory until the system ends the program.
void check_output_size(const Setup& setup, const Case& input, const RunArguments& arguments, bool keep) {
  if (setup.output_step <= 0) return;
  const auto [room, where] = room_for_records(arguments, keep);
  const double bytes = (setup.t_end - input.start.t) * bytes_per_record(*input.system);
  if (room <= 0 || bytes / setup.output_step < room) return;
  throw InputError("", Complaint{"--output-step",
                                 fmt::format("at least {:.2g} s: the records of this run must fit {}",
                                             bytes / room, where),
                                 fmt::format("{}", setup.output_step), ""});
}

// Going on from NAME.part must not write over it.
void check_part(const RunArguments& arguments) {
  if (!arguments.out) return;
  check_results_path(*arguments.out);
  std::error_code error;
  const std::string part = part_path(*arguments.out);
  if (arguments.from && std::filesystem::equivalent(*arguments.from, part, error))
    throw InputError("", Complaint{"--out", "another file than the one of the run that is gone on from",
                                   fmt::format("'{}', whose records so far are in {}",
                                               printable(*arguments.out), printable(part)),
                                   "they would be lost"});
}

Results simulate_interruptibly(const Case& input,
                               Setup setup,
                               const InterruptScope& interrupt,
                               const RunArguments& arguments,
                               const RunRecords& records) {
  setup.interrupt = interrupt.flag();
  std::optional<ProgressBar> bar;
  if (stderr_is_terminal() && !arguments.json && !arguments.quiet) {
    bar.emplace();
    setup.on_progress = [&bar](const Progress& progress) { bar->update(progress); };
  }
  try {
    return simulate(*input.system, input.start, setup);
  } catch (const std::bad_alloc&) {
    if (records.kept().empty()) throw;
    throw std::runtime_error("out of memory" + records.kept());
  }
}

void complete(Results& results, const Case& input, const RunArguments& arguments) {
  Provenance& p = results.provenance;
  p.problem = input.name;
  p.source = input.source;
  p.coordinates = input.coordinates;
  p.command = reproducing_command(arguments);
  for (const auto& [name, value] : input.options) p.options[name] = value;
  p.parameters = input.parameters;
  results.notices.insert(results.notices.begin(), input.notices.begin(), input.notices.end());
  results.drawing = input.drawing;
}

void say_why_it_ended(Results& results, const RunArguments& arguments, const RunRecords& records) {
  if (!records.trouble().empty())
    results.message = fmt::format("ended at t = {} s: its results could not be written", results.final.t);
  else if (results.status == Status::interrupted)
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
  const double checkpoint_every = checkpoint_interval(arguments);
  check_part(arguments);
  check_page_files({arguments.report, arguments.png});
  const Target target = find_target(arguments.target, arguments.set);
  const Case input =
      arguments.from ? prepare_continuation(target, command, *arguments.from) : prepare(target, command);

  Setup setup = make_setup(input.settings);
  setup.events = input.events;
  setup.checkpoint = input.checkpoint;
  setup.quantities = input.quantities;
  check_end_time(setup, input);
  record_for_page(setup, input, arguments);
  const PageFiles pages{arguments.report, arguments.png};
  check_output_size(setup, input, arguments, pages.wanted());

  const InterruptScope interrupt;  // until the file is written
  RunRecords records({.out = arguments.out,
                      .keep = pages.wanted(),
                      .checkpoint_every = checkpoint_every,
                      .complete = [&](Results& results) { complete(results, input, arguments); }});
  setup.sink = &records;
  Results results = simulate_interruptibly(input, setup, interrupt, arguments, records);
  complete(results, input, arguments);
  say_why_it_ended(results, arguments, records);
  records.finish(results);
  RunReport report{&input, &results, setup, records.records(), {}, {}, records.trouble()};
  if (report.write_trouble.empty()) report.out = arguments.out;
  if (pages.wanted()) {
    report.pages =
        write_pages({.title = input.name, .note = {}, .runs = {{input.name, &results}}}, pages, {});
    if (!report.write_trouble.empty() && !report.pages.trouble.empty()) report.write_trouble += "\n";
    report.write_trouble += report.pages.trouble;
  }
  print_report(report, arguments);
  return succeeded(results) && report.write_trouble.empty() ? kOk : kFailed;
}

}  // namespace driftless::cli
