// driftless problems: what can be run by name, from the problem library and from the model folders.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/run/names.hpp"

namespace driftless::cli {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A file that cannot be read is listed with the reason, not hidden.
std::vector<ListedModel> listed_models() {
  std::vector<ListedModel> listed;
  for (const ModelFile& file : model_files()) {
    ListedModel entry{file.name, file.path, {}, {}};
    try {
      entry.description = read_model(file.path).description;
    } catch (const InputError& error) {
      entry.trouble = first_line(error.what());
    }
    listed.push_back(entry);
  }
  return listed;
}

void print_problems(const std::vector<ListedModel>& models) {
  size_t width = 0;
  for (const ProblemRecord* record : problem_records()) width = std::max(width, record->name.size());
  for (const ListedModel& model : models) width = std::max(width, model.name.size());
  print("Problems (given by their equations)\n");
  for (const ProblemRecord* record : problem_records()) {
    print("  {:<{}}  {}; t_end {:g} s\n", record->name, width, record->summary, record->t_end);
    print("  {:<{}}  [{}]\n", "", width, record->reference);
    for (const OptionSpec& spec : record->options)
      print("  {:<{}}  --option {}=...  {}, default {}\n", "", width, spec.name, spec.help,
            spec.default_value);
  }
  print("\nModels (mechanisms as JSON files)\n");
  if (models.empty()) print("  none found; set DRIFTLESS_MODELS to the folder that has them\n");
  for (const ListedModel& model : models)
    print("  {:<{}}  {}\n", model.name, width,
          model.trouble.empty() ? first_line(model.description) : "CANNOT BE USED: " + model.trouble);
  print("\nRun one by name: driftless run NAME\n");
}

// ---- docs/problems.md ------------------------------------------------------------------------------------------------------

std::string problem_text(std::string text) {  // of tables and emphasis in Markdown
  std::string out;
  for (const char c : text)
    out += c == '|' || c == '*' || c == '_' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string default_method(const ProblemRecord& record) {
  std::string out = record.formulation;
  if (!record.integrator.empty()) out += "/" + record.integrator;
  if (!record.stabilization.empty()) out += "/" + record.stabilization;
  return out;
}

// Values of the last instant, the first dozen: tests read them all.
std::string values_text(const ProblemRecord& record) {
  if (record.values.empty()) return "No reference values.\n";
  double last = record.values.front().t;
  for (const ReferenceValue& value : record.values) last = std::max(last, value.t);
  std::string out = fmt::format("| at t = {:g} s | value | reliable to |\n|---|---|---|\n", last);
  int rows = 0;
  for (const ReferenceValue& value : record.values)
    if (value.t == last && rows++ < 12)
      // 15 digits: the last ones of values in closed form depend on the compiler.
      out +=
          fmt::format("| {} | {:.15g} | {:.0e} |\n", problem_text(value.name), value.value, value.reliable);
  return out;
}

// In which coordinates a mechanism runs, as the end of a sentence.
std::string sets_of(const ProblemRecord& record) {
  if (record.mechanism == nullptr) return ".\n\n";
  const Model model = record.mechanism(Options("problem " + record.name, record.options, {}));
  for (const Body& body : model.bodies)
    if (!body.is_rigid())
      return model.space == Space::planar ? "; in `reference-point` coordinates.\n\n"
                                          : "; in `reference-point` and `euler-parameters` coordinates.\n\n";
  return "; runs in every coordinate set.\n\n";
}

// Sizes and where the motion starts, from what a run would get.
std::string start_text(const ProblemRecord& record) {
  const ProblemInstance instance = instantiate(record, Options("problem " + record.name, record.options, {}));
  const Layout& layout = instance.system->layout();
  const auto list = [](const std::vector<std::string>& names, const Vec& values) {
    std::string out;
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      if (std::abs(values[i]) < 1e-12) continue;  // what assembly leaves depends on the compiler
      out += fmt::format("{}{} = {:.6g}", out.empty() ? "" : ", ", problem_text(names[size_t(i)]), values[i]);
    }
    return out;
  };
  std::string out = fmt::format("{} coordinates, {} velocities, {} constraint row{}", layout.nq, layout.nv,
                                layout.m, layout.m == 1 ? "" : "s");
  if (layout.m > layout.mh) out += fmt::format(", {} of them on velocities only", layout.m - layout.mh);
  constexpr int kMostShown = 14;
  if (layout.nq > kMostShown) return out + ".\n\n";
  const std::string q = list(layout.q_names, instance.start.q), v = list(layout.v_names, instance.start.v);
  const std::string both = q + (q.empty() || v.empty() ? "" : ", ") + v;
  return out + (both.empty() ? ". Starts with all of them 0.\n\n"
                             : fmt::format(". Starts with {}; what is not named with 0.\n\n", both));
}

void print_problems_page() {
  std::string out =
      "# Problem library\n\nPublished test cases, each with its source, what is hard about it, methods that "
      "suit it and reference values that "
      "tests hold the\nprogram to (`tests/validation/library_test.cpp`). Written by `driftless problems "
      "--markdown`, pictures by `tools/library-pictures`: the start, and faintly the way on. The motion of "
      "one:\n"
      "`driftless run NAME --report NAME.html`. Equations and parameters stand in the problem's file in "
      "`src/driftless/problems/`.\n";
  for (const ProblemRecord* record : problem_records()) {
    out += fmt::format("\n## {0}\n\n{1}.\n\n![{0}](img/library/{0}.svg)\n\nSource: {2}.\n\n", record->name,
                       problem_text(record->summary), problem_text(record->reference));
    out += start_text(*record);
    if (!record->difficulty.empty())
      out += fmt::format("**What is hard:** {}.\n\n", problem_text(record->difficulty));
    out += fmt::format("**Methods:** `{}`", default_method(*record));
    for (const std::string& method : record->methods) out += fmt::format(", `{}`", method);
    out += sets_of(*record);
    if (!record->inferred.empty())
      out += fmt::format("**Not in the source:** {}.\n\n", problem_text(record->inferred));
    for (const OptionSpec& spec : record->options)
      out += fmt::format("* `--option {}=…` {}, default {}\n", spec.name, problem_text(spec.help),
                         spec.default_value);
    if (!record->options.empty()) out += "\n";
    out += fmt::format("Usual end: {:g} s.\n\n", record->t_end) + values_text(*record);
  }
  print_bytes(out);
}

}  // namespace

int problems(const ListArguments& arguments) {
  if (arguments.markdown) {
    print_problems_page();
    return kOk;
  }
  const auto models = listed_models();
  if (arguments.json)
    print_bytes(problems_json(models));
  else
    print_problems(models);
  return kOk;
}

}  // namespace driftless::cli
