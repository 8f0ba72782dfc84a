// What the name on the command line stands for: a bare name is looked up in the problems first, then in the model
// folders; a name with '/' or ending in .json is a file.
#pragma once

#include <string>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless::cli {

struct Target {
  const ProblemRecord* problem = nullptr;  // or
  std::string model_file;
  ParameterValues parameters = {};  // of the model, instead of those in the file
};

struct ModelFile {
  std::string name, path;
};

// InputError with the nearest names if there is none. `set`: "NAME=VALUE", new values of a model's parameters; a value may be an
// expression of numbers, mm(120).
Target find_target(const std::string& name, const std::vector<std::string>& set = {});

// Model files that can be given by name, in alphabetical order: of $DRIFTLESS_MODELS (folders separated by ':'), of the
// installed tree, of the source tree. The first of a name counts.
std::vector<ModelFile> model_files();

}  // namespace driftless::cli
