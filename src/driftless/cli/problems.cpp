// driftless problems: what can be run by name, from the problem library and from the model folders.

#include <algorithm>

#include <fmt/format.h>

#include "driftless/cli/commands.hpp"
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

}  // namespace

int problems(const ListArguments& arguments) {
  const auto models = listed_models();
  if (arguments.json)
    print_bytes(problems_json(models));
  else
    print_problems(models);
  return kOk;
}

}  // namespace driftless::cli
