#include "driftless/run/names.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/expression/expression.hpp"
#include "driftless/core/text.hpp"
#include "driftless/paths.hpp"

namespace driftless {
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
  folders.emplace_back(kInstallModels);
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

ParameterValues parameter_values(const std::vector<std::string>& set) {
  ParameterValues out;
  std::vector<Complaint> complaints;
  for (const std::string& text : set) {
    const auto sign = text.find('=');
    const std::string name = text.substr(0, sign);
    const auto complain = [&](const char* expected, const std::string& hint = "") {
      complaints.push_back({"`set`", expected, fmt::format("'{}'", printable(text)), hint});
    };
    if (sign == std::string::npos || sign == 0) {
      complain("NAME=VALUE");
      continue;
    }
    try {
      const double value = Expression(text.substr(sign + 1), {""})(0);
      if (!std::isfinite(value))
        complain("NAME=VALUE, the value finite");
      else if (!out.emplace(name, value).second)
        complain("each name once");
    } catch (const std::invalid_argument& error) {
      complain("NAME=VALUE, the value a number or an expression such as mm(120)", error.what());
    }
  }
  if (!complaints.empty()) throw InputError("", std::move(complaints));
  return out;
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

Target find_target(const std::string& name, const std::vector<std::string>& set) {
  const ParameterValues parameters = parameter_values(set);
  if (is_file_name(name)) return {.model_file = name, .parameters = parameters};
  if (const ProblemRecord* problem = find_problem(name)) {
    if (!parameters.empty())
      throw InputError(
          "", Complaint{"`set`", "a model: problems have options instead", fmt::format("problem '{}'", name),
                        "`option NAME=VALUE`; `driftless problems` lists them"});
    return {.problem = problem};
  }
  const auto models = model_files();
  const auto model =
      std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.name == name; });
  if (model == models.end()) refuse(name, models);
  return {.model_file = model->path, .parameters = parameters};
}

}  // namespace driftless
