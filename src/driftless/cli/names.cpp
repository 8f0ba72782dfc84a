#include "driftless/cli/names.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/paths.hpp"

namespace driftless::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("DRIFTLESS_MODELS")) {
    std::istringstream list(given);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.emplace_back(folder);
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back((program.parent_path() / kInstallModelsRelative).lexically_normal());
  folders.emplace_back(kSourceModels);
  return folders;
}

bool is_file_name(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

[[noreturn]] void refuse(const std::string& name, const std::vector<ModelFile>& models) {
  std::vector<std::string> known;
  for (const ProblemRecord* record : problem_records()) known.push_back(record->name);
  for (const ModelFile& model : models) known.push_back(model.name);
  const std::string near = closest_name(name, known);
  std::error_code error;
  std::string hint;
  if (!name.empty() && fs::exists(name + ".json", error))
    hint = fmt::format("for the file here write './{}.json'", name);
  else if (!near.empty())
    hint = fmt::format("did you mean '{}'?", near);
  throw InputError(
      "", Complaint{"", "a model file (*.json), or the name of a problem or model: " + quoted_list(known),
                    fmt::format("'{}'", printable(name)), hint});
}

}  // namespace

std::vector<ModelFile> model_files() {
  std::map<std::string, std::string> found;
  for (const fs::path& folder : model_folders()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".json" && entry.is_regular_file(error))
        found.emplace(entry.path().stem().string(), entry.path().string());
  }
  std::vector<ModelFile> files;
  for (const auto& [name, path] : found) files.push_back({name, path});
  return files;
}

Target find_target(const std::string& name) {
  if (is_file_name(name)) return {nullptr, name};
  if (const ProblemRecord* problem = find_problem(name)) return {problem, {}};
  const auto models = model_files();
  const auto model =
      std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.name == name; });
  if (model == models.end()) refuse(name, models);
  return {nullptr, model->path};
}

}  // namespace driftless::cli
