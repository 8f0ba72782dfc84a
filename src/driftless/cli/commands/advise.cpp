// driftless advise: which methods suit a model, and why.

#include "driftless/compare/advise.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/interrupt.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/errors.hpp"

namespace driftless::cli {
namespace {

void print_wrapped(const std::string& text, const std::string& first) {
  std::string line = first;
  std::string rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (line.size() + end > 100) {
      print("{}\n", line);
      line = std::string(first.size(), ' ');
    }
    line += rest.substr(0, end) + " ";
    rest = end < rest.size() ? rest.substr(end + 1) : "";
  }
  print("{}\n", line);
}

}  // namespace

Advice advice_for(const AdviseArguments& arguments, const RunSettings& settings) {
  const InterruptScope interrupt;
  AdviseRequest request{.target = find_target(arguments.target, arguments.set), .settings = settings};
  if (arguments.error) {
    if (!(*arguments.error > 0 && *arguments.error < 1))
      throw InputError(
          "", Complaint{"--error", "a number > 0 and < 1", fmt::format("'{}'", *arguments.error), ""});
    request.error = *arguments.error;
  }
  request.jobs = std::max(1U, std::thread::hardware_concurrency());
  request.interrupt = interrupt.flag();
  const bool show = stderr_is_terminal() && !arguments.json;
  if (show)
    request.on_case = [](std::size_t done, std::size_t all) {
      std::fputs(fmt::format("\r\033[K{} of {} trials", done, all).c_str(), stderr);
    };
  Advice advice = driftless::advise(request);
  if (show) std::fputs("\r\033[K", stderr);
  return advice;
}

std::string advice_options(const Advice& advice) {
  std::string out;
  if (advice.facts.is_model) out += " --coordinates " + advice.coordinates;
  out += " --formulation " + advice.formulation;
  if (!advice.integrator.empty()) out += " --integrator " + advice.integrator;
  if (!advice.stabilization.empty()) out += " --stabilization " + advice.stabilization;
  for (const auto& [name, value] : advice.options) out += fmt::format(" --option {}={}", name, value);
  return out + fmt::format(" --rtol {:g}", advice.rtol);
}

int advise(const AdviseArguments& arguments) {
  RunArguments base;
  base.settings["t_end"] = arguments.t_end;
  base.settings["coordinates"] = arguments.coordinates;
  base.options = arguments.options;
  const Advice advice = advice_for(arguments, command_line_settings(base));
  if (arguments.json) {
    print_bytes(advice_json(advice));
    return kOk;
  }
  print("{}\n\n", advice.facts.name);
  for (const std::string& reason : advice.reasons) print_wrapped(reason, "  * ");
  for (const std::string& other : advice.others) print_wrapped(other, "    - ");
  print("\n  driftless run {}{}\n", arguments.target, advice_options(advice));
  return kOk;
}

}  // namespace driftless::cli
