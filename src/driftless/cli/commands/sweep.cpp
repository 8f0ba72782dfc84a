// driftless sweep: one model over many values of its parameters; sweep merge: parts put together.

#include "driftless/sweep/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/interrupt.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/pages.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/results_io.hpp"

namespace driftless::cli {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& expected, const std::string& found) {
  throw InputError("", Complaint{option, expected, fmt::format("'{}'", printable(found)), ""});
}

std::size_t count_of(const char* option,
                     const std::optional<std::string>& text,
                     std::size_t fallback,
                     std::size_t least) {
  if (!text) return fallback;
  std::size_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || stop != end || value < least)
    refuse(option, fmt::format("a whole number, at least {}", least), *text);
  return value;
}

// "2/8": the second of eight parts.
void read_shard(const std::optional<std::string>& text, SweepRequest& request) {
  if (!text) return;
  const auto slash = text->find('/');
  if (slash == std::string::npos) refuse("--shard", "I/N, such as 2/8", *text);
  request.shards = count_of("--shard", text->substr(slash + 1), 1, 1);
  const std::size_t i = count_of("--shard", text->substr(0, slash), 1, 1);
  if (i > request.shards) refuse("--shard", "I/N with I from 1 to N", *text);
  request.shard = i - 1;
}

// What decides the numbers, as a command.
std::string command_of(const SweepArguments& a) {
  std::string out = "driftless sweep " + shell_quoted(a.targets.front());
  const auto add = [&](const std::string& option, const std::optional<std::string>& value) {
    if (value) out += fmt::format(" {} {}", option, shell_quoted(*value));
  };
  for (const std::string& text : a.set) add("--set", text);
  add("--random", a.random);
  add("--seed", a.seed);
  for (const std::string& text : a.measures) add("--measure", text);
  for (const Setting& setting : run_settings())
    if (const auto given = a.run.settings.find(setting.name); given != a.run.settings.end())
      add(option_of(setting), given->second);
  for (const std::string& text : a.run.options) add("--option", text);
  return out;
}

void print_row(const SweepTable& table, std::size_t i) {
  std::string line = fmt::format("  {:>6}", table.rows[i].index);
  for (const double value : table.parameter_values[i]) line += fmt::format("  {:>14.8g}", value);
  for (const double value : table.rows[i].measures)
    line += std::isfinite(value) ? fmt::format("  {:>16.8g}", value) : fmt::format("  {:>16}", "-");
  print("{}  {}\n", line, table.rows[i].status);
}

void print_table(const SweepTable& table) {
  constexpr std::size_t kMostRows = 40;
  std::string head = fmt::format("  {:>6}", "run");
  for (const std::string& name : table.parameters) head += fmt::format("  {:>14}", name);
  for (const std::string& name : table.measures) head += fmt::format("  {:>16}", name);
  print("{}: {} runs\n{}  status\n", table.model, table.runs, head);
  for (std::size_t i = 0; i < std::min(table.rows.size(), kMostRows); ++i) print_row(table, i);
  if (table.rows.size() > kMostRows) print("  and {} more\n", table.rows.size() - kMostRows);
  std::vector<std::string> said;
  for (const SweepRow& row : table.rows)
    if (!row.message.empty() && said.size() < 5 &&
        std::find(said.begin(), said.end(), row.message) == said.end()) {
      print("\n  run {}: {}\n", row.index, in_options(row.message));
      said.push_back(row.message);
    }
}

int finish(const SweepTable& table, const SweepArguments& arguments) {
  WrittenPages written;
  const PageFiles files{arguments.report, {}};
  if (files.wanted()) written = write_pages(sweep_page(table), files, {});
  if (arguments.json) {
    print_bytes(sweep_json(table, *arguments.out, written));
  } else if (!arguments.quiet) {
    print_table(table);
    print("\n  written {}\n", *arguments.out);
    if (written.files.report) print("  report  {}\n", report_text(written));
  }
  if (!written.trouble.empty()) print_error(written.trouble);
  return written.trouble.empty() ? kOk : kFailed;
}

}  // namespace

int sweep(const SweepArguments& arguments) {
  if (!arguments.out)
    throw InputError("", Complaint{"--out", "a file for the results, FILE.h5", "nothing", ""});
  check_output_path(*arguments.out, {".h5"});
  check_page_files({arguments.report, {}});
  if (arguments.targets.front() == "merge") {
    if (arguments.targets.size() == 1)
      throw InputError("", Complaint{"merge", "files of the parts of a sweep", "none", ""});
    const SweepTable whole = merge_sweeps({arguments.targets.begin() + 1, arguments.targets.end()});
    write_sweep(whole, *arguments.out);
    return finish(whole, arguments);
  }
  if (arguments.targets.size() > 1) refuse("", "one model", arguments.targets[1]);
  SweepRequest request;
  request.target = find_target(arguments.targets.front());
  request.settings = command_line_settings(arguments.run);
  request.plan = make_plan(arguments.set, count_of("--random", arguments.random, 0, 1),
                           count_of("--seed", arguments.seed, 0, 0));
  for (const std::string& text : arguments.measures) {
    if (std::count(arguments.measures.begin(), arguments.measures.end(), text) > 1)
      refuse("--measure", "each measure once", text);
    request.measures.push_back(parse_measure(text));
  }
  request.jobs = static_cast<unsigned>(std::min<std::size_t>(
      count_of("-j", arguments.jobs, std::max(1U, std::thread::hardware_concurrency()), 1), 1024));
  request.out = *arguments.out;
  request.command = command_of(arguments);
  read_shard(arguments.shard, request);
  if (arguments.slurm) {
    const std::size_t shards =
        count_of("--shards", arguments.shards, std::min<std::size_t>(request.plan.runs(), 100), 1);
    std::ofstream file(*arguments.slurm, std::ios::binary);
    file << slurm_script(request.command, request.out, shards, request.jobs);
    if (!file.flush()) throw std::runtime_error(fmt::format("{}: cannot be written", *arguments.slurm));
    if (!arguments.quiet)
      print("  written {}: sbatch it; {} tasks of about {} runs\n", *arguments.slurm, shards,
            (request.plan.runs() + shards - 1) / shards);
    return kOk;
  }
  const InterruptScope interrupt;
  request.interrupt = interrupt.flag();
  const bool show = stderr_is_terminal() && !arguments.json && !arguments.quiet;
  if (show)
    request.on_progress = [](const SweepProgress& p) {
      std::fputs(fmt::format("\r{} of {} runs, {} failed ", p.done, p.all, p.failed).c_str(), stderr);
    };
  const SweepTable table = driftless::sweep(request);
  if (show) std::fputs("\r\033[K", stderr);
  if (interrupt.flag()->load()) {
    print_error(fmt::format("interrupted: {} rows are in {}.rows; the same command goes on from there",
                            table.rows.size(), request.out));
    return kFailed;
  }
  return finish(table, arguments);
}

}  // namespace driftless::cli
