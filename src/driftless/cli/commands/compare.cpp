// driftless compare: several methods on one model or problem, each at several tolerances.

#include "driftless/compare/compare.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
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

namespace driftless::cli {
namespace {

std::vector<double> numbers_of(const char* option, const std::string& list, double below) {
  std::vector<double> out;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    double value = 0;
    const char* end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, value);
    if (error != std::errc() || stop != end || !(value > 0) || !(value < below))
      throw InputError("", Complaint{option,
                                     std::isfinite(below) ? "numbers > 0 and < 1 with ',' between"
                                                          : "numbers > 0 with ',' between",
                                     fmt::format("'{}'", printable(part)), ""});
    out.push_back(value);
  }
  if (out.empty()) throw InputError("", Complaint{option, "at least one number", "none", ""});
  return out;
}

void print_table(const Comparison& comparison) {
  size_t width = 6;
  for (const ComparedRun& run : comparison.runs) width = std::max(width, run.method.size());
  print("{}\n  reference  {}\n\n", comparison.title, reference_text(comparison.reference));
  print("  {:<{}}  {:<14} {:>8} {:>8} {:>11} {:>9} {:>8} {:>8}  {}\n", "method", width, "setting", "error",
        "steps", "evaluations", "CPU s", "drift", "energy", "status");
  const auto short_number = [](double x) {
    return std::isfinite(x) ? fmt::format("{:.1e}", x) : std::string("-");
  };
  for (const ComparedRun& run : comparison.runs) {
    if (run.status == "refused") {
      print("  {:<{}}  {:<14} {}\n", run.method, width, run.setting(), "refused, see below");
      continue;
    }
    print("  {:<{}}  {:<14} {:>8} {:>8} {:>11} {:>9.2e} {:>8} {:>8}  {}\n", run.method, width, run.setting(),
          short_number(run.error), run.statistics.steps(), run.evaluations(), run.statistics.cpu_seconds,
          short_number(run.drift.position_max), run.energy_error ? short_number(*run.energy_error) : "-",
          run.status);
  }
  print("\n  {}\n", verdict(comparison));
  std::vector<std::string> said;
  for (const ComparedRun& run : comparison.runs)
    if (!run.message.empty() && std::find(said.begin(), said.end(), run.message) == said.end()) {
      print("\n  {}, {}: {}\n", run.method, run.setting(), in_options(run.message));
      said.push_back(run.message);
    }
}

}  // namespace

int compare(const CompareArguments& arguments) {
  const PageFiles files{arguments.report, arguments.png};
  check_page_files(files);
  const InterruptScope interrupt;
  RunArguments base;
  base.settings["t_end"] = arguments.t_end;
  base.settings["coordinates"] = arguments.coordinates;
  base.options = arguments.options;
  CompareRequest request{.target = find_target(arguments.target, arguments.set),
                         .settings = command_line_settings(base),
                         .methods = arguments.methods,
                         .record = files.wanted(),
                         .interrupt = interrupt.flag()};
  if (arguments.rtol) request.tolerances = numbers_of("--rtol", *arguments.rtol, 1);
  if (arguments.step)
    request.steps = numbers_of("--step", *arguments.step, std::numeric_limits<double>::infinity());
  if (arguments.jobs && *arguments.jobs < 1)
    throw InputError("",
                     Complaint{"-j", "a whole number, at least 1", fmt::format("'{}'", *arguments.jobs), ""});
  if (arguments.time_limit && !(*arguments.time_limit >= 0))
    throw InputError(
        "", Complaint{"--time-limit", "a time in s, or 0", fmt::format("'{}'", *arguments.time_limit), ""});
  request.jobs = arguments.jobs ? static_cast<unsigned>(*arguments.jobs)
                                : std::max(1U, std::thread::hardware_concurrency());
  request.time_limit = arguments.time_limit.value_or(request.time_limit);
  const bool show = stderr_is_terminal() && !arguments.json;
  if (show)
    request.on_case = [](std::size_t done, std::size_t all) {
      std::fputs(fmt::format("\r\033[K{} of {} cases", done, all).c_str(), stderr);
    };
  const Comparison comparison = driftless::compare(request);
  if (show) std::fputs("\r\033[K", stderr);
  if (arguments.csv) {
    std::ofstream file(*arguments.csv, std::ios::binary);
    file << compare_csv(comparison);
    if (!file.flush()) throw std::runtime_error(fmt::format("{}: cannot be written", *arguments.csv));
  }
  WrittenPages written;
  if (files.wanted()) written = write_pages(compare_page(comparison), files, {});
  if (arguments.json) {
    print_bytes(compare_json(comparison, written));
  } else {
    print_table(comparison);
    if (written.files.report) print("\n  report  {}\n", report_text(written));
    if (written.files.png) print("  picture {}\n", *written.files.png);
  }
  if (!written.trouble.empty()) print_error(written.trouble);
  if (interrupt.flag()->load()) print_error("interrupted: what was finished is shown");
  return written.trouble.empty() && !interrupt.flag()->load() ? kOk : kFailed;
}

}  // namespace driftless::cli
