// driftless compare: several methods on one model or problem, each at several tolerances.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "driftless/cli/case.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/interrupt.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/pages.hpp"
#include "driftless/cli/progress.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/compare/method_text.hpp"
#include "driftless/compare/work_precision.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/integrator/choices.hpp"

namespace driftless::cli {
namespace {

constexpr const char* kDefaultMethods =
    "lagrange/dopri5/pstab,lagrange/dop853/pstab,lagrange/adams/pstab,lagrange/radau-iia5/pstab,"
    "lagrange/dopri5/none,baumgarte/dopri5,projection-independent/dopri5,index3/generalized-alpha";
constexpr const char* kDefaultTolerances = "1e-4,1e-6,1e-8,1e-10";
constexpr long kMostSteps = 2'000'000;  // of one run: a method that does not suit must not hold up the others
constexpr double kEnoughTime = 0.05;    // s of repeated runs; the fastest counts
constexpr int kMostRepeats = 5;

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

class Comparing {
 public:
  Comparing(const CompareArguments& arguments, const InterruptScope& interrupt)
      : target_(find_target(arguments.target, arguments.set)), interrupt_(interrupt) {
    RunArguments base;
    base.target = arguments.target;
    base.t_end = arguments.t_end;
    base.coordinates = arguments.coordinates;
    base.options = arguments.options;
    base_ = command_line_settings(base);
    tolerances_ = numbers_of("--rtol", arguments.rtol.value_or(kDefaultTolerances), 1);
    if (arguments.step)
      steps_ = numbers_of("--step", *arguments.step, std::numeric_limits<double>::infinity());
    chosen_ = arguments.methods.has_value();
    show_progress_ = stderr_is_terminal() && !arguments.json;
    for (const std::string& text : split_methods(arguments.methods.value_or(kDefaultMethods)))
      methods_.push_back(parse_method(text));
  }

  Comparison compare(bool record) {
    Comparison out;
    const Case first = prepare(target_, base_);
    out.title = first.name;
    span_ = make_setup(first.settings).t_end - first.start.t;
    free_ = first.system->layout().m == 0;
    find_reference(out.reference);
    for (const MethodText& method : methods_) {
      if (!chosen_ && !suits(method)) continue;
      const bool fixed = needs_step(method);
      const std::vector<double> values = fixed ? steps() : tolerances_;
      const size_t before = out.runs.size();
      for (const double value : values) {
        if (interrupt_.flag()->load()) return out;
        out.runs.push_back(measure(method, fixed ? 0 : value, fixed ? value : 0));
      }
      if (record && std::any_of(out.runs.begin() + static_cast<long>(before), out.runs.end(),
                                [](const auto& r) { return r.good; }))
        out.recorded.emplace_back(method.text, recorded(method, values[values.size() / 2], fixed));
    }
    return out;
  }

 private:
  struct Ran {
    Case input;
    Results results;
  };

  RunSettings settings_of(const MethodText& method, double rtol, double step) const {
    RunSettings settings = base_;
    if (method.coordinates) settings.coordinates = method.coordinates;
    settings.formulation = method.formulation ? method.formulation : Setup().formulation;
    settings.integrator = method.integrator;
    settings.stabilization = method.stabilization;
    const MethodNames names = method_names(settings);  // defaults of the formulation, not of the record
    settings.integrator = names.integrator;
    settings.stabilization = names.stabilization;
    for (const auto& [name, value] : method.options) settings.options[name] = value;
    if (rtol > 0) {
      settings.rtol = rtol;
      settings.atol = rtol / 10;
    }
    if (step > 0) settings.step = step;
    return settings;
  }

  Ran run(const RunSettings& settings, bool record) const {
    Ran out{prepare(target_, settings), {}};
    Setup setup = make_setup(out.input.settings);
    setup.record = record;
    setup.output_step = record ? span_ / 1000 : 0;
    setup.max_steps = kMostSteps;
    setup.interrupt = interrupt_.flag();
    std::optional<ProgressBar> bar;
    if (show_progress_) {
      bar.emplace();
      setup.on_progress = [&bar](const Progress& progress) { bar->update(progress); };
    }
    out.results = simulate(*out.input.system, out.input.start, setup);
    return out;
  }

  bool needs_step(const MethodText& method) const {
    const MethodNames names = method_names(settings_of(method, 0, 0));
    for (const IntegratorRecord* integrator : integrator_records())
      if (integrator->method.name == names.integrator) return !integrator->adaptive;
    return false;
  }

  // Of the default set: what does without constraints is shown once.
  bool suits(const MethodText& method) const {
    return !free_ || (method.formulation == "lagrange" && method.stabilization == "pstab");
  }

  // As many as tolerances, each half the one before.
  std::vector<double> steps() const {
    if (!steps_.empty()) return steps_;
    std::vector<double> out;
    for (size_t i = 0; i < tolerances_.size(); ++i)
      out.push_back(span_ / 500 / std::pow(2, static_cast<double>(i)));
    return out;
  }

  void find_reference(Reference& reference) {
    const auto attempt = [&](const char* text, double rtol) -> std::optional<Ending> {
      try {
        const Ran ran = run(settings_of(parse_method(text), rtol, 0), false);
        if (ran.results.status == Status::ok) return ending_of(*ran.input.system, ran.results);
      } catch (const InputError&) {  // it does not go with this system
      }
      return {};
    };
    for (const auto& [text, rtol] :
         {std::pair("lagrange/dop853/pstab", 1e-13), std::pair("lagrange/radau-iia5/pstab", 1e-12),
          std::pair("lagrange/dopri5/pstab", 1e-12)}) {
      if (!reference.method.empty() && reference.agreement) break;
      const auto ending = attempt(text, rtol);
      if (!ending) continue;
      const std::string name = fmt::format("{} at rtol {:g}", text, rtol);
      if (reference.method.empty()) {
        reference.method = name;
        reference_ = ending;
      } else {
        reference.check = name;
        reference.agreement = distance(*reference_, *ending);
      }
    }
  }

  ComparedRun measure(const MethodText& method, double rtol, double step) const {
    ComparedRun out;
    out.method = method.text;
    out.rtol = rtol;
    out.step = step;
    out.error = std::nan("");
    try {
      Ran ran = run(settings_of(method, rtol, step), false);
      double spent = ran.results.statistics.cpu_seconds, best = spent;
      for (int i = 1; i < kMostRepeats && spent < kEnoughTime && ran.results.status == Status::ok; ++i) {
        const double again = run(settings_of(method, rtol, step), false).results.statistics.cpu_seconds;
        spent += again;
        best = std::min(best, again);
      }
      const Results& results = ran.results;
      out.good = results.status == Status::ok;
      out.status = name(results.status);
      out.message = results.message;
      out.statistics = results.statistics;
      out.statistics.cpu_seconds = best;
      out.drift = results.drift;
      if (results.energy) out.energy_error = results.energy->max_relative_error;
      if (out.good && reference_) out.error = distance(*reference_, ending_of(*ran.input.system, results));
    } catch (const InputError& error) {  // it does not combine, or does not go with this system: a row, too
      out.status = "refused";
      out.message = error.what();
    }
    return out;
  }

  Results recorded(const MethodText& method, double value, bool fixed) const {
    Ran ran = run(settings_of(method, fixed ? 0 : value, fixed ? value : 0), true);
    Provenance& p = ran.results.provenance;
    p.problem = ran.input.name;
    p.source = ran.input.source;
    p.coordinates = ran.input.coordinates;
    p.parameters = ran.input.parameters;
    ran.results.drawing = ran.input.drawing;
    return std::move(ran.results);
  }

  Target target_;
  const InterruptScope& interrupt_;
  RunSettings base_;
  std::vector<double> tolerances_, steps_;
  std::vector<MethodText> methods_;
  bool chosen_ = false, free_ = false, show_progress_ = false;
  double span_ = 1;
  std::optional<Ending> reference_;
};

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
  std::vector<std::string> said;
  for (const ComparedRun& run : comparison.runs)
    if (!run.message.empty() && std::find(said.begin(), said.end(), run.message) == said.end()) {
      print("\n  {}, {}: {}\n", run.method, run.setting(), run.message);
      said.push_back(run.message);
    }
}

}  // namespace

int compare(const CompareArguments& arguments) {
  const PageFiles files{arguments.report, arguments.png};
  check_page_files(files);
  const InterruptScope interrupt;
  const Comparison comparison = Comparing(arguments, interrupt).compare(files.wanted());
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
