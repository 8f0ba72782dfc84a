#include "driftless/run/run.hpp"

#include <filesystem>
#include <new>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/results_io.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/run_records.hpp"
#include "driftless/run/settings.hpp"

namespace driftless {
namespace {

void check_end_time(const Setup& setup, const Case& input) {
  if (setup.t_end > input.start.t) return;
  throw InputError("", Complaint{"`t_end`", fmt::format("a time after the start at {} s", input.start.t),
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
std::pair<double, const char*> room_for_records(const RunRequest& request) {
  constexpr double kLargestFile = 1e15;
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (request.keep || !request.out) return {memory / 2, "into memory"};
  return {kLargestFile, "on a disk"};
}

// A slip in --output-step must not fill the memory until the system ends the program.
void check_output_size(const Setup& setup, const Case& input, const RunRequest& request) {
  if (setup.output_step <= 0) return;
  const auto [room, where] = room_for_records(request);
  const double bytes = (setup.t_end - input.start.t) * bytes_per_record(*input.system);
  if (room <= 0 || bytes / setup.output_step < room) return;
  throw InputError("", Complaint{"`output_step`",
                                 fmt::format("at least {:.2g} s: the records of this run must fit {}",
                                             bytes / room, where),
                                 fmt::format("{}", setup.output_step), ""});
}

// Going on from NAME.part must not write over it.
void check_part(const RunRequest& request) {
  if (!request.out) return;
  check_results_path(*request.out);
  std::error_code error;
  const std::string part = part_path(*request.out);
  if (request.from && std::filesystem::equivalent(*request.from, part, error))
    throw InputError("", Complaint{"`out`", "another file than the one of the run that is gone on from",
                                   fmt::format("'{}', whose records so far are in {}",
                                               printable(*request.out), printable(part)),
                                   "they would be lost"});
}

Results simulate_with_room(const Case& input, const Setup& setup, const RunRecords& records) {
  try {
    return simulate(*input.system, input.start, setup);
  } catch (const std::bad_alloc&) {
    if (records.kept().empty()) throw;
    throw std::runtime_error("out of memory" + records.kept());
  }
}

void complete(Results& results, const Case& input, const RunRequest& request) {
  Provenance& p = results.provenance;
  p.problem = input.name;
  p.source = input.source;
  p.coordinates = input.coordinates;
  p.command = request.command;
  for (const auto& [name, value] : input.options) p.options[name] = value;
  p.parameters = input.parameters;
  results.notices.insert(results.notices.begin(), input.notices.begin(), input.notices.end());
  results.drawing = input.drawing;
}

bool is_cut_off(const Results& results, const RunRequest& request) {
  return request.out && results.status == Status::interrupted && request.cut_off != nullptr &&
         *request.cut_off;
}

void say_why_it_ended(Results& results, const RunRequest& request, const RunRecords& records) {
  if (!records.trouble().empty())
    results.message = fmt::format("ended at t = {} s: its results could not be written", results.final.t);
  else if (is_cut_off(results, request))
    results.message = fmt::format("interrupted at t = {} s; {} holds the results up to there",
                                  results.final.t, printable(part_path(*request.out)));
  else if (results.status == Status::interrupted)
    results.message = fmt::format("interrupted at t = {} s{}", results.final.t,
                                  request.out ? "; results up to there are written" : "");
  if (!results.good() && results.message.empty()) results.message = name(results.status);
}

// Without anyone saying when to record, a page gets enough records to move smoothly; a result file keeps its own.
void record_for_page(Setup& setup, const Case& input, const RunRequest& request) {
  constexpr int kRecords = 1000;
  if (request.smooth && !request.out && setup.output_step == 0)
    setup.output_step = (setup.t_end - input.start.t) / kRecords;
}

}  // namespace

RunOutcome run(const RunRequest& request) {
  check_part(request);
  RunOutcome out;
  out.input = std::make_shared<const Case>(
      request.from ? prepare_continuation(request.target, request.settings, *request.from)
                   : prepare(request.target, request.settings));
  const Case& input = *out.input;
  Setup& setup = out.setup;
  setup = make_setup(input.settings);
  setup.events = input.events;
  setup.checkpoint = input.checkpoint;
  setup.quantities = input.quantities;
  setup.interrupt = request.interrupt;
  setup.record_scheme = request.record_scheme;
  setup.on_progress = request.on_progress;
  check_end_time(setup, input);
  record_for_page(setup, input, request);
  check_output_size(setup, input, request);

  RunRecords records({.out = request.out,
                      .keep = request.keep,
                      .checkpoint_every = request.checkpoint_every,
                      .complete = [&](Results& results) { complete(results, input, request); }});
  setup.sink = &records;
  out.results = simulate_with_room(input, setup, records);
  complete(out.results, input, request);
  say_why_it_ended(out.results, request, records);
  out.is_left_in_part = is_cut_off(out.results, request);
  if (out.is_left_in_part)
    records.leave(out.results);
  else
    records.finish(out.results);
  setup.sink = nullptr;  // they do not outlive this
  out.records = records.records();
  out.write_trouble = records.trouble();
  return out;
}

}  // namespace driftless
