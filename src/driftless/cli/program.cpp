// The program: what the command line means (CLI11 stays in this file), and how every ending becomes an exit status.

#include "driftless/cli/program.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driftless/cli/command_summary.hpp"
#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/cpu_guard.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/version.hpp"

namespace driftless::cli {
namespace {

constexpr const char* kAbout = "Simulation of constrained multibody systems without drift.";

constexpr const char* kExamples = R"(Examples:
  driftless problems                        what can be run by name
  driftless run andrews                     Andrews' squeezing mechanism, with a summary
  driftless run slider-crank --out crank.csv
  driftless run slider-crank --report crank.html   then open crank.html in a browser
  driftless check my-model.json             is the model sound? how many degrees of freedom?
  driftless methods                         what can be chosen, with all options
  driftless advise my-model.json            which methods suit it, and why
  driftless reproduce chin-2.1              a published table, printed and measured

Exit status: 0 ok, 1 the simulation failed, 2 bad input or usage.)";

constexpr const char* kRunFooter =
    R"(Settings of the command line go before those of the model or problem, and those before the defaults.
Ctrl-C ends a run cleanly and keeps what was computed; a second Ctrl-C ends the program. While a run is under way its
results are in FILE.part, which is whole even if the program is killed.

Examples:
  driftless run andrews --t-end 0.03 --rtol 1e-10 --out andrews.h5
  driftless run double-pendulum --integrator rk4 --step 1e-3 --stabilization none
  driftless run four-bar --formulation baumgarte --option alpha=20 --option beta=20
  driftless run my-model.json --output-step 0.01 --json
  driftless run quarter-car --set k=25000 --set "c=1800"
  driftless run andrews --t-end 0.06 --rtol 1e-10 --from andrews.h5
  driftless run andrews --t-end 1000 --out a.h5 --checkpoint-every 60     if killed, go on:
  driftless run andrews --t-end 1000 --from a.h5.part --out b.h5)";

constexpr const char* kViewFooter =
    R"(The page is one file that opens from disk in any browser. With --png or --frames alone no page is kept.

Examples:
  driftless run four-bar --out a.h5
  driftless view a.h5                       writes a.html
  driftless run four-bar --rtol 1e-9 --out b.h5
  driftless view a.h5 b.h5 --out both.html
  driftless view a.h5 --frames film && ffmpeg -framerate 25 -i film/frame-%04d.png -pix_fmt yuv420p film.mp4)";

constexpr const char* kCompareFooter =
    R"(Names of a method may stand in any order, options in brackets behind them. Errors are those of the coordinates at the
end against a tight run, which a second method checks. A method that fails is a row, not the end.

Examples:
  driftless compare andrews --t-end 0.03
  driftless compare andrews --methods dopri5,dop853,lagrange/adams/none --rtol 1e-5,1e-8 --report andrews.html
  driftless compare andrews --methods '*/dopri5' --rtol 1e-6 --csv andrews.csv
  driftless compare four-bar --methods 'index3/generalized-alpha[rho_inf=0.6],natural/dopri5')";

constexpr const char* kSweepFooter =
    R"help(NAME=FROM:TO:COUNT are COUNT values, both ends included; NAME=A,B,C these; all combinations are run. With --random N,
NAME=FROM:TO is a range. Measures: max, min, final, mean, rms of an output, or crossing(NAME, VALUE), the time it passes a
value. A failed run is a row with its message. Killed and started again a sweep goes on where it was.

Examples:
  driftless sweep half-car.json --set frequency=0.8:2:25 --measure "max(front_strut)" --out s.h5 --report s.html
  driftless sweep half-car.json --set m=400:800 --set frequency=0.8:2 --random 1000 --measure "rms(heave)" --out r.h5
  driftless sweep half-car.json --set m=300:1200:1000 --measure "max(heave)" --shard 2/8 --out part2.h5
  driftless sweep merge part1.h5 part2.h5 --out whole.h5
  driftless sweep half-car.json --set m=300:1200:1000 --measure "max(heave)" --out s.h5 --slurm job.sh --shards 50)help";

constexpr const char* kCheckFooter = R"(Examples:
  driftless check slider-crank
  driftless check my-model.json --json

Exit status: 0 the model is sound (redundant constraints are named), 2 it is not.)";

struct CommandLine {
  RunArguments run;
  ViewArguments view;
  CompareArguments compare;
  AdviseArguments advise;
  SweepArguments sweep;
  CheckArguments check;
  ListArguments methods, problems;
  ReproduceArguments reproduce;
  std::string shell;
  std::function<int()> action;
};

// An option that may be given again and again.
void add_list(CLI::App* command, const char* name, std::vector<std::string>& values, const char* help) {
  command->add_option(name, values, help)
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

constexpr const char* kSetHelp =
    "value of a parameter or an input of the model, a number or mm(120); repeatable";

// Settings of a run, from their table.
void add_settings(CLI::App* command, RunArguments& arguments) {
  for (const Setting& setting : run_settings())
    command->add_option(option_of(setting), arguments.settings[setting.name], help_with_unit(setting))
        ->type_name(setting.value);
}

void add_run(CLI::App& app, CommandLine& line) {
  RunArguments& a = line.run;
  CLI::App* run = app.add_subcommand("run", "Simulate a model or a problem of the library");
  run->footer(kRunFooter);
  run->add_option("MODEL|PROBLEM", a.target, "model file (*.json), or name of a problem or model")
      ->required()
      ->type_name("");
  const auto add = [&](const char* name, std::optional<std::string>& value, const char* type,
                       const char* help) { run->add_option(name, value, help)->type_name(type); };
  add("--method", a.method, "WORD",
      "coordinates, formulation, integrator, stabilization in one word, lagrange/dopri5/pstab, or auto: what "
      "`advise` recommends");
  add_settings(run, a);
  add_list(run, "--option", a.options, "option of a method or problem; repeatable");
  add_list(run, "--set", a.set, kSetHelp);
  add("--from", a.from, "FILE.h5", "start from the final state of a result file");
  add("--out", a.out, "FILE", "write the results to FILE.csv or FILE.h5");
  add("--checkpoint-every", a.checkpoint_every, "SECONDS",
      "bring FILE.h5.part up to date on the disk so often; --from goes on from it");
  add("--report", a.report, "FILE.html", "write a page with the animated mechanism and its curves");
  add("--png", a.png, "FILE.png", "write a picture of the mechanism at the start (needs chromium)");
  run->add_flag("--record-scheme", a.record_scheme,
                "steps of FILE.h5 and of the page carry the scheme's own accelerations and multipliers");
  run->add_flag("--json", a.json, "print one JSON object instead of the summary");
  run->add_flag("--quiet", a.quiet, "print nothing but errors");
  run->callback([&] { line.action = [&a] { return cli::run(a); }; });
}

void add_view(CLI::App& app, CommandLine& line) {
  ViewArguments& a = line.view;
  CLI::App* view = app.add_subcommand("view", "Write the page of one or several result files");
  view->footer(kViewFooter);
  view->add_option("FILE.h5", a.files, "result files; the curves of several are laid over one another")
      ->required()
      ->type_name("");
  view->add_option("--out", a.out, "the page (default: beside the first file)")->type_name("FILE.html");
  view->add_option("--png", a.png, "write a picture of the mechanism (needs chromium)")
      ->type_name("FILE.png");
  view->add_option("--at", a.at, "time of the picture in s (default: the start)")->type_name("T");
  view->add_option("--frames", a.frames,
                   "write pictures of the whole motion there, for a film (needs chromium)")
      ->type_name("FOLDER");
  view->add_option("--frame-count", a.frame_count, "how many of them, at equal times (default 120)")
      ->type_name("N");
  view->add_flag("--json", a.json, "print one JSON object");
  view->add_flag("--quiet", a.quiet, "print nothing but errors");
  view->callback([&] { line.action = [&a] { return cli::view(a); }; });
}

void add_compare(CLI::App& app, CommandLine& line) {
  CompareArguments& a = line.compare;
  CLI::App* compare = app.add_subcommand("compare", "Run several methods on one model: work and precision");
  compare->footer(kCompareFooter);
  compare->add_option("MODEL|PROBLEM", a.target, "model file (*.json), or name of a problem or model")
      ->required()
      ->type_name("");
  const auto add = [&](const char* name, std::optional<std::string>& value, const char* type,
                       const char* help) { compare->add_option(name, value, help)->type_name(type); };
  add("--methods", a.methods, "A,B,...",
      "methods, each as formulation/integrator/stabilization; patterns such as */dopri5; all (default: a "
      "handful)");
  add("--rtol", a.rtol, "LIST", "relative tolerances (default 1e-4,1e-6,1e-8,1e-10)");
  add("--step", a.step, "LIST",
      "steps of methods without step control (default: halved from 1/500 of the time)");
  add("--t-end", a.t_end, "T", "end time in s (default: of the model or problem)");
  add("--coordinates", a.coordinates, "NAME", "coordinate set (default: reference-point for models)");
  add_list(compare, "--option", a.options, "option of the problem or coordinate set; repeatable");
  add_list(compare, "--set", a.set, kSetHelp);
  compare->add_option("-j,--jobs", a.jobs, "cases at a time, each in a process (default: one for each core)")
      ->type_name("N");
  compare
      ->add_option("--time-limit", a.time_limit,
                   "s of the processor that a case may take (default 60; 0: no limit)")
      ->type_name("S");
  add("--csv", a.csv, "FILE.csv", "write the table");
  add("--report", a.report, "FILE.html", "write a page with the plots and the table");
  add("--png", a.png, "FILE.png", "write a picture of that page (needs chromium)");
  compare->add_flag("--json", a.json, "print one JSON object instead of the table");
  compare->callback([&] { line.action = [&a] { return cli::compare(a); }; });
}

void add_advise(CLI::App& app, CommandLine& line) {
  AdviseArguments& a = line.advise;
  CLI::App* advise = app.add_subcommand("advise", "Look at a model, try methods, recommend one with reasons");
  advise->add_option("MODEL|PROBLEM", a.target, "model file (*.json), or name of a problem or model")
      ->required()
      ->type_name("");
  advise->add_option("--error", a.error, "error at the end that is wanted (default 1e-6)")->type_name("E");
  advise->add_option("--t-end", a.t_end, "end time in s (default: of the model or problem)")->type_name("T");
  advise->add_option("--coordinates", a.coordinates, "keep to this coordinate set")->type_name("NAME");
  add_list(advise, "--option", a.options, "option of the problem or coordinate set; repeatable");
  add_list(advise, "--set", a.set, kSetHelp);
  advise->add_flag("--json", a.json, "print one JSON object");
  advise->callback([&] { line.action = [&a] { return cli::advise(a); }; });
}

void add_sweep(CLI::App& app, CommandLine& line) {
  SweepArguments& a = line.sweep;
  CLI::App* sweep = app.add_subcommand("sweep", "Run a model over many values of its parameters");
  sweep->footer(kSweepFooter);
  sweep
      ->add_option("MODEL|merge FILE...", a.targets,
                   "model file (*.json) or name of a model; or merge and files")
      ->required()
      ->type_name("");
  const auto add = [&](const char* name, std::optional<std::string>& value, const char* type,
                       const char* help) { sweep->add_option(name, value, help)->type_name(type); };
  add_list(sweep, "--set", a.set, "values of a parameter: k=500:5000:20, k=1,2,5, k=3; repeatable");
  add_list(sweep, "--measure", a.measures,
           "a number of each run: max(NAME), crossing(NAME, 0.5), ...; repeatable");
  add("--random", a.random, "N", "so many points at random instead of all combinations");
  add("--seed", a.seed, "S", "which ones (default 0)");
  add("-j,--jobs", a.jobs, "N", "worker processes (default: one for each core)");
  add("--out", a.out, "FILE.h5", "where the table goes");
  add("--report", a.report, "FILE.html", "write a page with curves and the table");
  add("--shard", a.shard, "I/N", "compute the I-th of N parts only");
  add("--slurm", a.slurm, "FILE.sh", "run nothing: write the script of a job array");
  add("--shards", a.shards, "N", "its size (default: as many as runs, at most 100)");
  add_settings(sweep, a.run);
  add_list(sweep, "--option", a.run.options, "option of a method; repeatable");
  sweep->add_flag("--json", a.json, "print one JSON object instead of the table");
  sweep->add_flag("--quiet", a.quiet, "print nothing but errors");
  sweep->callback([&] { line.action = [&a] { return cli::sweep(a); }; });
}

void add_others(CLI::App& app, CommandLine& line) {
  CLI::App* check = app.add_subcommand(
      "check",
      "Validate a model, count its degrees of freedom, find redundant constraints and what switches");
  check->footer(kCheckFooter);
  check->add_option("MODEL", line.check.target, "model file (*.json), or name of a model or problem")
      ->required()
      ->type_name("");
  check->add_option("--coordinates", line.check.coordinates, "coordinate set (default: reference-point)")
      ->type_name("NAME");
  add_list(check, "--option", line.check.options, "option of the coordinate set; repeatable");
  add_list(check, "--set", line.check.set, kSetHelp);
  check->add_flag("--json", line.check.json, "print one JSON object");
  check->callback([&] { line.action = [&] { return cli::check(line.check); }; });

  CLI::App* methods = app.add_subcommand(
      "methods", "List coordinate sets, formulations, integrators and stabilizations with their options");
  CLI::Option* json = methods->add_flag("--json", line.methods.json, "print one JSON object");
  methods->add_flag("--markdown", line.methods.markdown, "print the page docs/methods.md")->excludes(json);
  methods->callback([&] { line.action = [&] { return cli::methods(line.methods); }; });

  CLI::App* problems =
      app.add_subcommand("problems", "List the problem library and the models found by name");
  CLI::Option* problems_json = problems->add_flag("--json", line.problems.json, "print one JSON object");
  problems->add_flag("--markdown", line.problems.markdown, "print the page docs/problems.md")
      ->excludes(problems_json);
  problems->callback([&] { line.action = [&] { return cli::problems(line.problems); }; });

  CLI::App* reproduce = app.add_subcommand(
      "reproduce", "Run published tables again: printed and measured figures side by side, with verdicts");
  ReproduceArguments& r = line.reproduce;
  reproduce->add_option("TABLE", r.tables, "ids of tables; without: all of them")->type_name("");
  reproduce->add_flag("--list", r.list, "list the tables");
  reproduce->add_option("-j,--jobs", r.jobs, "tables at a time (default: one for each core)")->type_name("N");
  reproduce->add_option("--report", r.report, "write a page with all tables")->type_name("FILE.html");
  reproduce->add_option("--markdown", r.markdown, "write the page docs/reproduced-tables.md")
      ->type_name("FILE.md");
  reproduce->add_flag("--json", r.json, "print one JSON object");
  reproduce->callback([&] { line.action = [&] { return cli::reproduce(line.reproduce); }; });
}

// ---- what the parser knows, as data: for man and for shells ------------------------------------------------------------

std::vector<OptionSummary> option_summaries(const CLI::App& app) {
  std::vector<OptionSummary> out;
  for (const CLI::Option* option : app.get_options()) {
    OptionSummary summary;
    for (const std::string& name : option->get_snames()) summary.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) summary.names.push_back("--" + name);
    summary.is_positional = summary.names.empty();
    if (summary.is_positional) summary.names.push_back(option->get_name());
    if (!summary.is_positional && option->get_expected_max() > 0) summary.value = option->get_type_name();
    summary.help = option->get_description();
    out.push_back(std::move(summary));
  }
  return out;
}

ProgramSummary program_summary(const CLI::App& app) {
  ProgramSummary out{app.get_description(), app.get_footer(), option_summaries(app), {}};
  for (const CLI::App* command : app.get_subcommands(nullptr))
    out.commands.push_back(
        {command->get_name(), command->get_description(), command->get_footer(), option_summaries(*command)});
  return out;
}

void add_shell(CLI::App& app, CommandLine& line) {
  CLI::App* completion = app.add_subcommand("completion", "Print the completion script of a shell");
  completion->footer(
      "Examples:\n  driftless completion bash > ~/.local/share/bash-completion/completions/driftless\n"
      "  driftless completion fish > ~/.config/fish/completions/driftless.fish");
  completion->add_option("SHELL", line.shell, "bash, zsh or fish")->required()->type_name("");
  completion->callback([&] {
    line.action = [&] {
      print_bytes(cli::completion(program_summary(app), line.shell));
      return kOk;
    };
  });
  CLI::App* man = app.add_subcommand("man", "Print the manual page");
  man->footer("Examples:\n  driftless man | man -l -");
  man->callback([&] {
    line.action = [&] {
      print_bytes(man_page(program_summary(app)));
      return kOk;
    };
  });
}

// ---- endings --------------------------------------------------------------------------------------------------------

bool wants_json(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
}

// The message to stderr, line by line; with --json the object, too.
int end_with(const std::string& message, ExitStatus status, bool json) {
  print_error(message);
  if (json) std::fputs(failure_json(message).c_str(), stdout);
  return status;
}

// The first word nobody expected, with the nearest one that exists.
std::string unexpected(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = closest_name(word, known);
  return fmt::format("unexpected argument '{}'{}", printable(word),
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  std::string message = error.what();
  std::vector<std::string> known;
  if (chosen.empty()) {
    for (const CLI::App* command : app.get_subcommands(nullptr)) known.push_back(command->get_name());
    message = argc < 2 ? "expected a sub-command: " + quoted_list(known) : unexpected(argv[1], known);
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const CLI::Option* option : chosen[0]->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::vector<std::string> left = app.remaining(true);
    const auto extra = std::find_if(argv + 1, argv + argc, [&](const char* word) {
      return std::find(left.begin(), left.end(), word) != left.end();
    });
    const std::string word = extra == argv + argc ? "" : *extra;
    if (!word.empty()) message = unexpected(word.substr(0, word.find('=')), known);
  }
  return fmt::format("{}\nrun 'driftless {}--help' for more information", message,
                     chosen.empty() ? "" : chosen[0]->get_name() + " ");
}

int parse_and_run(int argc, char** argv) {
  CLI::App app(kAbout, "driftless");
  app.footer(kExamples);
  app.set_version_flag("--version", fmt::format("driftless {}", kVersion), "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  CommandLine line;
  add_run(app, line);
  add_view(app, line);
  add_compare(app, line);
  add_advise(app, line);
  add_sweep(app, line);
  add_others(app, line);
  add_shell(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    std::ostringstream said;
    app.exit(request, said);
    print_bytes(said.str());
    return kOk;
  } catch (const CLI::ParseError& error) {
    return end_with(usage_message(app, error, argc, argv), kBadInput, wants_json(argc, argv));
  }
  return line.action();
}

// Nothing escapes: every ending is a message and an exit status.
int guarded(int argc, char** argv) {
  const bool json = wants_json(argc, argv);
  try {
    return parse_and_run(argc, argv);
  } catch (const InputError& error) {
    return end_with(error.what(), kBadInput, json);
  } catch (const std::bad_alloc&) {
    return end_with("out of memory; record less often (--output-step)", kFailed, json);
  } catch (const std::exception& error) {
    return end_with(error.what(), kFailed, json);
  } catch (...) {
    return end_with("unknown trouble", kFailed, json);
  }
}

std::terminate_handler usual_terminate = nullptr;

// Memory may fail where nothing can be thrown (inside std::filesystem, while a message is made): an ending like any other.
[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
    std::_Exit(kFailed);
  } catch (...) {  // a defect, told as ever
  }
  usual_terminate();
  std::abort();
}

}  // namespace

int program(int argc, char** argv) {
  usual_terminate = std::set_terminate(on_terminate);
  require_cpu();
  return guarded(argc, argv);
}

}  // namespace driftless::cli
