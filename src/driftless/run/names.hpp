// What to run, and what a name stands for: a bare name is looked up in the problems first, then in the model
// folders; a name with '/' or ending in .json is a file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {

// What to run: one of these.
struct Target {
  const ProblemRecord* problem = nullptr;
  std::string model_file;
  std::shared_ptr<const Model> model = nullptr;          // a program's
  std::function<ProblemInstance()> equations = nullptr;  // a program's own; its start may be rough
  std::string name = {};                                 // of the latter two
  ParameterValues parameters = {};                       // of a model, instead of its own
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

}  // namespace driftless
