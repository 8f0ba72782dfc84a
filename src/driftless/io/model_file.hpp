// The text of a model file, with limits and messages: what is no ordinary file of a fair size is refused.
#pragma once

#include <string>

namespace driftless {

std::string read_model_text(const std::string& path);  // InputError

}  // namespace driftless
