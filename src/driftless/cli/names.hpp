// What the name on the command line stands for: a bare name is looked up in the problems first, then in the model
// folders; a name with '/' or ending in .json is a file.
#pragma once

#include <string>
#include <vector>

#include "driftless/problems/problem.hpp"

namespace driftless::cli {

struct Target {
  const ProblemRecord* problem = nullptr;  // or
  std::string model_file;
};

struct ModelFile {
  std::string name, path;
};

Target find_target(const std::string& name);  // InputError with the nearest names if there is none

// Model files that can be given by name, in alphabetical order: of $DRIFTLESS_MODELS (folders separated by ':'), of the
// installed tree, of the source tree. The first of a name counts.
std::vector<ModelFile> model_files();

}  // namespace driftless::cli
