// What every method says of itself: feeds `driftless methods`, error messages and the documents.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/options.hpp"

namespace driftless {

struct MethodRecord {
  std::string name;       // on the command line
  std::string summary;    // one line
  std::string reference;  // source with equation numbers; never empty
  std::vector<OptionSpec> options;
};

}  // namespace driftless
