// Lists of the methods for people: what the terminal and the page in docs/ share.
#pragma once

#include <string>

#include "driftless/core/options.hpp"

namespace driftless::cli {

std::string option_range(const OptionSpec& spec);  // "number >= 0", "kkt|schur"
std::string methods_markdown();

}  // namespace driftless::cli
